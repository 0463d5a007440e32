"""Servers with invalid certificates or broken TLS: a photo is downloaded only over a verified connection."""

import pytest
from misbehaviour import PICTURE, Misbehaviour, problems
from misbehaving_server import MisbehavingServer
from connection_scripts import answering, head, ok, redirect, silent, unasked
from waiting import TIMEOUT

GOOD = answering(ok(PICTURE))
LOCAL = "https://localhost:{port}/photo.jpg"


def certified(kind, says):
    """A server with an invalid certificate, which gets no request and no retry."""
    return Misbehaviour(f"has a certificate that is {kind}", GOOD, "tls", says=says, requests=0, tls=kind)


def insecurely(name, script, expected="tls", **options):
    """A server at an https address that does not speak TLS, or does not complete the handshake."""
    return Misbehaviour(name, script, expected, requests=0, address=LOCAL, **({"recovers": False} | options))


def after_client_hello(*answers):
    """Waits for the ClientHello, and sends something else than a ServerHello."""

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


def server_hello_byte_by_byte(connection):
    """Sends a record with a length of 16 KB, a byte at a time."""
    connection.socket.recv(65536)
    connection.send(b"\x16\x03\x03\x40\x00", *[b"\x02"] * 60, pause=0.5)


def cut_off_without_close_notify(connection):
    """Sends half of a body without a length, so that only the missing close_notify shows that it is incomplete."""
    connection.request()
    connection.send(head("200 OK", "Content-Type: image/jpeg", "Connection: close") + PICTURE[: len(PICTURE) // 2])
    connection.reset()


def from_https_to_http(connection):
    """Redirects to an http address of the same name, where the picture is."""
    connection.request()
    with MisbehavingServer(GOOD, host="localhost") as plain:
        connection.send(redirect(plain.url("/photo.jpg")))
        plain.first_closed.wait(TIMEOUT)


ROWS = [
    Misbehaviour("has a good certificate", GOOD, "filtered", requests=1, tls="good"),
    certified("expired", says="expired"),
    certified("not yet valid", says="not yet valid"),
    certified("self-signed", says="self-signed"),
    certified("wrong name", says="localhost"),
    certified("unknown authority", says="certificate"),
    insecurely("speaks http where https is asked for", unasked(head("400 Bad Request", "Connection: close"))),
    insecurely("sends garbage after the ClientHello", after_client_hello(b"\x00\xff" * 500)),
    insecurely("sends http after the ClientHello", after_client_hello(head("400 Bad Request", "Connection: close"))),
    insecurely("refuses every cipher", after_client_hello(b"\x15\x03\x03\x00\x02\x02\x28")),
    insecurely("refuses every version of TLS", after_client_hello(b"\x15\x03\x03\x00\x02\x02\x46")),
    insecurely(
        # A lost connection is a transient failure.
        "closes the connection within the handshake",
        after_client_hello(b""),
        ("tls", "interrupted"),
    ),
    insecurely("resets within the handshake", reset_within_the_handshake, ("tls", "interrupted")),
    insecurely("never responds to the ClientHello", silent_within_the_handshake, "timeout", says="2 s", seconds=110),
    insecurely("accepts a connection for TLS and sends nothing", silent, "timeout", says="2 s", seconds=110),
    insecurely("sends its ServerHello byte by byte", server_hello_byte_by_byte, "timeout", says="2 s", seconds=110),
    Misbehaviour(
        "resets the connection within a body of unknown length",
        cut_off_without_close_notify,
        ("interrupted", "truncated"),
        tls="good",
    ),
    Misbehaviour("closes the connection after an https request", answering(), "interrupted", requests=2, tls="good"),
    Misbehaviour(
        # Since lists may name http addresses, redirects may lead to them.
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
