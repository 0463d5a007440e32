"""`serve`: a preview that answers at once, works on what is on the screen first, and never touches the site."""

import os
import re
import signal
import socket
import sys
import time

import pytest
from pictures import jpeg
from preview_process import Refused, requested, slugs
from program import signal_mask
from scripted_server import held, picture, status
from waiting import TIMEOUT, line_from, until


@pytest.mark.quick
def test_page_is_there_at_once_with_a_placeholder_for_each_photo(remote, serve):
    preview = serve(remote)
    page = preview.page()
    assert len(re.findall(r'<[a-z]+[^>]* id="p-', page)) == 40
    assert "connect-src 'self'" in page
    assert preview.page("/photo/photo-7.html")
    assert preview.get("/photo/none.html")[0] == 404
    assert not requested(remote)
    assert not remote.site.exists()


@pytest.mark.quick
def test_photos_on_the_screen_are_fetched_first_and_nearest_to_the_middle_first(remote, serve):
    preview = serve(remote, "--downloads-per-host", "1")
    page = preview.open()
    hello = page.message()
    assert (hello["type"], hello["version"], hello["filter"]) == ("hello", 1, "sepia(0.8)")
    nearest = sorted(range(8, 41), key=lambda number: abs(number - 24.1))
    page.view(*slugs(*nearest))
    assert page.photos(*slugs(*nearest))
    assert requested(remote)[:33] == nearest
    # The rest follows in the order of the list.
    page.photos(*slugs(1, 2, 3))
    assert requested(remote)[33:36] == [1, 2, 3]
    assert 'src="images/' in preview.page()


def test_finished_photo_is_announced_with_its_card_and_its_record(remote, serve):
    preview = serve(remote)
    page = preview.open()
    page.view(*slugs(5))
    message = page.until("photo")
    assert message["record"]["page"] == "photo/photo-5.html"
    image = re.search(r"\U0010fffd(images/[^\" ]+)", message["card"])[1]
    status, headers, body = preview.get("/" + image)
    assert (status, headers["content-type"], body[:2]) == (200, "image/jpeg", b"\xff\xd8")
    assert page.until("progress", lambda message: message["ready"] == 40)["total"] == 40


def test_nothing_begins_while_a_page_is_scrolled(remote, serve):
    preview = serve(remote)
    scrolled, other = preview.open(), preview.open()
    scrolled.scroll()
    # The answer shows that the messages before it were handled.
    scrolled.send(type="filter", chain="sepia(0.7)")
    other.until("filter", lambda message: message["chain"] == "sepia(0.7)")
    scrolled.scroll()
    other.view(*slugs(30))
    other.send(type="filter", chain="sepia(0.6)")
    other.until("filter", lambda message: message["chain"] == "sepia(0.6)")
    assert not requested(remote)
    scrolled.view(*slugs(29))
    other.photos(*slugs(29, 30))
    assert set(requested(remote)[:2]) == {29, 30}


def test_page_that_stays_in_scrolling_holds_up_no_other(remote, serve):
    preview = serve(remote)
    stopped, other = preview.open(), preview.open()
    stopped.view(*slugs(1))
    stopped.photos(*slugs(1))
    stopped.scroll()
    # The answer shows that the message before it was handled.
    stopped.send(type="filter", chain="sepia(0.7)")
    stopped.until("filter")
    other.view(*slugs(30))
    assert other.photos(*slugs(30))


def test_transfers_that_left_the_screen_are_cancelled(remote, serve):
    closed = set()

    def hold(number):
        def script(connection, _):
            if number not in closed and not connection.recv(1):
                closed.add(number)
                return
            picture(jpeg(number))(connection, _)
        return script

    for number in (1, 2, 3):
        remote.server.on(f"/{number}.jpg", hold(number))
    page = serve(remote).open()
    page.view(*slugs(1, 2, 3))
    until(lambda: {1, 2, 3} <= set(requested(remote)), what="three requests")
    page.scroll()
    page.view(*slugs(38, 39))
    assert page.photos(*slugs(38, 39))
    until(lambda: closed == {1, 2, 3}, what="the end of the three connections")
    # They belong to the rest now, and come again.
    assert page.photos(*slugs(1, 2, 3))


# Who may read


@pytest.mark.quick
@pytest.mark.parametrize("headers", [
    {"Host": "example.org"}, {"Host": "localhost"}, {"Origin": "http://127.0.0.1:1"}, {"Origin": "null"},
    {"Sec_Fetch_Site": "same-site", "Sec_Fetch_Mode": "no-cors"}], ids=str)
def test_requests_of_others_are_refused(three_photos, serve, headers):
    preview = serve(three_photos)
    token = preview.token
    assert preview.get("/", **headers)[0] == 403
    assert preview.get("/photos.js", **headers)[0] == 403
    with pytest.raises(Refused, match="403"):
        preview.open(token, **headers)


def test_socket_needs_the_token_of_the_page(three_photos, serve):
    preview = serve(three_photos)
    with pytest.raises(Refused, match="403"):
        preview.open("wrong")
    assert preview.open().message()["type"] == "hello"


def test_only_pages_and_pictures_of_the_gallery_are_served(three_photos, serve):
    preview = serve(three_photos)
    for path in ["/photos.plist", "/../photos.plist", "/images/../../photos.plist", "/.gallerygen/lock", "/images/x"]:
        assert preview.get(path)[0] == 404
    assert preview.get("/", method="POST")[0] == 405
    for target in ["//", "//example.org/", "http://example.org/", "/%zz", "/%ff"]:
        with socket.create_connection(("127.0.0.1", preview.port), timeout=TIMEOUT) as connection:
            connection.sendall(f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{preview.port}\r\n\r\n".encode())
            assert connection.recv(65536).startswith(b"HTTP/1.1 404 "), target


def test_window_of_the_preview_is_kept_from_other_origins(three_photos, serve):
    assert serve(three_photos).get("/")[1]["cross-origin-opener-policy"] == "same-origin"


# Starting and ending


def test_second_preview_of_a_gallery_is_refused(three_photos, serve):
    serve(three_photos)
    run = three_photos.run("serve", "--port", "0")
    assert run.code == 75
    assert "another preview in this state folder is running" in run.err


def test_standard_input_is_refused_and_not_offered(three_photos):
    run = three_photos.run("serve", "--port", "0", "-")
    assert run.code == 64
    assert "can't be standard input" in run.err
    assert "standard input" not in three_photos.run("serve", "--help").out


def test_used_port_is_named(three_photos, serve, tmp_path):
    preview = serve(three_photos)
    run = three_photos.run("serve", "--port", preview.port, "--state", tmp_path / "state")
    assert run.code == 74
    assert f"port {preview.port}" in run.err
    assert "--port" in run.err


@pytest.mark.skipif(sys.platform == "darwin", reason="the browser is opened by another program there")
def test_page_is_opened_in_the_browser(three_photos, serve, tmp_path):
    opened = tmp_path / "opened"
    browser = tmp_path / "xdg-open"
    browser.write_text(
        f'#!/bin/sh\n{{ echo "$@"; grep ^SigIgn /proc/self/status; }} >{opened}.part && mv {opened}.part {opened}\n')
    browser.chmod(0o755)
    preview = serve(three_photos, "--open", env={"PATH": f"{tmp_path}:{os.environ['PATH']}"})
    until(opened.exists, preview.process)
    address, ignored = opened.read_text().splitlines()
    assert address == f"http://127.0.0.1:{preview.port}/"
    assert not signal_mask(ignored, "SigIgn") & {signal.SIGPIPE, signal.SIGXFSZ}


def test_page_that_no_browser_opens_is_named(three_photos, serve, tmp_path):
    browser = tmp_path / "xdg-open"
    browser.write_text("#!/bin/sh\nexit 3\n")
    browser.chmod(0o755)
    preview = serve(three_photos, "--open", env={"PATH": f"{tmp_path}:{os.environ['PATH']}"})
    while "can't open the browser" not in (line := line_from(preview.process)):
        assert line, "the program ended or was silent for too long"
    assert f"open http://127.0.0.1:{preview.port}/" in line


@pytest.mark.alone
@pytest.mark.parametrize("number, code", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_signal_ends_the_preview(remote, serve, number, code):
    remote.server.on("/1.jpg", held(remote.server, jpeg(1)))
    preview = serve(remote)
    page = preview.open()
    page.view(*slugs(1))
    remote.server.wait_for("/1.jpg")
    start = time.monotonic()
    assert preview.end(number)[0] == code
    assert time.monotonic() - start < 2


# What a page has missed before its connection


def photo_changes(page):
    return int(re.search(r'data-photos="(\d+)"', page)[1])


def test_photos_that_arrive_before_the_connection_of_a_page_are_sent_to_it(remote, serve):
    preview = serve(remote)
    first = preview.open()
    before = photo_changes(preview.page())
    first.view(*slugs(7, 8))
    first.photos(*slugs(7, 8))
    assert photo_changes(preview.page()) >= before + 2
    late = preview.open(photos=before)
    assert late.message()["type"] == "hello"
    assert set(slugs(7, 8)) <= set(late.photos(*slugs(7, 8)))
    first.until("progress", lambda message: message["ready"] == 40)
    # A page that has them all is sent none.
    current = preview.open(photos=photo_changes(preview.page()))
    current.send(type="filter", chain="sepia(0.8")
    assert "photo" not in current.kinds_until("filter-refused")


def test_page_that_has_missed_many_photos_loads_itself_again(gallery, serve):
    gallery.list({f"Photo {number}": "missing.jpg" for number in range(1, 121)})
    preview = serve(gallery)
    before = photo_changes(preview.page())
    first = preview.open()
    first.view(*slugs(1))
    first.until("progress", lambda message: message["ready"] == 120)
    late = preview.open(photos=before)
    revision = late.message()["revision"]
    assert late.until("changed") == {"type": "changed", "what": ["pages"], "revision": revision}
    late.send(type="filter", chain="sepia(0.8")
    assert "photo" not in late.kinds_until("filter-refused")


def test_progress_has_the_counts_of_the_header(remote, serve):
    remote.server.on("/1.jpg", status(404))
    preview = serve(remote)
    assert "40 not fetched yet" in preview.page()
    page = preview.open()
    page.view(*slugs(1))
    message = page.until("progress", lambda message: message["ready"] == 40)
    assert message["attention"].startswith('<a href="status.html">')
    assert "1 failed" in message["attention"]
    assert "not fetched" not in message["attention"]
