"""Servers that resume an interrupted transfer wrongly: an original is never made of parts of two pictures."""

import pytest
from misbehaviour import PICTURE, Misbehaviour, problems
from pictures import jpeg
from connection_scripts import answering, head, in_turn, ok, status, then_holding

TOTAL = len(PICTURE)
HALF = TOTAL // 2
REST = PICTURE[HALF:]
OTHER = jpeg(8, 96, 72)
TAG = 'ETag: "1"'


def begun(*fields):
    """Sends the first half of the picture and closes the connection."""
    return answering(head("200 OK", f"Content-Length: {TOTAL}", *(fields or (TAG,))) + PICTURE[:HALF])


def part(body, *fields, range=f"bytes {HALF}-{TOTAL - 1}/{TOTAL}", **options):
    fields = (*fields, f"Content-Range: {range}") if range else fields
    return answering(ok(body, *fields, status="206 Partial Content", **options))


def by_range(ranged, whole):
    """Sends one response to requests with a range, and another to those without."""

    def script(connection):
        request = connection.request()
        connection.send(ranged if "range" in request.headers else whole)

    return script


WHOLE = ok(PICTURE, TAG)


def continued(name, answer, requests=3, then=WHOLE, limits=None, **options):
    """The transfer breaks off, the second response resumes it wrongly, and the third is complete."""
    return Misbehaviour(
        f"resumes {name}", in_turn(begun(), answer, answering(then)), "filtered", requests=requests,
        limits=limits or {"retries": "2"}, **options)


ROWS = [
    continued("correctly", part(REST, TAG), requests=2),
    continued("with all of another version, correctly", answering(ok(OTHER, 'ETag: "2"')), requests=2,
              then=ok(OTHER, 'ETag: "2"'), picture=OTHER),
    continued("from the wrong byte", part(REST[1:], TAG, range=f"bytes {HALF + 1}-{TOTAL - 1}/{TOTAL}")),
    continued("from the beginning, as a part", part(PICTURE, TAG, range=f"bytes 0-{TOTAL - 1}/{TOTAL}")),
    continued("with a part of the rest", part(REST[:9], TAG, range=f"bytes {HALF}-{HALF + 8}/{TOTAL}")),
    continued("with a part of a larger whole", part(REST, TAG, range=f"bytes {HALF}-{TOTAL - 1}/{TOTAL + 1}")),
    continued("with a part of another version", part(REST, 'ETag: "2"')),
    continued("without a Content-Range", part(REST, TAG, range=None)),
    continued("with an invalid range", part(REST, TAG, range="bytes many")),
    continued("with a range that ends before it begins", part(REST, TAG, range=f"bytes {HALF}-1/{TOTAL}")),
    continued("in another unit", part(REST, TAG, range=f"pixels {HALF}-{TOTAL - 1}/{TOTAL}")),
    continued(
        "with several parts",
        answering(ok(b"--x\r\n\r\n", TAG, kind="multipart/byteranges; boundary=x", status="206 Partial Content"))),
    continued("with more than its length", part(REST + b"and more", TAG, length=len(REST)), requests=2),
    continued("with less than its length", part(REST[:-9], TAG, length=len(REST)), requests=3,
              then=ok(PICTURE, TAG)),
    continued("with nothing left to send", answering(status(416, f"Content-Range: bytes */{TOTAL}")), requests=3),
    continued("with gzip", part(REST, TAG, "Content-Encoding: gzip")),
    continued("with 503", answering(status(503)), requests=3),
    Misbehaviour(
        # A wrong part discards what had arrived, but does not count as a retry.
        "sends the wrong part whenever a part is requested",
        by_range(ok(REST, TAG, "Content-Range: bytes 0-1/2", status="206 Partial Content"), WHOLE[:-HALF]),
        "interrupted", requests=3, seconds=110, leaves_partial=True),
    Misbehaviour(
        "has only a weak ETag, so that nothing is resumed", in_turn(begun('ETag: W/"1"'), answering(ok(PICTURE))),
        "filtered", requests=2),
    Misbehaviour(
        "has Last-Modified without Date, so that nothing is resumed",
        in_turn(begun("Last-Modified: Sat, 01 Aug 2026 10:00:00 GMT"), answering(ok(PICTURE))), "filtered", requests=2),
    Misbehaviour(
        "falls silent and is resumed in the next build", then_holding(WHOLE[:-HALF]), "stalled", requests=1,
        limits={"retries": "0"}, leaves_partial=True, seconds=110),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_server_that(row, trials):
    assert problems(row, trials.outcome(row)) == []
