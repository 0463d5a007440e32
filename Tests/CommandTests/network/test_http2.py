"""Conditional requests over HTTP/2."""

import itertools
import threading
import time

import pytest
from http2 import over_http2
from misbehaving_server import MisbehavingServer
from pictures import jpeg
from waiting import TIMEOUT

PICTURE = jpeg(1, 16, 12)
PHOTOS = 130
STREAMS = 100
ROUND_TRIP = 0.5  # seconds; so long that a busy machine does not double it, which would be a slow answer
DOWNLOADS = 6  # the default of --downloads-per-host


def answer(connection, stream, status, body=b""):
    connection.state.send_headers(
        stream, [(":status", status), ("etag", '"1"'), ("cache-control", "no-cache"), ("content-type", "image/jpeg")],
        end_stream=not body)
    if body:
        connection.state.send_data(stream, body, end_stream=True)
    connection.flush()


def sends_pictures(connection):
    while True:
        answer(connection, connection.request(), "200", PICTURE)


def confirms_at_once(connection, number, after=0):
    """Answers this number of requests when all of them have waited this number of seconds."""
    streams = [connection.request() for _ in range(number)]
    time.sleep(after)
    for stream in streams:
        answer(connection, stream, "304")


def confirms_many_at_once(connection):
    confirms_at_once(connection, 1)
    while True:
        confirms_at_once(connection, STREAMS)


def confirms_more_on_two_connections():
    """The first connection confirms a photo, then as many as allowed, after a round trip each. Then none is confirmed
    until a second connection has a request."""
    numbers = itertools.count()
    both_have_requests = threading.Barrier(2)

    def script(connection):
        if next(numbers) == 0:
            confirms_at_once(connection, 1, ROUND_TRIP)
            confirms_at_once(connection, STREAMS, ROUND_TRIP)
        first = connection.request()
        both_have_requests.wait(timeout=TIMEOUT)
        answer(connection, first, "304")
        while True:
            confirms_at_once(connection, 1)

    return script


@pytest.mark.parametrize(("photos", "script", "connections"), [
    (1 + STREAMS, lambda: confirms_many_at_once, 1),
    (1 + 4 * STREAMS, confirms_more_on_two_connections, 2)])
def test_a_hundred_conditional_requests_share_a_connection(gallery, certificates, photos, script, connections):
    context = certificates.context("good", ("h2",))
    with MisbehavingServer(over_http2(sends_pictures), context, "localhost") as server:
        gallery.list({f"Photo {number}": server.url(f"/{number}.jpg") for number in range(photos)})
        gallery.build("--no-originals", "--widths", "16", "--strict", env=certificates.trusted)
        server.script, server.connections = over_http2(script()), 0
        server.requests.clear()
        run = gallery.build("--no-originals", "--widths", "16", "--strict", env=certificates.trusted)
    assert run.err == f"Nothing to do. {photos} photos: {photos} filtered.\n"
    assert server.connections == connections
    assert len(server.requests) == photos
    assert all(request.headers["if-none-match"] == '"1"' for request in server.requests)


def ends_the_first_connection():
    """The first connection confirms a photo, and ends (GOAWAY) when as many requests as allowed are waiting. Later ones
    confirm all."""
    numbers = itertools.count()

    def script(connection):
        if next(numbers) == 0:
            first = connection.request()
            answer(connection, first, "304")
            for _ in range(STREAMS):
                connection.request()
            connection.go_away(first)
        else:
            while True:
                answer(connection, connection.request(), "304")

    return script


def test_requests_that_were_turned_away_share_few_connections(gallery, certificates):
    context = certificates.context("good", ("h2",))
    with MisbehavingServer(over_http2(sends_pictures), context, "localhost") as server:
        gallery.list({f"Photo {number}": server.url(f"/{number}.jpg") for number in range(PHOTOS)})
        gallery.build("--no-originals", "--widths", "16", "--strict", env=certificates.trusted)
        server.script, server.connections = over_http2(ends_the_first_connection()), 0
        run = gallery.build("--no-originals", "--widths", "16", "--strict", env=certificates.trusted)
    assert run.err == f"Nothing to do. {PHOTOS} photos: {PHOTOS} filtered.\n"
    assert 1 < server.connections <= 1 + DOWNLOADS
