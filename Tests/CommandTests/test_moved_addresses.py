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
