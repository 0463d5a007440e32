"""A server that a script controls byte by byte, with or without TLS, and that records its requests."""

import select
import socket
import ssl
import struct
import threading

from connections import serve_each
from scripted_server import Request


class MisbehavingServer:
    """Runs `script(connection)` for each connection, and closes the connection when the script returns. A test may
    replace the script between two builds."""

    def __init__(self, script, tls=None, host="127.0.0.1"):
        self.script = script
        self.tls = tls
        self.host = host
        self.requests = []
        self.connections = 0
        self.open = set()
        self.lock = threading.Lock()
        self.first_connection = threading.Event()
        self.first_request = threading.Event()
        self.first_closed = threading.Event()

    def __enter__(self):
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = self.listener.getsockname()[1]
        serve_each(self.listener, self._serve)
        return self

    def __exit__(self, *_):
        self.listener.close()
        with self.lock:
            for one in self.open:
                one.shutdown()

    def url(self, path):
        return f"{'https' if self.tls else 'http'}://{self.host}:{self.port}{path}"

    def request_count(self, path):
        with self.lock:
            return sum(request.path.partition("?")[0] == path for request in self.requests)

    def record(self, request):
        with self.lock:
            self.requests.append(request)
        self.first_request.set()
        return request

    def _serve(self, accepted):
        with self.lock:
            self.connections += 1
            connection = Connection(accepted, self, self.connections)
            self.open.add(connection)
        self.first_connection.set()
        try:
            if self.tls:
                connection.secure(self.tls)
            self.script(connection)
        except (OSError, ClientGone):
            pass  # the client closed the connection, as many scripts make it do
        finally:
            with self.lock:
                self.open.discard(connection)
            connection.close()
            self.first_closed.set()


class ClientGone(Exception):
    pass


class Connection:
    """The server's end of one connection."""

    def __init__(self, accepted, server, number):
        self.socket = accepted
        self.server = server
        #: Counted from 1.
        self.number = number
        accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def secure(self, context):
        self.socket = context.wrap_socket(self.socket, server_side=True)

    def request(self):
        """Waits for the next request, and records it with the server."""
        request = Request.read(self.socket)
        if request is None:
            raise ClientGone
        return self.server.record(request)

    def send(self, *pieces, pause=0):
        """Sends the pieces, with a pause of so many seconds between two."""
        for number, piece in enumerate(pieces):
            if number and pause:
                self.wait(pause)
            self.socket.sendall(piece)

    def wait(self, seconds):
        """Waits, and raises ClientGone once the client sends data or closes the connection."""
        if select.select([self.socket], [], [], seconds)[0]:
            self.hold()
            raise ClientGone

    def hold(self):
        """Keeps the connection open without sending anything, until the client closes it."""
        while self.socket.recv(65536):
            pass

    def reset(self):
        """Resets the connection (RST)."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()

    def shutdown(self):
        try:
            self.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # the connection is closed already

    def close(self):
        try:
            if isinstance(self.socket, ssl.SSLSocket):
                self.socket.settimeout(2)
                self.socket = self.socket.unwrap()
        except (OSError, ValueError):
            pass  # the client did not answer the TLS close_notify, or has closed the connection
        self.socket.close()
