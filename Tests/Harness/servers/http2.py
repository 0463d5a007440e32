"""HTTP/2 for scripts of a MisbehavingServer: well-formed responses, and any frames, valid or not."""

import h2.config
import h2.connection
import h2.errors
import h2.events
import h2.exceptions
from misbehaving_server import ClientGone
from scripted_server import Request


class HTTP2Connection:
    """The server's end of an HTTP/2 connection."""

    def __init__(self, connection):
        self.connection = connection
        # The checks of outgoing headers are off, because scripts send invalid ones.
        self.state = h2.connection.H2Connection(h2.config.H2Configuration(
            client_side=False, validate_outbound_headers=False, normalize_outbound_headers=False))
        self.state.initiate_connection()
        self.events = []
        self.flush()

    def flush(self):
        self.connection.send(self.state.data_to_send())

    def request(self):
        """Waits for the next request, records it with the server, and returns its stream."""
        while True:
            for event in self._events():
                if isinstance(event, h2.events.RequestReceived):
                    fields = {name.decode(): value.decode() for name, value in event.headers}
                    self.connection.server.record(Request(fields[":path"], fields))
                    return event.stream_id

    def _events(self):
        """Yields the events received, and waits for more after the last."""
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


def over_http2(script, fallback=None):
    """Makes a script for a MisbehavingServer of one that takes an HTTP2Connection. Clients that did not negotiate
    HTTP/2 get the script `fallback`."""

    def on_connection(connection):
        if fallback and connection.socket.selected_alpn_protocol() != "h2":
            fallback(connection)
        else:
            script(HTTP2Connection(connection))

    return on_connection


def frame(kind, flags, stream, payload):
    """A frame of any content, valid or not (RFC 9113 §4.1)."""
    return len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + payload
