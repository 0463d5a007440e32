"""HTTP/2 connections that end, stall or break off within a stream; libcurl calls some of that success."""

import itertools

import pytest
from h2.errors import ErrorCodes
from http2 import frame, over_http2
from misbehaving_server import MisbehavingServer
from misbehaviour import PICTURE, Misbehaviour, problems
from connection_scripts import answering, ok

HALF = len(PICTURE) // 2
DATA, HEADERS, PRIORITY, RESET, SETTINGS, PING, WINDOW_UPDATE, CONTINUATION, UNKNOWN = 0, 1, 2, 3, 4, 6, 8, 9, 99


def well(connection):
    stream = connection.request()
    connection.head(stream, length=len(PICTURE))
    connection.data(stream, PICTURE, end=True)
    connection.hold()


def half(connection, length=len(PICTURE)):
    stream = connection.request()
    connection.head(stream, length=length)
    connection.data(stream, PICTURE[:HALF])
    return stream


def half_then(action, length=len(PICTURE)):
    """The same for each stream of a connection."""

    def script(connection):
        while True:
            action(connection, half(connection, length))

    return script


def asked_then(action):
    def script(connection):
        while True:
            action(connection, connection.request())

    return script


def away_before_the_request(connection):
    connection.go_away(0)
    connection.hold()


def away_and_hung_up(connection):
    connection.go_away(half(connection), ErrorCodes.ENHANCE_YOUR_CALM)


def hung_up(connection):
    half(connection)


def hung_up_without_length(connection):
    half(connection, None)


def away_once_then_well():
    """The first connection is left before the request is read; a client may then ask again (RFC 9113 §6.8)."""
    numbers = itertools.count()

    def script(connection):
        if next(numbers) == 0:
            connection.request()
            connection.go_away(0)
        else:
            well(connection)

    return script


def short(connection, stream):
    connection.head(stream, length=len(PICTURE))
    connection.data(stream, PICTURE[:HALF], end=True)


def short_without_length(connection, stream):
    connection.head(stream)
    connection.data(stream, PICTURE[:HALF], end=True)


def long(connection, stream):
    connection.head(stream, length=HALF)
    connection.data(stream, PICTURE, end=True)


def without_end(connection, stream):
    """Frames of data, whether there is room for them or not."""
    connection.head(stream)
    connection.raw(frame(DATA, 0, stream, PICTURE))
    for piece in itertools.repeat(frame(DATA, 0, stream, bytes(16_384))):
        connection.raw(piece)


def frames_without_end(kind, payload=b"", is_of_stream=True):
    """Frames that say nothing of the picture, faster than anybody reads them."""

    def script(connection, stream):
        connection.head(stream)
        for piece in itertools.repeat(frame(kind, 0, stream * is_of_stream, payload) * 1000):
            connection.raw(piece)

    return script


def header_without_end(connection, stream):
    """Continuations of a header block, none of them the last: nothing of it can be read before that."""
    connection.raw(frame(HEADERS, 0, stream, b"\x88"))
    field = b"\x00\x01a\x7f\xe1\x07" + b"x" * 1000
    for piece in itertools.repeat(frame(CONTINUATION, 0, stream, field * 16)):
        connection.raw(piece)


def over(name, script, expected, seconds=40, otherwise=None, **options):
    protocols = ("h2", "http/1.1") if otherwise else ("h2",)
    return Misbehaviour(
        name, over_http2(script, otherwise), expected, tls="good", protocols=protocols, seconds=seconds, **options)


ROWS = [
    over("speaks HTTP/2 well", well, "filtered", requests=1),
    over("goes away before the request", away_before_the_request, "interrupted"),
    over("goes away before it reads the request, then answers", away_once_then_well(), "filtered", requests=2),
    over("goes away within the body and hangs up", away_and_hung_up, "interrupted"),
    over(
        "goes away within the body and says nothing more",
        half_then(lambda connection, stream: connection.go_away(stream)),
        ("stalled", "interrupted"),
    ),
    over("disowns the stream within its body", half_then(lambda connection, _: connection.go_away(0)), "interrupted"),
    over("hangs up within the stream", hung_up, "interrupted"),
    over("hangs up within a stream of unknown length", hung_up_without_length, ("interrupted", "truncated")),
    over(
        "resets the stream before the answer", asked_then(lambda connection, stream: connection.reset(stream)), "interrupted"
    ),
    over(
        "refuses the stream",
        asked_then(lambda connection, stream: connection.reset(stream, ErrorCodes.REFUSED_STREAM)),
        "interrupted",
    ),
    over(
        "wants HTTP/1.1 for the stream",
        asked_then(lambda connection, stream: connection.reset(stream, ErrorCodes.HTTP_1_1_REQUIRED)),
        "filtered",
        otherwise=answering(ok(PICTURE)),
        requests=2,
    ),
    over("resets the stream within the body", half_then(lambda connection, stream: connection.reset(stream)), "interrupted"),
    over(
        "resets a stream of unknown length",
        half_then(lambda connection, stream: connection.reset(stream), None),
        ("interrupted", "truncated"),
    ),
    over(
        "resets a stream of unknown length without an error",
        half_then(lambda connection, stream: connection.reset(stream, ErrorCodes.NO_ERROR), None),
        ("interrupted", "truncated"),
    ),
    over("ends the stream before its length", asked_then(short), "interrupted"),
    over("ends a stream of unknown length too soon", asked_then(short_without_length), "truncated"),
    over("sends more than the length of the stream", asked_then(long), ("interrupted", "truncated")),
    over("sends data without end", asked_then(without_end), ("too-large", "interrupted")),
    *[
        over(f"sends {name} without end", asked_then(script), ("stalled", "interrupted"))
        for name, script in (
            ("empty data", frames_without_end(DATA)),
            ("pings", frames_without_end(PING, bytes(8), False)),
            ("settings", frames_without_end(SETTINGS, b"", False)),
            ("priorities", frames_without_end(PRIORITY, bytes(5))),
            ("room", frames_without_end(WINDOW_UPDATE, (1).to_bytes(4, "big"), False)),
            ("frames of an unknown kind", frames_without_end(UNKNOWN, bytes(8))),
        )
    ],
    over("sends a header block without end", asked_then(header_without_end), ("stalled", "interrupted")),
    over("says nothing to the stream", asked_then(lambda *_: None), "stalled", requests=2),
    over("falls silent within the stream", half_then(lambda *_: None), "stalled", requests=2),
    over(
        "sends the body before the answer",
        asked_then(lambda connection, stream: connection.raw(frame(DATA, 1, stream, PICTURE))),
        "interrupted",
    ),
    over(
        "answers a stream that nobody opened",
        asked_then(lambda connection, stream: connection.raw(frame(DATA, 1, stream + 8, PICTURE))),
        "interrupted",
    ),
    over(
        "sends a frame larger than agreed",
        asked_then(lambda connection, stream: connection.raw(frame(DATA, 0, stream, bytes(99_999)))),
        "interrupted",
    ),
    over(
        "sends settings that make no sense", lambda connection: connection.raw(frame(SETTINGS, 0, 0, b"12345")), "interrupted"
    ),
    over(
        "sends a header block that cannot be read",
        asked_then(lambda connection, stream: connection.raw(frame(HEADERS, 5, stream, b"\xff" * 20))),
        "interrupted",
    ),
    over(
        "sends HTTP/1.1 where it agreed on HTTP/2",
        lambda connection: connection.raw(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
        "interrupted",
    ),
    over(
        "answers 503 over HTTP/2",
        asked_then(lambda connection, stream: connection.head(stream, status=503, end=True)),
        "http-status",
        says="503",
        requests=2,
    ),
    over(
        "answers 404 over HTTP/2",
        asked_then(lambda connection, stream: connection.head(stream, status=404, end=True)),
        "not-found",
        requests=1,
    ),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_server_that(row, trials):
    assert problems(row, trials.outcome(row)) == []


def test_others_do_not_wait_for_a_server_that_sends_nothing_without_end(gallery, certificates):
    script, context = asked_then(frames_without_end(DATA)), certificates.context("good", ("h2",))
    with MisbehavingServer(over_http2(script), context, "localhost") as hostile, MisbehavingServer(
        answering(ok(PICTURE))
    ) as well:
        others = {f"Photo {number}": well.url(f"/{number}.jpg") for number in range(30)}
        gallery.list({"Endless": hostile.url("/endless.jpg")} | others)
        # Two at once, so that the others come one after the other, beside the one that never ends.
        run = gallery.build(
            "--downloads", "2", "--stall-timeout", "2m", "--retries", "0", "--widths", "48", env=certificates.trusted)
        assert gallery.reasons() == {"Endless": "interrupted"}
        assert run.seconds < 60
