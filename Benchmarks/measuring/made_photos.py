"""Photos made for a benchmark, all different and all alike: as many as no package has."""

from pathlib import Path

from .packages import compiled, run
from .workplace import BENCHMARKS, CACHE

GENERATOR = BENCHMARKS / "measuring" / "make-photos.c"


def photos(count: int, width: int, height: int, grain: int) -> Path:
    """A folder of that many JPEGs, made at the first call; more grain, more bytes."""
    folder = CACHE / f"photos-{count}-{width}x{height}-{grain}"
    generator = compiled(GENERATOR, ["-ljpeg"])
    if not folder.exists():
        unfinished = folder.with_suffix(".part")
        unfinished.mkdir(parents=True, exist_ok=True)
        run([generator, str(unfinished), str(count), str(width), str(height), str(grain)])
        unfinished.rename(folder)
    return folder
