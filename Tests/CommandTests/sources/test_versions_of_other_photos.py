"""Earlier versions of photos that are suspicious, pinned, stale, moved, renamed or local."""

import pytest
from pictures import jpeg
from scripted_server import picture, status
from versioned_camera import A, B, C, D, SHOW
from watched_sources import sha256


def test_a_suspicious_picture_is_no_version_and_one_that_is_accepted_makes_the_old_one_a_version(camera):
    camera.build(A, *SHOW)
    camera.build(B, *SHOW)
    versions = camera.photo["versions"]
    camera.build(jpeg(3, width=20, height=15), *SHOW)
    assert [mark["code"] for mark in camera.photo["marks"]] == ["suspicious"]
    assert camera.photo["versions"] == versions and camera.photo["sha256"] == sha256(B)
    run = camera.build(None, "--explain")
    assert "shown versions 1 → 0" in run.err and camera.images == []
    camera.build(None, *SHOW)
    assert camera.photo["versions"] == versions
    camera.build(None, *SHOW, "--accept", "Camera")
    assert camera.versions == [sha256(B)] and len(camera.images) == 1


def test_pictures_that_several_addresses_have_are_no_versions(gallery, scripted):
    addresses = {f"P{number}": scripted.on(f"/{number}.jpg", picture(jpeg(number))) for number in range(3)}
    gallery.list(addresses).build(*SHOW)
    for number in range(3):
        scripted.on(f"/{number}.jpg", picture(jpeg(number + 10)))
    gallery.build(*SHOW)
    before = {name: photo["versions"] for name, photo in gallery.photos().items()}
    for number in range(3):
        scripted.on(f"/{number}.jpg", picture(jpeg(99)))
    gallery.build(*SHOW)
    assert {name: photo["versions"] for name, photo in gallery.photos().items()} == before
    assert all(photo["marks"] for photo in gallery.photos().values())
    scripted.on("/0.jpg", picture(jpeg(99)))
    for number in range(3):
        scripted.on(f"/{number}.jpg", picture(jpeg(98)))
    gallery.build()
    assert not any(version["image"] for photo in gallery.photos().values() for version in photo["versions"])
    assert gallery.files() == gallery.accounted_for()


def test_a_pinned_and_a_stale_photo_keep_their_versions(camera):
    camera.build(A, *SHOW)
    camera.build(B, *SHOW)
    versions = camera.photo["versions"]
    camera.scripted.on("/camera.jpg", status(404))
    camera.build(None, *SHOW)
    assert camera.photo["stale"] and camera.photo["versions"] == versions
    camera.gallery.list({"Camera": {"url": camera.scripted.url("/camera.jpg"), "sha256": sha256(B)}})
    camera.build(C, *SHOW)
    assert [mark["code"] for mark in camera.photo["marks"]] == ["changed"]
    # They are kept, and not shown, because only the pinned picture may be shown.
    assert camera.versions == [version["sha256"] for version in versions] and camera.images == []


def test_a_stale_photo_that_lost_its_original_does_not_show_versions_after_they_are_switched_off(camera):
    camera.build(A, *SHOW)
    camera.build(B, *SHOW)
    [image] = camera.images
    camera.original(B).unlink()
    camera.scripted.on("/camera.jpg", status(500))
    camera.build(None, *SHOW, "--retries", "0")
    assert camera.photo["stale"] and camera.images == [image]
    camera.build(None, "--retries", "0")
    assert camera.photo["stale"] and camera.images == [] and image not in camera.gallery.files()


def test_a_stale_photo_that_lost_its_original_does_without_a_version_whose_picture_is_lost_too(camera):
    camera.build(A, *SHOW)
    camera.build(B, *SHOW)
    [image] = camera.images
    shown = camera.photo["images"]
    camera.original(A).unlink()
    camera.original(B).unlink()
    (camera.gallery.site / image).unlink()
    (camera.gallery.state / "derivatives" / image.removeprefix("images/")).unlink()
    camera.scripted.on("/camera.jpg", status(500))
    camera.build(None, *SHOW, "--retries", "0")
    assert camera.photo["stale"] and camera.photo["images"] == shown and camera.images == []


def test_a_picture_is_compared_with_the_size_of_the_current_one_and_not_of_a_version(camera):
    """Without a ledger, the size of the picture that was shown is that of its widest file."""
    camera.build(A, *SHOW)
    camera.build(jpeg(2, width=200, height=150), *SHOW)
    (camera.gallery.state / "ledger.sqlite").unlink()
    new = jpeg(3, width=120, height=90)
    camera.build(new, *SHOW)
    assert camera.photo["marks"] == [] and camera.photo["sha256"] == sha256(new)


def test_a_photo_with_another_address_begins_without_versions_unless_its_bytes_are_the_same(camera):
    camera.build(A)
    camera.build(B)
    camera.gallery.list({"Camera": camera.scripted.on("/moved.jpg", picture(B))})
    camera.build()
    assert camera.versions == [sha256(A)]
    camera.gallery.list({"Camera": camera.scripted.on("/other.jpg", picture(C))})
    camera.build()
    assert "versions" not in camera.photo


@pytest.mark.parametrize("shown", [True, False], ids=["stale", "failed"])
def test_a_new_address_that_fails_at_first_does_not_make_the_old_picture_a_version(camera, shown):
    camera.build(A, *SHOW)
    camera.build(B, *SHOW)
    if not shown:
        # Beyond the limit, the photo fails and has no picture.
        camera.build(None, *SHOW, "--max-pixels", "1000", "--force")
        assert camera.photo["state"] == "failed"
    camera.gallery.list({"Camera": camera.scripted.on("/other.jpg", status(404))})
    camera.build(None, *SHOW)
    assert camera.photo["stale"] if shown else camera.photo["state"] == "failed"
    camera.scripted.on("/other.jpg", picture(C))
    camera.build(None, *SHOW)
    assert camera.photo["sha256"] == sha256(C) and "versions" not in camera.photo


def test_a_mirror_s_copy_is_no_version(camera):
    mirror = camera.scripted.on("/mirror.jpg", picture(C))
    camera.gallery.list({"Camera": {"url": [camera.scripted.url("/camera.jpg"), mirror]}})
    camera.build(A)
    camera.build(B)
    camera.scripted.on("/camera.jpg", status(404))
    camera.build()
    assert camera.photo["sha256"] == sha256(C) and camera.versions == [sha256(A)]
    camera.build(B)
    assert camera.photo["sha256"] == sha256(B) and camera.versions == [sha256(A)]


def test_a_pinned_photo_shows_no_other_picture(camera):
    camera.build(A, *SHOW)
    camera.gallery.list({"Camera": {"url": camera.scripted.url("/camera.jpg"), "sha256": sha256(B)}})
    camera.build(B, *SHOW)
    assert camera.photo["sha256"] == sha256(B) and "versions" not in camera.photo


def test_a_version_that_takes_the_place_of_an_unusable_one_is_shown_at_once(camera):
    for original in [A, B]:
        camera.build(original, *SHOW, "--keep-versions", "2")
    camera.build(C, *SHOW, "--keep-versions", "2")
    assert camera.versions == [sha256(B), sha256(A)]
    camera.original(C).unlink()
    camera.build(D, *SHOW, "--keep-versions", "2", "--filter", "invert(1)")
    assert camera.versions == [sha256(B), sha256(A)] and len(camera.images) == 2
    run = camera.build(None, *SHOW, "--keep-versions", "2", "--filter", "invert(1)")
    assert "Nothing to do" in run.err


def test_a_renamed_photo_keeps_its_versions(camera):
    camera.build(A, *SHOW)
    camera.build(B, *SHOW)
    versions = camera.photo["versions"]
    camera.gallery.list({"Harbour": camera.scripted.url("/camera.jpg")})
    camera.build(None, *SHOW)
    assert camera.gallery.photos()["Harbour"]["versions"] == versions


def test_a_local_file_that_changes_has_versions_too(gallery):
    (gallery.folder / "camera.jpg").write_bytes(A)
    gallery.list({"Camera": "camera.jpg"}).build()
    (gallery.folder / "camera.jpg").write_bytes(B)
    gallery.build(*SHOW)
    [version] = gallery.photos()["Camera"]["versions"]
    assert version["sha256"] == sha256(A) and version["image"]


def test_versions_are_shown_while_the_site_is_built(camera):
    camera.build(A, "--live", *SHOW)
    camera.build(B, "--live", *SHOW)
    assert len(camera.images) == 1
    camera.build(C, "--live")
    assert camera.images == []
    assert camera.gallery.files() == camera.gallery.accounted_for()
