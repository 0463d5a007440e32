"""Files that are not images: the first bytes decide, nothing is stored, and they are downloaded again only if they
changed."""

import pytest
from pictures import jpeg
from scripted_server import ScriptedServer, response

LENGTH = 90_000_000
STARTS = {
    "film.mp4": (b"\0\0\0\x20ftypisom\0\0\2\0isomiso2avc1mp41", "not-an-image"),
    "disk.iso": (bytes(2048), "not-an-image"),
    "paper.pdf": (b"%PDF-1.7\n", "not-an-image"),
    "page.html": (b"<!doctype html><html><title>Photos</title>", "not-an-image"),
    "photo.heic": (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", "unsupported-format"),
}


@pytest.fixture
def server():
    with ScriptedServer() as server:
        yield server


def large(start, sent, etag='"v1"'):
    """Tens of megabytes that begin so, with a validator; 304 to whoever has them."""

    def script(connection, request):
        if request.headers.get("if-none-match") == etag:
            return connection.sendall(f"HTTP/1.1 304 Same\r\nETag: {etag}\r\nConnection: close\r\n\r\n".encode())
        head = f"HTTP/1.1 200 OK\r\nContent-Length: {LENGTH}\r\nETag: {etag}\r\nConnection: close\r\n\r\n"
        connection.sendall(head.encode() + start)
        left = LENGTH - len(start)
        while left > 0:
            count = connection.send(b" " * min(left, 65_536))
            sent.append(count)
            left -= count

    return script


def stored(gallery):
    """Bytes in the files of the state folder, but for those of the ledger."""
    files = [path for path in (gallery.folder / ".gallerygen" / "originals").rglob("*") if path.is_file()]
    return sum(path.stat().st_size for path in files)


def test_large_files_that_are_no_pictures_cost_next_to_nothing_now_and_later(gallery, server):
    sent = []
    gallery.list({name: server.on(f"/{name}", large(start, sent)) for name, (start, _) in STARTS.items()})
    gallery.build()
    assert gallery.reasons() == {name: code for name, (_, code) in STARTS.items()}
    messages = {name: photo["reason"]["message"] for name, photo in gallery.photos().items()}
    assert "a video or audio file" in messages["film.mp4"] and "a PDF document" in messages["paper.pdf"]
    assert "a web page" in messages["page.html"] and "HEIC" in messages["photo.heic"]
    # Bytes in transit when the connection was closed are bounded by the system's buffers, not by the files.
    assert sum(sent) < len(STARTS) * LENGTH / 5
    assert stored(gallery) == 0

    before = gallery.contents()
    sent.clear()
    gallery.build()
    again = [request for request in server.requests if "if-none-match" in request.headers]
    assert len(server.requests) == 2 * len(STARTS) and len(again) == len(STARTS)
    assert sent == [] and stored(gallery) == 0
    assert gallery.contents() == before


def test_a_photo_that_becomes_a_page_stays_stale_and_comes_back(gallery, server):
    sent, good = [], jpeg(1)
    address = server.on("/photo", lambda connection, _: connection.sendall(response(good, headers=['ETag: "good"'])))
    gallery.list({"Photo": address}).build()
    first = gallery.photos()["Photo"]
    originals = stored(gallery)

    server.on("/photo", large(*[STARTS["page.html"][0], sent]))
    for _ in range(2):
        gallery.build()
        photo = gallery.photos()["Photo"]
        assert photo["state"] == "filtered" and photo["images"] == first["images"]
        assert photo["stale"]["code"] == "not-an-image"
        assert stored(gallery) == originals
    # The page's own validator was sent, and never the good picture's.
    assert [request.headers.get("if-none-match") for request in server.requests] == [None, '"good"', '"v1"']

    # The renamed photo still shows the last good picture of its address.
    gallery.list({"Another": address}).build()
    photo = gallery.photos()["Another"]
    assert photo["state"] == "filtered" and photo["stale"]["code"] == "not-an-image"

    server.on("/photo", lambda connection, _: connection.sendall(response(good, headers=['ETag: "good"'])))
    gallery.build()
    photo = gallery.photos()["Another"]
    assert photo["state"] == "filtered" and photo["stale"] is None


def test_a_local_film_is_not_copied(gallery):
    path = gallery.folder / "film.mp4"
    with path.open("wb") as file:
        file.write(STARTS["film.mp4"][0])
        file.truncate(LENGTH)
    gallery.list({"Film": "film.mp4"}).build()
    assert gallery.reasons() == {"Film": "not-an-image"}
    assert stored(gallery) == 0


def test_an_original_is_fresh_through_one_bare_304_after_the_other(gallery, server):
    """The second build asks, as the lifetime is over when the first has ended; the third need not."""

    def script(connection, request):
        if "if-none-match" in request.headers:
            # Long, from now on; nothing was said of it before.
            caching = "Cache-Control: max-age=3600\r\n" if len(server.requests) == 2 else ""
            return connection.sendall(f"HTTP/1.1 304 Same\r\n{caching}Connection: close\r\n\r\n".encode())
        connection.sendall(response(jpeg(1), headers=['ETag: "v1"']))

    gallery.list({"Photo": server.on("/photo", script)}).build()
    gallery.build()
    assert len(server.requests) == 2
    gallery.build()
    assert len(server.requests) == 2
    # A 304 without caching fields confirms the refusal, which is fresh again.
    gallery.build("--max-age", "0")
    assert len(server.requests) == 3
    gallery.build()
    assert len(server.requests) == 3
