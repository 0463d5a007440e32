"""The photographs that are measured: those of Debian's wallpaper packages, fetched through apt."""

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
# In Debian 12. Another release brings other pictures, and then figures are not comparable with those recorded.
EXPECTED_PICTURES = 78
EXPECTED_MEGAPIXELS = 546

WIDTHS = (400, 800, 1600)


@dataclass(frozen=True)
class Corpus:
    """A folder of pictures, and what each contestant has to make of them."""

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
        """How many derivatives of each width there are to make: three a picture, none wider than the picture."""
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
        """Reads every picture once, so that no contestant pays for the disk on behalf of the others."""
        for picture in self.pictures:
            picture.read_bytes()

    def cut(self, count: int) -> "Corpus":
        """Some of the pictures, spread evenly, in a folder of their own: contestants are given a folder."""
        step = len(self.pictures) / count
        return self.part(str(count), [self.pictures[int(index * step)] for index in range(count)])

    def sequential(self) -> "Corpus":
        """Baseline JPEGs and PNGs that are not interlaced: what can be decoded a row at a time."""
        return self.part("sequential", [path for path in self.pictures if picture_header.read(path).is_sequential])

    def part(self, name: str, chosen: list[Path]) -> "Corpus":
        folder = self.folder.with_name(f"{self.folder.name}-{name}")
        return Corpus(folder, gathered(chosen, folder), self.packages)


def fetch() -> Corpus:
    """The whole corpus, from the cache or from apt; raises `Missing` where apt has not got it."""
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
    """The same files in one flat folder. Numbered, because the packages use the same names in several folders."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    links = []
    for index, picture in enumerate(pictures, start=1):
        name = f"{index:03d}{picture.suffix.lower()}" if numbered else picture.name
        link = folder / name
        link.hardlink_to(picture)
        links.append(link)
    return links
