"""`serve` and connections that other programs and pages open: none of them holds up or ends the preview."""

import os
import resource
import signal
import socket
import sys

import pytest
from waiting import until


def connected(preview):
    return socket.create_connection(("127.0.0.1", preview.port), timeout=20)


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


def sent(connection, data):
    """Sends as much as the preview takes before it closes the connection."""
    try:
        connection.sendall(data)
    except ConnectionError:
        pass
    return connection


def test_request_with_a_long_line_is_refused_at_once(three_photos, serve):
    preview = serve(three_photos)
    request = b"GET /" + b"a" * 300_000 + b" HTTP/1.1\r\n\r\n"
    connections = [sent(connected(preview), request) for _ in range(3)]
    assert preview.page()
    for connection in connections:
        with connection:
            assert rest(connection) == b""


def test_long_head_is_refused_however_it_is_sent(three_photos, serve):
    preview = serve(three_photos)
    field = b"X-Field: " + b"a" * 500 + b"\r\n"
    with connected(preview) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # The second request on a connection is limited like the first one.
        request = f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{preview.port}\r\n".encode()
        connection.sendall(request + b"\r\n")
        assert connection.recv(12) == b"HTTP/1.1 200"
        for piece in [request, *[field] * 40, b"Connection: close\r\n\r\n"]:
            sent(connection, piece)
        assert b"HTTP/1.1" not in rest(connection)


def test_head_of_a_browser_with_many_cookies_is_answered(three_photos, serve):
    assert serve(three_photos).get("/", Cookie="a" * 12_000)[0] == 200


def test_messages_on_a_socket_may_be_longer_than_a_head(three_photos, serve):
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


def waiting_request(preview):
    """A request that the preview does not accept yet."""
    connection = connected(preview)
    connection.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{preview.port}\r\nConnection: close\r\n\r\n".encode())
    connection.settimeout(1)
    with pytest.raises(TimeoutError):
        connection.recv(1)
    connection.settimeout(20)
    return connection


@pytest.mark.skipif(sys.platform == "darwin", reason="no process can lower the limits of another one there")
def test_more_connections_than_descriptors_do_not_end_the_preview(three_photos, serve):
    preview = serve(three_photos)
    resource.prlimit(preview.process.pid, resource.RLIMIT_NOFILE, (300, 300))
    idle = [connected(preview) for _ in range(400)]
    with waiting_request(preview) as connection:
        for other in idle:
            other.close()
        assert rest(connection).startswith(b"HTTP/1.1 200")


@pytest.mark.skipif(sys.platform == "darwin", reason="no process can lower the limits of another one there")
def test_connection_is_accepted_when_there_are_descriptors_again(three_photos, serve):
    preview = serve(three_photos)
    process = preview.process.pid
    usual = resource.prlimit(process, resource.RLIMIT_NOFILE)
    # Open descriptors stay open, but no further one can be opened.
    resource.prlimit(process, resource.RLIMIT_NOFILE, (3, usual[1]))
    with waiting_request(preview) as connection:
        resource.prlimit(process, resource.RLIMIT_NOFILE, usual)
        assert rest(connection).startswith(b"HTTP/1.1 200")


@pytest.mark.skipif(sys.platform == "darwin", reason="the browser is opened by another program there")
def test_browser_does_not_keep_the_port(three_photos, serve, tmp_path):
    opened = tmp_path / "opened"
    browser = tmp_path / "xdg-open"
    browser.write_text(f"#!/bin/sh\nsleep 60 &\necho $! >{opened}.part && mv {opened}.part {opened}\n")
    browser.chmod(0o755)
    preview = serve(three_photos, "--open", env={"PATH": f"{tmp_path}:{os.environ['PATH']}"})
    until(opened.exists, preview.process)
    try:
        assert preview.end()[0] == 130
        with socket.socket() as next_one:
            next_one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            next_one.bind(("127.0.0.1", preview.port))
    finally:
        os.kill(int(opened.read_text()), signal.SIGKILL)
