"""gallerygen over the network: a first build of many small photos, and later builds of unchanged photos."""

from dataclasses import replace
from pathlib import Path

from contestants.gallerygen import build, version, write_manifest
from measuring.contestant import ROUND_TRIP, Contestant, Run
from measuring.measurement import Command, Failed, measure
from measuring.web_server import HTTPS, HTTPS_1_1, KEEP_A_DAY, free_port
from measuring.workplace import SCRATCH


class GallerygenBuilding(Contestant):
    """A build of many photos from the server."""

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
            raise Failed(f"expected the requests {wanted}, but got {requests}")


class GallerygenCold(GallerygenBuilding):
    """The first build."""

    name = "gallerygen-cold"
    does = "first build: download, every width, all pages"

    def check(self, run: Run, output: str, requests: dict[str, int]) -> None:
        self.check_requests(requests, {"200": len(self.photos)})
        if not (run.folder / "public" / "index.html").exists():
            raise Failed("no page was written")


class GallerygenRevalidating(GallerygenBuilding):
    """A later build that revalidates every photo. The first build is not measured."""

    name = "gallerygen-304"
    does = "second build, nothing changed: every photo revalidated"

    def prepare(self) -> dict[str, str]:
        versions = super().prepare()
        # The server needs the port of the first build, because the addresses contain it.
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
            raise Failed("the site has changed")


class GallerygenRevalidatingOverTLS(GallerygenRevalidating):
    """The same over HTTP/2 with TLS."""

    name = "gallerygen-304-https"
    does = "the same by `https`, with HTTP/2"
    protocol = HTTPS


class GallerygenRevalidatingOverTLSWithHTTP1(GallerygenRevalidating):
    """The same over HTTP/1.1 with TLS."""

    name = "gallerygen-304-https-1.1"
    does = "the same by `https`, with HTTP/1.1"
    protocol = HTTPS_1_1


class GallerygenRevalidatingWithLatency(GallerygenRevalidating):
    """The same with a long round trip."""

    name = "gallerygen-304-afar"
    round_trip = ROUND_TRIP


class GallerygenRevalidatingWithLatencyOverTLS(GallerygenRevalidatingOverTLS):
    """The same over HTTP/2 with TLS."""

    name = "gallerygen-304-afar-https"
    round_trip = ROUND_TRIP


class GallerygenFresh(GallerygenRevalidating):
    """A later build whose photos are still fresh, so it sends no request."""

    name = "gallerygen-fresh"
    does = "second build of photos that the server allows to keep for a day: nothing to ask"
    caching = KEEP_A_DAY

    def check(self, run: Run, output: str, requests: dict[str, int]) -> None:
        self.check_requests(requests, {})
        self.check_site()


def contents(folder: Path) -> dict[str, tuple[int, int]]:
    """The size and modification time of every file. A build with nothing to do changes none."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): (path.stat().st_size, path.stat().st_mtime_ns) for path in files}
