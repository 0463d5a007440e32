"""A server that speaks the messages of `gallerygen serve` to its pages, and can do on demand what that server does not:
send any message, drop a connection, come back with other scripts."""

import http.server
import re
import secrets
import threading
import urllib.parse
from contextlib import suppress

from program import ROOT
from websocket_server import WebSocketConnection

TEMPLATES = ROOT / "Templates"


def combined(name):
    """A script as TemplateEmbedder combines it from the files in Templates/scripts."""
    source = (ROOT / "Sources/TemplateEmbedder/TemplateFiles.swift").read_text(encoding="utf-8")
    parts = re.search(rf'"assets/{name}": \[(.*?)\]', source, re.DOTALL)[1]
    return "".join(
        (TEMPLATES / f"scripts/{part}.js").read_text(encoding="utf-8") for part in re.findall(r'"([\w-]+)"', parts))


class PreviewStandIn:
    """Serves the site of a gallery that `gallerygen build` has built, with the scripts of the preview."""

    def __init__(self, gallery, *options):
        self.gallery = gallery
        self.options = options
        self.filter = "sepia(0.8)"
        self.revision = 1
        self.photos = 0
        #: The numbers of photo changes that connected pages had.
        self.known = []
        self.scripts_version = 0
        self.hello = {"version": 1}
        self.connections = set()
        self.address = None

    def __enter__(self):
        self.build()
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()

    # The server

    def start(self):
        self.token = secrets.token_urlsafe(16)
        port = int(self.address.split(":")[2].strip("/")) if self.address else 0
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", port), self._handler())
        self.server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self.server.server_port}/"
        threading.Thread(target=self.server.serve_forever, args=[0.05], daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()
        self.drop()

    def drop(self):
        for connection in list(self.connections):
            connection.close()

    def send(self, message):
        for connection in list(self.connections):
            with suppress(OSError):
                connection.send(message)

    # The gallery

    def build(self):
        self.gallery.build("--filter", self.filter, *self.options)

    def rebuild(self):
        """Builds the gallery as after a change of its files, and tells the pages."""
        self.build()
        self.revision += 1
        self.send({"type": "changed", "what": ["pages"], "revision": self.revision})

    def list(self, photos):
        self.gallery.list(photos)
        self.rebuild()

    def try_filter(self, chain):
        self.filter = chain
        self.build()
        self.send({"type": "filter", "chain": chain})

    # Answers

    def _receive(self, message):
        if message["type"] == "filter":
            self.try_filter(message["chain"])

    def page(self, html):
        script = f"/assets/preview.{self.scripts_version}.js"
        html = html.replace("form-action 'none'", "form-action 'none'; connect-src 'self'", 1)
        extra = (
            f'<link rel="stylesheet" href="/assets/preview.0.css">\n<script src="{script}" defer></script>\n'
            f'<meta name="preview-token" content="{self.token}" data-revision="{self.revision}" '
            f'data-photos="{self.photos}">\n')
        return html.replace('<link rel="icon"', extra + '<link rel="icon"', 1)

    def _handler(self):
        stand_in = self

        class Handler(http.server.SimpleHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def __init__(self, *arguments):
                super().__init__(*arguments, directory=stand_in.gallery.site)

            def log_message(self, *_):
                pass

            def end_headers(self):
                self.send_header("Cache-Control", "no-cache")
                super().end_headers()

            def do_GET(self):
                path = self.path.partition("?")[0]
                if path == "/preview/socket":
                    return self.serve_socket()
                if re.fullmatch(r"/assets/preview\.\d+\.js", path):
                    return self.answer(combined("preview.js").encode(), "text/javascript")
                if re.fullmatch(r"/assets/preview\.\d+\.css", path):
                    return self.answer((TEMPLATES / "assets/preview.css").read_bytes(), "text/css")
                file = stand_in.gallery.site / (path.lstrip("/") or "index.html")
                if file.suffix == ".html" and file.is_file():
                    return self.answer(stand_in.page(file.read_text(encoding="utf-8")).encode(), "text/html")
                return super().do_GET()

            def answer(self, body, kind):
                self.send_response(200)
                self.send_header("Content-Type", kind + "; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def serve_socket(self):
                query = dict(urllib.parse.parse_qsl(self.path.partition("?")[2]))
                if query["token"] != stand_in.token:
                    return self.send_error(403)
                stand_in.known.append(int(query["photos"]))
                self.close_connection = True
                connection = WebSocketConnection(self)
                # A test that sees the page connected may send at once.
                stand_in.connections.add(connection)
                try:
                    connection.send({
                        "type": "hello", "version": 1, "filter": stand_in.filter, "revision": stand_in.revision,
                        **stand_in.hello})
                    for message in connection:
                        stand_in._receive(message)
                finally:
                    stand_in.connections.discard(connection)

        return Handler
