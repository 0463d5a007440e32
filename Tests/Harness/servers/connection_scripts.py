"""Parts of HTTP responses, and scripts for MisbehavingServer that send them."""

import itertools

from misbehaving_server import MisbehavingServer


def head(status="200 OK", *fields, version="HTTP/1.1"):
    return "\r\n".join([f"{version} {status}", *fields, "", ""]).encode()


def ok(body, *fields, kind="image/jpeg", status="200 OK", length=None):
    """A complete response. `length` overrides its Content-Length."""
    claimed = len(body) if length is None else length
    return head(status, f"Content-Type: {kind}", f"Content-Length: {claimed}", *fields, "Connection: close") + body


def status(code, *fields, body=b""):
    return ok(body, *fields, kind="text/plain", status=f"{code} Scripted")


def redirect(location, code=302):
    return status(code, f"Location: {location}")


def chunk(data):
    return b"%x\r\n%s\r\n" % (len(data), data)


def chunked_head(*fields):
    return head("200 OK", "Content-Type: image/jpeg", "Transfer-Encoding: chunked", *fields, "Connection: close")


# Scripts: a MisbehavingServer calls them with the connection.


def answering(*pieces, pause=0):
    """Reads a request, sends the pieces, and closes the connection."""

    def script(connection):
        connection.request()
        connection.send(*pieces, pause=pause)

    return script


def then_holding(*pieces, pause=0):
    """Reads a request, sends the pieces, and keeps the connection open."""

    def script(connection):
        connection.request()
        connection.send(*pieces, pause=pause)
        connection.hold()

    return script


def then_reset(*pieces):
    def script(connection):
        connection.request()
        connection.send(*pieces)
        connection.reset()

    return script


def dripping(start, drops, seconds):
    """Reads a request, sends the start, and then one drop every so many seconds."""

    def script(connection):
        connection.request()
        connection.send(start)
        for drop in drops:
            connection.wait(seconds)
            connection.send(drop)

    return script


def endless(start, block):
    """Reads a request, sends the start, and then the block again and again."""

    def script(connection):
        connection.request()
        connection.send(start)
        for piece in itertools.repeat(block):
            connection.send(piece)

    return script


def unasked(*pieces, holding=False):
    """Sends the pieces without waiting for a request."""

    def script(connection):
        connection.send(*pieces)
        if holding:
            connection.hold()

    return script


def reset_at_once(connection):
    connection.reset()


def silent(connection):
    connection.hold()


def in_turn(*scripts):
    """Runs the first script for the first connection, and so on, and the last script for all later connections."""

    def script(connection):
        scripts[min(connection.number, len(scripts)) - 1](connection)

    return script


def manifest_server(manifest):
    """A server that responds to every request with the manifest."""
    return MisbehavingServer(answering(ok(manifest, kind="application/xml")), host="localhost")
