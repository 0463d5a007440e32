"""A server with a script for each path, for responses that web servers do not give: cut off, stalled, without end."""

import socket
import threading
from collections import Counter

from connections import serve_each
from waiting import TIMEOUT


class ScriptedServer:
    """Calls the script of the requested path, `script(connection, request)`, which may send anything.

    The connection is closed when the script returns. Scripts that hold a response back wait for the event `release`.
    """

    def __init__(self):
        self.scripts = {}
        self.requests = []
        self.arrived = {}
        self.release = threading.Event()
        self.lock = threading.Lock()

    def __enter__(self):
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = self.listener.getsockname()[1]
        serve_each(self.listener, self._serve)
        return self

    def __exit__(self, *_):
        self.release.set()
        self.listener.close()

    def url(self, path):
        return f"http://127.0.0.1:{self.port}{path}"

    def on(self, path, script):
        self.scripts[path] = script
        self.arrived[path] = threading.Event()
        return self.url(path)

    def counts(self):
        with self.lock:
            return Counter(request.path for request in self.requests)

    def wait_for(self, path):
        assert self.arrived[path].wait(TIMEOUT), f"there was no request for {path} within {TIMEOUT} s"

    def _serve(self, connection):
        with connection:
            try:
                request = Request.read(connection)
                if request is None:
                    return
                with self.lock:
                    self.requests.append(request)
                self.arrived.setdefault(request.path, threading.Event()).set()
                self.scripts.get(request.path.partition("?")[0], status(404))(connection, request)
            except OSError:
                pass  # the client closed the connection, as some scripts make it do


class Request:
    """The path and the headers of a request, with header names in lower case."""

    def __init__(self, path, headers):
        self.path = path
        self.headers = headers

    @staticmethod
    def read(connection):
        received = b""
        while b"\r\n\r\n" not in received:
            piece = connection.recv(65536)
            if not piece:
                return None
            received += piece
        first, *lines = received.partition(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")
        headers = {}
        for line in lines:
            name, _, value = line.partition(":")
            headers[name.strip().lower()] = value.strip()
        return Request(first.split(" ")[1], headers)


def response(body, kind="image/jpeg", code="200 OK", headers=(), length=None):
    """A complete response. `length` overrides its Content-Length."""
    lines = [f"HTTP/1.1 {code}", f"Content-Type: {kind}", f"Content-Length: {len(body) if length is None else length}"]
    return "\r\n".join([*lines, *headers, "Connection: close", "", ""]).encode() + body


def picture(body, **options):
    return lambda connection, _: connection.sendall(response(body, **options))


def status(code, *headers):
    return lambda connection, _: connection.sendall(response(b"", "text/plain", f"{code} Scripted", headers))


def redirect(address):
    return status(302, f"Location: {address}")


def cut_off(body):
    """Sends half of the body and closes the connection."""
    return lambda connection, _: connection.sendall(response(body[: len(body) // 2], length=len(body)))


def silent_after(server, body):
    """Sends half of the body and keeps the connection open."""

    def script(connection, _):
        connection.sendall(response(body[: len(body) // 2], length=len(body)))
        server.release.wait(2 * TIMEOUT)

    return script


def held(server, body):
    """Sends the picture once the test sets the event `release`."""

    def script(connection, _):
        server.release.wait(2 * TIMEOUT)
        connection.sendall(response(body))

    return script


def endless(connection, _):
    """Sends a body without Content-Length that never ends."""
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\nConnection: close\r\n\r\n\xff\xd8\xff")
    while True:
        connection.sendall(bytes(65536))


def garbage(connection, _):
    connection.sendall(b"\x00\x01\x02 this is not HTTP\r\n\r\n")
