"""The rows of the tables of misbehaving servers, and the comparison of a row with the outcome of its builds."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field

from pictures import jpeg
from program import Run

SECRET = "s3cr3t"
PHOTO = "/photo.jpg"
QUERY = f"?token={SECRET}"
PICTURE = jpeg(7, 96, 72)
LIMITS = {
    "connect-timeout": "2s", "timeout": "20s", "stall-timeout": "2s", "retries": "1", "max-bytes": "1MB",
    "max-redirects": "5"}


@dataclass(frozen=True)
class Misbehaviour:
    """A fault of a server, and the expected result of a build that meets it."""

    name: str
    script: Callable
    #: The photo's state, or the code of its failure. Several where the outcome depends on the operating system.
    expected: str | tuple[str, ...]
    #: Part of the failure's message.
    says: str = ""
    #: The number of requests for the photo in the first build; None where it does not matter.
    requests: int | None = None
    #: Whether the build may connect to the server at all.
    is_reached: bool = True
    #: The limit for the duration of the first build with its retries. It only tells an end from a hang: many builds run
    #: at once, on a machine that may be busy.
    seconds: float = 100
    limits: dict[str, str] = field(default_factory=dict)
    #: The kind of the server's certificate; None for http.
    tls: str | None = None
    protocols: tuple[str, ...] = ("http/1.1",)
    #: The host in the photo's address.
    host: str | None = None
    #: The photo's address, with {port} for the server's port; None for the server's own address.
    address: str | None = None
    #: More options of the builds.
    flags: tuple[str, ...] = ()
    #: Whether the server is also the proxy for everything but the manifest.
    is_proxy: bool = False
    #: Host names and what they resolve to; see FakeNetwork.
    names: dict | None = None
    #: Whether the manifest comes from a URL, so that its photos may not have private addresses.
    from_url: bool = False
    #: The expected original, if the photo gets one.
    picture: bytes = PICTURE
    #: Whether the first build keeps a partial download to be resumed.
    leaves_partial: bool = False
    #: Whether a build after the server's recovery gets the photo. False if the server was never reached, or asked not
    #: to be contacted for longer than the test lasts.
    recovers: bool = True

    @property
    def codes(self):
        return (self.expected,) if isinstance(self.expected, str) else self.expected


@dataclass
class Outcome:
    """The results of a row's builds: while the server misbehaves, again with --strict, and after its recovery."""

    first: Run
    photo: dict
    requests: int
    connections: int
    left: set
    site: bytes
    strict: Run
    recovered: Run | None = None
    recovered_photo: dict | None = None
    recovered_left: set = field(default_factory=set)


def photo_of(gallery):
    return gallery.photos().get("Photo") if (gallery.site / "status.json").is_file() else None


def leftovers(gallery):
    """The files in the state folder that a finished build should not leave there."""
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
    """The differences between the outcome and the row's expectations, a sentence each."""
    found = []

    def expect(is_so, sentence):
        if not is_so:
            found.append(sentence)

    first, photo = outcome.first, outcome.photo
    expect(first.code == 0, f"exit {first.code} instead of 0: {first.output}")
    expect(first.seconds <= row.seconds, f"{first.seconds:.1f} s instead of at most {row.seconds} s")
    if photo is None:
        expect(False, "there is no site")
        return found
    reason = photo["reason"] or {"code": photo["state"], "message": ""}
    expect(reason["code"] in row.codes, f"{reason['code']} ({reason['message']}) instead of {row.expected}")
    expect(row.says in reason["message"], f"'{row.says}' is not in the message: {reason['message']}")
    if row.requests is not None:
        expect(outcome.requests == row.requests, f"{outcome.requests} requests instead of {row.requests}")
    if not row.is_reached:
        expect(outcome.connections == 0, f"{outcome.connections} connections to a server that must not be contacted")
    expect(
        outcome.left == ({"originals/partial"} if row.leaves_partial else set()),
        f"leftovers in the state folder: {sorted(outcome.left)}")
    expect("?" not in photo["source"], f"status.json contains the query: {photo['source']}")
    expect(SECRET not in first.output, f"the output contains the query: {first.output}")
    expect(SECRET.encode() not in outcome.site, "the site contains the query")
    failed = photo["state"] == "failed"
    if not failed:
        expect(photo["sha256"] == hashlib.sha256(row.picture).hexdigest(), "the original differs from the server's")
    expect(outcome.strict.code == failed, f"--strict: exit {outcome.strict.code}: {outcome.strict.output}")
    if row.recovers:
        after, again = outcome.recovered, outcome.recovered_photo
        expect(after.code == 0, f"exit {after.code} after the server's recovery: {after.output}")
        expect(again["state"] == "filtered" and not again["stale"], f"not filtered after the recovery: {again}")
        expect(
            again["sha256"] == hashlib.sha256(PICTURE).hexdigest(), "the old original stays after the server's recovery"
        )
        expect(not outcome.recovered_left, f"leftovers after the recovery: {sorted(outcome.recovered_left)}")
    return found
