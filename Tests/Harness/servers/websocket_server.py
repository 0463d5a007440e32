"""The server's side of a WebSocket connection (RFC 6455), as far as a page needs it: text, ping and close."""

import base64
import hashlib
import json
import struct
import threading

GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10


class WebSocketConnection:
    """A connection whose messages are JSON objects. `handler` is the request handler of the upgrade request."""

    def __init__(self, handler):
        self.connection, self.file = handler.connection, handler.rfile
        self.lock = threading.Lock()
        digest = hashlib.sha1((handler.headers["Sec-WebSocket-Key"] + GUID).encode()).digest()
        handler.send_response(101)
        handler.send_header("Upgrade", "websocket")
        handler.send_header("Connection", "Upgrade")
        handler.send_header("Sec-WebSocket-Accept", base64.b64encode(digest).decode())
        handler.end_headers()
        handler.wfile.flush()

    def __iter__(self):
        """Yields the messages until the connection is closed."""
        while frame := self._frame():
            kind, payload = frame
            if kind == CLOSE:
                return
            if kind == PING:
                self._write(PONG, payload)
            if kind == TEXT:
                yield json.loads(payload)

    def send(self, message):
        self._write(TEXT, json.dumps(message).encode())

    def close(self):
        try:
            self._write(CLOSE, struct.pack(">H", 1001))
            self.connection.shutdown(2)
        except OSError:
            pass  # the page has closed the connection

    def _frame(self):
        head = self.file.read(2)
        if len(head) < 2:
            return None
        length = head[1] & 127
        if length > 125:
            length = int.from_bytes(self.file.read(2 if length == 126 else 8), "big")
        mask, payload = self.file.read(4), self.file.read(length)
        return head[0] & 15, bytes(byte ^ mask[number % 4] for number, byte in enumerate(payload))

    def _write(self, kind, payload):
        length = len(payload)
        size = bytes([length]) if length < 126 else struct.pack(">BH", 126, length) if length < 65536 else struct.pack(
            ">BQ", 127, length)
        with self.lock:
            self.connection.sendall(bytes([0x80 | kind]) + size + payload)
