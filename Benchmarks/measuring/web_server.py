"""nginx on a free port of loopback, for the duration of one run."""

import grp
import os
import pwd
import resource
import socket
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from .certificates import Certificates
from .packages import environment, program, run

CONFIGURATION = """
{user}
worker_processes 1;
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 1024; }}
http {{
    types {{ image/jpeg jpg jpeg; image/png png; }}
    sendfile on;
    tcp_nopush on;
    open_file_cache max={open_files};
    log_format answers "$status $connection $server_protocol";
    access_log {folder}/access.log answers buffer=64k;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    server {{
        listen 127.0.0.1:{port} {listening};
        {certificates}
        root {root};
        add_header Cache-Control {caching};
    }}
}}
"""


# The Cache-Control of responses. Without it, clients may guess how long a photo is fresh.
REVALIDATE = "no-cache"
KEEP_A_DAY = "max-age=86400"


@dataclass(frozen=True)
class Protocol:
    """The protocol between clients and server."""

    scheme: str
    # As it is written in the access log.
    version: str
    # The parameters of the `listen` directive.
    listening: str

    @property
    def is_secure(self) -> bool:
        return self.scheme == "https"

    @property
    def variables(self) -> dict[str, str]:
        """The environment variables with which gallerygen and curl trust the server."""
        return {"CURL_CA_BUNDLE": str(Certificates.made().authority)} if self.is_secure else {}


HTTP = Protocol("http", "HTTP/1.1", "")
HTTPS = Protocol("https", "HTTP/2.0", "ssl http2")
HTTPS_1_1 = Protocol("https", "HTTP/1.1", "ssl")


def open_files() -> int:
    """The number of files that nginx may keep open. Its process needs some descriptors for connections."""
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return min(12_000, limit // 2)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for_listener(port: int, process: subprocess.Popen, error: Callable[[], str]) -> None:
    """Waits until the port accepts connections. Raises the error if the process ends first, or after 30 seconds."""
    deadline = time.monotonic() + 30
    while process.poll() is None and time.monotonic() < deadline:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.01)
    raise RuntimeError(error())


def version() -> str:
    return run([program("nginx", "nginx-light"), "-v"]).strip()


class WebServer:
    """Serves a folder within a `with` block. After the block, `requests` has the number of responses by status, and
    `connections` the number of connections."""

    def __init__(
        self,
        root: Path,
        folder: Path,
        port: int | None = None,
        caching: str = REVALIDATE,
        protocol: Protocol = HTTP,
    ):
        self.folder = folder
        self.protocol = protocol
        self.requests: Counter[str] = Counter()
        self.connections = 0
        folder.mkdir(parents=True)
        self.port = port or free_port()
        # nginx that root starts would run its workers as another user, who may not be able to read the checkout.
        user = f"user {pwd.getpwuid(0).pw_name} {grp.getgrgid(0).gr_name};" if os.geteuid() == 0 else ""
        (folder / "nginx.conf").write_text(
            CONFIGURATION.format(
                user=user,
                folder=folder,
                port=self.port,
                listening=protocol.listening,
                certificates=Certificates.made().nginx_lines if protocol.is_secure else "",
                root=root,
                caching=caching,
                open_files=open_files(),
            )
        )

    @property
    def address(self) -> str:
        return f"{self.protocol.scheme}://127.0.0.1:{self.port}"

    def __enter__(self) -> "WebServer":
        nginx = program("nginx", "nginx-light")
        self.process = subprocess.Popen(
            [nginx, "-e", str(self.folder / "error.log"), "-c", str(self.folder / "nginx.conf")],
            env=environment(),
            stdin=subprocess.DEVNULL,
        )
        wait_for_listener(
            self.port, self.process, lambda: "nginx did not start: " + (self.folder / "error.log").read_text().strip()
        )
        return self

    def __exit__(self, *_) -> None:
        # nginx writes the last lines of its log when it ends.
        self.process.terminate()
        self.process.wait()
        answers = [line.split() for line in (self.folder / "access.log").read_text().splitlines()]
        # Responses over another protocol are not counted, so that the check of the contestant fails.
        self.requests.update(
            status if version == self.protocol.version else f"{status} by {version}" for status, _, version in answers
        )
        self.connections = len({connection for _, connection, _ in answers})
