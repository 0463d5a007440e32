"""HTTP/2 connections that end, stall or break within a stream, some of which libcurl reports as success."""

import itertools

import pytest
from h2.errors import ErrorCodes
from http2 import HTTP2Connection, frame, over_http2
from misbehaving_server import MisbehavingServer
from misbehaviour import PICTURE, Misbehaviour, problems
from connection_scripts import answering, ok

HALF = len(PICTURE) // 2
DATA, HEADERS, PRIORITY, RESET, SETTINGS, PING, WINDOW_UPDATE, CONTINUATION, UNKNOWN = 0, 1, 2, 3, 4, 6, 8, 9, 99


def good(connection):
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
    """For each request, sends half of the picture, and then calls the action."""

    def script(connection):
        while True:
            action(connection, half(connection, length))

    return script


def on_each_request(action):
    """Calls the action for each request."""
    def script(connection):
        while True:
            action(connection, connection.request())

    return script


def goaway_before_the_request(connection):
    connection.go_away(0)
    connection.hold()


def goaway_and_close(connection):
    connection.go_away(half(connection), ErrorCodes.ENHANCE_YOUR_CALM)


def goaway_for_all_streams(connection, _):
    connection.go_away(0)


def half_and_close(connection):
    half(connection)


def half_without_length_and_close(connection):
    half(connection, None)


def goaway_once_then_good():
    """The first connection sends GOAWAY with last stream 0: the request was not processed, so that the client may send
    it again (RFC 9113 §6.8)."""
    numbers = itertools.count()

    def script(connection):
        if next(numbers) == 0:
            connection.request()
            connection.go_away(0)
        else:
            good(connection)

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


def endless_data(connection, stream):
    """Sends data frames without end, regardless of flow control."""
    connection.head(stream)
    connection.raw(frame(DATA, 0, stream, PICTURE))
    for piece in itertools.repeat(frame(DATA, 0, stream, bytes(16_384))):
        connection.raw(piece)


def endless_frames(kind, payload=b"", is_of_stream=True):
    """Sends frames without any data of the picture, without end."""

    def script(connection, stream):
        connection.head(stream)
        for piece in itertools.repeat(frame(kind, 0, stream * is_of_stream, payload) * 1000):
            connection.raw(piece)

    return script


def endless_header_block(connection, stream):
    """Sends continuations of a header block, none of them with END_HEADERS, so that the block can never be decoded."""
    connection.raw(frame(HEADERS, 0, stream, b"\x88"))
    field = b"\x00\x01a\x7f\xe1\x07" + b"x" * 1000
    for piece in itertools.repeat(frame(CONTINUATION, 0, stream, field * 16)):
        connection.raw(piece)


def row(name, script, expected, seconds=110, fallback=None, **options):
    protocols = ("h2", "http/1.1") if fallback else ("h2",)
    return Misbehaviour(
        name, over_http2(script, fallback), expected, tls="good", protocols=protocols, seconds=seconds, **options)


ROWS = [
    row("speaks HTTP/2 well", good, "filtered", requests=1),
    row("sends GOAWAY before the request", goaway_before_the_request, "interrupted"),
    row("sends GOAWAY before it reads the request, then responds", goaway_once_then_good(), "filtered", requests=2),
    row("sends GOAWAY within the body and closes the connection", goaway_and_close, "interrupted"),
    row(
        "sends GOAWAY within the body and nothing more", half_then(HTTP2Connection.go_away), ("stalled", "interrupted")
    ),
    row("sends GOAWAY for a stream within its body", half_then(goaway_for_all_streams), "interrupted"),
    row("closes the connection within the stream", half_and_close, "interrupted"),
    row(
        "closes the connection within a stream of unknown length",
        half_without_length_and_close,
        ("interrupted", "truncated"),
    ),
    row("resets the stream before the response", on_each_request(HTTP2Connection.reset), "interrupted"),
    row(
        "refuses the stream",
        on_each_request(lambda connection, stream: connection.reset(stream, ErrorCodes.REFUSED_STREAM)),
        "interrupted",
    ),
    row(
        "wants HTTP/1.1 for the stream",
        on_each_request(lambda connection, stream: connection.reset(stream, ErrorCodes.HTTP_1_1_REQUIRED)),
        "filtered",
        fallback=answering(ok(PICTURE)),
        requests=2,
    ),
    row("resets the stream within the body", half_then(HTTP2Connection.reset), "interrupted"),
    row(
        "resets a stream of unknown length", half_then(HTTP2Connection.reset, None), ("interrupted", "truncated")
    ),
    row(
        "resets a stream of unknown length without an error",
        half_then(lambda connection, stream: connection.reset(stream, ErrorCodes.NO_ERROR), None),
        ("interrupted", "truncated"),
    ),
    row("ends the stream before its length", on_each_request(short), "interrupted"),
    row("ends a stream of unknown length too soon", on_each_request(short_without_length), "truncated"),
    row("sends more than the length of the stream", on_each_request(long), ("interrupted", "truncated")),
    row("sends data without end", on_each_request(endless_data), ("too-large", "interrupted")),
    *[
        row(f"sends {name} without end", on_each_request(script), ("stalled", "interrupted"))
        for name, script in (
            ("empty data", endless_frames(DATA)),
            ("pings", endless_frames(PING, bytes(8), False)),
            ("settings", endless_frames(SETTINGS, b"", False)),
            ("priorities", endless_frames(PRIORITY, bytes(5))),
            ("window updates", endless_frames(WINDOW_UPDATE, (1).to_bytes(4, "big"), False)),
            ("frames of an unknown kind", endless_frames(UNKNOWN, bytes(8))),
        )
    ],
    row("sends a header block without end", on_each_request(endless_header_block), ("stalled", "interrupted")),
    row("never responds to a request by HTTP/2", on_each_request(lambda *_: None), "stalled", requests=2),
    row("falls silent within the stream", half_then(lambda *_: None), "stalled", requests=2),
    row(
        "sends the body before the header",
        on_each_request(lambda connection, stream: connection.raw(frame(DATA, 1, stream, PICTURE))),
        "interrupted",
    ),
    row(
        "responds on a stream that nobody opened",
        on_each_request(lambda connection, stream: connection.raw(frame(DATA, 1, stream + 8, PICTURE))),
        "interrupted",
    ),
    row(
        "sends a frame larger than allowed",
        on_each_request(lambda connection, stream: connection.raw(frame(DATA, 0, stream, bytes(99_999)))),
        "interrupted",
    ),
    row(
        "sends invalid settings", lambda connection: connection.raw(frame(SETTINGS, 0, 0, b"12345")), "interrupted"
    ),
    row(
        "sends a header block that cannot be decoded",
        on_each_request(lambda connection, stream: connection.raw(frame(HEADERS, 5, stream, b"\xff" * 20))),
        "interrupted",
    ),
    row(
        "sends HTTP/1.1 after agreeing on HTTP/2",
        lambda connection: connection.raw(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
        "interrupted",
    ),
    row(
        "responds with 503 over HTTP/2",
        on_each_request(lambda connection, stream: connection.head(stream, status=503, end=True)),
        "http-status",
        says="503",
        requests=2,
    ),
    row(
        "responds with 404 over HTTP/2",
        on_each_request(lambda connection, stream: connection.head(stream, status=404, end=True)),
        "not-found",
        requests=1,
    ),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_server_that(row, trials):
    assert problems(row, trials.outcome(row)) == []


def test_other_servers_do_not_wait_for_one_that_sends_empty_frames_without_end(gallery, certificates):
    script, context = on_each_request(endless_frames(DATA)), certificates.context("good", ("h2",))
    with MisbehavingServer(over_http2(script), context, "localhost") as hostile, MisbehavingServer(
        answering(ok(PICTURE))
    ) as good_server:
        others = {f"Photo {number}": good_server.url(f"/{number}.jpg") for number in range(30)}
        gallery.list({"Endless": hostile.url("/endless.jpg")} | others)
        # With two downloads at once, the others are downloaded one after another while the endless one runs.
        run = gallery.build(
            "--downloads", "2", "--stall-timeout", "2m", "--retries", "0", "--widths", "48", env=certificates.trusted)
        assert gallery.reasons() == {"Endless": "interrupted"}
        assert run.seconds < 60
