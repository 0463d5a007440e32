"""Secure connections that are not: a photo is had from its own server, with a certificate that holds, or not at all."""

import pytest
from misbehaviour import PICTURE, Misbehaviour, problems
from misbehaving_server import MisbehavingServer
from connection_scripts import answering, head, ok, redirect, silent, unasked

GOOD = answering(ok(PICTURE))
LOCAL = "https://localhost:{port}/photo.jpg"


def certified(kind, says):
    """A good answer behind a certificate that is wrong in one way: never asked for, never tried again."""
    return Misbehaviour(f"has a certificate that is {kind}", GOOD, "tls", says=says, requests=0, tls=kind)


def insecurely(name, script, expected="tls", **options):
    """A server at an https address that does not speak TLS, or not to its end."""
    return Misbehaviour(name, script, expected, requests=0, address=LOCAL, **({"recovers": False} | options))


def greeting(*answers):
    """Waits for the client's greeting, and sends something else than a server's."""

    def script(connection):
        connection.socket.recv(65536)
        connection.send(*answers)

    return script


def reset_within_the_handshake(connection):
    connection.socket.recv(65536)
    connection.reset()


def silent_within_the_handshake(connection):
    connection.socket.recv(65536)
    connection.hold()


def greeting_byte_by_byte(connection):
    """A record that claims 16 KB, of which a byte comes now and then."""
    connection.socket.recv(65536)
    connection.send(b"\x16\x03\x03\x40\x00", *[b"\x02"] * 60, pause=0.5)


def cut_off_without_goodbye(connection):
    """Half of a body without a length: only TLS itself could tell that something is missing."""
    connection.request()
    connection.send(head("200 OK", "Content-Type: image/jpeg", "Connection: close") + PICTURE[: len(PICTURE) // 2])
    connection.reset()


def from_https_to_http(connection):
    """The picture is had at an http address of the same name."""
    connection.request()
    with MisbehavingServer(GOOD, host="localhost") as plain:
        connection.send(redirect(plain.url("/photo.jpg")))
        plain.first_closed.wait(20)


ROWS = [
    Misbehaviour("has a good certificate", GOOD, "filtered", requests=1, tls="good"),
    certified("expired", says="expired"),
    certified("not yet valid", says="not yet valid"),
    certified("self-signed", says="self-signed"),
    certified("wrong name", says="localhost"),
    certified("unknown authority", says="certificate"),
    insecurely("speaks http where https is asked for", unasked(head("400 Bad Request", "Connection: close"))),
    insecurely("answers a greeting with garbage", greeting(b"\x00\xff" * 500)),
    insecurely("answers a greeting with http", greeting(head("400 Bad Request", "Connection: close"))),
    insecurely("refuses every cipher", greeting(b"\x15\x03\x03\x00\x02\x02\x28")),
    insecurely("refuses every version of TLS", greeting(b"\x15\x03\x03\x00\x02\x02\x46")),
    insecurely(
        # A lost connection may pass.
        "hangs up within the handshake",
        greeting(b""),
        ("tls", "interrupted"),
    ),
    insecurely("resets within the handshake", reset_within_the_handshake, ("tls", "interrupted")),
    insecurely("never answers a greeting", silent_within_the_handshake, "timeout", says="2 s", seconds=40),
    insecurely("accepts for TLS and says nothing", silent, "timeout", says="2 s", seconds=40),
    insecurely("sends its greeting byte by byte", greeting_byte_by_byte, "timeout", says="2 s", seconds=40),
    Misbehaviour(
        "is cut off within a body of unknown length", cut_off_without_goodbye, ("interrupted", "truncated"), tls="good"
    ),
    Misbehaviour("hangs up after the request for https", answering(), "interrupted", requests=2, tls="good"),
    Misbehaviour(
        # http addresses are allowed, so they are after a redirect too.
        "redirects from https to http",
        from_https_to_http,
        "filtered",
        requests=1,
        tls="good",
    ),
    Misbehaviour(
        "redirects from https to a file",
        answering(redirect("file:///etc/passwd")),
        "unsupported-scheme",
        requests=1,
        tls="good",
    ),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_server_that(row, trials):
    assert problems(row, trials.outcome(row)) == []
