"""sigal, which generates a gallery from a folder of pictures."""

from collections import Counter
from pathlib import Path

from contestants.picture_work import PictureContestant
from measuring import picture_header
from measuring.contestant import Run
from measuring.corpus import PICTURE_SUFFIXES
from measuring.measurement import Command, Failed
from measuring.packages import python_with
from measuring.packages import run as output_of

# The longest sides of the derivatives. Thumbnails are not cropped.
LIMITS = [400, 1600]
SETTINGS = """
source = {source!r}
destination = "site"
theme = "photoswipe"
img_size = (1600, 1600)
thumb_size = (400, 400)
thumb_fit = False
jpg_options = {{"quality": 82, "optimize": False, "progressive": False}}
copy_exif_data = False
use_orig = False
write_html = True
"""


class Sigal(PictureContestant):
    """Makes two sizes of each picture and one page, because sigal offers no third size and no sepia."""

    name = "sigal"
    does = "two sizes of each picture, at most 1600 and 400 px on a side; no filter; local files; one page"
    # It takes much longer than the others.
    most_rounds = 3

    def prepare(self) -> dict[str, str]:
        self.python = python_with("sigal", "sigal")
        version = "import sigal, PIL; print(sigal.__version__, PIL.__version__)"
        sigal, pillow = output_of([self.python, "-c", version]).split()
        return {"sigal": sigal, "Pillow": pillow}

    def command(self, run: Run) -> Command:
        # The pictures are in a subfolder, because sigal makes an album of each subfolder and not of the top folder.
        album = run.folder / "source" / "pictures"
        album.mkdir(parents=True)
        for picture in self.corpus.pictures:
            (album / picture.name).symlink_to(picture)
        (run.folder / "sigal.conf.py").write_text(SETTINGS.format(source=str(album.parent)))
        sigal = str(Path(self.python).with_name("sigal"))
        return Command([sigal, "build", "--quiet", "--ncpu", "2"], run.folder)

    def derivatives(self, run: Run) -> Path:
        return run.folder / "site" / "pictures"

    def check(self, run: Run, output: str, requests: dict[str, int]) -> None:
        made = Counter(
            max(picture_header.size(path))
            for path in self.derivatives(run).rglob("*")
            if path.suffix.lower() in PICTURE_SUFFIXES
        )
        wanted = Counter(min(limit, max(size)) for size in self.corpus.sizes for limit in LIMITS)
        if made != wanted:
            raise Failed(f"unexpected sizes: missing {dict(wanted - made)}, extra {dict(made - wanted)}")
