"""Servers that speak HTTP/2 as far as a script wants: frames are sent as they are told, good or bad."""

import h2.config
import h2.connection
import h2.errors
import h2.events
import h2.exceptions
from misbehaving_server import ClientGone
from scripted_server import Request


class Speaker:
    """The server's end of an HTTP/2 connection."""

    def __init__(self, connection):
        self.connection = connection
        # Scripts send what no server should.
        self.state = h2.connection.H2Connection(h2.config.H2Configuration(
            client_side=False, validate_outbound_headers=False, normalize_outbound_headers=False))
        self.state.initiate_connection()
        self.events = []
        self.flush()

    def flush(self):
        self.connection.send(self.state.data_to_send())

    def request(self):
        """The next request's stream, counted."""
        while True:
            for event in self._events():
                if isinstance(event, h2.events.RequestReceived):
                    fields = {name.decode(): value.decode() for name, value in event.headers}
                    self.connection.server.note(Request(fields[":path"], fields))
                    return event.stream_id

    def _events(self):
        """The events received, each once; waits for more after the last."""
        while True:
            while self.events:
                yield self.events.pop(0)
            received = self.connection.socket.recv(65536)
            if not received:
                raise ClientGone
            try:
                self.events += self.state.receive_data(received)
            except h2.exceptions.ProtocolError as error:
                raise ClientGone from error
            self.flush()

    def head(self, stream, status=200, length=None, kind="image/jpeg", end=False):
        fields = [(":status", str(status)), ("content-type", kind)]
        if length is not None:
            fields.append(("content-length", str(length)))
        self.state.send_headers(stream, fields, end_stream=end)
        self.flush()

    def data(self, stream, body, end=False):
        self.state.send_data(stream, body, end_stream=end)
        self.flush()

    def reset(self, stream, code=h2.errors.ErrorCodes.INTERNAL_ERROR):
        self.state.reset_stream(stream, code)
        self.flush()

    def go_away(self, last_stream, code=h2.errors.ErrorCodes.NO_ERROR):
        self.state.close_connection(code, last_stream_id=last_stream)
        self.flush()

    def hold(self):
        self.connection.hold()

    def raw(self, *pieces):
        self.connection.send(*pieces)


def http2(script, otherwise=None):
    """A script over a connection, of one over HTTP/2; `otherwise` is for clients that do not speak it."""

    def over(connection):
        if otherwise and connection.socket.selected_alpn_protocol() != "h2":
            otherwise(connection)
        else:
            script(Speaker(connection))

    return over


def frame(kind, flags, stream, payload):
    """Any frame, also one that must not be (RFC 9113 §4.1)."""
    return len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + payload
