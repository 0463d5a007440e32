"""Photos whose picture the list pins by its digest."""

from pictures import jpeg
from scripted_server import picture, status
from watched_sources import feed_entry, marks, rfc3339, sha256


def test_a_pinned_picture_stays_when_its_address_has_other_bytes(gallery, clock, scripted):
    url = scripted.on("/camera.jpg", picture(jpeg(1)))
    gallery.list({"Camera": {"url": url, "sha256": sha256(jpeg(1)).upper()}})
    clock.build(hour=0)
    assert marks(gallery) == {}
    before = gallery.photos()["Camera"]
    scripted.on("/camera.jpg", picture(jpeg(2)))
    run = clock.build(hour=1)
    digest = sha256(jpeg(2))[:12]
    message = f"The source has other bytes (SHA-256 {digest}…) than the list pins. The pinned picture stays."
    assert marks(gallery) == {"changed": {"code": "changed", "since": rfc3339(1), "message": message}}
    after = gallery.photos()["Camera"]
    assert (after["sha256"], after["images"]) == (before["sha256"], before["images"])
    assert f"  changed Camera: since {rfc3339(1)}: {message}" in run.err
    assert feed_entry(gallery) == (rfc3339(1), f"changed since 15 January 2027, 09:00 UTC: {message}")
    site = gallery.identities()
    assert "Nothing to do" in clock.build(hour=2).err
    assert gallery.identities() == site
    scripted.on("/camera.jpg", status(404))
    clock.build(hour=3)
    assert list(marks(gallery)) == ["changed"] and gallery.photos()["Camera"]["stale"]["code"] == "not-found"
    scripted.on("/camera.jpg", picture(jpeg(3)))
    clock.build("--filter", "none", hour=4)
    assert marks(gallery)["changed"]["since"] == rfc3339(1) and gallery.photos()["Camera"]["sha256"] == before["sha256"]
    scripted.on("/camera.jpg", picture(jpeg(1)))
    clock.build(hour=5)
    assert marks(gallery) == {}
    assert feed_entry(gallery) == (rfc3339(5), "Back again")


def test_a_pinned_picture_that_was_never_received_has_a_placeholder_until_it_is(gallery, clock, scripted):
    url = scripted.on("/camera.jpg", picture(jpeg(2)))
    gallery.list({"Camera": {"url": url, "sha256": sha256(jpeg(1))}})
    clock.build(hour=0)
    photo = gallery.photos()["Camera"]
    assert photo["reason"] == {
        "code": "changed",
        "message": f"The source has other bytes (SHA-256 {sha256(jpeg(2))[:12]}…) than the list pins."}
    assert photo["state"] == "failed" and photo["images"] == [] and photo["marks"] == []
    clock.build(hour=1)
    assert gallery.photos()["Camera"]["since"] == rfc3339(0)
    scripted.on("/camera.jpg", picture(jpeg(1)))
    clock.build(hour=2)
    assert gallery.photos()["Camera"]["state"] == "filtered"


def test_a_changed_pin_takes_the_new_picture_and_a_removed_one_takes_any(gallery, clock, scripted):
    url = scripted.on("/camera.jpg", picture(jpeg(1)))
    gallery.list({"Camera": {"url": url, "sha256": sha256(jpeg(1))}})
    clock.build(hour=0)
    scripted.on("/camera.jpg", picture(jpeg(2)))
    clock.build(hour=1)
    gallery.list({"Camera": {"url": url, "sha256": sha256(jpeg(2))}})
    assert "Camera: the list pins other bytes" in clock.build("--explain", hour=2).err
    assert gallery.photos()["Camera"]["sha256"] == sha256(jpeg(2)) and marks(gallery) == {}
    gallery.list({"Camera": {"url": url, "sha256": sha256(jpeg(1))}})
    clock.build(hour=3)
    assert gallery.photos()["Camera"]["sha256"] == sha256(jpeg(1)), "the store still has the pinned picture"
    assert list(marks(gallery)) == ["changed"]
    gallery.list({"Camera": url})
    clock.build(hour=4)
    assert gallery.photos()["Camera"]["sha256"] == sha256(jpeg(2)) and marks(gallery) == {}


def test_a_pin_that_is_no_digest_is_reported(gallery, scripted):
    gallery.list({"A": {"url": scripted.on("/a.jpg", picture(jpeg(1))), "sha256": "abc"}})
    run = gallery.run("check")
    line = gallery.line_of(">abc<")
    assert (f"photos.plist:{line}:3: 'sha256' is ignored: 'abc' is not allowed; "
            "expected 64 hexadecimal digits") in run.err


def test_a_photo_with_other_bytes_than_pinned_is_asked_for_again_although_the_answer_is_fresh(gallery, scripted):
    fresh = ("Cache-Control: max-age=31536000",)
    pinned = sha256(jpeg(1))
    url = scripted.on("/a.jpg", picture(jpeg(1)))
    gallery.list({"Lake": {"url": url, "sha256": pinned}}).build()
    scripted.on("/a.jpg", picture(jpeg(2), headers=fresh))
    gallery.build()
    assert [mark["code"] for mark in gallery.photos()["Lake"]["marks"]] == ["changed"]
    scripted.on("/a.jpg", picture(jpeg(1), headers=fresh))
    gallery.build()
    assert gallery.photos()["Lake"]["marks"] == []


def test_a_pinned_photo_with_a_new_address_is_asked_for_again_although_the_answer_is_fresh(gallery, scripted):
    fresh = ("Cache-Control: max-age=31536000",)
    photo = {"url": scripted.on("/a.jpg", picture(jpeg(1))), "sha256": sha256(jpeg(1))}
    gallery.list({"Lake": photo}).build()
    gallery.list({"Lake": photo | {"url": scripted.on("/b.jpg", picture(jpeg(2), headers=fresh))}})
    for _ in range(2):
        gallery.build()
        assert [mark["code"] for mark in gallery.photos()["Lake"]["marks"]] == ["changed"]
    scripted.on("/b.jpg", picture(jpeg(1), headers=fresh))
    gallery.build()
    assert gallery.photos()["Lake"]["marks"] == []


def test_accepting_a_picture_does_not_show_it_if_another_one_is_pinned(gallery, clock, scripted):
    large = {"width": 400, "height": 300}
    url = scripted.on("/camera.jpg", picture(jpeg(1, **large)))
    gallery.list({"Camera": url})
    clock.build(hour=0)
    scripted.on("/camera.jpg", picture(jpeg(2, width=1, height=1)))
    clock.build(hour=1)
    assert list(marks(gallery)) == ["suspicious"]
    gallery.list({"Camera": {"url": url, "sha256": sha256(jpeg(1, **large))}})
    clock.build("--accept", "Camera", hour=2)
    assert gallery.photos()["Camera"]["sha256"] == sha256(jpeg(1, **large))
    assert list(marks(gallery)) == ["changed"]


def test_the_new_address_of_a_pinned_photo_is_new_once(gallery, clock):
    for number in (1, 2):
        (gallery.folder / f"{number}.jpg").write_bytes(jpeg(number))
    gallery.list({"Camera": {"url": "1.jpg", "sha256": sha256(jpeg(1))}})
    clock.build(hour=0)
    gallery.list({"Camera": {"url": "2.jpg", "sha256": sha256(jpeg(1))}})
    assert "Camera: the address changed" in clock.build("--explain", hour=1).err
    assert list(marks(gallery)) == ["changed"]
    assert "the address changed" not in clock.build("--explain", hour=2).err
    assert gallery.photos()["Camera"]["sha256"] == sha256(jpeg(1))


def test_without_its_pin_a_photo_is_not_marked_as_changed(gallery, clock, scripted):
    urls = {str(number): scripted.on(f"/{number}.jpg", picture(jpeg(number))) for number in range(3)}
    gallery.list({name: {"url": url, "sha256": sha256(jpeg(int(name)))} for name, url in urls.items()})
    clock.build(hour=0)
    for number in range(3):
        scripted.on(f"/{number}.jpg", picture(jpeg(9)))
    clock.build(hour=1)
    assert [list(marks(gallery, name)) for name in urls] == [["changed"]] * 3
    gallery.list(urls)
    clock.build(hour=2)
    assert [list(marks(gallery, name)) for name in urls] == [["suspicious"]] * 3
