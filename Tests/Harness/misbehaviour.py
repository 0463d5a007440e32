"""A row of the tables of misbehaving servers, and the builds that show what comes of it."""

import hashlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

import scripts
from gallery import Gallery, text_of
from misbehaving_server import MisbehavingServer
from pictures import jpeg

SECRET = "s3cr3t"
PHOTO = "/photo.jpg"
QUERY = f"?token={SECRET}"
PICTURE = jpeg(7, 96, 72)
LIMITS = {
    "connect-timeout": "2s", "timeout": "20s", "stall-timeout": "2s", "retries": "1", "max-bytes": "1MB",
    "max-redirects": "5"}


@dataclass(frozen=True)
class Misbehaviour:
    """What a server does wrong, and what is expected of a build that meets it."""

    name: str
    script: Callable
    #: The photo's state, or the code of the reason why it failed; several where the system decides which.
    expected: str | tuple[str, ...]
    #: Stands in the sentence for people.
    says: str = ""
    #: Requests for the photo in the first build, where they matter.
    requests: int | None = None
    #: Whether anybody may connect to the server at all.
    is_reached: bool = True
    #: The first build has ended by then, with its retries.
    seconds: float = 15
    limits: dict[str, str] = field(default_factory=dict)
    #: The certificate of the server; None for http.
    tls: str | None = None
    protocols: tuple[str, ...] = ("http/1.1",)
    #: Host of the photo's address.
    host: str | None = None
    #: The photo's address with {port} in it, where it is not the server's.
    address: str | None = None
    #: More options of the builds.
    flags: tuple[str, ...] = ()
    #: The server is also the proxy for all but the manifest.
    is_proxy: bool = False
    #: What names mean; the others are looked up as ever.
    names: dict | None = None
    #: The manifest comes from the server too, so that private addresses are out of bounds.
    from_url: bool = False
    #: What the photo's original is, if it gets one.
    picture: bytes = PICTURE
    #: A beginning that the server can be asked to continue stays for the next build.
    leaves_partial: bool = False
    #: The server is asked again in the next build. Not so if it was never asked, or wants to be left alone.
    recovers: bool = True

    @property
    def codes(self):
        return (self.expected,) if isinstance(self.expected, str) else self.expected


@dataclass
class Outcome:
    first: object
    photo: dict
    requests: int
    connections: int
    left: set
    site: bytes
    strict: object
    recovered: object = None
    recovered_photo: dict | None = None
    recovered_left: set = field(default_factory=set)


class Trials:
    """Runs rows side by side: most of their time is spent waiting."""

    def __init__(self, rows, program, folder, certificates, network, workers=12):
        self.program, self.folder = program, Path(folder)
        self.certificates, self.network = certificates, network
        self.pool = ThreadPoolExecutor(workers)
        # Those that wait long begin first.
        slowest_first = sorted(rows, key=lambda row: -row.seconds)
        self.running = {row.name: self.pool.submit(self._run, number, row) for number, row in enumerate(slowest_first)}

    def outcome(self, row):
        return self.running[row.name].result()

    def close(self):
        self.pool.shutdown(cancel_futures=True)

    def _run(self, number, row):
        context = self.certificates.context(row.tls, row.protocols) if row.tls else None
        host = row.host or ("localhost" if row.tls else "127.0.0.1")
        with MisbehavingServer(row.script, context, host) as server:
            gallery = Gallery(self.folder / str(number), self.program)
            address = (row.address or server.url(PHOTO)).format(port=server.port) + QUERY
            gallery.list({"Photo": address})
            environment = {"CURL_CA_BUNDLE": str(self.certificates.bundle)}
            if row.names:
                environment |= self.network.environment(row.names)
            if row.is_proxy:
                environment |= {"http_proxy": f"http://127.0.0.1:{server.port}", "no_proxy": "localhost"}
            if row.from_url:
                with scripts.manifest_server(gallery.manifest.read_bytes()) as manifests:
                    return self._builds(row, gallery, server, environment, [manifests.url("/photos.plist")])
            return self._builds(row, gallery, server, environment, [])

    def _builds(self, row, gallery, server, environment, manifest):
        limits = [text for name, value in (LIMITS | row.limits).items() for text in ("--" + name, value)]
        build = ("build", *manifest, *limits, "--widths", "48", *row.flags)

        def run(*more):
            return gallery.run(*build, *more, env=environment, timeout=120)

        outcome = Outcome(
            first=run(), photo=photo_of(gallery), requests=server.asked(PHOTO), connections=server.connections,
            left=leftovers(gallery), site=text_of(gallery.site) if gallery.site.is_dir() else b"",
            strict=run("--strict", "--retries", "0"))
        if row.recovers:
            server.script = scripts.answering(scripts.ok(PICTURE))
            if "h2" in row.protocols or row.tls:
                server.tls = self.certificates.context("good")
            outcome.recovered = run("--strict")
            outcome.recovered_photo = photo_of(gallery)
            outcome.recovered_left = leftovers(gallery)
        return outcome


def photo_of(gallery):
    return gallery.photos().get("Photo") if (gallery.site / "status.json").is_file() else None


def leftovers(gallery):
    """What lies in the state folder and has no business there."""
    state = gallery.folder / ".gallerygen"
    found = set()
    for path in state.rglob("*"):
        place = path.relative_to(state).parts
        is_original = place[0] == "originals" and len(place) == 3 and len(place[1]) == 2
        is_derivative = place[0] == "derivatives" and len(place) == 2 and path.suffix in (".jpg", ".png")
        is_own = place[0] in ("ledger.sqlite", "ledger.sqlite-wal", "ledger.sqlite-shm", "lock")
        if path.is_file() and not (is_original or is_derivative or is_own):
            found.add("/".join(place[:2]))
    return found


def problems(row, outcome):
    """What is not as the row expects it, a sentence each; none if all is well."""
    found = SimpleNamespace(sentences=[])

    def expect(is_so, sentence):
        if not is_so:
            found.sentences.append(sentence)

    first, photo = outcome.first, outcome.photo
    expect(first.code == 0, f"exit {first.code} instead of 0: {first.said}")
    expect(first.seconds <= row.seconds, f"{first.seconds:.1f} s instead of at most {row.seconds} s")
    if photo is None:
        expect(False, "there is no site")
        return found.sentences
    reason = photo["reason"] or {"code": photo["state"], "message": ""}
    expect(reason["code"] in row.codes, f"{reason['code']} ({reason['message']}) instead of {row.expected}")
    expect(row.says in reason["message"], f"'{row.says}' is not said: {reason['message']}")
    if row.requests is not None:
        expect(outcome.requests == row.requests, f"{outcome.requests} requests instead of {row.requests}")
    if not row.is_reached:
        expect(outcome.connections == 0, f"{outcome.connections} connections to a server that is out of bounds")
    expect(
        outcome.left == ({"originals/partial"} if row.leaves_partial else set()),
        f"left in the state folder: {sorted(outcome.left)}")
    expect("?" not in photo["source"], f"the query is shown: {photo['source']}")
    expect(SECRET not in first.said, f"the query is said: {first.said}")
    expect(SECRET.encode() not in outcome.site, "the query is in the site")
    failed = photo["state"] == "failed"
    if not failed:
        expect(photo["sha256"] == hashlib.sha256(row.picture).hexdigest(), "the original is not what the server has")
    expect(outcome.strict.code == failed, f"--strict: exit {outcome.strict.code}: {outcome.strict.said}")
    if row.recovers:
        after, again = outcome.recovered, outcome.recovered_photo
        expect(after.code == 0, f"exit {after.code} when the server is well again: {after.said}")
        expect(again["state"] == "filtered" and not again["stale"], f"not good when the server is well again: {again}")
        expect(again["sha256"] == hashlib.sha256(PICTURE).hexdigest(), "an old original stays when the server is well again")
        expect(not outcome.recovered_left, f"left when all is well again: {sorted(outcome.recovered_left)}")
    return found.sentences
