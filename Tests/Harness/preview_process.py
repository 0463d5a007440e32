"""A running preview (`gallerygen serve`), and a page's connection to it: requests and one WebSocket (RFC 6455)."""

import base64
import http.client
import json
import os
import re
import signal
import socket
import struct
import time

from program import exit_code
from waiting import TIMEOUT, line_from


class Preview:
    """A process of `gallerygen serve`. Its sockets are closed together with it."""

    def __init__(self, gallery, *options, env=None):
        self.gallery = gallery
        self.process = gallery.program.start("serve", "--port", "0", *options, cwd=gallery.folder, env=env)
        self.lines = []
        self.sockets = []
        while not self.lines or "The preview is at" not in self.lines[-1]:
            line = line_from(self.process)
            assert line, f"the preview ended before it could be reached: {''.join(self.lines)}"
            self.lines.append(line)
        self.port = int(re.search(r"http://127\.0\.0\.1:(\d+)/", self.lines[-1])[1])

    def get(self, path="/", method="GET", **headers):
        """The response to a request: its status, its headers in lower case, and its body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, headers=named)
        response = connection.getresponse()
        body = response.read()
        connection.close()
        return response.status, {name.lower(): value for name, value in response.getheaders()}, body

    def page(self, path="/"):
        status, _, body = self.get(path)
        assert status == 200, f"{path}: {status}"
        return body.decode()

    @property
    def token(self):
        return re.search(r'<meta name="preview-token" content="([^"]+)"', self.page())[1]

    def open(self, token=None, photos=None, **headers):
        """A socket like that of an open page. `photos` is the number of photo changes that the page has."""
        query = f"token={token or self.token}" + ("" if photos is None else f"&photos={photos}")
        self.sockets.append(Socket(self.port, query, headers))
        return self.sockets[-1]

    def end(self, number=signal.SIGINT):
        """Ends the preview. Returns its exit code and the rest of its output."""
        self.process.send_signal(number)
        _, err = self.process.communicate(timeout=TIMEOUT)
        return exit_code(self.process.returncode), err

    def kill(self):
        for one in self.sockets:
            one.close()
        self.process.kill()
        self.process.communicate()


class Refused(Exception):
    """The preview refused a socket; the argument is the status."""


class Socket:
    """The page's end of a socket."""

    def __init__(self, port, query, headers):
        self.connection = socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT)
        self.received = b""
        key = base64.b64encode(os.urandom(16)).decode()
        fields = {
            "Host": f"127.0.0.1:{port}", "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Key": key,
            "Sec-WebSocket-Version": "13", "Origin": f"http://127.0.0.1:{port}",
        } | {name.replace("_", "-"): value for name, value in headers.items()}
        lines = [f"GET /preview/socket?{query} HTTP/1.1", *(f"{name}: {fields[name]}" for name in fields)]
        self.connection.sendall("\r\n".join([*lines, "", ""]).encode())
        while b"\r\n\r\n" not in self.received:
            self._receive()
        head, _, self.received = self.received.partition(b"\r\n\r\n")
        status = int(head.split()[1])
        if status != 101:
            self.close()
            raise Refused(status)

    def _receive(self):
        piece = self.connection.recv(65536)
        if not piece:
            raise ConnectionError("the preview has closed the socket")
        self.received += piece

    def send(self, **message):
        payload = json.dumps(message).encode()
        assert len(payload) < 65536
        length = len(payload)
        head = bytes([0x81, 0x80 | length]) if length < 126 else struct.pack("!BBH", 0x81, 0xFE, length)
        mask = os.urandom(4)
        masked = bytes(byte ^ mask[place % 4] for place, byte in enumerate(payload))
        self.connection.sendall(head + mask + masked)

    def view(self, *slugs):
        self.send(type="view", scrolling=False, photos=slugs)

    def scroll(self):
        self.send(type="view", scrolling=True)

    def message(self):
        """The next message."""
        text = b""
        while True:
            final, payload = self._frame()
            text += payload
            if final:
                return json.loads(text)

    def _frame(self):
        def take(count):
            while len(self.received) < count:
                self._receive()
            taken, self.received = self.received[:count], self.received[count:]
            return taken

        first, length = take(2)
        if length == 126:
            length, = struct.unpack("!H", take(2))
        elif length == 127:
            length, = struct.unpack("!Q", take(8))
        return first & 0x80, take(length)

    def until(self, kind, condition=lambda message: True):
        """The next message of a type that meets a condition."""
        deadline = time.monotonic() + TIMEOUT
        while time.monotonic() < deadline:
            message = self.message()
            if message["type"] == kind and condition(message):
                return message
        raise AssertionError(f"there was no such message of type {kind} within {TIMEOUT} s")

    def next_of_each(self, conditions):
        """The next message of each type that meets the type's condition, in whatever order they arrive."""
        found = {}
        while found.keys() != conditions.keys():
            message = self.message()
            kind = message["type"]
            if kind in conditions and conditions[kind](message):
                found.setdefault(kind, message)
        return found

    def kinds_until(self, kind):
        """The types of the messages up to the first one of a type."""
        kinds = [self.message()["type"]]
        while kinds[-1] != kind:
            kinds.append(self.message()["type"])
        return kinds

    def photos(self, *slugs):
        """Waits for the photos, and returns their slugs in the order in which they arrived."""
        arrived = []
        while set(slugs) - set(arrived):
            record = self.until("photo")["record"]
            arrived.append(record["page"].removeprefix("photo/").removesuffix(".html"))
        return arrived

    def close(self):
        self.connection.close()


def requested(gallery):
    """The numbers of the photos that were requested, in order."""
    return [int(request.path.strip("/").removesuffix(".jpg")) for request in gallery.server.requests]


def slugs(*numbers):
    return [f"photo-{number}" for number in numbers]
