"""`gallerygen init --from` with IIIF collections: their manifests become albums. A bad manifest is left out alone."""

import json
import os
import plistlib
import signal

import pytest
from pictures import jpeg
from proxies import Proxy
from scripted_server import held, picture, redirect, response, status
from waiting import TIMEOUT

VERSION_3 = "http://iiif.io/api/presentation/3/context.json"
VERSION_2 = "http://iiif.io/api/presentation/2/context.json"


def manifest(*pictures):
    """A manifest of version 3 with a canvas for each picture. The canvas is labelled with the picture's file name."""
    canvases = [{"type": "Canvas", "label": {"none": [name]}, "items": [{"items": [
        {"body": {"type": "Image", "id": name}}]}]} for name in pictures]
    return {"@context": VERSION_3, "type": "Manifest", "label": {"en": ["Of the manifest"]}, "items": canvases}


def manifest_of_version_2(*pictures):
    canvases = [{"label": name, "images": [{"resource": {"@type": "dctypes:Image", "@id": name}}]} for name in pictures]
    return {"@context": VERSION_2, "@type": "sc:Manifest", "label": "Old", "sequences": [{"canvases": canvases}]}


def collection(*members):
    return {"@context": VERSION_3, "type": "Collection", "label": {"en": ["All"]}, "items": list(members)}


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
    """The addresses in the manifest, in its order, by the path of their album."""
    found = {}

    def read(value, album):
        for name, entry in value.items() if isinstance(value, dict) else ((None, entry) for entry in value):
            if isinstance(entry, dict) and "url" in entry:
                found.setdefault(album, []).append(entry["url"])
            else:
                read(entry, (*album, name))

    read(plistlib.loads(gallery.manifest.read_bytes()), ())
    return found


def test_manifests_become_albums_and_nested_collections_become_their_parent_albums(empty, scripted, serve):
    serve("/m1", manifest("a.jpg", "b.jpg"))
    serve("/m2", manifest_of_version_2("c.jpg"))
    serve("/deep/m3", manifest("d.jpg"))
    serve("/inner", {"@context": VERSION_2, "@type": "sc:Collection", "label": "Inner", "manifests": [
        {"@id": "/deep/m3", "@type": "sc:Manifest", "label": "Third"}]})
    embedded = {"type": "Collection", "label": {"en": ["Here"]}, "items": [member("m1b", "First")]}
    serve("/m1b", manifest("e.jpg"))
    root = serve("/all", collection(
        member("m1", "First"), member("inner", "Named by the collection", "Collection"), member("m2", "First"),
        embedded, member("all", "Itself", "Collection"), member("m1", "Again")))
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
    assert max(scripted.counts().values()) == 1, "each document is requested once"
    assert empty.run("check", "--strict").code == 0
    empty.build("--strict")


def test_a_bad_manifest_is_reported_and_the_others_are_imported(empty, scripted, serve):
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


def test_no_list_is_written_if_no_manifest_of_a_collection_can_be_read(empty, scripted, serve):
    root = serve("/all", collection(member("missing", "Missing")))
    run = empty.run("init", "--from", root)
    assert run.code == 65, run.output
    assert "no manifest of this IIIF collection could be read" in run.err and scripted.url("/missing") in run.err
    assert not empty.manifest.exists()


def test_an_update_marks_no_photo_that_an_unreadable_manifest_may_still_have(empty, scripted, serve):
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


def test_a_collection_from_the_network_leads_to_no_other_private_server(empty, scripted, serve):
    """Only the server and the port that the user named are used. No other port or name of this machine is, even if a
    redirect leads there."""
    serve("/m", manifest("a.jpg"))
    other = scripted.port + 1 if scripted.port < 65535 else scripted.port - 1
    scripted.on("/away", redirect(f"http://localhost:{scripted.port}/m"))
    forbidden = [f"http://127.0.0.1:{other}/m", f"http://localhost:{scripted.port}/other", "http://169.254.169.254/m",
                 "file:///etc/passwd", "/away"]
    root = serve("/all", collection(member("m", "Mine"), *(member(address, "No") for address in forbidden)))
    run = empty.run("init", "--from", root)
    assert run.code == 0, run.output
    assert photos(empty) == {("Mine",): [scripted.url("/a.jpg")]}
    assert run.err.count("left out:") == 4, run.output
    assert set(scripted.counts()) == {"/all", "/m", "/away"}


def test_a_collection_in_a_file_may_refer_to_files_and_servers(empty, scripted, serve):
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


def test_nesting_and_number_of_manifests_are_limited(empty, scripted, serve):
    """The first collection is nested deeper than the limit, and the second one has more manifests than the limit."""
    for depth in range(12):
        serve(f"/c{depth}", collection(member(f"c{depth + 1}", "In", "Collection"), member(f"m{depth}", "M")))
        serve(f"/m{depth}", manifest(f"{depth}.jpg"))
    run = empty.run("init", "--from", scripted.url("/c0"))
    assert run.code == 0, run.output
    assert "only 8 levels of nested collections are read" in run.err
    assert "/c9" not in scripted.counts() and len(photos(empty)) == 8
    empty.manifest.unlink()
    serve("/m", manifest("a.jpg"))
    root = serve("/many", collection(*(member(f"m?{number}", f"M{number}") for number in range(1200))))
    run = empty.run("init", "--from", root)
    assert run.code == 0, run.output
    assert "only its first 1000 manifests and collections are read" in run.err
    assert len(scripted.requests) < 1100


def test_manifests_on_the_pages_of_a_collection_get_no_album_for_the_page(empty, scripted, serve):
    serve("/m1", manifest("a.jpg"))
    serve("/m2", manifest("b.jpg"))
    page = {"@context": VERSION_2, "@type": "sc:Collection"}
    serve("/p1", page | {"manifests": [{"@id": "m1", "@type": "sc:Manifest", "label": "One"}], "next": "p2"})
    serve("/p2", page | {"manifests": [{"@id": "m2", "@type": "sc:Manifest", "label": "Two"}]})
    root = serve("/all", page | {"first": "p1", "total": 2})
    assert empty.run("init", "--from", root).code == 0
    assert list(photos(empty)) == [("One",), ("Two",)]


def test_all_pages_of_a_long_collection_are_read(empty, scripted, serve):
    page = {"@context": VERSION_2, "@type": "sc:Collection"}
    for number in range(12):
        manifests = {"manifests": [{"@id": f"m{number}", "@type": "sc:Manifest", "label": f"M{number}"}]}
        serve(f"/m{number}", manifest(f"{number}.jpg"))
        serve(f"/p{number}", page | manifests | ({"next": f"p{number + 1}"} if number < 11 else {}))
    run = empty.run("init", "--from", serve("/all", page | {"first": "p0"}))
    assert run.code == 0 and "levels" not in run.err, run.output
    assert list(photos(empty)) == [(f"M{number}",) for number in range(12)]


@pytest.mark.parametrize("path", ["/all", "/moved"])
def test_a_document_of_another_server_does_not_lead_to_the_server_that_the_user_named(empty, scripted, serve, path):
    """The other server is public. The collection of the user's server refers to it, or a redirect leads there."""
    serve("/admin", manifest("secret.jpg"))
    serve("/m", manifest("a.jpg"))
    others = json.dumps(collection(member(scripted.url("/admin"), "Admin"), member("/m", "Public")))
    answers = {"http://photos.invalid/c": others, "http://photos.invalid/m": json.dumps(manifest("b.jpg"))}
    serve("/all", collection(member("http://photos.invalid/c", "Other", "Collection"), member("m", "Mine")))
    scripted.on("/moved", redirect("http://photos.invalid/c"))
    with Proxy(lambda target: response(answers[target].encode(), kind="application/json")) as proxy:
        run = empty.run(
            "init", "--from", scripted.url(path), env={"http_proxy": proxy.url(), "no_proxy": "127.0.0.1"})
    assert run.code == 0, run.output
    assert "/admin" not in scripted.counts() and scripted.url("/admin") in run.err
    assert ["http://photos.invalid/b.jpg"] in photos(empty).values()


@pytest.mark.parametrize("between", [[], [{"type": "Collection", "items": [member("none.json", "None")]}]],
                         ids=["next to each other", "a collection between"])
def test_an_address_that_a_server_must_not_refer_to_is_read_if_the_user_refers_to_it(empty, scripted, serve, between):
    own = f"http://localhost:{scripted.port}/m"
    serve("/m", manifest("a.jpg"))
    serve("/c", collection(member(own, "Refused")))
    (empty.folder / "all.json").write_text(json.dumps(collection(
        member(scripted.url("/c"), "Served", "Collection"), *between, member(own, "Mine"))))
    run = empty.run("init", "--from", "all.json")
    assert run.code == 0 and run.err.count("left out") == len(between), run.output
    assert photos(empty) == {("Mine",): [f"http://localhost:{scripted.port}/a.jpg"]}


def test_members_of_a_file_are_addresses_in_any_spelling_and_regular_files(empty, scripted, serve):
    serve("/m", manifest("a.jpg"))
    (empty.folder / "m 1.json").write_text(json.dumps(manifest("b.jpg")))
    os.mkfifo(empty.folder / "pipe")
    (empty.folder / "all.json").write_text(json.dumps(collection(
        member((empty.folder / "m 1.json").as_uri(), "File"), member("pipe", "Pipe"), member("none.json", "None"),
        member(scripted.url("/m").replace("http", "hTTp"), "Served"), member("all.json", "Itself", "Collection"))))
    run = empty.run("init", "--from", "all.json")
    assert run.code == 0, run.output
    assert photos(empty) == {("File",): ["b.jpg"], ("Served",): [scripted.url("/a.jpg")]}
    assert "left out: pipe: it is not a regular file" in run.err
    assert "left out: none.json: it can't be read: No such file or directory" in run.err
    assert run.err.count("left out:") == 2


def test_further_warnings_are_counted(empty, scripted, serve):
    serve("/good", manifest("a.jpg"))
    missing = [scripted.on(f"/missing{number}", status(404)) for number in range(28)]
    root = serve("/all", collection(member("good", "Good"), *(member(address, "No") for address in missing)))
    run = empty.run("init", "--from", root)
    assert run.code == 0 and "8 more warnings\n" in run.err, run.output


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_import_removes_its_temporary_folder(empty, scripted, serve, tmp_path, number):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    scripted.on("/slow", held(scripted, b"{}"))
    root = serve("/all", collection(member("slow", "Slow")))
    process = empty.program.start(
        "init", "--from", root, cwd=empty.folder, env={"TMPDIR": str(temporary)},
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))
    try:
        scripted.wait_for("/slow")
        assert len(list(temporary.iterdir())) == 1
        process.send_signal(number)
        _, err = process.communicate(timeout=TIMEOUT)
    finally:
        process.kill()
        process.communicate()
    assert process.returncode == 128 + number, err
    assert "without waiting" not in err
    assert list(temporary.iterdir()) == [] and not empty.manifest.exists()
