"""Bodies that are not pictures, that are incomplete, or that are compressed."""

import gzip
import zlib

import pytest
from misbehaviour import PICTURE, Misbehaviour, problems
from pictures import noise_jpeg
from connection_scripts import answering, head, in_turn, ok

HALF = len(PICTURE) // 2
COMPRESSED = gzip.compress(PICTURE)
PAGE = b"<!DOCTYPE html>\n<html><head><title>Log in</title></head><body>Please log in</body></html>"
# Less than four times as large as PICTURE, which would be suspicious after it.
NOISE = noise_jpeg(3, 160, 120)


def compressed(body, coding="gzip", *fields, **options):
    return ok(body, f"Content-Encoding: {coding}", *fields, **options)


def bomb(megabytes, start=PICTURE):
    """A picture and so many megabytes of zeros, compressed to a thousandth."""
    compressor = zlib.compressobj(1, wbits=31)
    pieces = [compressor.compress(start), *(compressor.compress(bytes(1_000_000)) for _ in range(megabytes))]
    return b"".join(pieces) + compressor.flush()


BOMB = bomb(100)


def sent(name, body, expected, says="", **options):
    return Misbehaviour(f"sends {name}", answering(body), expected, says=says, **({"requests": 1} | options))


ROWS = [
    # Bodies that are not pictures
    sent("a web page", ok(PAGE), "not-an-image", says="a web page"),
    sent("a web page after white space", ok(b"\xef\xbb\xbf \r\n\t" + PAGE.lower()), "not-an-image", says="a web page"),
    sent("a comment and a web page", ok(b"<!-- gateway -->\n" + PAGE), "not-an-image", says="a web page"),
    sent("JSON", ok(b'{"error": "quota exceeded"}'), "not-an-image", says="JSON"),
    sent("XML", ok(b'<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>'), "not-an-image", says="XML"),
    sent("text", ok(b"Rate limit exceeded, try again later.\n"), "not-an-image", says="text"),
    sent("nothing", ok(b""), "not-an-image", says="an empty file"),
    sent("no body and no length", head("200 OK", "Content-Type: image/jpeg", "Connection: close"), "not-an-image"),
    sent("a single byte", ok(b"\xff"), "not-an-image"),
    sent("zeros", ok(bytes(5000)), "not-an-image"),
    sent("a program", ok(b"\x7fELF" + bytes(500)), "not-an-image"),
    sent(
        "a video",
        ok(b"\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom" + bytes(500)),
        ("not-an-image", "unsupported-format"),
    ),
    sent("a damaged WebP as image/jpeg", ok(b"RIFF\x24\x00\x00\x00WEBPVP8 " + bytes(28)), "corrupt", says="WebP"),
    sent(
        "AVIF as image/jpeg",
        ok(b"\x00\x00\x00\x1cftypavif\x00\x00\x00\x00avifmif1" + bytes(90)),
        "unsupported-format",
        says="AVIF",
    ),
    sent("a picture as text/html", ok(PICTURE, kind="text/html"), "filtered"),
    # Damaged pictures
    sent("half a picture of the right length", ok(NOISE[: len(NOISE) // 2]), "truncated"),
    sent("all of a picture but its end marker", ok(NOISE[:-2]), "filtered", picture=NOISE[:-2]),
    sent("the beginning of a picture", ok(PICTURE[:3]), ("truncated", "corrupt")),
    sent("a picture with zeros in the middle", ok(NOISE[:20] + bytes(2000) + NOISE[2020:]), ("corrupt", "truncated")),
    # Compressed bodies
    sent("a picture with gzip", compressed(COMPRESSED), "filtered"),
    sent("a picture with deflate", compressed(zlib.compress(PICTURE), "deflate"), "filtered"),
    sent("a picture with gzip twice", compressed(gzip.compress(COMPRESSED), "gzip, gzip"), "filtered"),
    sent("a bomb", compressed(BOMB), "too-large", says="1 MB"),
    sent("a bomb of zeros alone", compressed(bomb(100, b"")), "not-an-image"),
    sent("a bomb in a bomb", compressed(gzip.compress(BOMB), "gzip, gzip"), "too-large"),
    sent(
        "a bomb in chunks",
        head("200 OK", "Content-Encoding: gzip", "Transfer-Encoding: chunked", "Connection: close")
        + b"%x\r\n%s\r\n0\r\n\r\n" % (len(BOMB), BOMB),
        "too-large",
    ),
    sent("half of a picture with gzip", compressed(gzip.compress(NOISE)[: len(NOISE) // 2]), ("truncated", "corrupt")),
    sent(
        "half of a picture with gzip and claims all",
        compressed(COMPRESSED[:HALF], length=len(COMPRESSED)),
        "interrupted",
        requests=2,
    ),
    sent("an uncompressed picture as gzip", compressed(PICTURE), "corrupt", says="compressed"),
    sent("a picture with gzip and a wrong checksum", compressed(COMPRESSED[:-8] + bytes(8)), ("corrupt", "filtered")),
    sent("a picture in an unknown coding", compressed(PICTURE, "binary"), "filtered", requests=2),
    sent(
        "bytes that are no picture in an unknown coding",
        compressed(bytes(range(255, 0, -1)), "rot13"),
        "not-an-image",
        requests=2,
    ),
    sent("fifty codings", compressed(PICTURE, ", ".join(["gzip"] * 50)), ("corrupt", "interrupted")),
    Misbehaviour(
        "closes the connection within a picture with gzip, then sends all",
        in_turn(answering(compressed(COMPRESSED, "gzip", 'ETag: "1"')[:-HALF]), answering(compressed(COMPRESSED))),
        "filtered",
        requests=2,
    ),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_server_that(row, trials):
    assert problems(row, trials.outcome(row)) == []
