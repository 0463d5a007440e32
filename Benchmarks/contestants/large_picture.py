"""gallerygen with the largest pictures that it accepts, one at a time, to measure its memory."""

from collections import Counter
from pathlib import Path

from contestants.gallerygen import build, version, write_manifest
from measuring import picture_header
from measuring.contestant import Contestant, Run
from measuring.corpus import PICTURE_SUFFIXES, WIDTHS
from measuring.measurement import Command, Failed


class LargePicture(Contestant):
    """Makes three sepia widths of one picture with one job."""

    # The generated pictures compress badly and exceed the default limit of a download.
    options = ["--no-originals", "--jobs", "1", "--max-bytes", "2GB"]

    def __init__(self, kind: str, picture: Path, binary: Path):
        self.name = f"gallerygen-{kind}"
        self.does = f"cold build from one local {kind.upper()} file, `--jobs 1`, `--no-originals`; pages"
        self.picture = picture
        self.binary = binary

    def prepare(self) -> dict[str, str]:
        return {"gallerygen": version(self.binary)}

    def command(self, run: Run) -> Command:
        write_manifest(run.folder, {"Large": self.picture.as_uri()})
        return build(self.binary, run.folder, self.options)

    def check(self, run: Run, output: str, requests: dict[str, int]) -> None:
        made = Counter(
            picture_header.size(path)[0]
            for path in (run.folder / "public" / "images").iterdir()
            if path.suffix in PICTURE_SUFFIXES
        )
        if made != Counter(WIDTHS):
            raise Failed(f"unexpected widths: {dict(made)}")
