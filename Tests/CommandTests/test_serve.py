"""`serve`: a preview that answers at once, works on what is on the screen first, and never touches the site."""

import contextlib
import json
import os
import re
import signal
import socket
import sqlite3
import sys
import time

import pytest
from pictures import jpeg
from preview_process import Refused
from scripted_server import held, picture, status
from waiting import until


def requested(gallery):
    """The numbers of the photos that were requested, in order."""
    return [int(request.path.strip("/").removesuffix(".jpg")) for request in gallery.server.requests]


def slugs(*numbers):
    return [f"photo-{number}" for number in numbers]


def recorded_photos(gallery):
    """The number of photos in the ledger of the gallery's preview."""
    with contextlib.closing(sqlite3.connect(gallery.state / "preview" / "ledger.sqlite")) as database:
        return database.execute("SELECT count(*) FROM photo").fetchone()[0]


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
    until(lambda: closed == {1, 2, 3}, seconds=10, what="the end of the three connections")
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
        with socket.create_connection(("127.0.0.1", preview.port), timeout=20) as connection:
            connection.sendall(f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{preview.port}\r\n\r\n".encode())
            assert connection.recv(65536).startswith(b"HTTP/1.1 404 "), target


def test_window_of_the_preview_is_kept_from_other_origins(three_photos, serve):
    assert serve(three_photos).get("/")[1]["cross-origin-opener-policy"] == "same-origin"


# Beside builds


def test_build_uses_what_the_preview_has_fetched_and_filtered(remote, serve):
    preview = serve(remote)
    page = preview.open()
    page.view(*slugs(3))
    page.until("progress", lambda message: message["ready"] == 40)
    assert preview.end()[0] == 130
    run = remote.build("--log-format", "json")
    summary = json.loads(run.err.splitlines()[-1])
    assert (summary["counts"]["filtered"], summary["rendered"], summary["transfers"]) == (40, 0, 0)
    assert len(requested(remote)) == 40
    # All of it is in the state of the builds now.
    assert not (remote.state / "preview" / "ledger.sqlite").exists()


def test_build_after_a_killed_preview_uses_what_it_had_finished(remote, serve):
    preview = serve(remote)
    page = preview.open()
    page.view(*slugs(3, 4))
    page.photos(*slugs(3, 4))
    # A photo is announced before it is recorded, and a build leaves a preview that has recorded no photo alone.
    until(lambda: recorded_photos(remote) >= 2, what="the rows of the photos")
    preview.kill()
    count = requested(remote).count(3) + requested(remote).count(4)
    remote.build()
    assert requested(remote).count(3) + requested(remote).count(4) == count == 2
    assert not (remote.state / "preview" / "ledger.sqlite").exists()


def test_build_beside_a_preview_neither_waits_nor_disturbs_it(remote, serve):
    preview = serve(remote)
    page = preview.open()
    page.view(*slugs(1, 2))
    page.photos(*slugs(1, 2))
    assert remote.build().seconds < 20
    page.view(*slugs(40))
    page.until("progress", lambda message: message["ready"] == 40)
    assert preview.page("/photo/photo-40.html").count("images/") > 0
    assert (remote.state / "preview" / "ledger.sqlite").exists()


def test_build_does_not_wait_for_a_locked_ledger_of_a_preview(three_photos, serve):
    preview = serve(three_photos)
    preview.open().view("lighthouse")
    preview.end()
    connection = sqlite3.connect(three_photos.state / "preview" / "ledger.sqlite")
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    connection.execute("BEGIN EXCLUSIVE")
    assert three_photos.build().seconds < 8
    connection.close()


def test_build_ignores_a_pipe_in_place_of_the_ledger_of_a_preview(three_photos):
    (three_photos.state / "preview").mkdir(parents=True)
    os.mkfifo(three_photos.state / "preview" / "ledger.sqlite")
    three_photos.build(timeout=30)


def test_preview_shows_what_a_build_has_made(remote, serve):
    remote.build()
    before = remote.contents()
    count = len(requested(remote))
    preview = serve(remote)
    page = preview.open()
    assert page.until("progress")["ready"] == 40
    image = re.search(r'src="(images/[^"]+)"', preview.page())[1]
    assert preview.get("/" + image)[0] == 200
    assert preview.end()[0] == 130
    assert len(requested(remote)) == count
    assert remote.contents() == before


def test_picture_that_a_build_has_removed_is_made_again(remote, serve):
    remote.build()
    preview = serve(remote)
    page = preview.open()
    image = re.search(r'src="(images/[^"]+)"', preview.page("/photo/photo-1.html").replace("../", ""))[1]
    assert preview.get("/" + image)[0] == 200
    # The second time, the preview itself has rendered it.
    for folders in ([remote.site / "images", remote.state / "derivatives"], [remote.state / "preview/derivatives"]):
        for path in [path for folder in folders for path in folder.iterdir()]:
            path.unlink()
        assert preview.get("/" + image)[0] == 404
        page.view(*slugs(1))
        page.photos(*slugs(1))
        assert preview.get("/" + image)[0] == 200


def test_filter_of_photos_that_a_build_has_fetched_needs_no_download(remote, serve):
    remote.build()
    page = serve(remote).open()
    page.view(*slugs(9))
    page.send(type="filter", chain="invert(1)")
    page.until("progress", lambda message: message["ready"] == 0)
    # While it is only tried, the rest is left alone.
    page.photos(*slugs(9))
    for number in range(20, 26):
        page.view(*slugs(number))
        assert page.photos(*slugs(number)) == slugs(number)
    page.send(type="save-filter", chain="invert(1)")
    page.until("progress", lambda message: message["ready"] == 40)
    assert len(requested(remote)) == 40


def test_clean_removes_what_an_ended_preview_has_left(remote, serve):
    preview = serve(remote)
    page = preview.open()
    page.view(*slugs(1))
    page.until("progress", lambda message: message["ready"] == 40)
    remote.run("clean", "--unused")
    assert (remote.state / "preview" / "ledger.sqlite").exists()
    preview.end()
    run = remote.run("clean", "--unused", "--dry-run")
    assert "preview/ledger.sqlite" in run.out.splitlines()
    assert remote.run("clean", "--unused").code == 0
    assert [path.name for path in (remote.state / "preview").iterdir()] == ["lock"]


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
    browser.write_text(f'#!/bin/sh\necho "$@" >{opened}.part && mv {opened}.part {opened}\n')
    browser.chmod(0o755)
    preview = serve(three_photos, "--open", env={"PATH": f"{tmp_path}:{os.environ['PATH']}"})
    until(opened.exists, preview.process)
    assert opened.read_text() == f"http://127.0.0.1:{preview.port}/\n"


# Changes


def test_changed_list_is_taken_over(three_photos, serve):
    preview = serve(three_photos)
    page = preview.open()
    page.message()
    three_photos.list({"One": "1.jpg", "Other": "2.jpg"})
    assert page.until("changed")["what"] == ["pages"]
    text = preview.page()
    assert "Other" in text
    assert "Three" not in text


def test_changed_picture_is_shown(three_photos, serve):
    page = serve(three_photos).open()
    page.view("one", "two", "three")
    of_two = lambda message: message["record"]["page"] == "photo/two.html"
    first = page.until("photo", of_two)["record"]["sha256"]
    (three_photos.folder / "2.jpg").write_bytes(jpeg(77))
    assert page.until("photo", lambda message: of_two(message) and message["record"]["sha256"] != first)


def test_changed_style_and_template_are_taken_over(three_photos, serve):
    templates = three_photos.folder / "templates"
    (templates / "assets").mkdir(parents=True)
    style = templates / "assets" / "own.css"
    style.write_text("body { color: red }")
    preview = serve(three_photos, "--templates", templates)
    page = preview.open()
    page.message()
    style.write_text("body { color: blue }")
    assert page.until("changed")["what"] == ["styles"]
    link = re.search(r'href="(assets/own\.[^"]+)"', preview.page())[1]
    assert b"blue" in preview.get("/" + link)[2]
    (templates / "assets" / "own.js").write_text("'use strict'")
    assert page.until("changed")["what"] == ["scripts"]
    three_photos.run("init", "--templates", "copied")
    layout = (three_photos.folder / "copied/templates/layout.mustache").read_text()
    (templates / "layout.mustache").write_text(layout.replace("<main", "<p>own</p><main"))
    assert page.until("changed")["what"] == ["pages"]
    assert "<p>own</p>" in preview.page()


def test_layout_without_the_block_of_the_preview_is_warned_of(three_photos, serve):
    three_photos.run("init", "--templates", "copied")
    layout = three_photos.folder / "copied/templates/layout.mustache"
    whole = layout.read_text()
    layout.write_text(re.sub(r"{{#preview}}.*?{{/preview}}", "", whole, flags=re.DOTALL))
    preview = serve(three_photos, "--templates", layout.parent)
    preview.page()
    preview.page("/photo/one.html")
    _, err = preview.end()
    assert err.count("layout.mustache has no block {{#preview}}") == 1
    layout.write_text(whole)
    preview = serve(three_photos, "--templates", layout.parent)
    preview.page()
    assert "layout.mustache" not in preview.end()[1]


@pytest.mark.quick
def test_mistake_is_shown_until_it_is_mended(three_photos, serve):
    preview = serve(three_photos)
    page = preview.open()
    good = three_photos.manifest.read_bytes()
    three_photos.manifest.write_bytes(good.replace(b"</dict>", b"</dic>"))
    mistake = page.until("mistake")
    assert mistake["file"] == "photos.plist"
    assert mistake["line"] >= 1
    assert "One" in preview.page()
    # A page that is opened now sees it as well.
    assert preview.open().until("mistake") == mistake
    three_photos.manifest.write_bytes(good)
    page.until("mended")


def test_many_edits_end_in_the_right_page(three_photos, serve):
    preview = serve(three_photos)
    page = preview.open()
    page.message()
    for number in range(20):
        three_photos.list({f"Edit {number}": "1.jpg"})
        time.sleep(0.05)
    until(lambda: "Edit 19" in preview.page(), preview.process, seconds=10)
    page.until("changed")


# Filters


def test_filter_is_tried_and_saved(three_photos, serve):
    preview = serve(three_photos)
    page = preview.open()
    page.view("one")
    first = page.until("photo")["card"]
    page.send(type="filter", chain="sepia(0.8")
    refused = page.until("filter-refused")
    assert refused["column"] > 1
    page.send(type="filter", chain="invert(1)")
    # A fast machine has the picture before the filter is confirmed.
    arrived = page.next_of_each({
        "filter": lambda message: True, "photo": lambda message: message["record"]["page"] == "photo/one.html"})
    assert arrived["filter"]["chain"] == "invert(1)"
    assert arrived["photo"]["card"] != first
    settings = three_photos.folder / "gallerygen.yaml"
    assert not settings.exists()
    page.send(type="save-filter", chain="invert(1)")
    assert page.until("filter-saved")["file"] == "gallerygen.yaml"
    assert settings.read_text() == "filter: invert(1)\n"
    preview.end()
    three_photos.build()
    assert "invert(1)" in (three_photos.site / "index.html").read_text()


def test_saved_filter_keeps_the_line_breaks_of_the_file(three_photos, serve):
    settings = three_photos.folder / "gallerygen.yaml"
    settings.write_bytes(b"title: Trips\r\nfilter: none\r\nper-page: 40\r\n")
    page = serve(three_photos).open()
    page.send(type="save-filter", chain="invert(1)")
    page.until("filter-saved")
    assert settings.read_bytes() == b"title: Trips\r\nfilter: invert(1)\r\nper-page: 40\r\n"


def test_settings_file_that_would_become_invalid_is_not_written(three_photos, serve):
    settings = three_photos.folder / "gallerygen.yaml"
    settings.write_text("{filter: none, title: Trips}\n")
    page = serve(three_photos).open()
    page.send(type="save-filter", chain="invert(1)")
    assert "write 'filter: invert(1)' into it" in page.until("filter-refused")["message"]
    assert settings.read_text() == "{filter: none, title: Trips}\n"


@pytest.mark.parametrize("options, env, source", [
    (["--filter", "none"], None, "--filter on the command line"),
    ([], {"GALLERYGEN_FILTER": "none"}, "GALLERYGEN_FILTER in the environment")], ids=["flag", "environment"])
def test_saved_filter_that_is_overridden_is_not_called_saved(three_photos, serve, options, env, source):
    page = serve(three_photos, *options, env=env).open()
    page.send(type="save-filter", chain="invert(1)")
    message = page.until("filter-refused")["message"]
    assert f"but {source} overrides it" in message
    # The filter of the command line itself is never overridden.
    page.send(type="save-filter", chain="none")
    assert page.until("filter-saved")


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


def test_of_many_filters_only_the_last_ones_are_tried(three_photos, serve):
    preview = serve(three_photos)
    page = preview.open()
    for number in range(1, 400):
        page.send(type="filter", chain=f"sepia({number / 1000})")
    tried = []
    while not tried or tried[-1] != "sepia(0.399)":
        tried.append(page.until("filter")["chain"])
    assert len(tried) < 399
