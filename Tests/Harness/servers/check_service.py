"""A stand-in for Healthchecks: it records the pings that it gets."""

import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from waiting import TIMEOUT


@dataclass(frozen=True)
class Ping:
    method: str
    path: str
    body: bytes
    agent: str


class CheckService:
    """An HTTP server on a port of this machine. `status` is its answer; with `holds`, it does not answer until the end
    of the test."""

    def __init__(self, status=200, holds=False):
        self.pings = []
        self.release = threading.Event()
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                service.pings.append(Ping(self.command, self.path, body, self.headers["User-Agent"]))
                if holds:
                    service.release.wait(TIMEOUT)
                    return
                self.send_response(status)
                self.send_header("Content-Length", "2")
                self.end_headers()
                self.wfile.write(b"OK")

            do_GET = do_POST

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/secret-uuid"
        return self

    def __exit__(self, *_):
        self.release.set()
        self.server.shutdown()
        self.server.server_close()

    def paths(self):
        return [ping.path for ping in self.pings]
