"""`curl --parallel`, with which the network part of a build is compared. It only revalidates or downloads photos."""

from pathlib import Path

from measuring.contestant import ROUND_TRIP, Contestant, Run
from measuring.measurement import Command, Failed
from measuring.packages import program
from measuring.packages import run as output_of
from measuring.web_server import HTTPS, HTTPS_1_1


class CurlContestant(Contestant):
    """One curl for all photos, with a configuration file and curl's default number of connections."""

    def __init__(self, photos: Path):
        self.served = photos
        self.photos = sorted(photos.iterdir())

    def prepare(self) -> dict[str, str]:
        self.curl = program("curl", "curl")
        return {"curl": output_of([self.curl, "--version"]).splitlines()[0]}

    def command(self, run: Run) -> Command:
        transfers = (self.transfer(photo, f"{run.address}/{photo.name}") for photo in self.photos)
        # `next` separates the options of the transfers, because each has its own header.
        (run.folder / "curl.config").write_text("next\n".join(transfers))
        (run.folder / "photos").mkdir()
        options = ["--parallel", "--no-progress-meter", "--config", "curl.config"]
        return Command([self.curl, *options], run.folder, self.protocol.variables)

    def transfer(self, photo: Path, address: str) -> str:
        return f'url = "{address}"\noutput = "photos/{photo.name}"\nfail\n'


class CurlRevalidating(CurlContestant):
    """Asks the server whether photos have changed."""

    name = "curl-304"
    does = "`curl --parallel` with an `If-None-Match` for each photo; writes nothing"

    def transfer(self, photo: Path, address: str) -> str:
        return super().transfer(photo, address) + f'header = "If-None-Match: {nginx_tag(photo)}"\n'

    def check(self, run: Run, output: str, requests: dict[str, int]) -> None:
        if requests != {"304": len(self.photos)}:
            raise Failed(f"not all responses were 304: {requests}")


class CurlRevalidatingOverTLS(CurlRevalidating):
    """The same over HTTP/2 with TLS."""

    name = "curl-304-https"
    does = "the same by `https`, with HTTP/2"
    protocol = HTTPS


class CurlRevalidatingOverTLSWithHTTP1(CurlRevalidating):
    """The same over HTTP/1.1 with TLS."""

    name = "curl-304-https-1.1"
    does = "the same by `https`, with HTTP/1.1"
    protocol = HTTPS_1_1


class CurlRevalidatingWithLatency(CurlRevalidating):
    """The same with a long round trip."""

    name = "curl-304-afar"
    does = "`curl --parallel`, which has 50 requests at a time under way"
    round_trip = ROUND_TRIP


class CurlRevalidatingWithLatencyOverTLS(CurlRevalidatingOverTLS):
    """The same over HTTP/2 with TLS."""

    name = "curl-304-afar-https"
    does = "the same by `https`, with HTTP/2"
    round_trip = ROUND_TRIP


class CurlDownloading(CurlContestant):
    """Downloads photos."""

    name = "curl-download"
    does = "`curl --parallel` into files, and nothing else"

    def check(self, run: Run, output: str, requests: dict[str, int]) -> None:
        if requests != {"200": len(self.photos)}:
            raise Failed(f"not all responses were 200: {requests}")
        for photo in self.photos:
            if (run.folder / "photos" / photo.name).stat().st_size != photo.stat().st_size:
                raise Failed(f"{photo.name} is not complete")


def nginx_tag(photo: Path) -> str:
    """The ETag that nginx generates: modification time and size in hexadecimal. Quotes are escaped for a curl file."""
    facts = photo.stat()
    return f'\\"{int(facts.st_mtime):x}-{facts.st_size:x}\\"'
