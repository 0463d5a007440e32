"""Answers that bring no picture: what may pass is asked again, what can't is not, and redirects lead nowhere odd."""

import email.utils
import time

import pytest
from misbehaviour import PICTURE, Misbehaviour, problems
from connection_scripts import answering, head, in_turn, ok, redirect, status

GOOD = answering(ok(PICTURE))


def refusing(code, expected, **options):
    """A status that will not pass: asked once."""
    return Misbehaviour(
        f"answers {code}", answering(status(code, body=b"<p>no</p>")), expected, says=str(code), requests=1, **options)


def failing(code):
    """A status that may pass: asked again as often as allowed."""
    return Misbehaviour(
        f"answers {code} always", answering(status(code)), "http-status", says=str(code), requests=3,
        limits={"retries": "2"})


def then_fine(name, first, **options):
    return Misbehaviour(name, in_turn(answering(first), GOOD), "filtered", requests=2, **options)


def asking_for_rest(name, retry_after, **options):
    return Misbehaviour(
        name, answering(status(429, f"Retry-After: {retry_after}")), "http-status", says="429", **options
    )


def at(seconds):
    """A script that asks for rest until so many seconds from now, as a date."""

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
    # What will not pass
    refusing(400, "http-status"),
    refusing(401, "forbidden"),
    refusing(403, "forbidden"),
    refusing(404, "not-found"),
    refusing(405, "http-status"),
    refusing(407, "http-status"),
    refusing(410, "not-found"),
    refusing(418, "http-status"),
    refusing(451, "http-status"),
    Misbehaviour("answers 204", answering(head("204 No Content")), "http-status", says="204", requests=1),
    Misbehaviour("answers 205", answering(head("205 Reset Content", "Content-Length: 0")), "http-status", requests=1),
    Misbehaviour(
        "answers 304 that nobody asked for",
        answering(head("304 Not Modified", 'ETag: "1"')),
        "http-status",
        says="304",
        requests=1,
    ),
    Misbehaviour(
        "answers 206 that nobody asked for",
        answering(
            ok(PICTURE, f"Content-Range: bytes 0-{len(PICTURE) - 1}/{len(PICTURE)}", status="206 Partial Content")
        ),
        "http-status",
        says="206",
        requests=1,
    ),
    Misbehaviour(
        "answers 416 that nobody asked for",
        answering(status(416, "Content-Range: bytes */9")),
        "http-status",
        says="416",
        requests=1,
    ),
    Misbehaviour("answers 999", answering(status(999)), "http-status", says="999", requests=1),
    Misbehaviour(
        "answers 200 for an error page", answering(status(200, body=b"<!doctype html>")), "not-an-image", requests=1
    ),
    # What may pass
    failing(408),
    failing(425),
    failing(429),
    failing(500),
    failing(502),
    failing(503),
    failing(504),
    then_fine("answers 503, then well", status(503)),
    then_fine("answers 408, then well", status(408)),
    then_fine("hangs up, then answers well", b""),
    # Rest that is asked for
    then_fine("asks for a second of rest", status(429, "Retry-After: 1")),
    Misbehaviour("asks for rest until a date", in_turn(at(2), GOOD), "filtered", requests=2),
    Misbehaviour("asks for rest until a date that is past", in_turn(at(-3600), GOOD), "filtered", requests=2),
    then_fine("asks for rest in words", status(429, "Retry-After: in a while")),
    then_fine("asks for less than no rest", status(503, "Retry-After: -5")),
    asking_for_rest("asks for an hour of rest", 3600, requests=1, recovers=False),
    asking_for_rest("asks for more rest than a number holds", "9" * 40, requests=1, recovers=False),
    Misbehaviour(
        "asks for rest until next year", at(400 * 86_400), "http-status", says="503", requests=1, recovers=False
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
    leading_to("a scheme that there is not", "photo+http://127.0.0.1/photo.jpg", says="photo+http"),
    leading_to("an address that is none", "http://[::1/photo.jpg", "bad-address"),
    leading_to("a port that there is not", "http://127.0.0.1:99999/photo.jpg", "bad-address"),
    leading_to("a server that is not there", "http://127.0.0.1:1/photo.jpg", "connect", requests=2),
    leading_to(
        "a name that is unknown",
        "http://no-such-host.invalid/photo.jpg",
        "dns",
        says="no-such-host.invalid",
        requests=2,
        names={"other.example": ["127.0.0.1"]},
    ),
    Misbehaviour("redirects to nowhere", answering(status(302)), "http-status", says="302", requests=1),
    Misbehaviour("redirects with an empty address", answering(status(301, "Location:")), "http-status", requests=1),
    Misbehaviour("offers a choice", answering(status(300)), "http-status", says="300", requests=1),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_server_that(row, trials):
    assert problems(row, trials.outcome(row)) == []
