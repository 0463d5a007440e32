"""nginx on a loopback port of its own, with a log of what was asked and answered."""

import json
import os
import shutil
import socket
import subprocess
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path

CONFIGURATION = """
daemon off;
master_process off;
pid {folder}/nginx.pid;
error_log {folder}/error.log warn;
events {{ worker_connections 512; }}
http {{
    types {{ text/html html; image/jpeg jpg; image/png png; text/css css; text/javascript js; image/svg+xml svg;
             application/json json; application/atom+xml xml; }}
    log_format asked escape=json '{{"path":"$request_uri","status":$status,"sent":$body_bytes_sent,'
        '"match":"$http_if_none_match","agent":"$http_user_agent"}}';
    access_log {folder}/access.log asked;
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
class Asked:
    """A line of the access log."""

    path: str
    status: int
    sent: int
    match: str
    agent: str


class WebServer:
    """Serves `root`; everything may be kept but must be asked for again, under /fresh/ it stays good for an hour."""

    def __init__(self, root, folder):
        self.root = Path(root)
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.marks = 0
        self.read = 0

    def __enter__(self):
        program = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin:/sbin:/opt/homebrew/bin")
        assert program, "nginx is not installed; make test installs it"
        self.port = free_port()
        configuration = self.folder / "nginx.conf"
        configuration.write_text(CONFIGURATION.format(folder=self.folder, root=self.root, port=self.port))
        self.process = subprocess.Popen(
            [program, "-p", str(self.folder), "-e", str(self.folder / "error.log"), "-c", str(configuration)])
        wait_for_connection(self.port, self.process)
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(20)

    def url(self, path=""):
        return f"http://127.0.0.1:{self.port}/{path}"

    def asked(self):
        """What was asked since the last call. nginx logs in order, so a request of our own ends what was before it."""
        self.marks += 1
        mark = f"/mark-{self.marks}"
        try:
            urllib.request.urlopen(self.url(mark.lstrip("/"))).close()
        except urllib.error.HTTPError:
            pass
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            text = (self.folder / "access.log").read_text()
            lines = [Asked(**json.loads(line)) for line in text.splitlines() if text.endswith("\n")]
            if lines and lines[-1].path == mark:
                new, self.read = lines[self.read : -1], len(lines)
                return new
        raise AssertionError("nginx does not log")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for_connection(port, process, seconds=20):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        assert process.poll() is None, f"the server ended with code {process.returncode}"
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
    raise AssertionError(f"nobody listens on port {port}")
