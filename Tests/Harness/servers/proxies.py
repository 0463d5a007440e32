"""HTTP and SOCKS proxies that record the targets of their requests."""

import socket
import struct

from connections import serve_each
from scripted_server import Request, response


class Proxy:
    """Records the target of each request in `targets`: a URL, or host and port for a tunnel. Responds with
    `answer(target)`. Speaks TLS with its clients if it has a context."""

    scheme = "http"

    def __init__(self, answer, tls=None):
        self.answer = answer
        self.tls = tls
        self.targets = []
        #: The Proxy-Authorization header of each request.
        self.authorizations = []

    def __enter__(self):
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        serve_each(self.listener, self._serve)
        return self

    def __exit__(self, *_):
        self.listener.close()

    def url(self, host="127.0.0.1", user=""):
        """The proxy's URL, as in the variable http_proxy."""
        return f"{'https' if self.tls else self.scheme}://{user}{host}:{self.port}"

    def _serve(self, connection):
        with connection:
            try:
                self._talk(self.tls.wrap_socket(connection, server_side=True) if self.tls else connection)
            except OSError:
                pass  # the client does not trust the certificate, or has closed the connection

    def _talk(self, connection):
        with connection:
            request = Request.read(connection)
            if request:
                self.targets.append(request.path)
                self.authorizations.append(request.headers.get("proxy-authorization"))
                connection.sendall(self.answer(request.path))


def refusing_tunnels(picture, code="403 No"):
    """Responds to requests for http URLs with a picture, and refuses tunnels."""
    return lambda target: response(picture) if "://" in target else response(b"", code=code)


class SocksProxy(Proxy):
    """Records the target of each request in `targets`, as ("name", …) or ("address", …), and then responds in place of
    the target's server. Refuses each request if `answer` is None. Speaks SOCKS 4, 4a and 5 (RFC 1928)."""

    def __init__(self, answer, scheme):
        super().__init__(answer)
        self.scheme = scheme

    def _talk(self, connection):
        def read(count):
            piece = reader.read(count)
            if len(piece) < count:
                raise OSError("the client has closed the connection")
            return piece

        reader = connection.makefile("rb")
        if read(1) == b"\x04":
            _, _, address = struct.unpack(">BH4s", read(7))
            while read(1) != b"\0":
                pass
            if address[:3] == b"\0\0\0":
                self.targets.append(("name", b"".join(iter(lambda: read(1), b"\0")).decode()))
            else:
                self.targets.append(("address", socket.inet_ntoa(address)))
            connection.sendall(bytes([0, 0x5A if self.answer else 0x5B, 0, 0, 0, 0, 0, 0]))
        else:
            read(read(1)[0])
            connection.sendall(b"\x05\0")
            kind = read(4)[3]
            if kind == 3:
                self.targets.append(("name", read(read(1)[0]).decode()))
            else:
                family, length = (socket.AF_INET, 4) if kind == 1 else (socket.AF_INET6, 16)
                self.targets.append(("address", socket.inet_ntop(family, read(length))))
            read(2)
            connection.sendall(bytes([5, 0 if self.answer else 2, 0, 1, 0, 0, 0, 0, 0, 0]))
        if self.answer:
            request = Request.read(connection)
            if request:
                connection.sendall(self.answer(request.path))
