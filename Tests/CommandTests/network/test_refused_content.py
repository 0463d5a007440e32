"""Files that are not images: the first bytes decide, nothing is stored, and only changed files are downloaded again."""

from pictures import jpeg
from scripted_server import response

LENGTH = 90_000_000
STARTS = {
    "film.mp4": (b"\0\0\0\x20ftypisom\0\0\2\0isomiso2avc1mp41", "not-an-image"),
    "disk.iso": (bytes(2048), "not-an-image"),
    "paper.pdf": (b"%PDF-1.7\n", "not-an-image"),
    "page.html": (b"<!doctype html><html><title>Photos</title>", "not-an-image"),
    "photo.heic": (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", "unsupported-format"),
}


def large(start, sent, etag='"v1"'):
    """Sends tens of megabytes that begin with `start`, with an ETag, or 304 if the request has it. `sent` collects the
    sizes of the pieces that were sent."""

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
    """The total size of all originals in the state folder."""
    files = [path for path in (gallery.folder / ".gallerygen" / "originals").rglob("*") if path.is_file()]
    return sum(path.stat().st_size for path in files)


def test_large_files_that_are_not_images_are_hardly_read_and_not_stored(gallery, scripted):
    sent = []
    gallery.list({name: scripted.on(f"/{name}", large(start, sent)) for name, (start, _) in STARTS.items()})
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
    conditional = [request for request in scripted.requests if "if-none-match" in request.headers]
    assert len(scripted.requests) == 2 * len(STARTS) and len(conditional) == len(STARTS)
    assert sent == [] and stored(gallery) == 0
    assert gallery.contents() == before


def test_a_photo_whose_address_becomes_a_web_page_is_stale_until_the_picture_returns(gallery, scripted):
    sent, good = [], jpeg(1)
    address = scripted.on("/photo", lambda connection, _: connection.sendall(response(good, headers=['ETag: "good"'])))
    gallery.list({"Photo": address}).build()
    first = gallery.photos()["Photo"]
    originals = stored(gallery)

    scripted.on("/photo", large(*[STARTS["page.html"][0], sent]))
    for _ in range(2):
        gallery.build()
        photo = gallery.photos()["Photo"]
        assert photo["state"] == "filtered" and photo["images"] == first["images"]
        assert photo["stale"]["code"] == "not-an-image"
        assert stored(gallery) == originals
    # The last request has the ETag of the page, and not that of the picture.
    assert [request.headers.get("if-none-match") for request in scripted.requests] == [None, '"good"', '"v1"']

    # After it is renamed, the photo still shows the last good picture of its address.
    gallery.list({"Another": address}).build()
    photo = gallery.photos()["Another"]
    assert photo["state"] == "filtered" and photo["stale"]["code"] == "not-an-image"

    scripted.on("/photo", lambda connection, _: connection.sendall(response(good, headers=['ETag: "good"'])))
    gallery.build()
    photo = gallery.photos()["Another"]
    assert photo["state"] == "filtered" and photo["stale"] is None


def test_a_local_video_is_not_copied(gallery):
    path = gallery.folder / "film.mp4"
    with path.open("wb") as file:
        file.write(STARTS["film.mp4"][0])
        file.truncate(LENGTH)
    gallery.list({"Film": "film.mp4"}).build()
    assert gallery.reasons() == {"Film": "not-an-image"}
    assert stored(gallery) == 0


def test_an_original_keeps_its_lifetime_through_304s_without_caching_fields(gallery, scripted):
    """The first response has no lifetime, so the second build revalidates. Its 304 has one, so the third does not."""

    def script(connection, request):
        if "if-none-match" in request.headers:
            # Only the first 304 has a lifetime.
            caching = "Cache-Control: max-age=3600\r\n" if len(scripted.requests) == 2 else ""
            return connection.sendall(f"HTTP/1.1 304 Same\r\n{caching}Connection: close\r\n\r\n".encode())
        connection.sendall(response(jpeg(1), headers=['ETag: "v1"']))

    gallery.list({"Photo": scripted.on("/photo", script)}).build()
    gallery.build()
    assert len(scripted.requests) == 2
    gallery.build()
    assert len(scripted.requests) == 2
    # A 304 without caching fields keeps the lifetime of the earlier one, which starts again.
    gallery.build("--max-age", "0")
    assert len(scripted.requests) == 3
    gallery.build()
    assert len(scripted.requests) == 3
