"""The files of the site: their names, formats and links, and that builds are reproducible."""

import json
import re
import shutil
import xml.etree.ElementTree
from datetime import datetime
from urllib.parse import urlsplit

import known_files
import pytest
from gallery import Gallery
from pictures import jpeg

CLOCK = {"SOURCE_DATE_EPOCH": "1700000000"}
STATUS_KEYS = ["schema", "generator", "title", "updated", "counts", "photos"]
PHOTO_KEYS = [
    "name", "slug", "album", "source", "state", "reason", "since", "stale", "marks", "width", "height", "images",
    "original", "page", "sha256"]


@pytest.fixture
def albums(samples):
    """A gallery of some samples, in albums and with details."""
    photos = {"Aizkorri": "autumn-mountain.jpg"}
    photos["Animals"] = {
        "Birds": {"Nuthatch": "nuthatch.jpg"},
        "Dogs": "two-dogs-orientation6.jpg",
        "Dragonfly": "dragonfly-orientation8.jpg",
    }
    photos["Plants"] = [
        {"name": "Tulips", "url": "tulips-vignette-alpha.png", "caption": "An oval", "credit": "riaphotographs",
         "license": "CC0 1.0", "tags": ["pink", "spring"], "alt": "Pink tulips", "link": "https://example.org/tulips"},
        {"name": "Plum", "url": "plum-blossom.png"}, {"name": "Rose", "url": "no-rose.png"}]
    return samples.list(photos)


def test_the_site_of_the_samples_has_sixteen_photos_and_two_placeholders(samples):
    samples.build()
    assert samples.status()["counts"] == {"new": 0, "downloaded": 0, "filtered": 16, "failed": 2, "stale": 0}
    assert samples.reasons() == {"The Far Lighthouse": "missing-file", "Old Windmill": "missing-file"}
    assert samples.files() == samples.accounted_for()


def test_the_apps_list_shows_icons_with_their_downloads(samples):
    samples.build("apps.plist")
    status = samples.status()
    assert [photo["name"] for photo in status["photos"]][:3] == ["Rill", "Blossom Diary", "Birdsong Finder"]
    assert samples.reasons() == {"Harbour Lights": "missing-file"}
    assert "12,480 downloads" in samples.page("index.html").text + samples.page(status["photos"][0]["page"]).text


def test_the_samples_can_be_downloaded_from_a_web_server(samples, web):
    shutil.copytree(known_files.SAMPLES, web.root, dirs_exist_ok=True)
    template = (known_files.SAMPLES / "classic-photos-http.plist.in").read_text()
    samples.manifest.write_text(template.replace("@BASE@", web.url().rstrip("/")))
    samples.build()
    assert samples.reasons() == {"The Far Lighthouse": "not-found"}
    assert samples.status()["counts"]["filtered"] == 16


def test_status_json_has_the_members_of_schema_1_in_their_order(albums):
    albums.build("--title", "Album", env=CLOCK)
    status = albums.status()
    assert list(status) == STATUS_KEYS
    assert status["schema"] == 1
    assert re.fullmatch(r"gallerygen \d+\.\d+\.\d+\S*", status["generator"])
    assert (status["title"], status["updated"]) == ("Album", "2023-11-14T22:13:20Z")
    for photo in status["photos"]:
        assert list(photo) == PHOTO_KEYS
        datetime.strptime(photo["since"], "%Y-%m-%dT%H:%M:%SZ")
        if photo["state"] == "failed":
            assert list(photo["reason"]) == ["code", "message"]
            assert photo["images"] == [] and photo["original"] is None
        else:
            assert photo["reason"] is None
            assert re.fullmatch("[0-9a-f]{64}", photo["sha256"])
            for image in [*photo["images"], photo["original"]]:
                assert list(image) == ["width", "height", "path", "bytes"]
                assert re.fullmatch(r"images/[0-9a-f]+-\d+\.(jpg|png)", image["path"])
        assert photo["page"] == f"photo/{photo['slug']}.html"
    assert [photo["album"] for photo in status["photos"]][:3] == [[], ["Animals", "Birds"], ["Animals"]]


def test_the_files_of_the_site_have_the_documented_names(albums):
    albums.build("--per-page", "3")
    pattern = re.compile(
        r"index\.html|status\.html|page/\d+\.html|album/[a-z0-9-]+\.html|photo/[a-z0-9-]+\.html|"
        r"images/[0-9a-f]+-\d+\.(jpg|png)"
        r"|assets/[a-z0-9-]+\.[0-9a-f]+\.(css|js|svg)|photos\.js|status\.json|feed\.xml"
    )
    files = albums.files()
    assert [path for path in files if not pattern.fullmatch(path)] == []
    assert {path for path in files if path.startswith("page/")} == {"page/2.html", "page/3.html"}
    assert len([path for path in files if path.startswith("album/")]) == 3
    assert files == albums.accounted_for()


def test_every_link_within_the_site_is_relative_and_its_target_exists(albums):
    albums.build("--per-page", "3")
    files, ids = albums.files(), {}
    for page in albums.pages():
        ids[page.path] = {attributes["id"] for _, attributes in page.elements if "id" in attributes}
        assert page.local_targets(), page.path
        for target in page.local_targets():
            assert target in files, f"{page.path} refers to {target}"
        for tag, name, address in page.addresses():
            parts = urlsplit(address)
            assert not address.startswith("/"), f"{page.path}: {address}"
            assert not parts.scheme or (tag == "a" and parts.scheme in ("http", "https")), f"{page.path}: {address}"
            if parts.fragment and not parts.path:
                assert parts.fragment in ids[page.path], f"{page.path}: {address}"
    for path in files:
        if path.endswith(".css"):
            assert "url(http" not in (albums.site / path).read_text()


def test_every_photo_is_linked_from_a_list_and_from_its_neighbours(albums):
    albums.build("--per-page", "3")
    lists = [page for page in albums.pages() if not page.path.startswith("photo/")]
    linked = {target for page in lists for target in page.local_targets()}
    status = albums.status()
    pages = [photo["page"] for photo in status["photos"]]
    assert set(pages) <= linked
    for earlier, later in zip(pages, pages[1:], strict=False):
        assert albums.page(earlier).has("a", rel="next") and albums.page(later).has("a", rel="prev")


def test_pages_have_a_security_policy_and_pictures_have_sizes_and_alternative_texts(albums):
    albums.build()
    for page in albums.pages():
        assert page.elements[0][0] == "html" and page.elements[0][1]["lang"] == "en"
        policies = [
            a["content"] for tag, a in page.elements if (a.get("http-equiv") or "").lower() == "content-security-policy"
        ]
        assert policies and "default-src 'none'" in policies[0] and "unsafe" not in policies[0]
        for tag, attributes in page.elements:
            assert not [name for name in attributes if name.startswith("on") or name == "style"], page.path
            if tag == "img":
                assert int(attributes["width"]) > 0 and int(attributes["height"]) > 0
                assert "alt" in attributes


def test_the_feed_is_well_formed_and_links_to_the_photos(albums):
    albums.build("--base-url", "https://example.org/gallery/", env=CLOCK)
    feed = xml.etree.ElementTree.parse(albums.site / "feed.xml").getroot()
    atom = {"a": "http://www.w3.org/2005/Atom"}
    titles = [entry.findtext("a:title", namespaces=atom) for entry in feed.findall("a:entry", atom)]
    assert "Tulips" in titles
    for link in feed.iterfind(".//a:entry/a:link", atom):
        if link.get("rel", "alternate") == "alternate":
            assert link.get("href").startswith("https://example.org/gallery/photo/")


@pytest.mark.parametrize("options", [("--jobs", "1", "--downloads", "1"), ("--jobs", "4", "--downloads", "8")])
def test_a_build_of_the_same_manifest_at_the_same_time_in_another_folder_makes_the_same_bytes(
        albums, program, tmp_path, options):
    albums.build(env=CLOCK)
    other = Gallery(tmp_path / "another/folder", program)
    shutil.copytree(
        albums.folder, other.folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("public", ".gallerygen")
    )
    other.build(*options, env=CLOCK | {"TZ": "Pacific/Auckland", "LANG": "tr_TR.UTF-8"})
    assert other.contents() == albums.contents()


def test_incremental_builds_make_the_same_pictures_as_a_single_build(albums, program, tmp_path):
    other = Gallery(tmp_path / "steps", program)
    shutil.copytree(albums.folder, other.folder, dirs_exist_ok=True)
    complete = other.manifest.read_bytes()
    albums.build(env=CLOCK)
    other.list({"Dogs": "two-dogs-orientation6.jpg", "Aizkorri": "nuthatch.jpg"})
    other.build("--filter", "invert(1)", env=CLOCK)
    other.manifest.write_bytes(complete)
    other.build(env=CLOCK)
    assert other.files() == albums.files()
    pictures = {path: digest for path, digest in albums.contents().items() if path.startswith("images/")}
    assert {path: digest for path, digest in other.contents().items() if path.startswith("images/")} == pictures


def test_foreign_files_in_the_output_folder_stay(three_photos):
    three_photos.site.mkdir()
    others = {"robots.txt": b"User-agent: *\n", "photo/mine.txt": b"mine", "images/holiday.jpg": jpeg(9)}
    for path, content in others.items():
        (three_photos.site / path).parent.mkdir(exist_ok=True)
        (three_photos.site / path).write_bytes(content)
    three_photos.build()
    three_photos.list({"One": "1.jpg"}).build()
    for path, content in others.items():
        assert (three_photos.site / path).read_bytes() == content
    assert three_photos.files() == three_photos.accounted_for() | others.keys()


@pytest.mark.quick
def test_a_mistake_in_a_custom_template_exits_with_78_and_is_named(three_photos):
    templates = three_photos.folder / "templates"
    templates.mkdir()
    (templates / "index.mustache").write_text("{{no_such_variable}}\n")
    run = three_photos.run("build", "--templates", templates)
    assert run.code == 78
    assert "index.mustache:1" in run.err and "no_such_variable" in run.err
    assert json.loads(three_photos.run("status", "--json").out)["photos"][0]["state"] == "new"


def test_files_for_search_engines_are_known_as_ours_without_a_ledger_and_go_with_the_address(albums):
    albums.build("--base-url", "https://example.org/", env=CLOCK)
    names = {"sitemap.xml", "robots.txt"}
    assert names < albums.files()
    text = (albums.site / "sitemap.xml").read_text()
    pages = {path for path in albums.files() if path.endswith(".html")} - {"index.html", "status.html"}
    assert all(f"<loc>https://example.org/{page}</loc>" in text for page in pages)
    assert text.count("<loc>") == len(pages) + 1
    shutil.rmtree(albums.state)
    albums.build("--base-url", "https://example.org/photos/", env=CLOCK)
    assert albums.files() & names == {"sitemap.xml"}
    albums.build(env=CLOCK)
    assert not albums.files() & names


def test_an_indented_partial_can_include_itself(gallery):
    (gallery.folder / "1.jpg").write_bytes(jpeg(1))
    gallery.list({"Coast": {"North": {"Cliffs": "1.jpg"}, "Pier": "1.jpg"}})
    templates = gallery.folder / "templates"
    templates.mkdir()
    (templates / "albums.mustache").write_text(
        "{{#albums}}\n<li>{{albumName}}{{#hasAlbums}}\n  <ul>\n    {{>albums}}\n  </ul>{{/hasAlbums}}\n</li>\n"
        "{{/albums}}\n")
    gallery.build("--templates", templates)
    page = (gallery.site / "index.html").read_text()
    assert "<li>Coast\n  <ul>\n    <li>North\n    </li>\n  </ul>\n</li>" in page
