"""Connections that fail, stall or never end: each photo fails in bounded time, with its reason."""

import pytest
from misbehaviour import PICTURE, Misbehaviour, problems
from connection_scripts import (
    answering,
    chunk,
    chunked_head,
    dripping,
    endless,
    head,
    ok,
    reset_at_once,
    silent,
    then_holding,
    then_reset,
    unasked,
)

HALF = len(PICTURE) // 2
START = ok(PICTURE)[: -HALF]
JPEG_HEAD = head("200 OK", "Content-Type: image/jpeg", "Connection: close")
TIMED = {"timeout": "3s", "stall-timeout": "2s", "retries": "0"}


def chunked(*pieces, holding=False):
    """A chunked response whose first chunk is valid."""
    send = then_holding if holding else answering
    return send(chunked_head(), chunk(PICTURE[:HALF]), *pieces)


ROWS = [
    # Connections
    Misbehaviour(
        "refuses the connection", silent, "connect", requests=0, address="http://127.0.0.1:1/photo.jpg", recovers=False
    ),
    Misbehaviour(
        # The reset may arrive while the client is still connecting.
        "resets the connection at once",
        reset_at_once,
        ("interrupted", "connect"),
        requests=0,
    ),
    Misbehaviour("resets after the request", then_reset(), "interrupted", requests=2),
    Misbehaviour("resets within the header", then_reset(b"HTTP/1.1 200 OK\r\nContent-Le"), "interrupted", requests=2),
    Misbehaviour("resets within the body", then_reset(START), "interrupted", requests=2),
    Misbehaviour("closes the connection after the request", answering(), "interrupted", requests=2),
    Misbehaviour("closes the connection within the status line", answering(b"HTTP/1."), "interrupted", requests=2),
    Misbehaviour(
        "closes the connection within the header",
        answering(b"HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\n"),
        "interrupted",
        requests=2,
    ),
    Misbehaviour("closes the connection within the body", answering(START), "interrupted", requests=2),
    Misbehaviour(
        "closes the connection within a body that can be resumed",
        answering(ok(PICTURE, 'ETag: "1"')[:-HALF]),
        "interrupted",
        requests=2,
        leaves_partial=True,
    ),
    # Silence
    Misbehaviour(
        "accepts the connection and sends nothing",
        silent,
        "stalled",
        says="2 s",
        requests=0,
        limits={"stall-timeout": "2s"},
        seconds=110,
    ),
    Misbehaviour("never responds to the request", then_holding(), "stalled", requests=2, seconds=110),
    Misbehaviour(
        "falls silent within the header",
        then_holding(b"HTTP/1.1 200 OK\r\nContent-Ty"),
        "stalled",
        requests=2,
        seconds=110,
    ),
    Misbehaviour("falls silent within the body", then_holding(START), "stalled", requests=2, seconds=110),
    Misbehaviour(
        "sends a byte at a time", dripping(START, [b"x"] * 400, 0.25), "timeout", says="3 s", requests=1, limits=TIMED
    ),
    Misbehaviour(
        "sends a line of header at a time",
        dripping(b"HTTP/1.1 200 OK\r\n", [b"X-Drop: 1\r\n"] * 400, 0.25),
        "timeout",
        requests=1,
        limits=TIMED,
    ),
    Misbehaviour(
        "sends a byte of header a second",
        dripping(b"HTTP/1.1 200 OK\r\nX-Drop: ", [b"x"] * 100, 1),
        # libcurl may count only whole header lines as progress.
        ("stalled", "timeout"),
        requests=1,
        limits=TIMED,
    ),
    # Responses without end
    Misbehaviour(
        "sends header lines without end", endless(b"HTTP/1.1 200 OK\r\n", b"X-More: and more\r\n" * 1000), "interrupted"
    ),
    Misbehaviour(
        "sends one header line without end", endless(b"HTTP/1.1 200 OK\r\nX-Long: ", b"x" * 16_384), "interrupted"
    ),
    Misbehaviour("sends a status line without end", endless(b"HTTP/1.1 200 ", b"x" * 16_384), "interrupted"),
    Misbehaviour(
        "sends a body without length and end", endless(JPEG_HEAD + PICTURE, bytes(65_536)), "too-large", requests=1
    ),
    Misbehaviour(
        "sends chunks without end",
        endless(chunked_head() + chunk(PICTURE), chunk(bytes(65_536))),
        "too-large",
        requests=1,
    ),
    Misbehaviour("sends zeros without end", endless(JPEG_HEAD, bytes(65_536)), "not-an-image", requests=1),
    Misbehaviour(
        "sends chunks of zeros without end", endless(chunked_head(), chunk(bytes(65_536))), "not-an-image", requests=1
    ),
    Misbehaviour(
        "sends trailers without end",
        endless(chunked_head() + chunk(PICTURE) + b"0\r\n", b"X-More: and more\r\n" * 1000),
        "interrupted",
    ),
    Misbehaviour(
        "sends provisional responses without end",
        endless(b"", b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" * 100),
        "interrupted",
    ),
    Misbehaviour(
        "sends an error page without end",
        endless(head("404 Gone", "Content-Type: text/html"), b"<p>" * 9999),
        "not-found",
        requests=1,
    ),
    # Chunks
    Misbehaviour("sends a chunk of negative size", chunked(b"-5\r\nhello\r\n0\r\n\r\n"), "interrupted", requests=2),
    Misbehaviour(
        "sends a chunk whose size exceeds 64 bits", chunked(b"F" * 17 + b"\r\n"), "interrupted", requests=2
    ),
    Misbehaviour(
        "claims a chunk larger than it sends", chunked(b"7fffffffffffffff\r\nmore"), "interrupted", requests=2
    ),
    Misbehaviour(
        "sends a chunk whose size is no number", chunked(b"many\r\nhello\r\n0\r\n\r\n"), "interrupted", requests=2
    ),
    Misbehaviour(
        "sends a chunk that is longer than it says", chunked(b"2\r\nhello\r\n0\r\n\r\n"), "interrupted", requests=2
    ),
    Misbehaviour(
        "sends chunk extensions without end",
        endless(chunked_head() + b"5;", b"property=value;" * 1000),
        ("stalled", "interrupted"),
        seconds=110,
    ),
    Misbehaviour(
        "claims a length and sends chunks of as much",
        answering(chunked_head(f"Content-Length: {len(PICTURE)}"), chunk(PICTURE), b"0\r\n\r\n"),
        "filtered",
        requests=1,
    ),
    Misbehaviour(
        "claims a length and sends chunks of more",
        answering(chunked_head(f"Content-Length: {HALF}"), chunk(PICTURE), b"0\r\n\r\n"),
        "interrupted",
        requests=2,
    ),
    Misbehaviour(
        "closes the connection before the last chunk", chunked(chunk(PICTURE[HALF:])), "interrupted", requests=2
    ),
    Misbehaviour(
        "falls silent before the last chunk", chunked(chunk(PICTURE[HALF:]), holding=True), "stalled", seconds=110
    ),
    # Lengths
    Misbehaviour(
        "claims more than it sends", answering(ok(PICTURE, length=len(PICTURE) + 1)), "interrupted", requests=2
    ),
    Misbehaviour("claims less than it sends", answering(ok(PICTURE, length=HALF)), "truncated", requests=1),
    Misbehaviour("claims a negative length", answering(ok(PICTURE, length=-5)), "interrupted", requests=2),
    Misbehaviour("claims a length that is no number", answering(ok(PICTURE, length="much")), "interrupted", requests=2),
    Misbehaviour(
        "claims two lengths, the first too small",
        answering(ok(PICTURE, f"Content-Length: {len(PICTURE)}", length=HALF)),
        "interrupted",
        requests=2,
    ),
    Misbehaviour(
        "claims two lengths, the second too small",
        answering(ok(PICTURE, f"Content-Length: {HALF}")),
        "interrupted",
        requests=2,
    ),
    Misbehaviour(
        "claims the same length twice",
        answering(ok(PICTURE, f"Content-Length: {len(PICTURE)}")),
        "filtered",
        requests=1,
    ),
    Misbehaviour(
        "claims more than the limit", answering(ok(PICTURE, length=10**12)), "too-large", says="1 MB", requests=1
    ),
    Misbehaviour("claims more than any file", answering(ok(PICTURE, length=10**30)), ("too-large", "interrupted")),
    Misbehaviour(
        "sends more than the limit", answering(JPEG_HEAD + PICTURE + bytes(1_000_001)), "too-large", requests=1
    ),
    # Not HTTP
    Misbehaviour("responds with HTTP/0.9", answering(PICTURE), "interrupted"),
    Misbehaviour("responds with garbage", answering(b"\x00\x01\x02 this is not HTTP\r\n\r\n"), "interrupted"),
    Misbehaviour("sends a status that is no number", answering(b"HTTP/1.1 fine OK\r\n\r\n" + PICTURE), "interrupted"),
    Misbehaviour("speaks an unknown version", answering(b"HTTP/7.3 200 OK\r\n\r\n" + PICTURE), "interrupted"),
    Misbehaviour(
        "responds before the request", unasked(ok(PICTURE), holding=True), ("filtered", "interrupted"), seconds=110
    ),
    Misbehaviour("speaks SMTP", unasked(b"220 mail.example.com ESMTP\r\n"), "interrupted"),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_server_that(row, trials):
    assert problems(row, trials.outcome(row)) == []
