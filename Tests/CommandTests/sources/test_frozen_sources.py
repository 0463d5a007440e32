"""Sources that are expected to change, and do not: what page, status and feed say when one freezes and comes back."""

import json

import pytest
from pictures import jpeg
from scripted_server import picture, response, status
from watched_sources import HOUR, START, feed_entry, marks, rfc3339, sha256


@pytest.fixture
def webcam(gallery, scripted):
    """A webcam that is expected to change within a day."""
    url = scripted.on("/camera.jpg", picture(jpeg(1)))
    gallery.list({"Camera": {"url": url, "expect-change": "24h"}, "Still": scripted.on("/still.jpg", picture(jpeg(9)))})
    return scripted


def test_a_photo_is_frozen_when_its_bytes_have_not_changed_for_as_long_as_expected(gallery, clock, webcam):
    clock.build(hour=0)
    clock.build(hour=23)
    assert marks(gallery) == {}
    run = clock.build("--strict-stale", hour=24, expect=1)
    since = rfc3339(0)
    message = "The picture was expected to change within 24 h, but is still the same."
    assert marks(gallery) == {"frozen": {"code": "frozen", "since": since, "message": message}}
    assert marks(gallery, "Still") == {}
    assert f"  frozen Camera: since {since}: {message} photos.plist:5:2" in run.err
    assert "2 filtered, 1 of them frozen" in run.err
    assert feed_entry(gallery) == (rfc3339(24), f"frozen since 15 January 2027, 08:00 UTC: {message}")
    assert "1 frozen" in gallery.page("index.html").text
    for page in ("index.html", "photo/camera.html"):
        assert '<span class="state marked" data-state="frozen">frozen</span>' in (gallery.site / page).read_text()
        assert "frozen since 15 January 2027, 08:00 UTC" in gallery.page(page).text, page
        assert message in gallery.page(page).text, page
    assert message in gallery.page("status.html").text
    listed = gallery.run("status", "--marked")
    assert listed.out == f"frozen      Camera  frozen since {since}: {message}\n"
    assert listed.lines() == ["1 of 2 photos"]


def test_a_photo_that_stays_frozen_changes_the_site_once(gallery, clock, webcam):
    clock.build(hour=0)
    clock.build(hour=30)
    site = gallery.identities()
    run = clock.build(hour=31)
    assert "Nothing to do" in run.err and "  frozen Camera" in run.err
    assert gallery.identities() == site
    assert marks(gallery)["frozen"]["since"] == rfc3339(0)


def test_a_frozen_photo_that_changes_is_back_again(gallery, clock, webcam):
    clock.build(hour=0)
    clock.build(hour=30)
    webcam.on("/camera.jpg", picture(jpeg(2)))
    clock.build("--strict-stale", hour=31)
    assert marks(gallery) == {}
    assert feed_entry(gallery) == (rfc3339(31), "Back again")
    clock.build(hour=54)
    assert marks(gallery) == {}, "the time counts from the last change"
    clock.build(hour=55)
    assert marks(gallery)["frozen"]["since"] == rfc3339(31)


def test_a_photo_that_cannot_be_refreshed_is_stale_and_frozen(gallery, clock, webcam):
    clock.build(hour=0)
    webcam.on("/camera.jpg", status(404))
    clock.build(hour=2)
    clock.build(hour=24)
    photo = gallery.photos()["Camera"]
    assert photo["stale"]["since"] == rfc3339(2)
    assert marks(gallery)["frozen"]["since"] == rfc3339(0)
    webcam.on("/camera.jpg", picture(jpeg(1)))
    clock.build(hour=25)
    assert gallery.photos()["Camera"]["stale"] is None
    assert marks(gallery)["frozen"]["since"] == rfc3339(0), "the same bytes are no change"


def test_a_photo_that_its_server_calls_fresh_is_requested_once_more_before_it_is_frozen(gallery, clock, scripted):
    fresh = lambda seed: lambda connection, _: connection.sendall(
        response(jpeg(seed), headers=["Cache-Control: max-age=31536000"]))
    url = scripted.on("/camera.jpg", fresh(1))
    gallery.list({"Camera": {"url": url, "expect-change": "24h"}})
    clock.build(hour=0)
    clock.build(hour=23)
    assert scripted.counts()["/camera.jpg"] == 1
    plan = gallery.run(
        "build", "--dry-run", "--explain", env={"SOURCE_DATE_EPOCH": str(START + 24 * HOUR)}).out
    assert f"not changed since {rfc3339(0)}, which is longer than expected, revalidating" in plan
    scripted.on("/camera.jpg", fresh(2))
    clock.build(hour=24)
    assert scripted.counts()["/camera.jpg"] == 2
    assert marks(gallery) == {}
    clock.build(hour=48)
    assert scripted.counts()["/camera.jpg"] == 3
    assert marks(gallery)["frozen"]["since"] == rfc3339(24)
    assert "Nothing to do" in clock.build(hour=49).err
    assert scripted.counts()["/camera.jpg"] == 3, "a frozen photo is requested as its server allows"


def test_a_frozen_photo_that_its_server_calls_fresh_is_requested_once_in_each_period(gallery, clock, scripted):
    fresh = lambda seed: lambda connection, _: connection.sendall(
        response(jpeg(seed), headers=["Cache-Control: max-age=31536000"]))
    gallery.list({"Camera": {"url": scripted.on("/camera.jpg", fresh(1)), "expect-change": "24h"}})
    clock.build(hour=0)
    clock.build(hour=24)
    assert list(marks(gallery)) == ["frozen"] and scripted.counts()["/camera.jpg"] == 2
    clock.build(hour=47)
    assert scripted.counts()["/camera.jpg"] == 2
    site = gallery.identities()
    clock.build(hour=48)
    assert scripted.counts()["/camera.jpg"] == 3 and gallery.identities() == site
    scripted.on("/camera.jpg", fresh(2))
    clock.build(hour=71)
    assert scripted.counts()["/camera.jpg"] == 3
    clock.build(hour=72)
    assert marks(gallery) == {} and gallery.photos()["Camera"]["sha256"] == sha256(jpeg(2))


def test_a_local_file_freezes_too(gallery, clock):
    (gallery.folder / "camera.jpg").write_bytes(jpeg(1))
    gallery.list({"Camera": {"url": "camera.jpg", "expect-change": "90m"}})
    clock.build(hour=0)
    gallery.build(env={"SOURCE_DATE_EPOCH": str(START + 5399)})
    assert marks(gallery) == {}
    clock.build(hour=2)
    assert marks(gallery)["frozen"]["message"].startswith("The picture was expected to change within 90 min,")


def test_the_setting_is_the_default_of_photos_that_say_nothing_else(gallery, clock, scripted):
    urls = {name: scripted.on(f"/{name}.jpg", picture(jpeg(number))) for number, name in enumerate("abc")}
    gallery.list({
        "A": urls["a"], "B": {"url": urls["b"], "expect-change": "never"},
        "C": {"url": urls["c"], "expect-change": "3d"}})
    clock.build(hour=0)
    clock.build("--expect-change", "1h", hour=2)
    assert {name: list(marks(gallery, name)) for name in "ABC"} == {"A": ["frozen"], "B": [], "C": []}
    run = clock.build("--explain", "--expect-change", "5h", hour=3)
    assert list(marks(gallery, "A")) == [], run.err


def test_a_bad_value_is_reported_with_its_line_and_what_is_allowed(gallery, clock, scripted):
    url = scripted.on("/a.jpg", picture(jpeg(1)))
    gallery.list({"A": {"url": url, "expect-change": "soon"}, "B": {"url": url, "expect-change": 24}})
    run = gallery.run("check", "--strict")
    line = gallery.line_of("soon")
    assert (f"photos.plist:{line}:3: 'expect-change' is ignored: 'soon' is not allowed; "
            "expected a duration from 1s such as 24h, or never") in run.err
    line = gallery.line_of("<integer>")
    assert f"photos.plist:{line}:3: 'expect-change' is ignored: expected text, found a number" in run.err
    assert run.code == 1
    run = gallery.build("--expect-change", "soon", expect=64)
    assert "--expect-change: 'soon' is not allowed; expected a duration from 1s such as 24h, or never" in run.err


def test_marks_are_kept_when_the_ledger_is_lost(gallery, clock, webcam):
    clock.build(hour=0)
    clock.build(hour=30)
    site = gallery.contents()
    (gallery.state / "ledger.sqlite").unlink()
    clock.build(hour=30)
    assert gallery.contents() == site
    assert json.loads(gallery.run("status", "--json").out)["photos"][0]["marks"][0]["code"] == "frozen"


def test_a_frozen_photo_is_reported_once_although_another_change_is_expected_later(gallery, clock, webcam):
    clock.build(hour=0)
    quiet = ("--quiet", "--report", "new")
    assert "frozen Camera" in clock.build(*quiet, hour=24).err
    assert clock.build(*quiet, hour=25).err == ""
    gallery.manifest.write_text(gallery.manifest.read_text().replace("24h", "12h"))
    assert clock.build(*quiet, hour=26).err == ""
    assert "within 12 h" in gallery.page("status.html").text
