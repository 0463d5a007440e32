"""Foreign files whose names or contents are like those of gallerygen's files are never removed or overwritten."""

import shutil

import pytest
from pictures import jpeg

CLOCKS = [{"SOURCE_DATE_EPOCH": str(1_700_000_000 + 1000 * number)} for number in range(4)]

LOOKALIKES = {
    "page/7.html": "my page",
    "assets/app.0123456789abcdef.js": "alert(1)",
    "images/0123456789abcdef-320.jpg": "my picture",
    "images/0123456789abcdef-800.webp": "another",
    "album/mine.html": "mine",
    "notes.txt": "x",
}


@pytest.fixture
def built(three_photos):
    three_photos.build("--per-page", "2", env=CLOCKS[0])
    return three_photos


def add_lookalikes(gallery, *, copies):
    """Adds foreign files. `copies` adds copies of gallerygen's pages, which only the ledger can tell from the pages."""
    files = dict(LOOKALIKES)
    if copies:
        files |= {"photo/backup.html": (gallery.site / "photo/one.html").read_text(),
                  "page/backup.html": (gallery.site / "page/2.html").read_text()}
    for path, text in files.items():
        (gallery.site / path).parent.mkdir(exist_ok=True)
        (gallery.site / path).write_text(text)
    return files


def left_of(gallery, files):
    return {path: (gallery.site / path).read_text() for path in files if (gallery.site / path).exists()}


def delete(path):
    return lambda gallery: (gallery.site / path).unlink()


def edit(path):
    def change(gallery):
        page = gallery.site / path
        page.write_text(page.read_text() + (" " if path.endswith("json") else "<!-- mine -->"))
    return change


def leave_temporary_files(gallery):
    (gallery.site / ".gallerygen-0123456789abcdef.tmp").mkdir()


@pytest.mark.parametrize(
    ("change", "options"),
    [
        (delete("photo/two.html"), ()),
        (delete("status.json"), ()),
        (delete("index.html"), ()),
        (edit("index.html"), ()),
        (edit("status.json"), ()),
        (leave_temporary_files, ()),
        (lambda gallery: None, ("--force",)),
        (delete("photo/two.html"), ("--live",)),
        (lambda gallery: None, ("--filter", "invert(1)")),
    ],
    ids=[
        "page deleted",
        "status deleted",
        "first page deleted",
        "first page edited",
        "status edited",
        "killed",
        "forced",
        "live",
        "other filter",
    ],
)
def test_with_a_ledger_files_that_it_does_not_record_are_foreign(built, change, options):
    files = add_lookalikes(built, copies=True)
    ours = built.files() - set(files)
    change(built)
    built.build("--per-page", "2", *options, env=CLOCKS[1])
    assert left_of(built, files) == files
    if "--filter" not in options:
        assert built.files() == ours | set(files)
    assert built.run("clean").code == 0
    assert left_of(built, files) == files and built.files() == set(files)


@pytest.mark.parametrize("deleted", [None, "feed.xml", "index.html"])
def test_a_foreign_page_in_the_place_of_a_new_one_is_named_and_stays(three_photos, deleted):
    three_photos.build(env=CLOCKS[0])
    (three_photos.site / "page").mkdir()
    (three_photos.site / "page/2.html").write_text("my own page")
    if deleted:
        (three_photos.site / deleted).unlink()
    run = three_photos.build("--per-page", "2", env=CLOCKS[1], expect=73)
    assert str(three_photos.site / "page/2.html") in run.err
    assert (three_photos.site / "page/2.html").read_text() == "my own page"


def lose_state(gallery):
    shutil.rmtree(gallery.folder / ".gallerygen")


def rename_site(gallery):
    gallery.site = gallery.site.rename(gallery.folder / "www")


@pytest.mark.parametrize("lose", [lose_state, rename_site], ids=["state lost", "site renamed"])
@pytest.mark.parametrize("command", ["clean", "build", "changed build", "list"])
def test_without_a_ledger_only_files_that_identify_themselves_are_gallerygens(built, lose, command):
    files = add_lookalikes(built, copies=False)
    ours = built.files() - set(files)
    lose(built)
    if command == "clean":
        assert built.run("clean", "-o", built.site.name).code == 0
        assert built.files() == set(files)
    elif command == "build":
        built.build("--per-page", "2", "-o", built.site.name, env=CLOCKS[1])
        assert built.files() == ours | set(files)
    elif command == "changed build":
        built.build("-o", built.site.name, "--filter", "invert(1)", env=CLOCKS[1])
        assert built.files() - set(files) == built.accounted_for()
    else:
        assert built.run("clean", "-o", built.site.name, "--dry-run").out.splitlines()[-1] == "status.json"
    assert left_of(built, files) == files


def test_clean_without_a_ledger_leaves_a_foreign_index_html(built):
    lose_state(built)
    (built.site / "index.html").write_text("<h1>My own start</h1>")
    assert built.run("clean").code == 0
    assert built.files() == {"index.html"}


def test_pages_without_the_generator_tag_are_recognised_without_a_ledger(three_photos):
    templates = three_photos.folder / "templates"
    three_photos.run("init", "--templates")
    layout = templates / "layout.mustache"
    layout.write_text(layout.read_text().replace('<meta name="generator" content="{{generator}}">\n', ""))
    options = ("--templates", "templates")
    three_photos.build(*options, env=CLOCKS[0])
    before = three_photos.identities()
    lose_state(three_photos)
    three_photos.build(*options, env=CLOCKS[1])
    assert three_photos.identities() == before


def test_a_restored_older_ledger_adopts_the_newer_site_and_no_lookalike(built):
    state = built.folder / ".gallerygen"
    shutil.copytree(state, built.folder / "old")
    (built.folder / "4.jpg").write_bytes(jpeg(4))
    photos = {"One": "1.jpg", "Summer": {"Four": "4.jpg"}, "Two": "2.jpg", "Three": "3.jpg", "Five": "1.jpg"}
    built.list(photos).build("--per-page", "2", "--filter", "invert(1)", env=CLOCKS[1])
    files = add_lookalikes(built, copies=True)
    shutil.rmtree(state)
    (built.folder / "old").rename(state)
    # Because of the other title and clock, no page of the new build has the bytes of a copy.
    del files["page/backup.html"], files["photo/backup.html"]
    built.build("--per-page", "2", "--filter", "invert(1)", "--title", "Other", env=CLOCKS[2])
    assert left_of(built, files) == files
    assert (built.site / "photo/backup.html").exists()
    assert built.files() - set(files) - {"photo/backup.html", "page/backup.html"} == built.accounted_for()


def test_a_restored_older_site_is_updated_completely_and_lookalikes_stay(built):
    shutil.copytree(built.site, built.folder / "old")
    built.list({"One": "1.jpg"}).build("--filter", "invert(1)", env=CLOCKS[1])
    shutil.rmtree(built.site)
    (built.folder / "old").rename(built.site)
    files = add_lookalikes(built, copies=True)
    built.build("--filter", "invert(1)", env=CLOCKS[2])
    assert left_of(built, files) == files
    assert built.files() - set(files) == built.accounted_for()
