"""Builds after the first one: what they download and write, and which files they leave."""

import shutil

import pytest
from pictures import jpeg


@pytest.fixture
def dozen(gallery, web):
    """A gallery of twelve photos on a web server; built once."""
    for number in range(12):
        (web.root / f"{number}.jpg").write_bytes(jpeg(number, width=500, height=375))
    gallery.web = web
    gallery.list(addresses(gallery)).build()
    first = web.new_requests()
    assert sorted(request.status for request in first) == [200] * 12
    return gallery


def addresses(gallery, numbers=range(12)):
    return {f"Photo {number}": gallery.web.url(f"{number}.jpg") for number in numbers}


@pytest.mark.quick
def test_a_build_with_nothing_to_do_downloads_and_writes_nothing_and_prints_one_line(dozen):
    before = dozen.identities()
    run = dozen.build()
    assert {request.status for request in dozen.web.new_requests()} <= {304}
    assert dozen.identities() == before
    assert len(run.lines()) == 1
    assert run.out == ""


def test_a_build_with_nothing_to_do_and_quiet_prints_nothing(dozen):
    run = dozen.build("--quiet")
    assert run.output == ""


def test_fresh_photos_are_not_requested(gallery, web):
    for number in range(5):
        (web.root / f"{number}.jpg").write_bytes(jpeg(number))
    gallery.list({f"Photo {number}": web.url(f"fresh/{number}.jpg") for number in range(5)})
    gallery.build()
    assert len(web.new_requests()) == 5
    before = gallery.identities()
    gallery.build()
    assert web.new_requests() == []
    assert gallery.identities() == before


@pytest.mark.parametrize("change", [("--filter", "sepia(0.6)"), ("--widths", "200"), ("--quality", "50")])
def test_with_another_recipe_new_pictures_are_made_without_downloads(dozen, change):
    before = {path for path in dozen.files() if path.startswith("images/")}
    dozen.build(*change)
    after = {path for path in dozen.files() if path.startswith("images/")}
    assert {request.status for request in dozen.web.new_requests()} <= {304}
    made = {image["path"] for photo in dozen.photos().values() for image in photo["images"]}
    assert made.isdisjoint(before)
    assert after == made | {photo["original"]["path"] for photo in dozen.photos().values()}
    assert dozen.files() == dozen.accounted_for()


def test_with_the_old_recipe_the_old_site_is_made_again(dozen):
    before = dozen.contents()
    dozen.build("--filter", "grayscale(1)")
    dozen.build()
    after = dozen.contents()
    changed = {path for path in before if before[path] != after.get(path)}
    assert before.keys() == after.keys()
    assert not {path for path in changed if path.startswith(("images/", "assets/"))}


@pytest.mark.quick
def test_a_changed_picture_is_downloaded_and_only_its_files_change(dozen):
    before = dozen.identities()
    (dozen.web.root / "3.jpg").write_bytes(jpeg(99, width=500, height=375))
    dozen.build()
    assert [request.path for request in dozen.web.new_requests() if request.status == 200] == ["/3.jpg"]
    slug = dozen.photos()["Photo 3"]["slug"]
    after = dozen.identities()
    pictures = {path for path in before if path.startswith("images/")}
    assert len(pictures - after.keys()) == 3, "the photo's two widths and its unfiltered picture are replaced"
    others = {path for path in before if path.startswith("photo/") and slug not in path}
    neighbours = {f"photo/{dozen.photos()[name]['slug']}.html" for name in ("Photo 2", "Photo 4")}
    for path in others - neighbours:
        assert after[path] == before[path], path
    assert dozen.files() == dozen.accounted_for()


def test_a_photo_that_is_removed_from_the_list_is_removed_from_the_site(dozen):
    gone = dozen.photos()["Photo 5"]
    dozen.list(addresses(dozen, [number for number in range(12) if number != 5])).build()
    files = dozen.files()
    assert gone["page"] not in files
    assert not {image["path"] for image in [*gone["images"], gone["original"]]} & files
    assert files == dozen.accounted_for()
    assert len(dozen.photos()) == 11


def test_a_failed_photo_is_requested_again_and_recovers(dozen):
    dozen.list(addresses(dozen) | {"Late": dozen.web.url("late.jpg")}).build()
    assert dozen.reasons() == {"Late": "not-found"}
    dozen.web.new_requests()
    (dozen.web.root / "late.jpg").write_bytes(jpeg(77))
    dozen.build()
    assert [request.path for request in dozen.web.new_requests() if request.status == 200] == ["/late.jpg"]
    assert dozen.reasons() == {}
    assert dozen.files() == dozen.accounted_for()


def test_a_photo_that_can_no_longer_be_fetched_stays_and_is_stale(dozen):
    before = dozen.photos()["Photo 7"]
    (dozen.web.root / "7.jpg").unlink()
    run = dozen.build()
    after = dozen.photos()["Photo 7"]
    assert (after["state"], after["images"]) == ("filtered", before["images"])
    assert after["stale"]["code"] == "not-found"
    assert after["stale"]["since"] and after["stale"]["message"]
    assert dozen.status()["counts"]["stale"] == 1
    assert "Photo 7" in run.err
    (dozen.web.root / "7.jpg").write_bytes(jpeg(7, width=500, height=375))
    dozen.build()
    assert dozen.photos()["Photo 7"]["stale"] is None


def test_deleted_files_of_the_site_are_restored(dozen):
    before = dozen.contents()
    picture = next(path for path in sorted(before) if path.startswith("images/"))
    (dozen.site / picture).unlink()
    (dozen.site / "index.html").unlink()
    dozen.build()
    assert dozen.contents() == before


def test_each_photo_is_requested_once_also_if_its_pictures_are_lost_or_it_shares_an_address(dozen):
    dozen.list(addresses(dozen) | {"Twin": dozen.web.url("3.jpg")}).build()
    dozen.web.new_requests()
    before = dozen.contents()
    lost = dozen.photos()["Photo 3"]["images"][0]["path"]
    (dozen.site / lost).unlink()
    (dozen.folder / ".gallerygen/derivatives" / lost.removeprefix("images/")).unlink()
    dozen.build()
    requests = dozen.web.new_requests()
    assert sorted(request.path for request in requests) == sorted(f"/{number}.jpg" for number in range(12))
    assert {request.status for request in requests} == {304}
    assert dozen.contents()[lost] == before[lost]


def test_a_build_that_fails_after_its_first_requests_changes_neither_site_nor_ledger(dozen):
    before = dozen.contents()
    foreign = dozen.site / "photo" / "new.html"
    foreign.write_text("theirs")
    (dozen.web.root / "new.jpg").write_bytes(jpeg(99, width=500, height=375))
    dozen.list({**addresses(dozen), "New": dozen.web.url("new.jpg")}).build(expect=73)
    assert 304 in {request.status for request in dozen.web.new_requests()}
    foreign.unlink()
    dozen.list(addresses(dozen)).build()
    assert {request.status for request in dozen.web.new_requests()} == {304}
    assert dozen.contents() == before


def test_after_the_state_folder_was_lost_the_site_stays_complete(dozen):
    before = dozen.contents()
    shutil.rmtree(dozen.folder / ".gallerygen")
    dozen.build()
    after = dozen.contents()
    assert before.keys() == after.keys()
    for path in before:
        assert path.endswith((".html", ".json", ".xml")) or after[path] == before[path], path


def test_a_local_photo_that_changes_is_filtered_again(three_photos):
    three_photos.build()
    before = three_photos.photos()
    (three_photos.folder / "2.jpg").write_bytes(jpeg(50))
    three_photos.build()
    after = three_photos.photos()
    assert after["Two"]["sha256"] != before["Two"]["sha256"]
    assert after["One"] == before["One"] and after["Three"] == before["Three"]
    assert three_photos.files() == three_photos.accounted_for()
