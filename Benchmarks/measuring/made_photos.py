"""Generated photos: no package contains so many. All are different, but equally expensive to process."""

from pathlib import Path

from .packages import compiled, python_with, run
from .workplace import BENCHMARKS, CACHE

GENERATOR = BENCHMARKS / "measuring" / "make-photos.c"


def photos(count: int, width: int, height: int, grain: int) -> Path:
    """A folder of `count` JPEGs, which the first call makes. More grain makes the files larger."""
    folder = CACHE / f"photos-{count}-{width}x{height}-{grain}"
    generator = compiled(GENERATOR, ["-ljpeg"])
    if not folder.exists():
        unfinished = folder.with_suffix(".part")
        unfinished.mkdir(parents=True, exist_ok=True)
        run([generator, str(unfinished), str(count), str(width), str(height), str(grain)])
        unfinished.rename(folder)
    return folder


def variations(photos: Path, count: int) -> Path:
    """A folder of `count` files with only a few different pictures. Each file has a different comment, so all digests
    differ. The first call makes them, much faster than it could compress as many pictures."""
    folder = photos.with_name(f"{photos.name}-as-{count}")
    if not folder.exists():
        originals = [photo.read_bytes() for photo in sorted(photos.iterdir())]
        unfinished = folder.with_suffix(".part")
        unfinished.mkdir(exist_ok=True)
        for number in range(1, count + 1):
            start, rest = (original := originals[number % len(originals)])[:2], original[2:]
            comment = f"{number:08d}".encode()
            segment = b"\xff\xfe" + (len(comment) + 2).to_bytes(2, "big") + comment
            (unfinished / f"{number:05d}.jpg").write_bytes(start + segment + rest)
        unfinished.rename(folder)
    return folder


def as_png(photo: Path) -> Path:
    """The same picture as PNG, which the first call makes, next to the photo's folder."""
    result = photo.parent.with_suffix(".png")
    if not result.exists():
        unfinished = result.with_suffix(".part.png")
        script = (
            "import sys, pyvips; "
            "pyvips.Image.new_from_file(sys.argv[1], access='sequential').pngsave(sys.argv[2], compression=1)"
        )
        run([python_with("pyvips[binary]", "pyvips"), "-c", script, str(photo), str(unfinished)])
        unfinished.rename(result)
    return result
