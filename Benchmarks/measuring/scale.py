"""Measures the builds of a growing gallery: the first one, one without changes, and one after each kind of change."""

import os
import plistlib
import statistics
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from .measurement import Command, Failed, measure
from .web_server import KEEP_A_DAY, WebServer, free_port

ALBUM = 100
"""The number of photos in an album."""


@dataclass(frozen=True)
class Step:
    """One build of a gallery, and the change before it."""

    name: str
    does: str
    # Changes the gallery, and returns the options to add for this build and all later ones.
    change: Callable[["ScaleGallery"], list[str]]
    # Computes the number of photos to download from the number of all photos.
    fetched: Callable[[int], int]
    # Whether the build reads the stored originals.
    reads_originals: bool = False


STEPS = [
    Step("cold", "the first build: everything downloaded, filtered and rendered", lambda _: [], lambda photos: photos),
    Step("no-op", "nothing changed, and the server lets photos be kept", lambda _: [], lambda _: 0),
    Step("one photo", "one photo has another address", lambda gallery: gallery.readdress(), lambda _: 1),
    Step("one title", "another `--title`: every page again, no picture", lambda _: ["--title", "Scale"], lambda _: 0),
    Step("one template", "another template for the state of a photo", lambda gallery: gallery.template(), lambda _: 0),
    Step("one filter", "another `--filter`: every picture again", lambda _: ["--filter", "grayscale(1)"], lambda _: 0, True),
]


@dataclass(frozen=True)
class StepFigures:
    """The figures of one build: seconds, bytes, and the number of files of the site that were written."""

    step: str
    wall: float
    # The processor time in the program and in the kernel.
    user: float
    system: float
    peak_process: int
    files_written: int
    requests: int
    load_before: float
    # The number of the turn through all sizes, from 0.
    turn: int

    @property
    def cpu(self) -> float:
        return self.user + self.system


class ScaleGallery:
    """A gallery of many tiny photos in albums, and the settings of its server."""

    def __init__(self, photos: Path, folder: Path, binary: Path, turn: int, spares: int = 1):
        """Lists all photos of a folder except the last `spares`. Each of those is the new address of a photo later."""
        self.folder = folder
        self.turn = turn
        self.photos = sorted(photos.iterdir())
        self.served = photos
        self.binary = binary
        self.port = free_port()
        self.options = ["--no-originals"]
        folder.mkdir(parents=True)
        self.listed = {photo.stem: photo.name for photo in self.photos[:-spares]}
        self.spares = [photo.name for photo in self.photos[-spares:]]
        self.write_list()
        self.files: dict[str, tuple[int, int, int]] = {}
        self.builds = 0

    def write_list(self) -> None:
        names = list(self.listed)
        address = f"http://127.0.0.1:{self.port}"
        albums = {
            f"Album {start // ALBUM + 1}": {name: f"{address}/{self.listed[name]}" for name in names[start : start + ALBUM]}
            for start in range(0, len(names), ALBUM)
        }
        (self.folder / "photos.plist").write_bytes(plistlib.dumps(albums, sort_keys=False))

    def readdress(self) -> list[str]:
        """Gives the photo in the middle the address of one that was never listed."""
        self.listed[list(self.listed)[len(self.listed) // 2]] = self.spares.pop()
        self.write_list()
        return []

    def template(self) -> list[str]:
        templates = self.folder / "templates"
        templates.mkdir()
        (templates / "photo-state.mustache").write_text("<p>{{state}}</p>\n")
        return ["--templates", "templates"]

    def steps(self) -> Iterator[StepFigures]:
        """Runs all steps. Raises `Failed` if one of them did not do its work."""
        for step in STEPS:
            yield self.build(step)

    def build(self, step: Step) -> StepFigures:
        """Runs one step. Raises `Failed` if it did not do its work."""
        self.options += step.change(self)
        command = Command([str(self.binary), "build", "--strict", "--quiet", *self.options], self.folder)
        self.builds += 1
        scratch = self.folder.with_name(f"{self.folder.name}-{self.builds}-{step.name.replace(' ', '-')}")
        if step.reads_originals:
            self.drop_originals_from_page_cache()
        with WebServer(self.served, scratch, self.port, KEEP_A_DAY) as server:
            figures = measure(command, scratch / "output")
        asked = sum(server.requests.values())
        if asked != step.fetched(len(self.listed)):
            raise Failed(f"{step.name}: {asked} requests, expected {step.fetched(len(self.listed))}")
        before, self.files = self.files, self.site()
        written = sum(before.get(path) != identity for path, identity in self.files.items())
        if not self.files or (step.name == "no-op" and written):
            raise Failed(f"{step.name}: {written} files written")
        return self.taken(step.name, figures, written, asked)

    def taken(self, name: str, figures: dict, files: int, asked: int) -> StepFigures:
        return StepFigures(
            name, figures["wall"], figures["user"], figures["system"], figures["peak_process"], files, asked,
            figures["load_before"], self.turn)

    def drop_originals_from_page_cache(self) -> None:
        """Makes the next build read originals from the disk. The page cache could still contain those of a small
        gallery."""
        # Pages that are not written to the disk yet can't be dropped.
        os.sync()
        for path in (self.folder / ".gallerygen" / "originals").rglob("*"):
            if path.is_file():
                descriptor = os.open(path, os.O_RDONLY)
                os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
                os.close(descriptor)

    def site(self) -> dict[str, tuple[int, int, int]]:
        """The inode, modification time and size of each file of the site, which change if the file is written."""
        identities = {}
        for path in (self.folder / "public").rglob("*"):
            stat = path.stat()
            if path.is_file():
                identities[str(path)] = (stat.st_ino, stat.st_mtime_ns, stat.st_size)
        return identities


def scale_table(figures: dict[int, list[StepFigures]]) -> list[str]:
    """The lines of the table with medians. For CPU time also the minimum and the maximum."""
    lines = [
        "| photos | what | wall, s | CPU, s | from least to most | of it the kernel's | memory, MB | files written | runs |",
        "|---:|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for size in figures:
        for name in (step.name for step in STEPS):
            runs = runs_of(name, figures[size])
            if not runs:
                continue
            least, most = min(run.cpu for run in runs), max(run.cpu for run in runs)
            cells = [
                f"{size:,}", name, f"{median(runs, 'wall'):.2f}", f"{median(runs, 'cpu'):.2f}", f"{least:.2f}–{most:.2f}",
                f"{median(runs, 'system'):.2f}", f"{median(runs, 'peak_process') / 1e6:.0f}",
                f"{median(runs, 'files_written'):,.0f}", f"{len(runs)}"]
            lines.append("| " + " | ".join(cells) + " |")
    return lines


def growth_table(figures: dict[int, list[StepFigures]]) -> list[str]:
    """The factors by which CPU time grows from each size to the next. Growth is at most linear if the factor is at most
    the ratio of the sizes."""
    pairs = list(zip(figures, list(figures)[1:], strict=False))
    if not pairs:
        return []
    lines = [
        "How many times the CPU time of the smaller gallery the larger one takes: the median of each turn's own ratio, "
        "and\nfrom least to most; of *own* the kernel's part is left out.", "",
        "| what | " + " | ".join(f"{small:,} → {large:,} | least to most | own" for small, large in pairs) + " |",
        "|---|" + "---:|" * (3 * len(pairs)),
    ]
    for name in (step.name for step in STEPS):
        cells = []
        for small, large in pairs:
            few, many = runs_of(name, figures[small]), runs_of(name, figures[large])
            whole, own = growth(few, many, "cpu"), growth(few, many, "user")
            cells += [f"{statistics.median(whole):.1f}", f"{min(whole):.1f}–{max(whole):.1f}"] if whole else ["–", "–"]
            cells.append(f"{statistics.median(own):.1f}" if own else "–")
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return lines


def growth(few: list[StepFigures], many: list[StepFigures], kind: str) -> list[float]:
    """The ratio of each turn. A machine that is slow for some minutes is slow for both sizes."""
    means = [
        [statistics.mean(getattr(run, kind) for run in runs if run.turn == turn) for runs in (few, many)]
        for turn in sorted({run.turn for run in few} & {run.turn for run in many})
    ]
    return [large / small for small, large in means if small > 0]


def runs_of(name: str, figures: list[StepFigures]) -> list[StepFigures]:
    return [run for run in figures if run.step == name]


def median(runs: list[StepFigures], name: str) -> float:
    return statistics.median(getattr(run, name) for run in runs)


def record(figures: dict[int, list[StepFigures]]) -> list[dict]:
    return [
        {"photos": size, "steps": [{"name": step.name, "does": step.does} for step in STEPS],
         "runs": [asdict(run) for run in runs]}
        for size, runs in figures.items()
    ]
