"""Watched sources: what page, status and feed say when a source freezes, is replaced, moves and comes back."""

import contextlib
import datetime
import hashlib
import json
import plistlib
import re
import sqlite3

import pytest
from pictures import jpeg
from scripted_server import held, picture, response, status
from waiting import until

HOUR = 3600
START = 1_800_000_000


class Clock:
    """Runs builds at times that the test sets."""

    def __init__(self, gallery):
        self.gallery = gallery

    def build(self, *arguments, hour, **options):
        return self.gallery.build(*arguments, env=self.environment(hour), **options)

    @staticmethod
    def environment(hour):
        return {"SOURCE_DATE_EPOCH": str(START + hour * HOUR)}


@pytest.fixture
def clock(gallery):
    return Clock(gallery)


def rfc3339(hour):
    moment = datetime.datetime.fromtimestamp(START + hour * HOUR, datetime.UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def marks(gallery, name="Camera"):
    """The marks of a photo in status.json, by their codes."""
    return {mark["code"]: mark for mark in gallery.photos()[name]["marks"]}


def feed_entry(gallery, name="Camera"):
    """The time and the summary of a photo's entry in the feed."""
    for entry in (gallery.site / "feed.xml").read_text().split("<entry>")[1:]:
        if f"<title>{name}</title>" in entry:
            return tuple(re.search(f"<{tag}>(.*?)</{tag}>", entry).group(1) for tag in ("updated", "summary"))
    return None


# Frozen

@pytest.fixture
def camera(gallery, scripted):
    """A webcam that is expected to change within a day."""
    url = scripted.on("/camera.jpg", picture(jpeg(1)))
    gallery.list({"Camera": {"url": url, "expect-change": "24h"}, "Still": scripted.on("/still.jpg", picture(jpeg(9)))})
    return scripted


def test_a_photo_is_frozen_when_its_bytes_have_not_changed_for_as_long_as_expected(gallery, clock, camera):
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


def test_a_photo_that_stays_frozen_changes_the_site_once(gallery, clock, camera):
    clock.build(hour=0)
    clock.build(hour=30)
    site = gallery.identities()
    run = clock.build(hour=31)
    assert "Nothing to do" in run.err and "  frozen Camera" in run.err
    assert gallery.identities() == site
    assert marks(gallery)["frozen"]["since"] == rfc3339(0)


def test_a_frozen_photo_that_changes_is_back_again(gallery, clock, camera):
    clock.build(hour=0)
    clock.build(hour=30)
    camera.on("/camera.jpg", picture(jpeg(2)))
    clock.build("--strict-stale", hour=31)
    assert marks(gallery) == {}
    assert feed_entry(gallery) == (rfc3339(31), "Back again")
    clock.build(hour=54)
    assert marks(gallery) == {}, "the time counts from the last change"
    clock.build(hour=55)
    assert marks(gallery)["frozen"]["since"] == rfc3339(31)


def test_a_photo_that_cannot_be_refreshed_is_stale_and_frozen(gallery, clock, camera):
    clock.build(hour=0)
    camera.on("/camera.jpg", status(404))
    clock.build(hour=2)
    clock.build(hour=24)
    photo = gallery.photos()["Camera"]
    assert photo["stale"]["since"] == rfc3339(2)
    assert marks(gallery)["frozen"]["since"] == rfc3339(0)
    camera.on("/camera.jpg", picture(jpeg(1)))
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


def test_marks_are_kept_when_the_ledger_is_lost(gallery, clock, camera):
    clock.build(hour=0)
    clock.build(hour=30)
    site = gallery.contents()
    (gallery.state / "ledger.sqlite").unlink()
    clock.build(hour=30)
    assert gallery.contents() == site
    assert json.loads(gallery.run("status", "--json").out)["photos"][0]["marks"][0]["code"] == "frozen"


def test_a_suspicious_picture_is_still_kept_out_when_the_ledger_is_lost(gallery, clock, scripted):
    gallery.list({"Camera": scripted.on("/camera.jpg", picture(jpeg(1, **LARGE)))})
    clock.build(hour=0)
    scripted.on("/camera.jpg", picture(pixel(2)))
    clock.build(hour=1)
    site = gallery.contents()
    (gallery.state / "ledger.sqlite").unlink()
    clock.build(hour=2)
    assert list(marks(gallery)) == ["suspicious"] and gallery.photos()["Camera"]["sha256"] == sha256(jpeg(1, **LARGE))
    assert gallery.contents() == site
    clock.build("--accept", "Camera", hour=3)
    assert marks(gallery) == {} and gallery.photos()["Camera"]["sha256"] == sha256(pixel(2))


# Pinned

def sha256(picture):
    return hashlib.sha256(picture).hexdigest()


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


# Suspicious

LARGE = {"width": 400, "height": 300}
GIF = (b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff!\xf9\x04\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01"
       b"\x00\x01\x00\x00\x02\x02D\x01\x00;")


@pytest.mark.parametrize(("new", "size", "is_kept"), [
    (GIF, "1 × 1", True), (jpeg(2, width=199, height=150), "199 × 150", True),
    (jpeg(2, width=200, height=150), "200 × 150", False), (jpeg(2, **LARGE), "400 × 300", False)],
    ids=["pixel", "below a quarter", "a quarter", "same size"])
def test_a_far_smaller_picture_is_kept_out_until_it_is_accepted(gallery, clock, scripted, new, size, is_kept):
    url = scripted.on("/camera.jpg", picture(jpeg(1, **LARGE)))
    gallery.list({"Camera": url})
    clock.build(hour=0)
    before = gallery.photos()["Camera"]
    kind = "image/gif" if new is GIF else "image/jpeg"
    scripted.on("/camera.jpg", picture(new, kind=kind))
    run = clock.build("--strict-stale", hour=1, expect=1 if is_kept else 0)
    if not is_kept:
        assert marks(gallery) == {} and gallery.photos()["Camera"]["sha256"] == sha256(new)
        return
    message = (f"The source has a far smaller picture now ({size} instead of 400 × 300 pixels). "
               "The earlier one stays until the new one is accepted.")
    assert marks(gallery) == {"suspicious": {"code": "suspicious", "since": rfc3339(1), "message": message}}
    after = gallery.photos()["Camera"]
    assert {key: after[key] for key in ("sha256", "images", "original", "width")} == {
        key: before[key] for key in ("sha256", "images", "original", "width")}
    assert f"  suspicious Camera: since {rfc3339(1)}: {message}" in run.err and "--accept NAME" in run.err
    site = gallery.identities()
    run = clock.build(hour=2)
    assert "Nothing to do" in run.err and "  suspicious Camera" in run.err
    assert gallery.identities() == site
    for options in [["--dry-run"], []]:
        run = clock.build("--accept", "Camra", *options, hour=3)
        assert "--accept 'Camra': no photo of that name is suspicious; suspicious are 'Camera'" in run.err
    run = clock.build("--accept", "Camera", "--explain", hour=4)
    assert "Camera: the new picture was accepted" in run.err
    assert marks(gallery) == {} and gallery.photos()["Camera"]["sha256"] == sha256(new)
    assert feed_entry(gallery) == (rfc3339(4), "Back again")
    assert "Nothing to do" in clock.build(hour=5).err


def test_a_suspicious_photo_whose_old_picture_returns_is_back_without_being_accepted(gallery, clock, scripted):
    url = scripted.on("/camera.jpg", picture(jpeg(1, **LARGE)))
    gallery.list({"Camera": url})
    clock.build(hour=0)
    scripted.on("/camera.jpg", picture(GIF, kind="image/gif"))
    clock.build(hour=1)
    clock.build("--filter", "none", hour=2)
    assert list(marks(gallery)) == ["suspicious"], "another filter shows the old picture anew"
    assert gallery.photos()["Camera"]["sha256"] == sha256(jpeg(1, **LARGE))
    scripted.on("/camera.jpg", status(404))
    clock.build(hour=3)
    assert list(marks(gallery)) == ["suspicious"] and gallery.photos()["Camera"]["stale"]
    scripted.on("/camera.jpg", picture(GIF, kind="image/gif"))
    clock.build("--force", hour=4)
    assert marks(gallery)["suspicious"]["since"] == rfc3339(1)
    scripted.on("/camera.jpg", picture(jpeg(1, **LARGE)))
    clock.build(hour=5)
    assert marks(gallery) == {} and feed_entry(gallery) == (rfc3339(5), "Back again")


def test_a_picture_that_a_person_replaces_is_not_suspicious(gallery, clock, scripted):
    """The person changes the address in the list, or a file on this machine."""
    (gallery.folder / "file.jpg").write_bytes(jpeg(1, **LARGE))
    gallery.list({"Camera": scripted.on("/a.jpg", picture(jpeg(1, **LARGE))), "File": "file.jpg"})
    clock.build(hour=0)
    (gallery.folder / "file.jpg").write_bytes(jpeg(2, width=20, height=15))
    gallery.list({"Camera": scripted.on("/b.jpg", picture(jpeg(2, width=20, height=15))), "File": "file.jpg"})
    clock.build(hour=1)
    assert marks(gallery) == {} and marks(gallery, "File") == {}


def replaced(gallery, scripted, count, removed=jpeg(99)):
    """Lists photos of a server, all of which then have the same picture."""
    gallery.list({f"P{n}": scripted.on(f"/{n}.jpg", picture(jpeg(n))) for n in range(count)})
    yield
    for n in range(count):
        scripted.on(f"/{n}.jpg", picture(removed))
    yield


@pytest.mark.parametrize(("count", "is_suspicious"), [(2, False), (3, True), (40, True)])
def test_the_same_picture_at_several_addresses_is_suspicious(gallery, clock, scripted, count, is_suspicious):
    step = replaced(gallery, scripted, count)
    next(step)
    clock.build(hour=0)
    before = gallery.contents()
    next(step)
    run = clock.build(hour=1)
    names = [f"P{n}" for n in range(count)]
    assert {name: list(marks(gallery, name)) for name in names} == {
        name: ["suspicious"] if is_suspicious else [] for name in names}
    if not is_suspicious:
        return
    assert marks(gallery, "P0")["suspicious"]["message"] == (
        "Several sources have this same picture now. The earlier one stays until the new one is accepted.")
    pictures = {path for path in before if path.startswith("images/")}
    assert {path for path in gallery.contents() if path.startswith("images/")} == pictures
    assert f"{count} of them suspicious" in run.err
    site = gallery.identities()
    assert "Nothing to do" in clock.build(hour=2).err
    assert gallery.identities() == site
    clock.build("--accept", "P1", "--accept", "P2", hour=3)
    assert [name for name in names if not marks(gallery, name)] == ["P1", "P2"]
    clock.build("--accept", "*", hour=4)
    assert {photo["sha256"] for photo in gallery.photos().values()} == {sha256(jpeg(99))}
    assert "--accept '*': no photo is suspicious" in clock.build("--accept", "*", hour=5).err


def test_addresses_that_get_the_same_picture_one_after_the_other_are_noticed_from_the_third_on(
        gallery, clock, scripted):
    gallery.list({f"P{n}": scripted.on(f"/{n}.jpg", picture(jpeg(n))) for n in range(4)})
    clock.build(hour=0)
    for n in range(4):
        scripted.on(f"/{n}.jpg", picture(jpeg(99)))
        clock.build(hour=n + 1)
    assert {name: list(marks(gallery, name)) for name in ("P0", "P1", "P2", "P3")} == {
        "P0": [], "P1": [], "P2": ["suspicious"], "P3": ["suspicious"]}


def test_a_camera_that_is_listed_in_several_spellings_may_change(gallery, clock, scripted):
    scripted.on("/camera.jpg", picture(jpeg(1)))
    gallery.list({f"P{n}": scripted.url(f"/camera.jpg?{n}") for n in range(5)})
    clock.build(hour=0)
    scripted.on("/camera.jpg", picture(jpeg(2)))
    clock.build(hour=1)
    assert [photo["marks"] for photo in gallery.photos().values()] == [[]] * 5
    assert {photo["sha256"] for photo in gallery.photos().values()} == {sha256(jpeg(2))}


def test_a_killed_build_does_not_take_suspicious_pictures(gallery, clock, scripted):
    """The answer of one photo is held back, so that the build is killed when the others are done."""
    step = replaced(gallery, scripted, 5)
    next(step)
    clock.build(hour=0)
    next(step)
    scripted.on("/4.jpg", lambda *_: scripted.release.wait(60))
    process = gallery.program.start("build", cwd=gallery.folder)
    try:
        ledger = gallery.state / "ledger.sqlite"

        def known():
            with contextlib.closing(sqlite3.connect(f"file:{ledger}?mode=ro", uri=True)) as database:
                return database.execute(
                    "SELECT count(*) FROM source WHERE sha256 = ?", [sha256(jpeg(99))]).fetchone()[0] == 4

        until(known, process, what="the ledger has the answers of four addresses")
    finally:
        process.kill()
        process.communicate()
    scripted.on("/4.jpg", picture(jpeg(99)))
    clock.build(hour=2)
    assert [list(marks(gallery, f"P{n}")) for n in range(5)] == [["suspicious"]] * 5


def images(gallery):
    # Other folders have temporary files while a build runs.
    return {f"images/{path.name}" for path in (gallery.site / "images").iterdir()}


def test_a_live_build_never_shows_suspicious_pictures(gallery, clock, scripted):
    step = replaced(gallery, scripted, 4)
    next(step)
    clock.build(hour=0)
    next(step)
    before = images(gallery)
    gallery.list(plistlib.loads(gallery.manifest.read_bytes()) | {
        "Second": scripted.on("/second.jpg", picture(jpeg(7))),
        "Last": scripted.on("/last.jpg", held(scripted, jpeg(8)))})
    # One after the other, so that the four are done when the second new photo is shown.
    process = gallery.program.start(
        "build", "--live", "--downloads", "1", "--jobs", "1", cwd=gallery.folder, env=clock.environment(hour=1))
    until(lambda: any("Second" in card for card in (gallery.live_status() or {"cards": []})["cards"]), what="its card")
    during = images(gallery) - before
    scripted.release.set()
    _, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    assert [list(marks(gallery, f"P{n}")) for n in range(4)] == [["suspicious"]] * 4
    photos = gallery.photos()
    assert photos["Last"]["state"] == "filtered"
    second = {image["path"] for image in [*photos["Second"]["images"], photos["Second"]["original"]]}
    assert during and during <= second


def pixel(seed):
    """A picture of one pixel that differs from those of other seeds."""
    return jpeg(seed, width=1, height=1)


# What is accepted

def test_accepting_all_accepts_only_pictures_that_are_marked(gallery, clock, scripted):
    gallery.list({name: scripted.on(f"/{name}.jpg", picture(jpeg(n, **LARGE))) for n, name in enumerate("AB")})
    clock.build(hour=0)
    scripted.on("/A.jpg", picture(pixel(2)))
    clock.build(hour=1)
    scripted.on("/B.jpg", picture(pixel(3)))
    clock.build("--accept", "*", hour=2)
    assert marks(gallery, "A") == {} and gallery.photos()["A"]["sha256"] == sha256(pixel(2))
    assert list(marks(gallery, "B")) == ["suspicious"]
    assert gallery.photos()["B"]["sha256"] == sha256(jpeg(1, **LARGE))


def test_accepting_a_photo_that_is_not_suspicious_accepts_nothing(gallery, clock, scripted):
    gallery.list({"Camera": scripted.on("/camera.jpg", picture(jpeg(1, **LARGE)))})
    clock.build(hour=0)
    scripted.on("/camera.jpg", picture(pixel(2)))
    assert "no photo of that name is suspicious" in clock.build("--accept", "Camera", hour=1).err
    assert list(marks(gallery)) == ["suspicious"]
    assert gallery.photos()["Camera"]["sha256"] == sha256(jpeg(1, **LARGE))


def test_a_picture_that_came_after_the_marked_one_is_not_accepted_with_it(gallery, clock, scripted):
    gallery.list({"Camera": scripted.on("/camera.jpg", picture(jpeg(1, **LARGE)))})
    clock.build(hour=0)
    scripted.on("/camera.jpg", picture(pixel(2)))
    clock.build(hour=1)
    scripted.on("/camera.jpg", picture(pixel(3)))
    clock.build("--accept", "Camera", hour=2)
    assert marks(gallery)["suspicious"]["since"] == rfc3339(1)
    assert gallery.photos()["Camera"]["sha256"] == sha256(jpeg(1, **LARGE))
    clock.build("--accept", "Camera", hour=3)
    assert marks(gallery) == {} and gallery.photos()["Camera"]["sha256"] == sha256(pixel(3))


def test_a_picture_is_accepted_while_its_source_fails(gallery, clock, scripted):
    gallery.list({"Camera": scripted.on("/camera.jpg", picture(jpeg(1, **LARGE)))})
    clock.build(hour=0)
    scripted.on("/camera.jpg", picture(pixel(2)))
    clock.build(hour=1)
    scripted.on("/camera.jpg", status(404))
    clock.build("--accept", "Camera", hour=2)
    photo = gallery.photos()["Camera"]
    assert marks(gallery) == {} and photo["sha256"] == sha256(pixel(2)) and photo["stale"]["code"] == "not-found"
    clock.build(hour=3)
    assert marks(gallery) == {} and gallery.photos()["Camera"]["sha256"] == sha256(pixel(2))


# Marks of photos that change in other ways

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


def test_a_stale_photo_whose_source_answers_with_a_suspicious_picture_is_no_longer_stale(gallery, clock, scripted):
    step = replaced(gallery, scripted, 3)
    next(step)
    clock.build(hour=0)
    scripted.on("/0.jpg", status(404))
    clock.build(hour=1)
    next(step)
    clock.build(hour=2)
    assert list(marks(gallery, "P0")) == ["suspicious"] and gallery.photos()["P0"]["stale"] is None
    site = gallery.identities()
    assert "Nothing to do" in clock.build(hour=3).err and gallery.identities() == site
