"""`gallerygen init --from`: makes a list that can be built from each kind of source."""

import json
import os
import plistlib
import re
import sys

import pytest
from pictures import jpeg
from scripted_server import picture

PAGE = '<html><base href="pics/"><a href="{0}.jpg"><img src="small.jpg" alt="Caption"></a></html>'
FEED = ('<rss version="2.0"><channel><item><title>Lake</title><description>Caption</description>'
        '<enclosure url="pics/{0}.jpg" type="image/jpeg"/></item></channel></rss>')
CANVAS = {"type": "Canvas", "label": {"none": ["Lake"]}, "summary": {"en": ["Caption"]}, "items": [{"items": [
    {"body": {"type": "Image", "id": "pics/{0}.jpg"}}]}]}
IIIF = json.dumps({"@context": "http://iiif.io/api/presentation/3/context.json", "type": "Manifest",
                   "items": [CANVAS]}).replace("{0}", "lake")
STATUS = json.dumps({"schema": 1, "generator": "gallerygen 1", "photos": [
    {"name": "Lake", "album": [], "source": "lake.jpg", "images": [{"path": "pics/lake.jpg"}], "original": None}]})

SOURCES = {
    "list.txt": "# mine\npics/{0}.jpg\n",
    "list.csv": "\ufeffname;file;caption\nLake;pics/{0}.jpg;\"Caption\"\n",
    "list.json": '[{"name": "Lake", "url": "pics/{0}.jpg", "caption": "Caption"}]',
    "list.jsonl": '{"name": "Lake", "url": "pics/{0}.jpg", "caption": "Caption"}\n',
    "feed.xml": FEED, "page.html": PAGE, "iiif.json": IIIF, "status.json": STATUS,
}


def text(name):
    return SOURCES[name].replace("{0}", "lake")


@pytest.fixture
def empty(gallery):
    """A folder without a list."""
    gallery.manifest.unlink(missing_ok=True)
    return gallery


@pytest.mark.parametrize("name", SOURCES)
def test_a_file_becomes_a_list_that_checks_and_builds(empty, name):
    pics = empty.folder / "in/pics"
    pics.mkdir(parents=True)
    (pics / "lake.jpg").write_bytes(jpeg(1))
    (empty.folder / "in" / name).write_text(text(name), encoding="utf-8")
    run = empty.run("init", "--from", f"in/{name}")
    assert run.code == 0, run.output
    assert "with 1 photo" in run.err
    assert empty.run("check", "--strict").code == 0
    empty.build("--strict")
    (photo,) = plistlib.loads(empty.manifest.read_bytes())
    assert photo["url"] == "in/pics/lake.jpg"
    assert name in ("list.txt", "status.json") or photo["caption"] == "Caption"


@pytest.mark.parametrize("name", ["list.txt", "list.csv", "feed.xml", "page.html", "iiif.json"])
def test_a_source_at_a_url_is_fetched_and_its_relative_addresses_are_resolved_there(empty, scripted, name):
    scripted.on("/in/" + name, picture(text(name).encode(), kind="text/plain"))
    scripted.on("/in/pics/lake.jpg", picture(jpeg(1)))
    run = empty.run("init", "--from", scripted.url("/in/" + name))
    assert run.code == 0, run.output
    empty.build("--strict")
    (photo,) = plistlib.loads(empty.manifest.read_bytes())
    assert photo["url"] == scripted.url("/in/pics/lake.jpg")


@pytest.mark.parametrize("kind, caption", [
    ("text/html; charset=Shift_JIS", "夕暮れの湖"),
    ("text/html; charset=none-such", "夕暮れの湖".encode("shift_jis").decode("windows-1252", "replace")),
])
def test_a_known_charset_of_the_content_type_is_used_for_a_page(empty, scripted, kind, caption):
    page = '<html><img src="lake.jpg" alt="夕暮れの湖"></html>'.encode("shift_jis")
    scripted.on("/page", picture(page, kind=kind))
    run = empty.run("init", "--from", scripted.url("/page"))
    assert run.code == 0, run.output
    (photo,) = plistlib.loads(empty.manifest.read_bytes())
    assert photo["caption"] == caption


def test_a_folder_becomes_a_list_with_albums(empty):
    for path in ("b.jpg", "Trip/a.jpg", "Trip/Deep/c.JPG"):
        (empty.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (empty.folder / path).write_bytes(jpeg(len(path)))
    (empty.folder / "x.heic").write_bytes(b"\0\0\0\x18ftypheic\0\0\0\0mif1heic")
    run = empty.run("init", "--from", ".")
    assert run.code == 0, run.output
    assert "1 HEIC picture is left out; convert it with heif-convert" in run.err
    assert empty.run("check", "--strict").code == 0
    empty.build("--strict")
    assert {name: photo["album"] for name, photo in empty.photos().items()} == {
        "b": [], "a": ["Trip"], "c": ["Trip", "Deep"]}
    before = empty.manifest.read_bytes()
    assert empty.run("init", "--from", ".", "--update").code == 0
    assert empty.manifest.read_bytes() == before, "the folder of the site is not imported as an album"


def test_a_subfolder_that_cannot_be_read_marks_no_entry_and_brings_none_back(empty, tmp_path):
    for path in ("a.jpg", "sub/b.jpg", "sub/c.jpg"):
        (empty.folder / path).parent.mkdir(exist_ok=True)
        (empty.folder / path).write_bytes(jpeg(1))
    assert empty.run("init", "--from", ".").code == 0
    edited, count = re.subn(r"<key>c</key>\s*<dict>.*?</dict>\s*", "", empty.manifest.read_text(), flags=re.S)
    assert count == 1
    empty.manifest.write_text(edited)
    unreadable = [
        "strace", "-f", "-o", tmp_path / "trace", "-P", empty.folder / "sub", "-e", "trace=openat", "-e",
        "inject=openat:error=EACCES"]
    run = empty.run("init", "--from", ".", "--update", prefix=unreadable)
    assert run.code == 0 and "sub can't be read and is left out" in run.err, run.output
    assert empty.manifest.read_text() == edited
    assert empty.run("init", "--from", ".", "--update").code == 0
    assert empty.manifest.read_text() == edited


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_files_and_folders_whose_names_are_not_utf_8_are_counted(empty):
    (empty.folder / "a.jpg").write_bytes(jpeg(1))
    (empty.folder / os.fsdecode(b"K\xfcche.jpg")).write_bytes(jpeg(2))
    (empty.folder / os.fsdecode(b"B\xe4ume")).mkdir()
    run = empty.run("init", "--from", ".")
    assert run.code == 0, run.output
    assert "2 files are left out, because a list can't hold their names" in run.err


def test_standard_input_can_be_the_source(empty):
    (empty.folder / "a.jpg").write_bytes(jpeg(1))
    assert empty.run("init", "--from", "-", stdin=b"a.jpg\n").code == 0
    empty.build("--strict")


def test_update_adds_new_photos_marks_missing_ones_and_keeps_edits(empty):
    source = empty.folder / "list.txt"
    source.write_text("a.jpg\nb.jpg\n")
    assert empty.run("init", "--from", "list.txt").code == 0
    edited = empty.manifest.read_text().replace("<string>a.jpg</string>", "<string>a.jpg</string><!-- mine -->")
    empty.manifest.write_text(edited)
    empty.manifest.chmod(0o640)
    assert empty.run("init", "--from", "list.txt").code == 73
    assert empty.manifest.read_text() == edited
    source.write_text("a.jpg\nc.jpg\n")
    run = empty.run("init", "--from", "list.txt", "--update")
    assert run.code == 0 and "1 added, 1 no longer in the source" in run.err, run.output
    updated = empty.manifest.read_text()
    assert "<string>a.jpg</string><!-- mine -->" in updated and "no longer in the source, since" in updated
    assert [photo["url"] for photo in plistlib.loads(updated.encode())] == ["a.jpg", "c.jpg", "b.jpg"]
    assert empty.manifest.stat().st_mode & 0o777 == 0o640
    inode = empty.manifest.stat().st_ino
    assert "up to date" in empty.run("init", "--from", "list.txt", "--update").err
    assert empty.manifest.stat().st_ino == inode


def test_a_source_from_the_network_adds_no_address_on_a_private_server(empty, scripted):
    lines = ["a.jpg", "http://127.0.0.1:1/b.jpg", "http://localhost/c.jpg", "http://10.0.0.1/d.jpg", "file:///e.jpg",
             "http://169.254.169.254/f.jpg"]
    scripted.on("/list", picture("\n".join(lines).encode(), kind="text/plain"))
    run = empty.run("init", "--from", scripted.url("/list"))
    assert run.code == 0, run.output
    assert [photo["url"] for photo in plistlib.loads(empty.manifest.read_bytes())] == [scripted.url("/a.jpg")]
    assert "4 of its addresses are on private servers" in run.err


@pytest.mark.parametrize("name, content, code, message", [
    ("missing", None, 66, "no such file or folder"),
    ("a.csv", b'name,file\n"a', 65, "a.csv:2:1: this quote never ends"),
    ("a.csv", b"x,y\n1,2", 65, "no column has addresses"),
    ("a.json", b"[1,", 65, "a.json:1:4: broken JSON"),
    ("a.xml", b"<rss><channel>", 65, "a.xml:1: broken XML"),
    ("a.html", b"<html>no pictures", 65, "a web page without a picture"),
    ("a.pdf", b"%PDF-1.7 ", 65, "a PDF document"),
    ("a.plist", b"<plist version='1.0'><dict/></plist>", 65, "a property list already"),
    ("a.bin", b"\x01\x00\x02" * 1000, 65, "a binary file"),
])
def test_a_source_without_photos_is_refused_with_a_message_and_nothing_is_written(empty, name, content, code, message):
    if content is not None:
        (empty.folder / name).write_bytes(content)
    before = sorted(path.name for path in empty.folder.iterdir())
    run = empty.run("init", "--from", name)
    assert run.code == code, run.output
    assert message in run.err
    assert sorted(path.name for path in empty.folder.iterdir()) == before


def test_a_cover_a_note_and_a_second_list_in_json_mark_no_entry(empty):
    source = empty.folder / "list.json"
    photos = [{"url": "1.jpg"}, {"url": "2.jpg"}]
    source.write_text(json.dumps({"title": "Home", "photos": photos}))
    assert empty.run("init", "--from", "list.json").code == 0
    albums = [{"title": "Iceland", "url": "https://example.org/iceland", "photos": [{"url": "3.jpg"}]}]
    source.write_text(json.dumps({
        "title": "Home", "cover": "0.jpg", "note": "", "url": "https://example.org/", "photos": photos,
        "albums": albums}))
    run = empty.run("init", "--from", "list.json", "--update")
    assert run.code == 0, run.output
    assert "1 photo" in run.err and "no longer" not in empty.manifest.read_text()
    assert [photo["url"] for photo in plistlib.loads(empty.manifest.read_bytes())] == ["1.jpg", "2.jpg", "3.jpg"]


def test_update_needs_a_source(empty):
    assert empty.run("init", "--update").code == 64


@pytest.mark.parametrize("command", ["build", "check"])
def test_for_a_file_that_is_no_list_the_message_contains_the_command_that_imports_it(empty, command):
    (empty.folder / "sub dir").mkdir()
    (empty.folder / "a.jpg").write_bytes(jpeg(1))
    for name in SOURCES:
        (empty.folder / name).write_text(text(name), encoding="utf-8")
        run = empty.run(command, name)
        assert run.code == 65 and run.err.endswith(f"\n  gallerygen init --from {name}\n"), run.output
    run = empty.run(command, "a.jpg")
    assert run.code == 65 and run.err.endswith("\n  gallerygen init --from .\n"), run.output
    run = empty.run(command, "sub dir")
    assert run.code == 66 and run.err.endswith("\n  gallerygen init --from 'sub dir'\n"), run.output


def test_check_names_a_program_that_converts_a_picture_of_an_unsupported_format(empty):
    (empty.folder / "a.heic").write_bytes(b"\0\0\0\x18ftypheic\0\0\0\0mif1heic")
    empty.list({"A": "a.heic"})
    run = empty.run("check")
    assert "unsupported-format" in run.err and "heif-convert" in run.err, run.output


def test_a_source_that_has_only_addresses_on_private_servers_gives_no_list(empty, scripted):
    scripted.on("/list", picture(b"http://127.0.0.1:1/b.jpg\nhttp://10.0.0.1/d.jpg\n", kind="text/plain"))
    run = empty.run("init", "--from", scripted.url("/list"))
    assert run.code == 65, run.output
    assert "all its addresses are on private servers; save it as a file and import that" in run.err
    assert not empty.manifest.exists()
    (empty.folder / "saved.txt").write_bytes(b"http://10.0.0.1/d.jpg\n")
    assert empty.run("init", "--from", "saved.txt").code == 0
