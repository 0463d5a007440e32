"""One width of each of thousands of small photos, without a filter, which is the purpose of vipsthumbnail."""

from pathlib import Path

from contestants.gallerygen import build, version, write_manifest
from measuring import picture_header
from measuring.contestant import Contestant, Run
from measuring.measurement import Command, Failed
from measuring.packages import program
from measuring.packages import run as output_of

WIDTH = 320
JOBS = 2
BATCH = 100


class Thumbnails(Contestant):
    """A contestant that makes a thumbnail of every photo of a folder."""

    # The folder of the thumbnails after the run.
    made: str

    def __init__(self, photos: Path):
        self.photos = sorted(photos.iterdir())
        self.folder = photos

    def check(self, run: Run, output: str, requests: dict[str, int]) -> None:
        widths = [picture_header.size(path)[0] for path in (run.folder / self.made).iterdir()]
        if widths != [WIDTH] * len(self.photos):
            raise Failed(f"{len(widths)} thumbnails, of the widths {set(widths)}, for {len(self.photos)} photos")


class GallerygenThumbnails(Thumbnails):
    """Builds a whole gallery, and keeps originals and writes pages."""

    name = "gallerygen-thumbnails"
    does = "cold build from local files: one width, `--filter none`; keeps the originals and writes all pages"
    made = "public/images"
    options = ["--filter", "none", "--widths", str(WIDTH)]

    def __init__(self, photos: Path, binary: Path):
        super().__init__(photos)
        self.binary = binary

    def prepare(self) -> dict[str, str]:
        return {"gallerygen": version(self.binary)}

    def command(self, run: Run) -> Command:
        write_manifest(run.folder, {photo.stem: photo.as_uri() for photo in self.photos})
        return build(self.binary, run.folder, self.options)


class VipsThumbnails(Thumbnails):
    """Makes only the thumbnails."""

    name = "vipsthumbnail"
    does = f"`vipsthumbnail` on {BATCH} local files at a time, two at once; no pages"
    made = "made"

    def prepare(self) -> dict[str, str]:
        self.program = program("vipsthumbnail", "libvips-tools")
        return {"vipsthumbnail": output_of([self.program, "--version"]).strip()}

    def command(self, run: Run) -> Command:
        (run.folder / self.made).mkdir()
        (run.folder / "list").write_bytes(b"\0".join(str(photo).encode() for photo in self.photos))
        # Absolute, because vipsthumbnail regards a relative name as relative to the folder of the photo.
        output = f"{run.folder / self.made}/%s.jpg[Q=82,strip]"
        arguments = ["xargs", "-0", "-a", "list", "-P", str(JOBS), "-n", str(BATCH)]
        return Command(
            [*arguments, self.program, "--size", f"{WIDTH}x>", "-o", output], run.folder, {"VIPS_CONCURRENCY": "1"})
