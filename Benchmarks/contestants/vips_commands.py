"""A shell script with curl and the commands of libvips."""

from collections import Counter
from pathlib import Path

from contestants.picture_work import PictureContestant
from measuring.contestant import Run
from measuring.corpus import WIDTHS, Corpus
from measuring.measurement import Command
from measuring.packages import program
from measuring.packages import run as output_of
from measuring.workplace import BENCHMARKS

SCRIPT = BENCHMARKS / "contestants" / "vips-commands"


class VipsCommands(PictureContestant):
    """One curl for all pictures, then vipsthumbnail and `vips recomb`."""

    name = "vips-commands"
    does = "`curl --parallel` from nginx on loopback, `vipsthumbnail`, `vips recomb`, `vipsthumbnail`; no pages"

    def __init__(self, corpus: Corpus):
        super().__init__(corpus)
        self.served = corpus.folder

    @property
    def wanted_widths(self) -> Counter[int]:
        """A picture narrower than 800 px is made in its own width twice, because the script would have to start one
        more program for each picture to know its width."""
        return Counter(min(limit, width) for width, _ in self.corpus.sizes for limit in WIDTHS)

    def prepare(self) -> dict[str, str]:
        self.thumbnail = program("vipsthumbnail", "libvips-tools")
        self.vips = program("vips", "libvips-tools")
        self.curl = program("curl", "curl")
        return {
            "vips": output_of([self.vips, "--version"]).strip(),
            "curl": output_of([self.curl, "--version"]).splitlines()[0],
        }

    def command(self, run: Run) -> Command:
        names = [picture.name for picture in self.corpus.pictures]
        tools = [self.curl, self.thumbnail, self.vips]
        return Command([str(SCRIPT), *tools, str(run.address), *names], run.folder)

    def derivatives(self, run: Run) -> Path:
        return run.folder / "derivative"
