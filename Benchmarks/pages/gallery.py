"""The sites whose pages are measured."""

import plistlib
import shutil
import subprocess
from pathlib import Path

from measuring import corpus
from measuring.made_photos import photos, variations
from measuring.workplace import SCRATCH

WORDS = [
    "sea", "lake", "hill", "wood", "rock", "moor", "field", "river", "harbour", "street", "tower", "bridge", "garden",
    "meadow", "orchard", "island", "valley", "mill", "chapel", "market", "winter", "summer", "dawn", "dusk", "storm",
    "snow", "mist", "heather", "birch", "heron",
]
CAPTION = "A place that people go to in all seasons, for the view over the water and the trees along the path."


def real(binary: Path, count: int = 60) -> Path:
    """The site of a gallery of photographs with captions in four albums. Two photos are missing."""
    pictures = corpus.fetch().pictures
    albums = {}
    for number in range(count):
        picture = pictures[number * 17 % len(pictures)]
        album = albums.setdefault(f"{WORDS[number // 15].title()} walks", {})
        album[name(number)] = {
            "url": "missing.jpg" if number in (11, 37) else str(picture),
            "caption": CAPTION[: 30 + number % 70],
            "credit": "Camera Club",
            "date": f"2026-{number % 12 + 1:02}-11",
        }
    return build(binary, SCRATCH / "real", albums)


def made(binary: Path, count: int) -> Path:
    """The site of a gallery of small pictures, with 100 in each album."""
    files = sorted(variations(photos(100, 64, 48, grain=4), count).iterdir())
    albums = {}
    for number, file in enumerate(files):
        album = albums.setdefault(f"{WORDS[number // 100 % 30].title()} {number // 100}", {})
        album[name(number)] = str(file)
    return build(binary, SCRATCH / f"made-{count}", albums)


def name(number: int) -> str:
    return f"{WORDS[number * 7 % 30].title()} and {WORDS[number * 13 % 29]} {number + 1}"


def build(binary: Path, folder: Path, albums: dict) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "photos.plist").write_bytes(plistlib.dumps(albums, sort_keys=False))
    subprocess.run([binary, "build", "--quiet"], cwd=folder, check=True)
    return folder / "public"
