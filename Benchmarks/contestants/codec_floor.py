"""The codecs alone, in C. No program that uses libjpeg-turbo and libpng for this work can be faster."""

from pathlib import Path

from contestants.picture_work import PictureContestant
from measuring.contestant import Run
from measuring.measurement import Command, Failed
from measuring.packages import compiled
from measuring.packages import run as output_of
from measuring.workplace import BENCHMARKS

SOURCE = BENCHMARKS / "contestants" / "codec-floor.c"
THREADS = 2


class CodecFloor(PictureContestant):
    """Decodes every picture and encodes as many pixels as the derivatives have, without keeping any file."""

    name = "codecs"
    does = "libjpeg-turbo and libpng in C: decode, shrunk in the DCT, and encode the three widths; no filter, no files"

    def prepare(self) -> dict[str, str]:
        self.program = compiled(SOURCE, ["-ljpeg", "-lpng", "-lpthread"])
        return {
            "libjpeg": output_of(["pkg-config", "--modversion", "libjpeg"]).strip(),
            "libpng": output_of(["pkg-config", "--modversion", "libpng"]).strip(),
            "zlib": output_of(["pkg-config", "--modversion", "zlib"]).strip(),
        }

    def command(self, run: Run) -> Command:
        return Command([self.program, str(THREADS), *map(str, self.corpus.pictures)], run.folder)

    def derivatives(self, run: Run) -> Path:
        return run.folder

    def check(self, run: Run, output: str, requests: dict[str, int]) -> None:
        """Checks the printed counts, because there are no files to check."""
        wanted = f"{len(self.corpus.pictures)} pictures, {self.corpus.derivative_widths.total()} derivatives"
        if wanted not in output:
            raise Failed(f"expected {wanted}, but the output is: {output[-200:]}")
