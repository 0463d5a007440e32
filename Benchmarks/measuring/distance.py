"""A web server with a long round trip."""

import subprocess

from .packages import compiled
from .web_server import WebServer, free_port, wait_for_listener
from .workplace import BENCHMARKS


class Distance:
    """A web server behind a proxy that delays all bytes (`delay.c`). Clients use the port of the proxy."""

    def __init__(self, server: WebServer, round_trip: int, port: int | None = None):
        self.server = server
        self.round_trip = round_trip
        self.port = port or free_port()

    @property
    def address(self) -> str:
        return f"{self.server.protocol.scheme}://127.0.0.1:{self.port}"

    def __enter__(self) -> "Distance":
        self.server.__enter__()
        command = [compiled(BENCHMARKS / "measuring" / "delay.c", []), self.round_trip, self.port, self.server.port]
        self.process = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL)
        wait_for_listener(self.port, self.process, lambda: "the delaying proxy did not start")
        return self

    def __exit__(self, *_) -> None:
        self.process.terminate()
        self.process.wait()
        self.server.__exit__()
        self.requests, self.connections = self.server.requests, self.server.connections
