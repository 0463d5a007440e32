"""`serve` and its connections: what browsers send, and what they inherit."""

import os
import signal
import socket
import sys
from pathlib import Path

import pytest
from waiting import TIMEOUT, until


def connected(preview):
    return socket.create_connection(("127.0.0.1", preview.port), timeout=TIMEOUT)


def rest(connection):
    """All that the preview still sends on a connection."""
    received = b""
    try:
        while piece := connection.recv(65536):
            received += piece
    except ConnectionError:
        # A connection with bytes that were not read is reset when it is closed.
        pass
    return received


def test_head_of_a_browser_with_many_cookies_is_answered(three_photos, serve):
    assert serve(three_photos).get("/", Cookie="a" * 12_000)[0] == 200


def test_long_message_on_a_socket_is_read(three_photos, serve):
    page = serve(three_photos).open()
    page.send(type="filter", chain="x" * 50_000)
    assert page.until("filter-refused")
    page.send(type="filter", chain="sepia(0.7)")
    assert page.until("filter", lambda message: message["chain"] == "sepia(0.7)")


def test_answer_arrives_after_the_end_of_the_requests(three_photos, serve):
    preview = serve(three_photos)
    with connected(preview) as connection:
        connection.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{preview.port}\r\n\r\n".encode())
        connection.shutdown(socket.SHUT_WR)
        assert rest(connection).rstrip().endswith(b"</html>")


@pytest.mark.skipif(sys.platform == "darwin", reason="there is no /proc, and `open` starts the browser")
def test_browser_inherits_no_socket_that_would_keep_the_port(three_photos, serve, tmp_path):
    opened = tmp_path / "opened"
    browser = tmp_path / "xdg-open"
    browser.write_text(f"#!/bin/sh\nsleep 60 &\necho $! >{opened}.part && mv {opened}.part {opened}\n")
    browser.chmod(0o755)
    preview = serve(three_photos, "--open", env={"PATH": f"{tmp_path}:{os.environ['PATH']}"})
    until(opened.exists, preview.process)
    try:
        assert preview.end()[0] == 130
        files = [os.readlink(file) for file in Path("/proc", opened.read_text().strip(), "fd").iterdir()]
        assert not [file for file in files if file.startswith("socket:")], files
    finally:
        os.kill(int(opened.read_text()), signal.SIGKILL)
