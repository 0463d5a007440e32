"""gallerygen over the network: a first build of many small photos, and later builds that find nothing changed."""

from dataclasses import replace
from pathlib import Path

from contestants.gallerygen import build, version, write_manifest
from measuring.contestant import ROUND_TRIP, Contestant, Run
from measuring.measurement import Command, Failed, measure
from measuring.web_server import HTTPS, HTTPS_1_1, KEEP_A_DAY, free_port
from measuring.workplace import SCRATCH


class GallerygenBuilding(Contestant):
    """A build of many photos whose addresses name the server."""

    options = ["--no-originals"]

    def __init__(self, photos: Path, binary: Path):
        self.served = photos
        self.photos = sorted(photos.iterdir())
        self.binary = binary

    def prepare(self) -> dict[str, str]:
        return {"gallerygen": version(self.binary)}

    def command(self, run: Run) -> Command:
        write_manifest(run.folder, {photo.stem: f"{run.address}/{photo.name}" for photo in self.photos})
        return self.build(run.folder)

    def build(self, folder: Path) -> Command:
        return replace(build(self.binary, folder, self.options), variables=self.protocol.variables)

    def check_requests(self, requests: dict[str, int], wanted: dict[str, int]) -> None:
        if requests != wanted:
            raise Failed(f"other requests than {wanted}: {requests}")


class GallerygenCold(GallerygenBuilding):
    """The first build."""

    name = "gallerygen-cold"
    does = "first build: download, every width, all pages"

    def check(self, run: Run, output: str, requests: dict[str, int]) -> None:
        self.check_requests(requests, {"200": len(self.photos)})
        if not (run.folder / "public" / "index.html").exists():
            raise Failed("it wrote no page")


class GallerygenAsking(GallerygenBuilding):
    """A later build that asks for every photo; its first build is not measured."""

    name = "gallerygen-304"
    does = "second build, nothing changed: every photo revalidated"

    def prepare(self) -> dict[str, str]:
        versions = super().prepare()
        # The addresses are those of the first build, so the server's port has to be.
        self.port = free_port()
        self.gallery = SCRATCH / f"{self.name}-gallery"
        self.gallery.mkdir(parents=True)
        with self.server(SCRATCH / f"{self.name}-server") as server:
            measure(super().command(Run(self.gallery, server.address)), SCRATCH / f"{self.name}-first")
        self.site = contents(self.gallery / "public")
        return versions

    def command(self, run: Run) -> Command:
        return self.build(self.gallery)

    def check(self, run: Run, output: str, requests: dict[str, int]) -> None:
        self.check_requests(requests, {"304": len(self.photos)})
        self.check_site()

    def check_site(self) -> None:
        if contents(self.gallery / "public") != self.site:
            raise Failed("the site is not what it was")


class GallerygenAskingSecurely(GallerygenAsking):
    """The same over TLS, with HTTP/2."""

    name = "gallerygen-304-https"
    does = "the same by `https`, with HTTP/2"
    protocol = HTTPS


class GallerygenAskingSecurelyByHTTP1(GallerygenAsking):
    """The same over TLS, of a server that has no HTTP/2."""

    name = "gallerygen-304-https-1.1"
    does = "the same by `https`, with HTTP/1.1"
    protocol = HTTPS_1_1


class GallerygenAskingAfar(GallerygenAsking):
    """The same where each answer takes a while."""

    name = "gallerygen-304-afar"
    round_trip = ROUND_TRIP


class GallerygenAskingAfarSecurely(GallerygenAskingSecurely):
    """The same over TLS, with HTTP/2."""

    name = "gallerygen-304-afar-https"
    round_trip = ROUND_TRIP


class GallerygenFresh(GallerygenAsking):
    """A later build that may trust what it has."""

    name = "gallerygen-fresh"
    does = "second build of photos that the server allows to keep for a day: nothing to ask"
    caching = KEEP_A_DAY

    def check(self, run: Run, output: str, requests: dict[str, int]) -> None:
        self.check_requests(requests, {})
        self.check_site()


def contents(folder: Path) -> dict[str, tuple[int, int]]:
    """Every file's size and time of change: a build with nothing to do touches none."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): (path.stat().st_size, path.stat().st_mtime_ns) for path in files}
