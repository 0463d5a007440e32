"""Responses without a picture: transient failures are retried, permanent ones are not, and redirects are checked."""

import email.utils
import time

import pytest
from misbehaviour import PICTURE, Misbehaviour, problems
from connection_scripts import answering, head, in_turn, ok, redirect, status

GOOD = answering(ok(PICTURE))


def refusing(code, expected, **options):
    """A permanent failure, which is not retried."""
    return Misbehaviour(
        f"responds with {code}", answering(status(code, body=b"<p>no</p>")), expected, says=str(code), requests=1,
        **options)


def failing(code):
    """A transient failure, which is retried as often as allowed."""
    return Misbehaviour(
        f"always responds with {code}", answering(status(code)), "http-status", says=str(code), requests=3,
        limits={"retries": "2"})


def then_good(name, first, **options):
    return Misbehaviour(name, in_turn(answering(first), GOOD), "filtered", requests=2, **options)


def retry_after(name, value, **options):
    return Misbehaviour(
        name, answering(status(429, f"Retry-After: {value}")), "http-status", says="429", **options
    )


def retry_after_date(seconds):
    """A script whose Retry-After is the date in so many seconds."""

    def script(connection):
        connection.request()
        connection.send(status(503, f"Retry-After: {email.utils.formatdate(time.time() + seconds, usegmt=True)}"))

    return script


def hops(count):
    """Redirects from /photo.jpg?hop=1 to ?hop=2, and so on."""

    def script(connection):
        path = connection.request().path
        hop = int(path.partition("hop=")[2] or 0)
        connection.send(redirect(f"/photo.jpg?hop={hop + 1}") if hop < count else ok(PICTURE))

    return script


def leading_to(name, location, expected="unsupported-scheme", **options):
    return Misbehaviour(
        f"redirects to {name}", answering(redirect(location)), expected, **({"requests": 1} | options))


ROWS = [
    # Permanent failures
    refusing(400, "http-status"),
    refusing(401, "forbidden"),
    refusing(403, "forbidden"),
    refusing(404, "not-found"),
    refusing(405, "http-status"),
    refusing(407, "http-status"),
    refusing(410, "not-found"),
    refusing(418, "http-status"),
    refusing(451, "http-status"),
    Misbehaviour("responds with 204", answering(head("204 No Content")), "http-status", says="204", requests=1),
    Misbehaviour(
        "responds with 205", answering(head("205 Reset Content", "Content-Length: 0")), "http-status", requests=1
    ),
    Misbehaviour(
        "responds with 304 to an unconditional request",
        answering(head("304 Not Modified", 'ETag: "1"')),
        "http-status",
        says="304",
        requests=1,
    ),
    Misbehaviour(
        "responds with 206 to a request without a range",
        answering(
            ok(PICTURE, f"Content-Range: bytes 0-{len(PICTURE) - 1}/{len(PICTURE)}", status="206 Partial Content")
        ),
        "http-status",
        says="206",
        requests=1,
    ),
    Misbehaviour(
        "responds with 416 to a request without a range",
        answering(status(416, "Content-Range: bytes */9")),
        "http-status",
        says="416",
        requests=1,
    ),
    Misbehaviour("responds with 999", answering(status(999)), "http-status", says="999", requests=1),
    Misbehaviour(
        "sends an error page with 200", answering(status(200, body=b"<!doctype html>")), "not-an-image", requests=1
    ),
    # Transient failures
    failing(408),
    failing(425),
    failing(429),
    failing(500),
    failing(502),
    failing(503),
    failing(504),
    then_good("responds with 503, then with the picture", status(503)),
    then_good("responds with 408, then with the picture", status(408)),
    then_good("closes the connection, then sends the picture", b""),
    # Retry-After
    then_good("sends Retry-After of one second", status(429, "Retry-After: 1")),
    Misbehaviour("sends Retry-After with a date", in_turn(retry_after_date(2), GOOD), "filtered", requests=2),
    Misbehaviour("sends Retry-After with a past date", in_turn(retry_after_date(-3600), GOOD), "filtered", requests=2),
    then_good("sends Retry-After that is no number", status(429, "Retry-After: in a while")),
    then_good("sends a negative Retry-After", status(503, "Retry-After: -5")),
    retry_after("sends Retry-After of an hour", 3600, requests=1, recovers=False),
    retry_after("sends Retry-After that exceeds 64 bits", "9" * 40, requests=1, recovers=False),
    Misbehaviour(
        "sends Retry-After with a date next year",
        retry_after_date(400 * 86_400),
        "http-status",
        says="503",
        requests=1,
        recovers=False,
    ),
    # Redirects
    Misbehaviour("redirects five times", hops(5), "filtered", requests=6),
    Misbehaviour("redirects 30 times", hops(30), "too-many-redirects", says="5", requests=6),
    leading_to("itself", "/photo.jpg", "too-many-redirects", requests=6),
    leading_to("a file", "file:///etc/passwd", says="file"),
    leading_to("ftp", "ftp://127.0.0.1/photo.jpg", says="ftp"),
    leading_to("gopher", "gopher://127.0.0.1:70/1photo", says="gopher"),
    leading_to("dict", "dict://127.0.0.1:11211/stats", says="dict"),
    leading_to("data", "data:image/gif;base64,R0lGODlhAQABAAAAACw=", says="data"),
    leading_to("javascript", "javascript:alert(1)", says="javascript"),
    leading_to("a scheme that does not exist", "photo+http://127.0.0.1/photo.jpg", says="photo+http"),
    leading_to("an invalid address", "http://[::1/photo.jpg", "bad-address"),
    leading_to("a port that does not exist", "http://127.0.0.1:99999/photo.jpg", "bad-address"),
    leading_to("a port that nobody listens on", "http://127.0.0.1:1/photo.jpg", "connect", requests=2),
    leading_to(
        "an unknown name",
        "http://no-such-host.invalid/photo.jpg",
        "dns",
        says="no-such-host.invalid",
        requests=2,
        names={"other.example": ["127.0.0.1"]},
    ),
    Misbehaviour("redirects without a Location", answering(status(302)), "http-status", says="302", requests=1),
    Misbehaviour("redirects with an empty address", answering(status(301, "Location:")), "http-status", requests=1),
    Misbehaviour("responds with 300", answering(status(300)), "http-status", says="300", requests=1),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_server_that(row, trials):
    assert problems(row, trials.outcome(row)) == []
