"""Builds that several machines share: the site is that of one machine, and each shard is known to be complete or
missing."""

import hashlib
import json

import pytest
from gallery import contents_of
from PIL import Image
from pictures import encoded, jpeg
from workers import CLOCK, Workers


@pytest.fixture
def collection(gallery, web):
    """A gallery with a photo of every kind."""
    for number in range(12):
        (web.root / f"{number}.jpg").write_bytes(jpeg(number, width=500, height=375))
    (web.root / "page.jpg").write_text("<!doctype html><p>Gone")
    (web.root / "cut.jpg").write_bytes(jpeg(20)[:700])
    glass = Image.radial_gradient("L").resize((300, 200))
    (web.root / "glass.png").write_bytes(encoded(Image.merge("RGBA", [glass, glass, glass, glass]), "PNG"))
    (gallery.folder / "here.jpg").write_bytes(jpeg(30))
    web_photos = {f"Photo {number}": web.url(f"{number}.jpg") for number in range(8)}
    gallery.list(web_photos | {
        "Glass": web.url("glass.png"),
        "Gone": web.url("none.jpg"),
        "A page": web.url("page.jpg"),
        "Cut off": web.url("cut.jpg"),
        "No address": 7,
        "Here": "here.jpg",
        "Not here": "nowhere.jpg",
        "Again": web.url("0.jpg"),
        "Mirrored": {"url": [web.url("none-either.jpg"), web.url("8.jpg")]},
        "Grey": {"url": web.url("9.jpg"), "filter": "grayscale(1)", "caption": "Without colour", "tags": ["grey"]},
        "Pinned": {"url": web.url("10.jpg"), "sha256": digest(jpeg(10, width=500, height=375))},
        "Exchanged": {"url": web.url("11.jpg"), "sha256": digest(b"another")},
        "Lakes": {"One": web.url("fresh/1.jpg"), "Deep": {"Photo 2": web.url("2.jpg"), "Gone": web.url("gone.jpg")}},
    })
    return Workers(gallery, 4)


#: So many that no shard of three is empty: the port of the server, which is part of the addresses, is never the same.
PHOTOS = 48


@pytest.fixture
def three_shards(gallery, web):
    """A gallery in three shards."""
    for number in range(PHOTOS):
        (web.root / f"{number}.jpg").write_bytes(jpeg(number))
    gallery.list({f"Photo {number}": web.url(f"{number}.jpg") for number in range(PHOTOS)})
    return Workers(gallery, 3)


def digest(content):
    return hashlib.sha256(content).hexdigest()


@pytest.mark.parametrize("options", [
    (), ("--formats", "jpeg,webp", "--filter", "none"), ("--widths", "100,200", "--no-originals"),
    ("--shard-by", "host", "--base-url", "https://example.org/photos/", "--per-page", "5"),
    ("--store-originals", "--keep-versions", "0")], ids=lambda options: options and options[0] or "default")
def test_the_site_of_four_shards_is_byte_for_byte_that_of_one_machine(collection, options):
    collection.work(options=options)
    collection.publish(*options)
    single = [option for option in options if option not in ("--shard-by", "host", "--store-originals")]
    assert contents_of(collection.site) == collection.alone(*single)
    counts = collection.status()["counts"]
    assert (counts["new"], counts["failed"]) == (0, 7)


def test_photos_of_a_missing_shard_are_shown_as_new_until_it_is_complete(three_shards):
    three_shards.work(1, 3)
    three_shards.publish()
    new = {name for name, state in three_shards.states().items() if state == "new"}
    assert 0 < len(new) < PHOTOS
    assert three_shards.status()["counts"]["filtered"] == PHOTOS - len(new)
    three_shards.work(2)
    three_shards.publish()
    assert contents_of(three_shards.site) == three_shards.alone()


def test_missing_shards_are_named_in_each_form_and_the_exit_code_is_one(three_shards):
    three_shards.store.mkdir()
    run = three_shards.shards(expect=1)
    assert run.out == "1/3  missing\n2/3  missing\n3/3  missing\n"
    assert three_shards.shards(form="array", expect=1).out == "1-3\n"
    three_shards.work(2)
    run = three_shards.shards(expect=1)
    lines = run.out.splitlines()
    assert [lines[0], lines[2]] == ["1/3  missing", "3/3  missing"]
    photos = json.loads(three_shards.shards(form="json", expect=1).out)["complete"][0]["photos"]
    assert lines[1] == f"2/3  complete  2023-11-14T22:13:20Z  {photos} photos"
    assert run.err == "1 of 3 shards complete; missing: 1,3.\n"
    assert three_shards.shards(form="array", expect=1).out == "1,3\n"
    assert three_shards.shards(form="lines", expect=1).out == "1\n3\n"
    assert json.loads(three_shards.shards(form="json", expect=1).out) == {
        "count": 3, "missing": [1, 3],
        "complete": [{"shard": 2, "completed": "2023-11-14T22:13:20Z", "photos": photos, "failed": 0}]}


def test_complete_shards_have_nothing_missing_in_any_form(three_shards):
    three_shards.work()
    assert three_shards.shards().err == "All 3 shards are complete.\n"
    assert three_shards.shards("--quiet").err == ""
    assert three_shards.shards(form="array").out == three_shards.shards(form="lines").out == ""
    document = json.loads(three_shards.shards(form="json").out)
    assert document["missing"] == [] and sum(row["photos"] for row in document["complete"]) == PHOTOS
    # Another number of shards is another division of the same photos, of which none is missing but every shard is.
    three_shards.of = 2
    assert three_shards.shards(form="array", expect=1).out == "1-2\n"


def test_shards_of_another_number_use_the_photos_that_are_done(three_shards, web):
    three_shards.work(1)
    done = len(web.new_requests())
    three_shards.of = 2
    three_shards.work()
    assert len(web.new_requests()) == PHOTOS - done
    three_shards.publish()
    assert contents_of(three_shards.site) == three_shards.alone()


def test_a_photo_stays_in_its_shard_when_the_list_changes(three_shards, web):
    before = three_shards.members()
    photos = {f"Photo {number}": web.url(f"{number}.jpg") for number in (11, 30, 5, 0, 47, 9, 1)}
    three_shards.gallery.list({"First": web.url("new.jpg")} | photos | {"Album": {"Last": web.url("2.jpg")}})
    after = three_shards.members()
    assert {name: after[name] for name in photos} == {name: before[name] for name in photos}
    # A photo with another name or album has the same address, which decides.
    assert after["Last"] == before["Photo 2"]
    assert len(set(before.values())) == 3


def test_the_photos_of_a_host_are_in_one_shard(three_shards, web):
    addresses = {f"Photo {number}": web.url(f"{number}.jpg") for number in range(12)}
    others = {f"Other {number}": web.url(f"{number}.jpg").replace("127.0.0.1", "localhost") for number in range(12)}
    three_shards.gallery.list(addresses | others)
    members = three_shards.members("--shard-by", "host")
    assert len(members) == 24
    for names in (addresses, others):
        assert len({members[name] for name in names}) == 1


def test_a_store_of_another_division_is_not_taken_for_this_one(three_shards):
    three_shards.work(options=("--shard-by", "host"))
    assert three_shards.shards(form="array", expect=1).out == "1-3\n"
    assert three_shards.shards("--shard-by", "host", form="array").out == ""


@pytest.mark.parametrize("option", [
    ("--quality", "50"), ("--filter", "sepia(0.5)"), ("--widths", "100"), ("--formats", "jpeg,webp"),
    ("--no-originals",)], ids=lambda option: option[0])
def test_with_another_setting_of_pictures_all_shards_are_missing_and_all_photos_new(three_shards, option):
    three_shards.work()
    assert three_shards.shards(*option, form="array", expect=1).out == "1-3\n"
    three_shards.publish(*option)
    assert set(three_shards.states().values()) == {"new"}
    three_shards.work(options=option)
    three_shards.publish(*option)
    assert contents_of(three_shards.site) == three_shards.alone(*option)
    # The results for the first setting are still there.
    three_shards.shards()
    three_shards.publish()
    assert set(three_shards.states().values()) == {"filtered"}


def test_settings_of_pages_alone_need_no_new_shards(three_shards, web):
    three_shards.work()
    web.new_requests()
    options = ("--title", "Other", "--per-page", "5", "--language", "de")
    three_shards.publish(*options)
    assert web.new_requests() == []
    assert contents_of(three_shards.site) == three_shards.alone(*options)


def test_a_changed_caption_needs_no_new_shards(three_shards, web):
    three_shards.work()
    three_shards.gallery.list({
        f"Photo {number}": {"url": web.url(f"{number}.jpg"), "caption": "New"} for number in reversed(range(PHOTOS))})
    three_shards.shards()
    three_shards.publish()
    assert contents_of(three_shards.site) == three_shards.alone()


def test_a_shard_publishes_no_page_and_keeps_nothing_but_its_ledger(three_shards):
    three_shards.work()
    assert not three_shards.gallery.site.exists()
    kept = {path.name for path in three_shards.gallery.folder.rglob("state-of-*/**/*") if path.is_file()}
    assert {name for name in kept if not name.startswith("ledger")} <= {"lock", ".gitignore"}, kept


def test_a_second_run_has_nothing_to_do(three_shards, web):
    three_shards.work()
    three_shards.publish()
    web.new_requests()
    stored = contents_of(three_shards.store)
    run = three_shards.work(1)
    assert len(run.lines()) == 1 and "nothing was left to do" in run.err
    assert three_shards.work(2, options=("--quiet",)).output == ""
    site = contents_of(three_shards.site)
    assert "Nothing to do" in three_shards.publish().err
    assert three_shards.publish("--quiet").output == ""
    assert web.new_requests() == []
    assert (contents_of(three_shards.store), contents_of(three_shards.site)) == (stored, site)


def test_a_shard_can_be_named_in_the_environment(three_shards):
    run = three_shards.gallery.run("build", env=CLOCK | {
        "GALLERYGEN_SHARD": "2/3", "GALLERYGEN_STORE": str(three_shards.store)})
    assert run.code == 0 and "Shard 2/3 is complete" in run.err
    assert three_shards.shards(form="array", expect=1).out == "1,3\n"


def test_originals_are_stored_on_request_alone(three_shards, web):
    three_shards.work(1)
    assert not (three_shards.store / "originals").exists()
    three_shards.work(2, options=("--store-originals",))
    stored = {path.name: digest(path.read_bytes()) for path in (three_shards.store / "originals").iterdir()}
    assert stored and all(name == content for name, content in stored.items())


def test_each_record_has_the_facts_of_its_address(three_shards):
    three_shards.work()
    for path in three_shards.records():
        sources = json.loads(path.read_text())["sources"]
        assert len(sources) == 1 and sources[0]["etag"]


def test_many_addresses_with_the_same_picture_are_all_shown(gallery, web):
    """A worker removes originals and pictures that the store has, which other photos of the shard may need, too."""
    photos = {}
    for number in range(150):
        (web.root / f"{number}.jpg").write_bytes(jpeg(number % 2, width=1000, height=800))
        photos[f"Photo {number}"] = web.url(f"{number}.jpg")
    workers = Workers(gallery, 1)
    gallery.list(photos)
    workers.work(options=("--widths", "50,100,150"))
    workers.publish("--widths", "50,100,150")
    assert set(workers.states().values()) == {"filtered"}
    assert contents_of(workers.site) == workers.alone("--widths", "50,100,150")
