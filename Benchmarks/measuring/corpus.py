"""The photographs for the benchmarks, from Debian's wallpaper packages, which apt downloads."""

import shutil
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from . import picture_header
from .packages import extract
from .workplace import CACHE

PACKAGES = [
    "plasma-workspace-wallpapers",
    "gnome-backgrounds",
    "mate-backgrounds",
    "lomiri-wallpapers-20.04",
    "ukui-wallpapers",
]
PICTURE_SUFFIXES = {".jpg", ".jpeg", ".png"}
LEAST_BYTES = 200 * 1024
# In Debian 12. Other releases have other pictures, and their figures can't be compared with the recorded ones.
EXPECTED_PICTURES = 78
EXPECTED_MEGAPIXELS = 546

WIDTHS = (400, 800, 1600)


@dataclass(frozen=True)
class Corpus:
    """A folder of pictures, and the derivatives that each contestant has to make of them."""

    folder: Path
    pictures: list[Path]
    packages: dict[str, str]

    @cached_property
    def sizes(self) -> list[tuple[int, int]]:
        return [picture_header.size(picture) for picture in self.pictures]

    @property
    def bytes(self) -> int:
        return sum(picture.stat().st_size for picture in self.pictures)

    @property
    def megapixels(self) -> float:
        return sum(width * height for width, height in self.sizes) / 1e6

    @property
    def derivative_widths(self) -> Counter[int]:
        """The number of derivatives of each width: three for each picture, none of them wider than the picture."""
        widths = Counter()
        for width, _ in self.sizes:
            widths.update({min(limit, width) for limit in WIDTHS})
        return widths

    @property
    def is_the_expected_one(self) -> bool:
        return (len(self.pictures), round(self.megapixels)) == (EXPECTED_PICTURES, EXPECTED_MEGAPIXELS)

    def summary(self) -> str:
        return f"{len(self.pictures)} pictures, {self.bytes / 2**20:.0f} MiB, {self.megapixels:.0f} MP"

    def description(self) -> dict:
        return {
            "packages": self.packages,
            "pictures": len(self.pictures),
            "bytes": self.bytes,
            "megapixels": round(self.megapixels, 1),
            "derivatives": self.derivative_widths.total(),
        }

    def warm(self) -> None:
        """Reads every picture once, so that the first contestant does not have to read them from the disk."""
        for picture in self.pictures:
            picture.read_bytes()

    def cut(self, count: int) -> "Corpus":
        """A corpus of fewer pictures, evenly distributed, in a separate folder, because contestants get a folder."""
        step = len(self.pictures) / count
        return self.part(str(count), [self.pictures[int(index * step)] for index in range(count)])

    def sequential(self) -> "Corpus":
        """The pictures that can be decoded row by row: baseline JPEGs, and PNGs that are not interlaced."""
        return self.part("sequential", [path for path in self.pictures if picture_header.read(path).is_sequential])

    def part(self, name: str, chosen: list[Path]) -> "Corpus":
        folder = self.folder.with_name(f"{self.folder.name}-{name}")
        return Corpus(folder, gathered(chosen, folder), self.packages)


def fetch() -> Corpus:
    """The whole corpus, from the cache or from apt. Raises `Missing` if apt does not have it."""
    root = CACHE / "wallpapers"
    versions = extract(PACKAGES, root)
    found = sorted(
        path
        for path in root.rglob("*")
        if path.suffix.lower() in PICTURE_SUFFIXES
        and not path.is_symlink()
        and path.stat().st_size > LEAST_BYTES
    )
    folder = CACHE / "corpus"
    return Corpus(folder, gathered(found, folder, numbered=True), versions)


def gathered(pictures: list[Path], folder: Path, numbered: bool = False) -> list[Path]:
    """Links the files in one folder. They can be numbered, because several folders of the packages use the same
    names."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    links = []
    for index, picture in enumerate(pictures, start=1):
        name = f"{index:03d}{picture.suffix.lower()}" if numbered else picture.name
        link = folder / name
        link.hardlink_to(picture)
        links.append(link)
    return links
