"""Earlier versions of photos that change at their sources: `--keep-versions` and `--show-versions`."""

import contextlib
import sqlite3

import pytest
from older_ledger import make_version_13
from pictures import jpeg
from scripted_server import status
from versioned_camera import A, B, C, D, SHOW
from watched_sources import rfc3339, sha256


def test_the_previous_original_of_a_changed_photo_is_kept_and_not_published(camera):
    camera.build(A)
    assert "versions" not in camera.photo
    camera.build(B)
    assert camera.photo["versions"] == [{"sha256": sha256(A), "downloaded": rfc3339(0), "image": None}]
    assert camera.gallery.run("clean", "--unused").code == 0
    assert camera.original(A).exists() and camera.original(B).exists()
    assert camera.gallery.files() == camera.gallery.accounted_for()
    assert "Version from" not in camera.gallery.page("photo/camera.html").text
    site = camera.gallery.identities()
    assert "Nothing to do" in camera.build().err
    assert camera.gallery.identities() == site
    camera.build(C)
    assert camera.versions == [sha256(B)]
    camera.gallery.run("clean", "--unused")
    assert not camera.original(A).exists() and camera.original(B).exists() and camera.original(C).exists()


def test_as_many_versions_are_kept_as_the_setting_says(camera):
    for original in (A, B, C, D):
        camera.build(original, "--keep-versions", "2")
    assert camera.versions == [sha256(C), sha256(B)]
    assert camera.photo["versions"][1]["downloaded"] == rfc3339(1)
    run = camera.build(None, "--explain")
    assert "kept versions 2 → 1" in run.err
    assert camera.versions == [sha256(C)]
    assert "Nothing to do" in camera.build(None, "--keep-versions", "2").err, "what is gone does not come back"
    camera.build(None, "--keep-versions", "0")
    assert "versions" not in camera.photo
    camera.build(A, "--keep-versions", "0")
    assert "versions" not in camera.photo
    camera.gallery.run("clean", "--unused")
    assert [camera.original(original).exists() for original in (A, B, C, D)] == [True, False, False, False]


def test_a_picture_that_returns_is_no_earlier_version(camera):
    for original in (A, B, A):
        camera.build(original, *SHOW)
    assert camera.versions == [sha256(B)] and camera.photo["sha256"] == sha256(A)
    for original in (B, C, B):
        camera.build(original, "--keep-versions", "3", *SHOW)
    assert camera.versions == [sha256(C), sha256(A)] and len(camera.images) == 2
    assert camera.gallery.files() == camera.gallery.accounted_for()


# Showing

def test_a_version_that_is_shown_is_the_file_that_was_published_before(camera):
    camera.build(A, "--keep-old", "1d")
    published = camera.photo["images"][-1]
    camera.build(B, "--keep-old", "1d")
    assert published["path"] in camera.gallery.files(), "the file stays for cached pages"
    before = camera.gallery.identities()[published["path"]]
    run = camera.build(None, "--keep-old", "1d", "--explain", *SHOW)
    assert "shown versions 0 → 1" in run.err
    assert camera.photo["versions"] == [{"sha256": sha256(A), "downloaded": rfc3339(0), "image": published}]
    assert camera.gallery.identities()[published["path"]] == before
    page = camera.gallery.page("photo/camera.html")
    assert "Version from 15 January 2027, 08:00 UTC" in page.text
    assert f"../{published['path']}" in (camera.gallery.site / "photo/camera.html").read_text()


def test_versions_are_published_and_withdrawn_by_the_setting(camera):
    camera.build(A, "--formats", "jpeg,webp")
    camera.build(B, "--formats", "jpeg,webp", *SHOW)
    [image] = camera.images
    assert image.endswith("-400.jpg") and "webp" not in camera.photo["versions"][0]["image"]
    assert camera.gallery.files() == camera.gallery.accounted_for()
    site = camera.gallery.identities()
    assert "Nothing to do" in camera.build(None, "--formats", "jpeg,webp", *SHOW).err
    assert camera.gallery.identities() == site
    run = camera.build(None, "--formats", "jpeg,webp", "--explain")
    assert "shown versions 1 → 0" in run.err
    assert camera.images == [] and camera.versions == [sha256(A)]
    assert image not in camera.gallery.files()
    assert not (camera.gallery.state / "derivatives" / image.removeprefix("images/")).exists()
    assert "Version from" not in camera.gallery.page("photo/camera.html").text


def test_versions_follow_the_settings_of_pictures(camera):
    camera.build(A, *SHOW)
    camera.build(jpeg(2, width=200, height=150), *SHOW, "--widths", "200,400")
    assert camera.images[0].endswith("-400.jpg")
    run = camera.build(None, *SHOW, "--widths", "200,300", "--explain")
    assert "widths 200, 400 → 200, 300" in run.err, "the current picture is 200 pixels wide at most"
    assert camera.images[0].endswith("-300.jpg")
    before = camera.images
    camera.build(None, *SHOW, "--widths", "200,300", "--filter", "invert(1)")
    assert camera.images != before
    assert "Nothing to do" in camera.build(None, *SHOW, "--widths", "200,300", "--filter", "invert(1)").err


def test_a_lower_number_of_versions_withdraws_the_others(camera):
    for original in (A, B, C):
        camera.build(original, *SHOW, "--keep-versions", "2")
    assert len(camera.images) == 2
    run = camera.build(None, *SHOW, "--explain")
    assert "kept versions 2 → 1, shown versions 2 → 1" in run.err
    assert camera.versions == [sha256(B)] and len(camera.images) == 1
    assert camera.gallery.files() == camera.gallery.accounted_for()
    assert "Nothing to do" in camera.build(None, *SHOW).err


@pytest.mark.parametrize("is_in_state", [False, True], ids=["site", "site and state"])
def test_a_lost_picture_of_a_version_is_made_again(camera, is_in_state):
    camera.build(A, *SHOW)
    camera.build(B, *SHOW)
    [image] = camera.images
    content = (camera.gallery.site / image).read_bytes()
    (camera.gallery.site / image).unlink()
    if is_in_state:
        (camera.gallery.state / "derivatives" / image.removeprefix("images/")).unlink()
    camera.build(None, *SHOW)
    assert (camera.gallery.site / image).read_bytes() == content
    assert camera.images == [image]


@pytest.mark.parametrize("damage", ["removed", "cut off"])
def test_a_page_does_without_a_version_whose_original_is_lost(camera, damage):
    camera.build(A)
    camera.build(B)
    path = camera.original(A)
    path.chmod(0o644)
    path.unlink() if damage == "removed" else path.write_bytes(A[:500])
    camera.build(None, *SHOW, "--strict-stale")
    assert camera.images == [] and camera.photo["sha256"] == sha256(B)
    assert "Version from" not in camera.gallery.page("photo/camera.html").text
    assert "Nothing to do" in camera.build(None, *SHOW).err
    camera.build(A, *SHOW)
    assert camera.versions == [sha256(B)] and len(camera.images) == 1


def test_a_version_that_lost_its_original_and_its_picture_is_left_out(camera):
    camera.build(A, *SHOW)
    camera.build(B, *SHOW)
    [image] = camera.images
    camera.original(A).unlink()
    site = camera.gallery.identities()
    assert "Nothing to do" in camera.build(None, *SHOW).err, "the picture is still there"
    assert camera.gallery.identities() == site
    (camera.gallery.site / image).unlink()
    (camera.gallery.state / "derivatives" / image.removeprefix("images/")).unlink()
    camera.build(None, *SHOW)
    assert "versions" not in camera.photo
    assert camera.gallery.files() == camera.gallery.accounted_for()
    assert "Nothing to do" in camera.build(None, *SHOW).err


def test_a_version_that_exceeds_the_limits_is_kept_and_not_shown(camera):
    camera.build(jpeg(1, width=500, height=400), *SHOW)
    camera.build(B, *SHOW)
    assert len(camera.images) == 1
    versions = camera.versions
    limited = (*SHOW, "--max-pixels", "150000", "--filter", "invert(1)")
    run = camera.build(None, *limited, "--strict-stale")
    assert camera.images == [] and camera.versions == versions and camera.photo["sha256"] == sha256(B), run.err
    assert "Nothing to do" in camera.build(None, *limited).err
    camera.build(None, *SHOW, "--filter", "invert(1)")
    assert len(camera.images) == 1


def test_a_forced_build_keeps_the_versions(camera):
    camera.build(A, *SHOW)
    camera.build(B, *SHOW)
    site = camera.gallery.contents()
    run = camera.build(None, *SHOW, "--force", "--verbose")
    assert camera.gallery.contents() == site
    assert "1 photo rendered" in run.err, "a version is not counted as a photo"


# The ledger

def test_versions_are_kept_when_the_ledger_is_lost(camera):
    camera.build(A, *SHOW)
    camera.build(B, *SHOW)
    site = camera.gallery.contents()
    (camera.gallery.state / "ledger.sqlite").unlink()
    camera.build(None, *SHOW)
    assert camera.gallery.contents() == site
    assert camera.gallery.run("clean", "--unused").code == 0
    assert camera.original(A).exists()


def test_a_version_stays_when_the_ledger_and_the_current_original_are_lost_and_the_source_fails(camera):
    camera.build(A, *SHOW)
    camera.build(B, *SHOW)
    images = camera.images
    (camera.gallery.state / "ledger.sqlite").unlink()
    camera.original(B).unlink()
    camera.scripted.on("/camera.jpg", status(500))
    camera.build(None, *SHOW, "--retries", "0")
    assert camera.photo["stale"] and camera.images == images


def test_versions_are_kept_when_the_state_folder_is_moved(camera):
    camera.build(A, *SHOW)
    camera.build(B, *SHOW)
    site = camera.gallery.identities()
    camera.gallery.state.rename(camera.gallery.folder.parent / "state")
    moved = (*SHOW, "--state", "../state")
    assert "Nothing to do" in camera.build(None, *moved).err
    assert camera.gallery.identities() == site
    camera.build(C, *moved, "--keep-versions", "2")
    assert camera.versions == [sha256(B), sha256(A)]


def test_a_ledger_of_version_13_is_migrated_with_its_marks_and_has_versions_after_that(camera):
    camera.build(A)
    camera.build(jpeg(3, width=20, height=15))
    marks = camera.photo["marks"]
    assert marks
    ledger = camera.gallery.state / "ledger.sqlite"
    make_version_13(ledger)
    site = camera.gallery.identities()
    assert "Nothing to do" in camera.build().err
    assert camera.gallery.identities() == site and camera.photo["marks"] == marks
    with contextlib.closing(sqlite3.connect(ledger)) as database:
        assert database.execute("PRAGMA user_version").fetchone() == (16,)
    camera.build(B)
    assert camera.versions == [sha256(A)]
