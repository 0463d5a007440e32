"""Pictures that look like a placeholder of the server are kept out until they are accepted."""

import contextlib
import os
import plistlib
import shutil
import sqlite3

import pytest
from pictures import jpeg
from scripted_server import held, picture, status
from waiting import TIMEOUT, until
from watched_sources import GIF, LARGE, feed_entry, marks, pixel, rfc3339, sha256


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


@pytest.mark.parametrize("lost", ["missing", "truncated"])
def test_earlier_pictures_that_are_lost_are_made_again_although_their_replacement_is_suspicious(
        gallery, clock, scripted, lost):
    step = replaced(gallery, scripted, 4)
    next(step)
    clock.build(hour=0)
    before = gallery.contents()
    if lost == "missing":
        shutil.rmtree(gallery.folder / ".gallerygen/derivatives")
        shutil.rmtree(gallery.site)
    else:
        for file in (gallery.site / "images").iterdir():
            os.truncate(file, 10)
    next(step)
    clock.build(hour=1)
    assert {name: list(marks(gallery, name)) for name in gallery.photos()} == {
        f"P{n}": ["suspicious"] for n in range(4)}
    pictures = {path: content for path, content in before.items() if path.startswith("images/")}
    after = gallery.contents()
    assert {path: content for path, content in after.items() if path.startswith("images/")} == pictures
    assert "Nothing to do" in clock.build(hour=2).err
    assert gallery.contents() == after


@pytest.mark.parametrize("derivatives", ["kept", "lost"])
def test_an_earlier_picture_whose_original_is_damaged_is_shown_by_its_files_or_not_at_all(
        gallery, clock, scripted, derivatives):
    step = replaced(gallery, scripted, 3)
    next(step)
    clock.build(hour=0)
    digest = gallery.photos()["P0"]["sha256"]
    original = gallery.state / "originals" / digest[:2] / digest[2:]
    original.chmod(0o644)
    original.write_bytes(bytes(original.stat().st_size))
    if derivatives == "lost":
        shutil.rmtree(gallery.state / "derivatives")
        shutil.rmtree(gallery.site)
    next(step)
    clock.build("--quality", "50" if derivatives == "kept" else "80", hour=1)
    is_kept = derivatives == "kept"
    assert gallery.photos()["P0"]["sha256"] == (digest if is_kept else sha256(jpeg(99)))
    assert {name: list(marks(gallery, name)) for name in gallery.photos()} == {
        "P0": ["suspicious"] if is_kept else [], "P1": ["suspicious"], "P2": ["suspicious"]}
    for photo in gallery.photos().values():
        for image in photo["images"]:
            assert (gallery.site / image["path"]).stat().st_size == image["bytes"]


def test_a_new_picture_stays_if_the_settings_do_not_allow_the_earlier_one(gallery, clock, scripted):
    gallery.list({f"P{n}": scripted.on(f"/{n}.jpg", picture(jpeg(n, **LARGE))) for n in range(3)})
    clock.build(hour=0)
    new = jpeg(99, width=250, height=200)
    for number in range(3):
        scripted.on(f"/{number}.jpg", picture(new))
    site = None
    for hour in range(1, 4):
        clock.build("--max-pixels", "60000", hour=hour)
        for photo in gallery.photos().values():
            assert (photo["state"], photo["sha256"], photo["marks"]) == ("filtered", sha256(new), [])
        site = site or gallery.contents()
        assert gallery.contents() == site


def test_a_suspicious_photo_is_shown_by_the_settings_of_the_same_build(gallery, clock, scripted):
    step = replaced(gallery, scripted, 3)
    next(step)
    clock.build(hour=0)
    assert all(photo["original"] for photo in gallery.photos().values())
    next(step)
    clock.build("--no-originals", hour=1)
    photos = gallery.photos().values()
    assert [photo["sha256"] for photo in photos] == [sha256(jpeg(n)) for n in range(3)]
    assert [photo["original"] for photo in photos] == [None] * 3
    assert "Nothing to do" in clock.build("--no-originals", hour=2).err


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
    scripted.on("/4.jpg", lambda *_: scripted.release.wait(TIMEOUT))
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
    _, err = process.communicate(timeout=TIMEOUT)
    assert process.returncode == 0, err
    assert [list(marks(gallery, f"P{n}")) for n in range(4)] == [["suspicious"]] * 4
    photos = gallery.photos()
    assert photos["Last"]["state"] == "filtered"
    second = {image["path"] for image in [*photos["Second"]["images"], photos["Second"]["original"]]}
    assert during and during <= second


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


@pytest.mark.parametrize("options", [(), ("--max-age", "30d")], ids=["server", "max-age"])
def test_a_suspicious_photo_is_asked_for_again_although_the_answer_is_fresh(gallery, clock, scripted, options):
    """Placeholders are often cached for long. The photo comes back with its source."""
    fresh = ("Cache-Control: max-age=31536000",)
    gallery.list({"Camera": scripted.on("/camera.jpg", picture(jpeg(1, **LARGE)))})
    clock.build(hour=0)
    scripted.on("/camera.jpg", picture(GIF, kind="image/gif", headers=fresh))
    clock.build(hour=1)
    assert list(marks(gallery)) == ["suspicious"]
    scripted.on("/camera.jpg", picture(jpeg(3, **LARGE), headers=fresh))
    assert "Camera: not checked since" in clock.build("--explain", *options, hour=2).err
    assert marks(gallery) == {} and gallery.photos()["Camera"]["sha256"] == sha256(jpeg(3, **LARGE))
    before = scripted.counts()
    assert "Nothing to do" in clock.build(*options, hour=3).err
    assert scripted.counts() == before


def test_a_picture_after_an_unusable_address_is_compared_with_the_earlier_one(gallery, clock, scripted):
    url = scripted.on("/camera.jpg", picture(jpeg(1, **LARGE)))
    gallery.list({"Camera": url})
    clock.build(hour=0)
    gallery.list({"Camera": url.replace("http:", "htp:")})
    for hour in (1, 2, 3):
        clock.build(hour=hour)
    scripted.on("/camera.jpg", picture(GIF, kind="image/gif"))
    gallery.list({"Camera": url})
    clock.build(hour=4)
    assert list(marks(gallery)) == ["suspicious"]
    assert gallery.photos()["Camera"]["sha256"] == sha256(jpeg(1, **LARGE))
