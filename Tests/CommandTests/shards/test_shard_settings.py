"""The settings of shared builds: which can be used together, and pictures that stay in the store."""

import json
import re

import pytest
from gallery import contents_of
from pictures import jpeg
from workers import CLOCK, Workers

IMAGES = "https://pictures.example.org:8443/work/images/"


@pytest.fixture
def workers(gallery):
    """A gallery of three local photos and one that fails, in two shards."""
    for number in range(1, 4):
        (gallery.folder / f"{number}.jpg").write_bytes(jpeg(number, width=900, height=600))
    gallery.list({"One": "1.jpg", "Two": "2.jpg", "Gone": "gone.jpg", "Three": "3.jpg"})
    return Workers(gallery, 2)


@pytest.mark.parametrize("share", ["0/8", "9/8", "8/0", "-1/8", "1/100001", "1", "1/", "/8", "1/8/2", "1 /8", "a/b"])
def test_a_wrong_share_exits_with_64_and_what_is_allowed_is_said(workers, share):
    run = workers.gallery.build(f"--shard={share}", "--store", "store", expect=64)
    assert f"--shard: '{share}' is not allowed; expected a shard such as 3/8" in run.err
    assert not workers.store.exists()


@pytest.mark.parametrize("number", ["0", "-1", "100001", "many"])
def test_a_wrong_number_of_shards_exits_with_64(workers, number):
    run = workers.gallery.run("shards", "--store", "store", f"--of={number}")
    assert run.code == 64 and number in run.err
    assert not workers.store.exists()


def test_shards_without_a_store_or_a_number_exits_with_64(workers):
    run = workers.gallery.run("shards", "--of", "8")
    assert run.code == 64 and "--store" in run.err
    run = workers.gallery.run("shards", "--store", "store")
    assert run.code == 64 and "--of" in run.err


@pytest.mark.parametrize("options", [("--shard", "1/2"), ("--images-at", IMAGES), ("--store-originals",)])
def test_a_setting_that_needs_a_store_exits_with_64_without_one(workers, options):
    run = workers.gallery.build(*options, expect=64)
    assert f"{options[0]} needs --store" in run.err


@pytest.mark.parametrize("options", [
    ("--live",), ("--watch",), ("--publish", "elsewhere"), ("--dry-run",), ("--explain",), ("--images-at", IMAGES)])
def test_a_setting_that_a_shard_can_not_have_exits_with_64(workers, options):
    run = workers.gallery.build("--shard", "1/2", "--store", "store", *options, expect=64)
    assert f"{options[0]} can't be used with --shard" in run.err
    assert not workers.store.exists()


@pytest.mark.parametrize("option", ["--live", "--watch"])
def test_a_setting_that_a_site_of_shards_can_not_have_exits_with_64(workers, option):
    run = workers.gallery.build("--store", "store", option, expect=64)
    assert f"{option} can't be used with --store" in run.err


@pytest.mark.parametrize("store", ["ftp://example.org/work", "s3://", "s3://Bad_Bucket/x", "host:/work", ""])
def test_a_store_of_another_kind_exits_with_64(workers, store):
    run = workers.gallery.build(f"--store={store}", "--shard", "1/2", expect=64)
    assert "--store" in run.err


def test_settings_in_the_file_are_named_as_there_and_its_store_is_relative_to_it(workers):
    (workers.gallery.folder / "gallerygen.yaml").write_text("store: work\nlive: true\n")
    run = workers.gallery.build("--shard", "1/2", expect=78)
    assert run.err == "gallerygen: gallerygen.yaml:2:1: live can't be used with --shard\n"
    (workers.gallery.folder / "gallerygen.yaml").write_text("store: work\n")
    above = workers.gallery.folder.parent
    run = workers.gallery.program.run("build", "--shard", "1/2", "gallery/photos.plist", cwd=above)
    assert run.code == 0, run.output
    assert (workers.gallery.folder / "work/shards").is_dir()


def test_what_would_be_done_with_the_store_can_be_shown(workers):
    workers.work(1)
    run = workers.gallery.run("build", "--store", workers.store, "--dry-run", env=CLOCK)
    assert run.code == 0, run.output
    assert not workers.gallery.site.exists()


def test_strict_tells_of_failed_photos(workers):
    codes = sorted(
        workers.gallery.run(*workers.arguments(index, "--strict"), env=CLOCK).code for index in (1, 2))
    assert codes == [0, 1]
    assert workers.shards(form="array").out == "", "a failed photo does not make its shard incomplete"
    workers.publish("--strict", expect=1)
    assert workers.states()["Gone"] == "failed"


def test_strict_tells_of_photos_that_no_shard_has_done(workers):
    workers.gallery.list({"One": "1.jpg", "Two": "2.jpg", "Three": "3.jpg"})
    workers.store.mkdir()
    workers.publish()
    workers.publish("--strict", expect=1)
    workers.work()
    workers.publish("--strict")


def test_messages_of_a_shard_say_what_was_done(workers, web):
    # Local files are looked at again as long as they are new.
    for number in range(1, 4):
        (web.root / f"{number}.jpg").write_bytes(jpeg(number))
    photos = {f"Photo {number}": web.url(f"{number}.jpg") for number in range(1, 4)}
    workers.gallery.list(photos | {"Gone": web.url("gone.jpg")})
    runs = [workers.work(index) for index in (1, 2)]
    lines = [run.err.splitlines() for run in runs]
    assert all(f"Shard {index}/2 is complete in {workers.store}" in run.err for index, run in enumerate(runs, 1))
    assert sum("Gone" in line and "photos.plist" in line for line in sum(lines, [])) == 1
    with_failure = 1 if any("Gone" in line for line in lines[0]) else 2
    last = json.loads(workers.work(with_failure, options=("--log-format", "json")).err.splitlines()[-1])
    assert (last["shard"], last["store"], last["worked"]) == (f"{with_failure}/2", str(workers.store), 1)


@pytest.fixture
def referring(workers):
    """A site whose pictures stay in the store."""
    workers.work()
    workers.publish("--images-at", IMAGES, "--base-url", "https://example.org/photos/", "--formats", "jpeg")
    return workers


def test_pages_refer_to_pictures_in_the_store_and_the_site_has_none(referring):
    assert not (referring.site / "images").exists()
    stored = {path.name for path in referring.pictures()}
    named = set()
    for path in referring.site.rglob("*"):
        if path.suffix in (".html", ".xml", ".js", ".json") and not path.name.startswith("viewer"):
            text = path.read_text()
            assert not re.search(r'(?<![\w/])(\.\./)*images/[0-9a-f]{16}', text), f"{path} refers to its own pictures"
            named |= set(re.findall(re.escape(IMAGES) + r"([0-9a-f]+-\d+\.jpg)", text))
    assert named == stored
    page = (referring.site / "photo/one.html").read_text()
    assert re.search(rf'srcset="{IMAGES}\S+ 400w, {IMAGES}\S+ 800w', page)
    assert f'<meta property="og:image" content="{IMAGES}' in page
    assert IMAGES in (referring.site / "feed.xml").read_text()
    assert IMAGES in (referring.site / "index.html").read_text()


def test_each_policy_allows_pictures_of_that_host_and_nothing_else_new(referring):
    pages = list(referring.site.rglob("*.html"))
    assert pages
    for page in pages:
        policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page.read_text())[1]
        assert "img-src 'self' https://pictures.example.org:8443;" in policy
        assert policy.count("https:") == 1


def test_status_json_gives_the_addresses_of_pictures(referring):
    photo = referring.status()["photos"][0]
    assert all(image["path"].startswith(IMAGES) for image in [*photo["images"], photo["original"]])


def test_a_site_can_go_from_its_own_pictures_to_those_of_the_store_and_back(referring):
    referring.publish()
    assert contents_of(referring.site) == referring.alone()
    referring.publish("--images-at", IMAGES)
    assert not (referring.site / "images").exists()


def test_an_address_of_pictures_is_http_and_has_no_secrets(workers):
    for address in ("ftp://example.org/", "images/", "https://me:SECRET@example.org/", "javascript:alert(1)"):
        run = workers.gallery.build("--store", "store", "--images-at", address, expect=64)
        assert "--images-at" in run.err and "SECRET" not in run.output
