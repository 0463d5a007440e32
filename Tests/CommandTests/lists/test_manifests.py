"""Builds every manifest with a known outcome."""

import json
import re
import shlex
import shutil
import subprocess
import sys

import known_files
import pytest
from gallery import contents_of, text_of

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0">\n'
SMALL_PICTURES = ["baseline-420-97x61.jpg", "progressive-444-97x61.jpg", "grey-baseline.jpg", "size-33x31.jpg"]


def entry(name, address):
    return f"<key>{name}</key>\n<string>{address}</string>\n"


def dictionary(inside):
    return f"{HEAD}<dict>\n{inside}</dict>\n</plist>\n"


GENERATED = {
    "nested-100000.plist": lambda: (
        HEAD + "<dict><key>a</key>\n" * 100_000 + "<string>../samples/autumn-mountain.jpg</string>\n"
        + "</dict>\n" * 100_000 + "</plist>\n"),
    "one-megabyte-name.plist": lambda: dictionary(entry("x" * 1_000_000, "../samples/autumn-mountain.jpg")),
    "twelve-megabyte-name.plist": lambda: dictionary(entry("x" * 12_000_000, "../samples/autumn-mountain.jpg")),
    "ten-thousand.plist": lambda: dictionary(
        "".join(entry(f"Photo {i + 1:06d}", f"../images/jpeg/{SMALL_PICTURES[i % 4]}") for i in range(10_000))),
}
# corpus.plist lists every picture; test_pictures.py builds that gallery.
MANIFESTS = {name: facts for name, (_, facts) in known_files.MANIFESTS.items() if name != "corpus.plist"}


@pytest.fixture(scope="session")
def known(tmp_path_factory):
    """A folder with copies of the manifests, and of the photos that they refer to."""
    folder = tmp_path_factory.mktemp("known")
    shutil.copytree(known_files.MANIFEST_FOLDERS[0], folder / "manifests")
    (folder / "samples").mkdir()
    for photo in known_files.SAMPLES.iterdir():
        if photo.suffix in (".jpg", ".png"):
            shutil.copyfile(photo, folder / "samples" / photo.name)
    (folder / "images/jpeg").mkdir(parents=True)
    for name in SMALL_PICTURES:
        shutil.copyfile(known_files.PICTURES[f"jpeg/{name}"][0], folder / "images/jpeg" / name)
    for name, make in GENERATED.items():
        (folder / "manifests" / name).write_text(make())
    return folder / "manifests"


@pytest.fixture
def built(known, gallery, request):
    """Builds a manifest with small derivatives."""

    def build(name, **options):
        manifest = known / name
        if name.endswith(".in"):
            web = request.getfixturevalue("web")
            shutil.copytree(known_files.SAMPLES, web.root, dirs_exist_ok=True)
            manifest = gallery.folder / name.removesuffix(".in")
            manifest.write_text((known / name).read_text().replace("@BASE@", web.url().rstrip("/")))
        return gallery.run(
            "build", manifest, "-o", gallery.site, "--state", gallery.folder / ".gallerygen", "--widths", "160",
            "--no-originals", timeout=300, **options)

    return build


def numbers(name, run):
    """The line numbers in the messages about a manifest."""
    return {int(line) for line in re.findall(re.escape(name) + r":(\d+)", run.output)}


@pytest.mark.parametrize("name", MANIFESTS)
def test_a_manifest_has_its_known_outcome(name, built, gallery):
    facts = MANIFESTS[name]
    run = built(name)

    for text in facts.get("never", ()):
        assert text not in run.output
        assert text.encode() not in text_of(gallery.folder / "public")
    if not facts["firm"] and run.code != facts["exit"]:
        assert run.code in (0, 65)
        return
    assert run.code == facts["exit"], run.output

    shown = name.removesuffix(".in")
    if facts["outcome"] == "error":
        assert not gallery.site.exists() or not gallery.files()
        assert shown in run.err
        for line in [facts["line"]] if "line" in facts else facts.get("lines", ()):
            near = {line} if "lines" in facts else {line - 1, line, line + 1}
            named = numbers(shown, run) | {int(n) for n in re.findall(r"lines? (\d+)", run.err)}
            assert named & near, f"line {line} is not in:\n{run.err}"
        return

    status = gallery.status()
    photos = status["photos"]
    assert len(photos) == facts.get("photos", len(photos))
    if "names" in facts:
        assert [photo["name"] for photo in photos] == facts["names"]
    if facts["firm"]:
        assert gallery.reasons() == facts.get("failed", {})
        assert run.out == ""
    else:
        assert gallery.reasons().keys() >= facts.get("failed", {}).keys()
    for album in facts.get("albums", ()):
        assert any(photo["album"][: len(album)] == album for photo in photos)
    slugs = [photo["slug"] for photo in photos]
    assert len(set(slugs)) == len(slugs) == facts.get("slugs_distinct", len(slugs))
    for warned in facts.get("warnings", ()):
        assert warned in run.err
    if texts := facts.get("never_in_html"):
        for path in gallery.files():
            if path.endswith((".html", ".xml")):
                text = (gallery.site / path).read_text(encoding="utf-8")
                assert [found for found in texts if found in text] == [], path
    assert gallery.files() == gallery.accounted_for()


@pytest.mark.alone
@pytest.mark.parametrize("name", [name for name, facts in MANIFESTS.items() if "max_seconds" in facts])
def test_checking_a_hostile_manifest_is_bounded_in_time_and_memory(name, known, program, tmp_path):
    facts = MANIFESTS[name]
    run = program.run_measured("check", known / name, cwd=tmp_path)
    assert run.code in (0, 65), run.output
    assert run.seconds <= facts["max_seconds"]
    assert run.peak_rss_mb <= facts.get("max_rss_mb", float("inf"))


@pytest.mark.parametrize("name", [name for name, facts in MANIFESTS.items() if facts["outcome"] == "error"])
def test_an_invalid_manifest_leaves_the_site_unchanged(name, known, three_photos):
    three_photos.build()
    before = three_photos.contents()
    run = three_photos.run(
        "build", known / name, "-o", three_photos.site, "--state", three_photos.folder / ".gallerygen"
    )
    if run.code == 0:
        assert not MANIFESTS[name]["firm"]
        return
    assert three_photos.contents() == before


STRACE = shutil.which("strace")


@pytest.mark.parametrize(
    "name", [name for name, facts in MANIFESTS.items() if "fetches_nothing_from" in facts and sys.platform == "linux"])
def test_external_entities_of_a_manifest_open_neither_files_nor_connections(name, known, program, tmp_path):
    assert STRACE, "strace is not installed; make test installs it"
    log = tmp_path / "strace.log"
    program.run(
        "check", known / name, cwd=tmp_path, prefix=(STRACE, "-f", "-qq", "-e", "trace=open,openat,connect", "-o", log))
    calls = log.read_text()
    assert "openat" in calls, "strace recorded no calls"
    assert not re.findall(r"connect\(\d+, \{sa_family=AF_INET.*", calls)
    for opened in MANIFESTS[name]["fetches_nothing_from"]:
        assert not re.search(r'open(at)?\([^"]*"[^"]*' + re.escape(opened) + '"', calls)


def test_json_is_refused_and_the_suggested_command_imports_it(known, gallery):
    shutil.copyfile(known / "json.plist", gallery.manifest)
    refused = gallery.build(expect=65)
    command = refused.err.splitlines()[-1].strip()
    program = shlex.quote(str(gallery.program.path.resolve()))
    subprocess.run(command.replace("gallerygen", program), shell=True, cwd=gallery.folder, check=True)
    assert gallery.run("check").code == 0


def test_a_binary_property_list_is_refused_and_the_suggested_command_converts_it(known, gallery):
    shutil.copyfile(known / "binary.plist", gallery.manifest)
    refused = gallery.build(expect=65)
    commands = [line.strip() for line in refused.err.splitlines() if "python3 -c" in line]
    assert "plutil -convert xml1" in refused.err
    assert commands, refused.err
    command = commands[0][commands[0].index("python3 -c") :]
    subprocess.run(command, shell=True, cwd=gallery.folder, check=True)
    converted = [path for path in gallery.folder.glob("*.plist") if b"<plist" in path.read_bytes()]
    assert gallery.run("check", converted[0]).code == 0


def test_a_manifest_may_come_from_standard_input(known, gallery):
    (gallery.folder / "samples").mkdir()
    shutil.copyfile(known.parent / "samples/nuthatch.jpg", gallery.folder / "samples/nuthatch.jpg")
    text = dictionary(entry("Nuthatch", "samples/nuthatch.jpg")).encode()
    gallery.build("-", stdin=text)
    assert gallery.reasons() == {}
    assert list(gallery.photos()) == ["Nuthatch"]


def test_two_manifests_make_one_site_and_a_repeated_photo_is_shown_once(samples):
    samples.build("classic-photos.plist", "apps.plist", "classic-photos.plist", "--widths", "160")
    names = [photo["name"] for photo in samples.status()["photos"]]
    assert len(names) == len(set(names)) == 18 + 8


def test_entries_keep_their_slugs_when_others_are_added_and_removed(known, three_photos):
    three_photos.build()
    before = {name: photo["slug"] for name, photo in three_photos.photos().items()}
    three_photos.list({"Zero": "1.jpg", "Three": "3.jpg", "three!": "2.jpg", "One": "1.jpg"})
    three_photos.build()
    after = {name: photo["slug"] for name, photo in three_photos.photos().items()}
    assert after["One"] == before["One"] and after["Three"] == before["Three"]
    assert len(set(after.values())) == 4


def test_an_empty_manifest_empties_the_site_only_with_the_option(three_photos):
    three_photos.build()
    before = contents_of(three_photos.site)
    three_photos.list({})
    refused = three_photos.build(expect=65)
    assert "--allow-empty" in refused.err
    assert contents_of(three_photos.site) == before
    three_photos.build("--allow-empty")
    assert json.loads((three_photos.site / "status.json").read_text())["photos"] == []
    assert three_photos.files() == three_photos.accounted_for()
