"""A Python script with pyvips, and with the libvips of its binary wheel."""

from pathlib import Path

from contestants.picture_work import PictureContestant
from measuring.contestant import Run
from measuring.measurement import Command
from measuring.packages import python_with
from measuring.packages import run as output_of
from measuring.workplace import BENCHMARKS

SCRIPT = BENCHMARKS / "contestants" / "pyvips-gallery.py"
VERSIONS = "import pyvips; print(pyvips.__version__, *(pyvips.version(part) for part in range(3)))"


class PyvipsScript(PictureContestant):
    """Decodes each picture once, in two processes."""

    name = "pyvips"
    does = "an expert's script in two processes, one decode a picture; local files; no pages"

    def prepare(self) -> dict[str, str]:
        self.python = python_with("pyvips[binary]", "pyvips")
        binding, *library = output_of([self.python, "-c", VERSIONS]).split()
        return {"pyvips": binding, "libvips": ".".join(library)}

    def command(self, run: Run) -> Command:
        pictures = [str(picture) for picture in self.corpus.pictures]
        return Command([self.python, str(SCRIPT), "derivative", *pictures], run.folder)

    def derivatives(self, run: Run) -> Path:
        return run.folder / "derivative"
