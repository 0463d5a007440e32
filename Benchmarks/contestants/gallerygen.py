"""gallerygen itself, with cold builds: neither the state folder nor the output folder exists."""

import plistlib
from collections import Counter
from pathlib import Path

from contestants.picture_work import PictureContestant
from measuring.contestant import Run
from measuring.corpus import WIDTHS, Corpus
from measuring.measurement import Command
from measuring.packages import Missing
from measuring.packages import run as output_of


class Gallerygen(PictureContestant):
    """Downloads the photos from loopback, filters them, and writes the pages."""

    name = "gallerygen"
    does = "cold build: downloads from nginx on loopback, makes the derivatives, writes all pages; `--no-originals`"
    # No other contestant makes the unfiltered pictures of the before/after view.
    options = ["--no-originals"]

    def __init__(self, corpus: Corpus, binary: Path):
        super().__init__(corpus)
        self.binary = binary
        self.served = corpus.folder

    def prepare(self) -> dict[str, str]:
        return {"gallerygen": version(self.binary)}

    def command(self, run: Run) -> Command:
        write_manifest(run.folder, {picture.stem: self.source(picture, run) for picture in self.corpus.pictures})
        return build(self.binary, run.folder, self.options)

    def source(self, picture: Path, run: Run) -> str:
        return f"{run.address}/{picture.name}"

    def derivatives(self, run: Run) -> Path:
        return run.folder / "public" / "images"


class GallerygenLocal(Gallerygen):
    """The same without the network, because the manifest refers to files."""

    name = "gallerygen-local"
    does = "the same from local files, without the download; pages"

    def __init__(self, corpus: Corpus, binary: Path):
        super().__init__(corpus, binary)
        self.served = None

    def source(self, picture: Path, run: Run) -> str:
        return picture.as_uri()


class GallerygenDefaults(Gallerygen):
    """The same with default options, so each picture is also published unfiltered for the before/after view."""

    name = "gallerygen-defaults"
    does = "as `gallerygen` without options: a fourth, unfiltered picture each, which no other contestant makes"
    options = []

    @property
    def wanted_widths(self) -> Counter[int]:
        unfiltered = Counter(min(max(WIDTHS), width) for width, _ in self.corpus.sizes)
        return self.corpus.derivative_widths + unfiltered


class GallerygenSequential(Gallerygen):
    """The same with two jobs and only pictures that are decoded row by row, which shows the memory of the program."""

    name = "gallerygen-sequential"
    does = "as `gallerygen`, of the baseline JPEGs and the PNGs that are not interlaced, with `--jobs 2`"
    options = ["--no-originals", "--jobs", "2"]


def version(binary: Path) -> str:
    if not binary.exists():
        raise Missing("there is no binary: run `make build`, or pass one with --gallerygen")
    return output_of([str(binary), "--version"]).strip()


def write_manifest(folder: Path, photos: dict[str, str]) -> None:
    (folder / "photos.plist").write_bytes(plistlib.dumps(photos, sort_keys=False))


def build(binary: Path, folder: Path, options: list[str]) -> Command:
    # --strict, because a failed photo must not count as a fast one.
    return Command([str(binary), "build", "--strict", "--quiet", *options], folder)
