"""Marks of photos whose entry in the list or whose source changes in other ways."""

import pytest
from pictures import jpeg
from scripted_server import picture, status
from watched_sources import LARGE, marks, pixel, rfc3339, sha256


@pytest.mark.parametrize("entries", [
    lambda url: {"Webcam": url}, lambda url: {"Roof": {"Camera": url}}], ids=["renamed", "moved to an album"])
def test_a_photo_with_another_name_or_album_keeps_its_mark_and_its_picture(gallery, clock, scripted, entries):
    url = scripted.on("/camera.jpg", picture(jpeg(1, **LARGE)))
    other = {"Other": scripted.on("/other.jpg", picture(jpeg(5)))}
    gallery.list({"Camera": url} | other)
    clock.build(hour=0)
    scripted.on("/camera.jpg", picture(pixel(2)))
    clock.build(hour=1)
    gallery.list(entries(url) | other)
    clock.build(hour=2)
    photo = next(photo for name, photo in gallery.photos().items() if name != "Other")
    assert photo["sha256"] == sha256(jpeg(1, **LARGE))
    assert [(mark["code"], mark["since"]) for mark in photo["marks"]] == [("suspicious", rfc3339(1))]
    site = gallery.identities()
    assert "Nothing to do" in clock.build(hour=3).err and gallery.identities() == site
    assert gallery.files() == gallery.accounted_for()


def test_a_renamed_photo_whose_source_fails_keeps_its_last_good_picture(gallery, clock, scripted):
    url = scripted.on("/camera.jpg", picture(jpeg(1)))
    gallery.list({"Camera": url})
    clock.build(hour=0)
    scripted.on("/camera.jpg", status(404))
    clock.build(hour=1)
    gallery.list({"Webcam": url})
    clock.build(hour=2)
    photo = gallery.photos()["Webcam"]
    assert photo["sha256"] == sha256(jpeg(1)) and photo["stale"]["since"] == rfc3339(1)


def test_a_second_photo_of_an_address_takes_no_mark_from_the_first(gallery, clock, scripted):
    url = scripted.on("/camera.jpg", picture(jpeg(1, **LARGE)))
    gallery.list({"Camera": url})
    clock.build(hour=0)
    scripted.on("/camera.jpg", picture(pixel(2)))
    clock.build(hour=1)
    gallery.list({"Camera": url, "New": url})
    clock.build(hour=2)
    assert list(marks(gallery)) == ["suspicious"] and marks(gallery, "New") == {}


def test_marks_go_when_the_list_has_another_address(gallery, clock, scripted):
    gallery.list({"Camera": scripted.on("/a.jpg", picture(jpeg(1, **LARGE)))})
    clock.build(hour=0)
    scripted.on("/a.jpg", picture(pixel(2)))
    clock.build(hour=1)
    gallery.list({"Camera": scripted.on("/b.jpg", status(404))})
    clock.build(hour=2)
    photo = gallery.photos()["Camera"]
    assert marks(gallery) == {} and photo["stale"] and photo["sha256"] == sha256(jpeg(1, **LARGE))
