"""A row of the tables of misbehaving servers, and what is wrong with what came of it."""

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
    #: The photo's state, or the code of the reason why it failed; several where the system decides which.
    expected: str | tuple[str, ...]
    #: Stands in the sentence for people.
    says: str = ""
    #: Requests for the photo in the first build, where they matter.
    requests: int | None = None
    #: Whether anybody may connect to the server at all.
    is_reached: bool = True
    #: The first build has ended by then, with its retries, even on a machine that has much else to do.
    seconds: float = 30
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
    """The results of a row's builds: while the server misbehaves, the same with --strict, and after its recovery."""

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
    """The files in the state folder that do not belong there."""
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
    """The differences from the row's expectations, a sentence each; empty if there are none."""
    found = []

    def expect(is_so, sentence):
        if not is_so:
            found.append(sentence)

    first, photo = outcome.first, outcome.photo
    expect(first.code == 0, f"exit {first.code} instead of 0: {first.said}")
    expect(first.seconds <= row.seconds, f"{first.seconds:.1f} s instead of at most {row.seconds} s")
    if photo is None:
        expect(False, "there is no site")
        return found
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
        expect(
            again["sha256"] == hashlib.sha256(PICTURE).hexdigest(),
            "an old original stays when the server is well again",
        )
        expect(not outcome.recovered_left, f"left when all is well again: {sorted(outcome.recovered_left)}")
    return found
