"""Runs nginx on a free loopback port, with a log of requests and responses."""

import json
import os
import shutil
import socket
import subprocess
import urllib.request
from dataclasses import dataclass
from pathlib import Path

from waiting import TIMEOUT, until

CONFIGURATION = """
daemon off;
master_process off;
pid {folder}/nginx.pid;
error_log {folder}/error.log warn;
events {{ worker_connections 512; }}
http {{
    types {{ text/html html; image/jpeg jpg; image/png png; text/css css; text/javascript js; image/svg+xml svg;
             application/json json; application/atom+xml xml; }}
    log_format request escape=json '{{"path":"$request_uri","status":$status,"sent":$body_bytes_sent,'
        '"match":"$http_if_none_match","agent":"$http_user_agent"}}';
    access_log {folder}/access.log request;
    client_body_temp_path {folder}/tmp;
    proxy_temp_path {folder}/tmp; fastcgi_temp_path {folder}/tmp;
    uwsgi_temp_path {folder}/tmp; scgi_temp_path {folder}/tmp;
    server {{
        listen 127.0.0.1:{port};
        root {root};
        location / {{ add_header Cache-Control "no-cache"; }}
        location /fresh/ {{ alias {root}/; add_header Cache-Control "max-age=3600"; }}
    }}
}}
"""


@dataclass(frozen=True)
class LoggedRequest:
    """A line of the access log."""

    path: str
    status: int
    sent: int
    match: str
    agent: str


class WebServer:
    """Serves `root` with "Cache-Control: no-cache", and again under /fresh/ with a lifetime of an hour."""

    def __init__(self, root, folder):
        self.root = Path(root)
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.marks = 0
        self.read = 0

    def __enter__(self):
        self.port = free_port()
        self.process = start_nginx(
            self.folder, CONFIGURATION.format(folder=self.folder, root=self.root, port=self.port), self.port)
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(TIMEOUT)

    def url(self, path=""):
        return f"http://127.0.0.1:{self.port}/{path}"

    def new_requests(self):
        """The requests since the last call. nginx logs requests in their order, so once a marker request is in the log,
        all earlier ones are."""
        self.marks += 1
        mark = f"/mark-{self.marks}"
        try:
            urllib.request.urlopen(self.url(mark.lstrip("/"))).close()
        except urllib.error.HTTPError:
            pass

        def logged():
            text = (self.folder / "access.log").read_text()
            lines = [LoggedRequest(**json.loads(line)) for line in text.splitlines() if text.endswith("\n")]
            return lines if lines and lines[-1].path == mark else None

        lines = until(logged, self.process, what="the marker request in nginx's log")
        new, self.read = lines[self.read : -1], len(lines)
        return new


def start_nginx(folder, configuration, port):
    """Starts nginx with a configuration, and returns its process once it accepts connections."""
    program = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin:/sbin:/opt/homebrew/bin")
    assert program, "nginx is not installed; make test installs it"
    (folder / "nginx.conf").write_text(configuration)
    process = subprocess.Popen([program, "-p", folder, "-e", folder / "error.log", "-c", folder / "nginx.conf"])
    until(lambda: accepts_connections(port), process, what=f"a connection to port {port}")
    return process


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def accepts_connections(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
