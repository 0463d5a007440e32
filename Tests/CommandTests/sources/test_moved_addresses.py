"""Permanent redirects: `status` shows a photo's new address until the list has it."""

import json

import pytest
from pictures import jpeg
from scripted_server import picture, response, status


def moved(gallery):
    """Name → new address of each photo; None if it has not moved."""
    photos = json.loads(gallery.run("status", "--json").out)["photos"]
    return {photo["name"]: photo["moved"] for photo in photos}


@pytest.fixture
def lake(scripted):
    """The address of a picture with an ETag, whose server responds with 304 to a request with it."""
    def answer(connection, request):
        if request.headers.get("if-none-match") == '"v1"':
            return status(304)(connection, request)
        return connection.sendall(response(jpeg(1), headers=['ETag: "v1"']))

    return scripted.on("/lake.jpg", answer)


@pytest.mark.parametrize("code", [301, 308])
def test_status_shows_the_new_address_of_a_photo_until_the_list_has_it(gallery, scripted, lake, code):
    gallery.list({"Lake": scripted.on("/old.jpg", status(code, "Location: /lake.jpg")), "Gone": "gone.jpg"}).build()
    for _ in range(2):
        assert f"filtered    Lake  moved permanently to {lake}\n" in gallery.run("status").out
        assert moved(gallery) == {"Lake": lake, "Gone": None}
        gallery.build()
    assert [request.headers.get("if-none-match") for request in scripted.requests if request.path == "/lake.jpg"] == [
        None, '"v1"', '"v1"'], "a build that gets a 304 keeps the new address"
    gallery.list({"Lake": lake, "Gone": "gone.jpg"})
    assert moved(gallery) == {"Lake": None, "Gone": None}
    gallery.build()
    assert "moved" not in gallery.run("status").out


@pytest.mark.parametrize(("hops", "target"), [
    ([301, 308], "/lake.jpg"), ([301, 302], "/1.jpg"), ([302, 301], None), ([303], None), ([307, 308], None),
    ([308, 307, 301], "/1.jpg")])
def test_only_permanent_redirects_before_the_first_temporary_one_are_followed(gallery, scripted, lake, hops, target):
    """/0.jpg redirects to /1.jpg, and so on; the last one to /lake.jpg."""
    for number, code in enumerate(hops):
        following = f"/{number + 1}.jpg" if number + 1 < len(hops) else "/lake.jpg"
        scripted.on(f"/{number}.jpg", status(code, f"Location: {following}"))
    gallery.list({"Lake": scripted.url("/0.jpg")}).build()
    assert moved(gallery) == {"Lake": target and scripted.url(target)}


def test_the_new_address_is_dropped_when_the_redirect_is_no_longer_permanent(gallery, scripted, lake):
    scripted.on("/old.jpg", status(301, "Location: /lake.jpg"))
    gallery.list({"Lake": scripted.url("/old.jpg")}).build()
    scripted.on("/old.jpg", status(302, "Location: /lake.jpg"))
    gallery.build()
    assert moved(gallery) == {"Lake": None}


def test_a_new_address_is_shown_and_stored_without_query_and_fragment(gallery, scripted):
    scripted.on("/new.jpg", picture(jpeg(1)))
    gallery.list({"Lake": scripted.on("/old.jpg", status(301, "Location: /new.jpg?token=SECRET#SECRET"))}).build()
    assert moved(gallery) == {"Lake": scripted.url("/new.jpg")}
    assert "SECRET" not in gallery.run("status").output + gallery.run("status", "--json").output
    assert b"SECRET" not in (gallery.folder / ".gallerygen/ledger.sqlite").read_bytes()


def test_the_row_of_a_photo_that_moved_and_failed_shows_both(gallery, scripted):
    scripted.on("/new.jpg", picture(b"<!DOCTYPE html><p>Removed", kind="text/html"))
    gallery.list({"Lake": scripted.on("/old.jpg", status(301, "Location: /new.jpg"))}).build()
    output = gallery.run("status").out
    assert "[not-an-image]; moved permanently to " + scripted.url("/new.jpg") in output


def test_the_option_moved_lists_only_moved_photos_and_can_be_combined(gallery, scripted, lake):
    gallery.list({
        "Lake": scripted.on("/old.jpg", status(301, "Location: /lake.jpg")), "Shore": lake, "Gone": "gone.jpg"}).build()
    run = gallery.run("status", "--moved")
    assert [line.split()[1] for line in run.out.splitlines()] == ["Lake"]
    assert run.lines() == ["1 of 3 photos"]
    run = gallery.run("status", "--moved", "--failed")
    assert [line.split()[1] for line in run.out.splitlines()] == ["Lake", "Gone"]
    assert [line.split()[1] for line in gallery.run("status", "-q").out.splitlines()] == ["Lake", "Gone"]
    assert gallery.run("status", "--moved", "--json").code == 64


def follow(gallery, *arguments, expect=0):
    run = gallery.run("init", "--from", gallery.manifest, "--follow-moves", *arguments)
    assert run.code == expect, run.output
    return run


LIST = """<?xml version="1.0" encoding="UTF-8"?>
<plist version="1.0">
<dict>
    <!-- The best one -->
    <key>Lake</key> <string>OLD</string> <!-- since 2019 -->
    <key>Summer</key>
    <array>
        <dict>
            <key>name</key><string>Shore</string>
            <key>link</key><string>OLD</string>
            <key>url</key><string>
                OTHER
            </string>
        </dict>
        <dict>
            <key>name</key><string>Both</string>
            <key>link</key><string>OLD</string>
            <key>url</key><array><string>OTHER</string><string>OLD</string></array>
        </dict>
    </array>
    <key>Gone</key><string>gone.jpg</string>
</dict>
</plist>
"""


@pytest.mark.parametrize("line_break", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_following_moves_changes_the_addresses_in_the_list_and_nothing_else(gallery, scripted, line_break):
    for name in ["lake", "shore"]:
        scripted.on(f"/new/{name}&more.jpg", picture(jpeg(len(name))))
        scripted.on(f"/{name}.jpg", status(301, f"Location: /new/{name}&more.jpg"))
    text = LIST.replace("OLD", scripted.url("/lake.jpg")).replace("OTHER", scripted.url("/shore.jpg"))
    gallery.manifest.write_bytes(text.replace("\n", line_break).encode())
    gallery.manifest.chmod(0o640)
    gallery.build()
    slugs = [photo["slug"] for photo in gallery.status()["photos"]]
    run = follow(gallery)
    assert f"Lake: {scripted.url('/lake.jpg')} → {scripted.url('/new/lake&more.jpg')}\n" in run.err
    assert run.err.endswith("4 addresses changed.\n") and run.out == ""
    new = {name: scripted.url(f"/new/{name}&amp;more.jpg") for name in ["lake", "shore"]}
    expected = text.replace(f"</key> <string>{scripted.url('/lake.jpg')}", f"</key> <string>{new['lake']}")
    before, _, rest = expected.partition("<key>url</key><string>")
    rest = rest.partition("</string>")[2].replace(
        f"<array><string>{scripted.url('/shore.jpg')}</string><string>{scripted.url('/lake.jpg')}</string>",
        f"<array><string>{new['shore']}</string><string>{new['lake']}</string>")
    expected = f"{before}<key>url</key><string>{new['shore']}</string>{rest}"
    assert gallery.manifest.read_bytes() == expected.replace("\n", line_break).encode()
    assert gallery.manifest.stat().st_mode & 0o777 == 0o640
    scripted.requests.clear()
    gallery.build()
    assert {request.path for request in scripted.requests} == {"/new/lake&more.jpg", "/new/shore&more.jpg"}
    assert [photo["slug"] for photo in gallery.status()["photos"]] == slugs
    assert "moved" not in gallery.run("status").out


def test_a_list_without_moved_photos_is_not_written(gallery, scripted, lake):
    gallery.list({"Lake": scripted.on("/old.jpg", status(302, "Location: /lake.jpg")), "Shore": lake}).build()
    before = (gallery.manifest.read_bytes(), gallery.manifest.stat().st_ino)
    assert "stays as it is" in follow(gallery).err
    assert (gallery.manifest.read_bytes(), gallery.manifest.stat().st_ino) == before


@pytest.mark.parametrize("answer", [
    picture(b"<!DOCTYPE html><p>Removed", kind="text/html"), status(404)], ids=["a page", "404"])
@pytest.mark.parametrize("was_good", [False, True], ids=["failed", "stale"])
def test_a_photo_that_is_not_to_be_had_at_the_new_address_keeps_the_old_one(gallery, scripted, answer, was_good):
    scripted.on("/old.jpg", picture(jpeg(1)))
    gallery.list({"Lake": scripted.url("/old.jpg")})
    if was_good:
        gallery.build()
    scripted.on("/new.jpg", answer)
    scripted.on("/old.jpg", status(301, "Location: /new.jpg"))
    gallery.build("--max-age", "0")
    before = gallery.manifest.read_bytes()
    follow(gallery)
    assert gallery.manifest.read_bytes() == before


def test_a_new_address_with_a_query_is_left_to_the_user(gallery, scripted):
    scripted.on("/new.jpg", picture(jpeg(1)))
    gallery.list({"Lake": scripted.on("/old.jpg", status(301, "Location: /new.jpg?token=SECRET"))}).build()
    before = gallery.manifest.read_bytes()
    run = follow(gallery)
    assert f"{scripted.url('/new.jpg')}, has a query" in run.err and "SECRET" not in run.err
    assert gallery.manifest.read_bytes() == before


def test_a_list_that_cannot_be_changed_is_an_error_and_stays(gallery, scripted, lake):
    gallery.list({"Lake": scripted.on("/old.jpg", status(301, "Location: /lake.jpg"))}).build()
    text = gallery.manifest.read_text()
    gallery.manifest.write_bytes(text.replace('"UTF-8"', '"UTF-16"').encode("utf-16"))
    before = gallery.manifest.read_bytes()
    assert "UTF-8" in follow(gallery, expect=65).err
    assert gallery.manifest.read_bytes() == before
    gallery.manifest.write_text("no list")
    follow(gallery, expect=65)
    gallery.manifest.unlink()
    follow(gallery, expect=66)


@pytest.mark.parametrize("arguments", [
    ["--follow-moves"], ["--from", "photos.plist", "--follow-moves", "--update"],
    ["--from", "photos.plist", "--follow-moves", "other"], ["--from", "https://example.org/x.plist", "--follow-moves"],
    ["--from", "photos.plist", "--follow-moves", "--templates"]])
def test_following_moves_needs_a_list_of_this_machine_and_nothing_else(gallery, scripted, arguments):
    gallery.list({"Lake": "1.jpg"})
    run = gallery.run("init", *arguments)
    assert run.code == 64, run.output
