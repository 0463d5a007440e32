"""`gallerygen init --from` of IIIF collections: their manifests become albums, and one that fails loses no other."""

import json
import plistlib

import pytest
from pictures import jpeg
from scripted_server import picture, redirect, status

THIRD = "http://iiif.io/api/presentation/3/context.json"
SECOND = "http://iiif.io/api/presentation/2/context.json"


def manifest(*pictures):
    """A manifest of version 3 with a canvas for each picture, which is labelled by the name of its file."""
    canvases = [{"type": "Canvas", "label": {"none": [name]}, "items": [{"items": [
        {"body": {"type": "Image", "id": name}}]}]} for name in pictures]
    return {"@context": THIRD, "type": "Manifest", "label": {"en": ["Of the manifest"]}, "items": canvases}


def second_manifest(*pictures):
    canvases = [{"label": name, "images": [{"resource": {"@type": "dctypes:Image", "@id": name}}]} for name in pictures]
    return {"@context": SECOND, "@type": "sc:Manifest", "label": "Old", "sequences": [{"canvases": canvases}]}


def collection(*members):
    return {"@context": THIRD, "type": "Collection", "label": {"en": ["All"]}, "items": list(members)}


def member(address, label, kind="Manifest"):
    return {"id": address, "type": kind, "label": {"en": [label]}}


@pytest.fixture
def empty(gallery):
    gallery.manifest.unlink(missing_ok=True)
    return gallery


@pytest.fixture
def serve(scripted):
    def serve(path, document):
        return scripted.on(path, picture(json.dumps(document).encode(), kind="application/json"))
    return serve


def photos(gallery):
    """The addresses of the list by the path of their album, in its order."""
    found = {}

    def read(value, album):
        for name, entry in value.items() if isinstance(value, dict) else ((None, entry) for entry in value):
            if isinstance(entry, dict) and "url" in entry:
                found.setdefault(album, []).append(entry["url"])
            else:
                read(entry, (*album, name))

    read(plistlib.loads(gallery.manifest.read_bytes()), ())
    return found


def test_manifests_become_albums_and_collections_albums_around_them(empty, scripted, serve):
    serve("/m1", manifest("a.jpg", "b.jpg"))
    serve("/m2", second_manifest("c.jpg"))
    serve("/deep/m3", manifest("d.jpg"))
    serve("/inner", {"@context": SECOND, "@type": "sc:Collection", "label": "Inner", "manifests": [
        {"@id": "/deep/m3", "@type": "sc:Manifest", "label": "Third"}]})
    written_out = {"type": "Collection", "label": {"en": ["Here"]}, "items": [member("m1b", "First")]}
    serve("/m1b", manifest("e.jpg"))
    root = serve("/all", collection(
        member("m1", "First"), member("inner", "Named by the collection", "Collection"), member("m2", "First"),
        written_out, member("all", "Itself", "Collection"), member("m1", "Again")))
    for path in ("/a.jpg", "/b.jpg", "/c.jpg", "/deep/d.jpg", "/e.jpg"):
        scripted.on(path, picture(jpeg(len(path))))
    run = empty.run("init", "--from", root)
    assert run.code == 0, run.output
    assert "with 5 photos" in run.err and "warning" not in run.err
    assert photos(empty) == {
        ("First",): [scripted.url("/a.jpg"), scripted.url("/b.jpg")],
        ("Named by the collection", "Third"): [scripted.url("/deep/d.jpg")],
        ("First (2)",): [scripted.url("/c.jpg")],
        ("Here", "First"): [scripted.url("/e.jpg")],
    }
    assert max(scripted.counts().values()) == 1, "each document is asked for once"
    assert empty.run("check", "--strict").code == 0
    empty.build("--strict")


def test_a_manifest_that_fails_is_named_and_the_others_are_listed(empty, scripted, serve):
    serve("/good", manifest("a.jpg"))
    scripted.on("/missing", status(404))
    scripted.on("/page", picture(b"<html>not now</html>", kind="text/html"))
    serve("/sound", manifest())
    root = serve("/all", collection(
        member("missing", "Missing"), member("page", "Page"), member("sound", "Sound"), member("good", "Good")))
    run = empty.run("init", "--from", root)
    assert run.code == 0, run.output
    assert photos(empty) == {("Good",): [scripted.url("/a.jpg")]}
    assert f"left out: {scripted.url('/missing')}: " in run.err and "404" in run.err
    assert f"left out: {scripted.url('/page')}:1:1: broken JSON" in run.err
    assert f"{scripted.url('/sound')}: a IIIF manifest without a picture that can be listed" in run.err


def test_a_collection_of_which_no_manifest_can_be_read_gives_no_list(empty, scripted, serve):
    root = serve("/all", collection(member("missing", "Missing")))
    run = empty.run("init", "--from", root)
    assert run.code == 65, run.output
    assert "no manifest of this IIIF collection could be read" in run.err and scripted.url("/missing") in run.err
    assert not empty.manifest.exists()


def test_an_update_marks_nothing_that_a_failing_manifest_may_still_have(empty, scripted, serve):
    serve("/m1", manifest("a.jpg"))
    serve("/m2", manifest("b.jpg", "removed.jpg"))
    root = serve("/all", collection(member("m1", "One"), member("m2", "Two")))
    assert empty.run("init", "--from", root).code == 0
    listed = empty.manifest.read_text()
    start = listed.index("<dict>", listed.index("b.jpg"))
    end = listed.index("</dict>", start) + len("</dict>")
    assert "removed.jpg" in listed[start:end]
    empty.manifest.write_text(listed[:start] + listed[end:])
    scripted.on("/m2", status(404))
    serve("/m1", manifest("a.jpg", "new.jpg"))
    run = empty.run("init", "--from", root, "--update")
    assert run.code == 0 and "1 added" in run.err and "no longer" not in run.err, run.output
    assert "no longer" not in empty.manifest.read_text()
    serve("/m2", manifest("b.jpg", "removed.jpg"))
    run = empty.run("init", "--from", root, "--update")
    assert "up to date" in run.err, run.output
    assert photos(empty) == {
        ("One",): [scripted.url("/a.jpg"), scripted.url("/new.jpg")], ("Two",): [scripted.url("/b.jpg")]}
    serve("/m2", manifest("removed.jpg"))
    run = empty.run("init", "--from", root, "--update")
    assert "0 added, 1 no longer in the source" in run.err, run.output


def test_a_collection_from_the_network_names_no_private_server(empty, scripted, serve):
    """The server that the user named may be asked again, at its port; no other on this machine, even by a redirect."""
    serve("/m", manifest("a.jpg"))
    other = scripted.port + 1 if scripted.port < 65535 else scripted.port - 1
    scripted.on("/away", redirect(f"http://localhost:{scripted.port}/m"))
    named = [f"http://127.0.0.1:{other}/m", f"http://localhost:{scripted.port}/other", "http://169.254.169.254/m",
             "file:///etc/passwd", "/away"]
    root = serve("/all", collection(member("m", "Mine"), *(member(address, "No") for address in named)))
    run = empty.run("init", "--from", root)
    assert run.code == 0, run.output
    assert photos(empty) == {("Mine",): [scripted.url("/a.jpg")]}
    assert run.err.count("left out:") == 4, run.output
    assert set(scripted.counts()) == {"/all", "/m", "/away"}


def test_a_collection_that_is_a_file_names_files_and_servers(empty, scripted, serve):
    serve("/m", manifest("a.jpg"))
    folder = empty.folder / "saved"
    folder.mkdir()
    (folder / "m.json").write_text(json.dumps(manifest("b.jpg")))
    (folder / "all.json").write_text(json.dumps(collection(
        member("m.json", "Beside it"), member("none.json", "None"), member(scripted.url("/m"), "Served"))))
    run = empty.run("init", "--from", "saved/all.json")
    assert run.code == 0, run.output
    assert photos(empty) == {("Beside it",): ["saved/b.jpg"], ("Served",): [scripted.url("/a.jpg")]}
    assert run.err.count("left out:") == 1 and "saved/none.json" in run.err


def test_a_collection_ends_at_its_bounds(empty, scripted, serve):
    """Collections in collections without end, and more manifests than are read."""
    for depth in range(12):
        serve(f"/c{depth}", collection(member(f"c{depth + 1}", "In", "Collection"), member(f"m{depth}", "M")))
        serve(f"/m{depth}", manifest(f"{depth}.jpg"))
    run = empty.run("init", "--from", scripted.url("/c0"))
    assert run.code == 0, run.output
    assert "only 8 collections within one another are read" in run.err
    assert "/c9" not in scripted.counts() and len(photos(empty)) == 8
    empty.manifest.unlink()
    serve("/m", manifest("a.jpg"))
    root = serve("/many", collection(*(member(f"m?{number}", f"M{number}") for number in range(1200))))
    run = empty.run("init", "--from", root)
    assert run.code == 0, run.output
    assert "only its first 1000 manifests and collections are read" in run.err
    assert len(scripted.requests) < 1100


def test_pages_of_a_collection_belong_to_its_album(empty, scripted, serve):
    serve("/m1", manifest("a.jpg"))
    serve("/m2", manifest("b.jpg"))
    page = {"@context": SECOND, "@type": "sc:Collection"}
    serve("/p1", page | {"manifests": [{"@id": "m1", "@type": "sc:Manifest", "label": "One"}], "next": "p2"})
    serve("/p2", page | {"manifests": [{"@id": "m2", "@type": "sc:Manifest", "label": "Two"}]})
    root = serve("/all", page | {"first": "p1", "total": 2})
    assert empty.run("init", "--from", root).code == 0
    assert list(photos(empty)) == [("One",), ("Two",)]
