"""A build that gets a signal while it waits for a server or the disk ends within two seconds."""

import contextlib
import hashlib
import signal
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from http2 import frame, over_http2
from misbehaviour import leftovers
from misbehaving_server import MisbehavingServer
from PIL import Image
from pictures import encoded, jpeg
from program import INTERRUPTIONS, exit_code, is_pending
from connection_scripts import answering, head, ok, silent, status, then_holding
from waiting import TIMEOUT, line_from, until

DONE, SLOW = jpeg(1, 96, 72), jpeg(2, 96, 72)
TAG = 'ETag: "1"'


@dataclass
class Point:
    """A point at which a build waits: the address of the photo that it waits for, and a function that waits until the
    build has reached the point."""

    address: str
    reached: Callable = lambda: True
    environment: dict = field(default_factory=dict)
    #: The files in the state folder that the build keeps for the next one.
    leaves: frozenset = frozenset()


@contextlib.contextmanager
def served(script, reached, tls=None, environment=None, **options):
    with MisbehavingServer(script, tls, "localhost" if tls else "127.0.0.1") as server:
        point = Point(server.url("/slow.jpg"), environment=environment or {}, **options)
        point.server = server
        point.reached = lambda: getattr(server, reached).wait(TIMEOUT)
        yield point


@contextlib.contextmanager
def looking_up(network, _):
    yield Point(
        "http://slow.example/slow.jpg", environment=network.environment({"slow.example": "silent"}))


@contextlib.contextmanager
def connecting(*_):
    """A listener whose backlog is full, so that connections are neither accepted nor refused."""
    with contextlib.ExitStack() as held:
        listener = held.enter_context(socket.socket())
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        for _ in range(8):
            filler = held.enter_context(socket.socket())
            filler.setblocking(False)
            filler.connect_ex(listener.getsockname())
        yield Point(f"http://127.0.0.1:{listener.getsockname()[1]}/slow.jpg")


def in_the_handshake(_, certificates):
    return served(silent, "first_connection", certificates.context("good"))


def before_the_response(*_):
    return served(then_holding(), "first_request")


def in_the_header(*_):
    return served(then_holding(b"HTTP/1.1 200 OK\r\nContent-Le"), "first_request")


def in_the_body(*_):
    half = ok(SLOW, TAG)[: -len(SLOW) // 2]
    return served(then_holding(half), "first_request", leaves=frozenset({"originals/partial"}))


def in_a_body_that_cannot_be_resumed(*_):
    return served(then_holding(ok(SLOW)[: -len(SLOW) // 2]), "first_request")


def during_empty_frames(_, certificates):
    """A server that sends empty frames without end."""

    def script(connection):
        stream = connection.request()
        connection.head(stream)
        while True:
            connection.raw(frame(0, 0, stream, b"") * 1000)

    return served(over_http2(script), "first_request", certificates.context("good", ("h2",)))


def before_a_retry(*_):
    return served(answering(status(503, "Retry-After: 50")), "first_closed")


POINTS = [
    looking_up, connecting, in_the_handshake, before_the_response, in_the_header, in_the_body,
    in_a_body_that_cannot_be_resumed, during_empty_frames, before_a_retry]


@contextlib.contextmanager
def running(gallery, *options, env):
    process = gallery.program.start("build", *options, cwd=gallery.folder, env=env)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def wait_until_done(process, count):
    """Asks the build for its progress (SIGUSR1) until so many photos are done."""

    def has_done_them():
        process.send_signal(signal.SIGUSR1)
        progress = line_from(process)
        assert progress, "the build has ended, or does not report its progress"
        return progress.startswith(f"{count} of ")

    until(has_done_them, process)


def assert_ends_in_time(process, number, seconds=2):
    start = time.monotonic()
    process.send_signal(number)
    _, err = process.communicate(timeout=TIMEOUT)
    assert time.monotonic() - start <= seconds
    assert exit_code(process.returncode) == 128 + number, err
    return err


@pytest.fixture
def done():
    """A server of a photo that is fresh for an hour."""
    with MisbehavingServer(answering(ok(DONE, "Cache-Control: max-age=3600"))) as server:
        yield server


@pytest.mark.alone
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=lambda number: number.name)
@pytest.mark.parametrize("point", POINTS, ids=lambda point: point.__name__)
def test_a_build_ends_within_two_seconds(point, number, gallery, done, fake_network, certificates):
    with point(fake_network, certificates) as point:
        gallery.list({"Done": done.url("/done.jpg"), "Slow": point.address})
        with running(gallery, env=point.environment | certificates.trusted) as process:
            assert done.first_request.wait(TIMEOUT) and point.reached()
            wait_until_done(process, 1)
            assert_ends_in_time(process, number)
        assert leftovers(gallery) == point.leaves
        assert not gallery.site.exists() or not gallery.files()

    with MisbehavingServer(answering(ok(SLOW))) as recovered:
        gallery.list({"Done": done.url("/done.jpg"), "Slow": recovered.url("/slow.jpg")})
        gallery.build()
        assert gallery.reasons() == {}
        assert done.request_count("/done.jpg") == 1, "a finished download was repeated"


@pytest.mark.alone
def test_an_interrupted_download_is_resumed_by_the_next_build(gallery, done, certificates):
    ranges = []

    def rest(connection):
        ranges.append(connection.request().headers.get("range"))
        start = int(ranges[0].removeprefix("bytes=").removesuffix("-"))
        part = head(
            "206 Partial Content", TAG, f"Content-Range: bytes {start}-{len(SLOW) - 1}/{len(SLOW)}",
            f"Content-Length: {len(SLOW) - start}")
        connection.send(part + SLOW[start:])

    with in_the_body() as point:
        gallery.list({"Done": done.url("/done.jpg"), "Slow": point.address})
        with running(gallery, env={}) as process:
            assert point.reached()
            wait_until_done(process, 1)
            assert_ends_in_time(process, signal.SIGTERM)
        point.server.script = rest
        gallery.build()
        assert len(ranges) == 1 and not ranges[0].startswith("bytes=0-")
        assert gallery.photos()["Slow"]["sha256"] == hashlib.sha256(SLOW).hexdigest()
        assert leftovers(gallery) == set()


@pytest.fixture(scope="module")
def large():
    """A picture that takes seconds to filter."""
    return encoded(Image.effect_noise((8000, 6000), 90), "JPEG", quality=95)


@pytest.mark.alone
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=lambda number: number.name)
def test_a_build_that_filters_ends_within_two_seconds(gallery, large, number):
    (gallery.folder / "small.jpg").write_bytes(DONE)
    (gallery.folder / "large.jpg").write_bytes(large)
    gallery.list({"Small": "small.jpg", "Large": "large.jpg"})
    derivatives = gallery.folder / ".gallerygen/derivatives"
    with running(gallery, "--widths", "2000,5000,8000", "--jobs", "2", env={}) as process:
        # The temporary file of a derivative shows that its rows are being encoded.
        until(lambda: list(derivatives.glob(".*-8000.jpg*")), process)
        wait_until_done(process, 1)
        assert_ends_in_time(process, number)
    assert leftovers(gallery) == set()
    assert not gallery.site.exists() or not gallery.files()


@pytest.mark.alone
def test_a_second_signal_ends_a_build_that_waits_for_a_hanging_disk_at_once(gallery, done, fake_network, tmp_path):
    """After the first signal, the build waits for the disk."""
    gallery.list({"Done": done.url("/done.jpg")})
    log = tmp_path / "log"
    with running(gallery, env=fake_network.environment(hanging="/originals/", log=log)) as process:
        until(lambda: log.exists() and "wait" in log.read_text(), process)
        process.send_signal(signal.SIGINT)
        # The kernel drops a signal if the same signal is still pending.
        until(lambda: not is_pending(process, signal.SIGINT), process)
        process.send_signal(signal.SIGUSR1)
        assert "of 1 photo done" in line_from(process)
        assert process.poll() is None
        assert_ends_in_time(process, signal.SIGINT, seconds=1)


@pytest.mark.alone
@pytest.mark.parametrize("number", INTERRUPTIONS, ids=lambda number: number.name)
def test_an_interrupted_build_with_a_hanging_disk_gives_up_and_says_why(gallery, done, fake_network, tmp_path, number):
    gallery.list({"Done": done.url("/done.jpg")})
    log = tmp_path / "log"
    with running(gallery, env=fake_network.environment(hanging="/originals/", log=log)) as process:
        until(lambda: log.exists() and "wait" in log.read_text(), process)
        assert "does not respond" in assert_ends_in_time(process, number, seconds=10)
    gallery.build()
    assert gallery.photos()["Done"]["state"] == "filtered"
