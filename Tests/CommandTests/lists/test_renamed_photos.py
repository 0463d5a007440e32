"""Photos whose name, address or album changes."""

import plistlib

import pytest
from pictures import jpeg


@pytest.fixture
def pair(gallery, web):
    """A gallery of two photos that each build revalidates; built once."""
    for number, name in enumerate(["lake", "hill"]):
        (web.root / f"{name}.jpg").write_bytes(jpeg(number, width=400, height=300))
    gallery.web = web
    gallery.list({"Lake": web.url("lake.jpg"), "Hill": web.url("hill.jpg")}).build()
    assert sorted(request.status for request in web.new_requests()) == [200, 200]
    return gallery


def pictures(gallery):
    """The identities of the site's pictures, which change when a picture is written again."""
    return {path: identity for path, identity in gallery.identities().items() if path.startswith("images/")}


def test_a_renamed_photo_is_neither_downloaded_nor_filtered(pair):
    before, lake = pictures(pair), pair.photos()["Lake"]
    run = pair.list({"Pond": pair.web.url("lake.jpg"), "Hill": pair.web.url("hill.jpg")}).build("--verbose")
    assert {request.status for request in pair.web.new_requests()} <= {304}
    assert "0 photos rendered" in run.err
    assert pictures(pair) == before
    pond = pair.photos()["Pond"]
    assert (pond["state"], pond["images"], pond["sha256"]) == (lake["state"], lake["images"], lake["sha256"])
    assert pair.files() == pair.accounted_for()
    assert lake["page"] not in pair.files()


def test_a_photo_that_moves_to_another_album_keeps_its_derivatives(pair):
    before, lake = pictures(pair), pair.photos()["Lake"]
    run = pair.list({"Hill": pair.web.url("hill.jpg"), "Water": {"Lake": pair.web.url("lake.jpg")}}).build("--verbose")
    assert {request.status for request in pair.web.new_requests()} <= {304}
    assert "0 photos rendered" in run.err
    assert pictures(pair) == before
    moved = pair.photos()["Lake"]
    assert (moved["album"], moved["images"]) == (["Water"], lake["images"])
    assert pair.files() == pair.accounted_for()


def test_a_photo_with_a_new_address_shows_the_old_picture_as_stale_until_the_new_one_is_good(pair):
    before = pair.photos()["Lake"]
    pair.list({"Lake": pair.web.url("pond.jpg"), "Hill": pair.web.url("hill.jpg")})
    run = pair.build("--explain")
    assert "Lake: the address changed" in run.err.splitlines()
    stale = pair.photos()["Lake"]
    assert (stale["state"], stale["images"], stale["sha256"]) == ("filtered", before["images"], before["sha256"])
    assert stale["stale"]["code"] == "not-found"
    # A web page does not replace the old picture either.
    (pair.web.root / "pond.jpg").write_text("<!DOCTYPE html><title>Soon</title>")
    pair.build()
    stale = pair.photos()["Lake"]
    assert (stale["images"], stale["stale"]["code"]) == (before["images"], "not-an-image")
    (pair.web.root / "pond.jpg").write_bytes(jpeg(7, width=400, height=300))
    pair.build()
    after = pair.photos()["Lake"]
    assert after["stale"] is None
    assert after["sha256"] != before["sha256"]
    assert after["slug"] == before["slug"]
    assert not {image["path"] for image in before["images"]} & pair.files()
    assert pair.files() == pair.accounted_for()


def test_two_photos_that_swap_their_addresses_are_not_downloaded(pair):
    before, photos = pictures(pair), pair.photos()
    run = pair.list({"Lake": pair.web.url("hill.jpg"), "Hill": pair.web.url("lake.jpg")}).build("--verbose")
    assert {request.status for request in pair.web.new_requests()} <= {304}
    assert "0 photos rendered" in run.err
    assert pictures(pair) == before
    after = pair.photos()
    assert after["Lake"]["images"] == photos["Hill"]["images"]
    assert after["Hill"]["images"] == photos["Lake"]["images"]


def test_a_photo_whose_name_becomes_ambiguous_leaves_no_old_record(pair):
    lake, hill = pair.web.url("lake.jpg"), pair.web.url("hill.jpg")
    pair.list([{"name": "Lake", "url": lake}]).build()
    # Because of the other filter, the photos are recorded before the publication.
    pair.list([{"name": "Lake", "url": lake}, {"name": "Lake", "url": hill}]).build("--filter", "grayscale(1)")
    before = pair.identities()
    assert "no longer in the list" not in pair.build("--filter", "grayscale(1)", "--explain").output
    assert pair.identities() == before


@pytest.fixture
def refused(pair):
    """The pair, whose server no longer has the photos, and the photos of the last build."""
    before = pair.photos()
    for name in ["lake", "hill"]:
        (pair.web.root / f"{name}.jpg").unlink()
    return pair, before


@pytest.mark.parametrize("listed", ["another name", "another album", "taken out and put back"])
def test_a_renamed_or_moved_photo_whose_address_fails_keeps_its_picture(refused, listed):
    gallery, before = refused
    lake, hill = gallery.web.url("lake.jpg"), gallery.web.url("hill.jpg")
    match listed:
        case "another name":
            gallery.list({"Pond": lake, "Hill": hill})
        case "another album":
            gallery.list({"Water": {"Lake": lake}, "Hill": hill})
        case _:
            gallery.list({"Hill": hill}).build()
            gallery.list({"Lake": lake, "Hill": hill})
    gallery.build()
    after = gallery.photos()["Pond" if listed == "another name" else "Lake"]
    assert (after["state"], after["stale"]["code"]) == ("filtered", "not-found")
    assert [after["sha256"], after["images"]] == [before["Lake"]["sha256"], before["Lake"]["images"]]
    assert gallery.files() == gallery.accounted_for()


@pytest.mark.parametrize("manifests", [["list.plist"], ["photos.plist", "more.plist"], ["link/photos.plist"]])
def test_photos_whose_addresses_fail_keep_their_pictures_when_their_list_is_renamed(refused, manifests):
    gallery, before = refused
    if manifests == ["list.plist"]:
        gallery.manifest.rename(gallery.folder / "list.plist")
    (gallery.folder / "more.plist").write_bytes(plistlib.dumps({"Wood": gallery.web.url("wood.jpg")}))
    (gallery.folder / "link").symlink_to(gallery.folder)
    options = ["--output", "public", "--state", ".gallerygen"]
    planned = gallery.run("build", *manifests, *options, "--dry-run")
    assert "Lake: new" not in planned.output
    gallery.run("build", *manifests, *options)
    after = gallery.photos()
    for name in ["Lake", "Hill"]:
        assert (after[name]["state"], after[name]["stale"]["code"]) == ("filtered", "not-found")
        kept = ["slug", "sha256", "images", "since"]
        assert [after[name][key] for key in kept] == [before[name][key] for key in kept]


@pytest.mark.parametrize("also_in_state", [True, False], ids=["gone from both folders", "gone from the site"])
@pytest.mark.parametrize("options", [(), ("--max-age", "1h")], ids=["revalidated", "fresh"])
def test_a_picture_that_is_lost_while_the_list_is_renamed_is_made_again(pair, also_in_state, options):
    before = pair.contents()
    lost = sorted((pair.site / "images").iterdir())[0]
    lost.unlink()
    if also_in_state:
        (pair.folder / ".gallerygen/derivatives" / lost.name).unlink()
    pair.manifest = pair.manifest.rename(pair.folder / "list.plist")
    pair.build("list.plist", "--title", "Photos", *options)
    after = pair.contents()
    assert {path for path in after if path.startswith("images/")} == {
        path for path in before if path.startswith("images/")
    }
    assert after[f"images/{lost.name}"] == before[f"images/{lost.name}"]
