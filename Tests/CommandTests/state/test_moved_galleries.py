"""Galleries whose folders are moved, completely or in part, and galleries that no longer exist."""

import contextlib
import os
import shutil
import sqlite3

import pytest
from gallery import Gallery
from older_ledger import gallery_key, make_version_8
from pictures import jpeg
from scripted_server import held


@pytest.fixture
def both(gallery, web):
    """A gallery of four photos on a server, and two local ones in an album; built once."""
    for number in range(4):
        (web.root / f"{number}.jpg").write_bytes(jpeg(number, width=400, height=300))
    for number in (8, 9):
        (gallery.folder / f"{number}.jpg").write_bytes(jpeg(number, width=400, height=300))
    gallery.web = web
    gallery.photos_listed = {f"Photo {number}": web.url(f"{number}.jpg") for number in range(4)} | {
        "Here": {"Eight": "8.jpg", "Nine": "9.jpg"}}
    gallery.list(gallery.photos_listed).build()
    web.new_requests()
    return gallery


def state(gallery):
    return gallery.folder / ".gallerygen"


def age(gallery, age_of_ledger):
    if age_of_ledger == "version 8":
        make_version_8(state(gallery) / "ledger.sqlite")


def moved(gallery, name="elsewhere/deep"):
    target = gallery.folder.parent / name
    target.parent.mkdir(parents=True, exist_ok=True)
    gallery.folder.rename(target)
    after = Gallery(target, gallery.program)
    after.web, after.photos_listed = gallery.web, gallery.photos_listed
    return after


def originals(gallery):
    return {path for path in (state(gallery) / "originals").rglob("*") if path.is_file()}


@pytest.mark.parametrize("ledger", ["of this version", "version 8"])
def test_after_a_gallery_was_moved_nothing_is_made_again(both, ledger):
    age(both, ledger)
    gallery = moved(both)
    before = gallery.identities()
    planned = gallery.run("build", "--dry-run")
    assert "new" not in planned.out
    gallery.build()
    assert {request.status for request in gallery.web.new_requests()} == {304}
    assert gallery.identities() == before
    assert "Nothing to do" in gallery.build().err

    listed = dict(list(gallery.photos_listed.items())[2:])
    gallery.list(listed).build()
    assert len(originals(gallery)) == 6
    run = gallery.run("clean", "--unused")
    assert "2 files" in run.err, run.err
    assert len(originals(gallery)) == 4
    assert gallery.run("clean").code == 0
    assert gallery.files() == set()


def test_unused_originals_of_a_gallery_that_version_8_recorded_twice_are_removed(both):
    """After a move, version 8 recorded the gallery as a second one."""
    age(both, "version 8")
    old = state(both) / "ledger.sqlite"
    kept = old.read_bytes()
    gallery = moved(both)
    gallery.build()
    age(gallery, "version 8")
    add_gallery_of(kept, to=state(gallery) / "ledger.sqlite", scratch=gallery.folder.parent / "kept.sqlite")
    gallery.list({"Photo 0": gallery.photos_listed["Photo 0"]}).build()
    assert "5 files" in gallery.run("clean", "--unused").err


def add_gallery_of(ledger, to, scratch):
    """Adds the records that version 8 had of the gallery in its first folder."""
    scratch.write_bytes(ledger)
    with contextlib.closing(sqlite3.connect(to, isolation_level=None)) as database:
        database.execute("ATTACH ? AS kept", [str(scratch)])
        for table in ("photo", "album", "gallery", "look", "site", "owned"):
            database.execute(f"INSERT OR IGNORE INTO main.{table} SELECT * FROM kept.{table}")
        database.execute("INSERT OR IGNORE INTO main.total SELECT * FROM kept.total")
        for table in ("gallery", "look", "site"):
            count, total = 0, 0
            for (value,) in database.execute(f"SELECT sum FROM main.{table}"):
                count, total = count + 1, total + value & (1 << 64) - 1
            database.execute(
                "UPDATE main.total SET rows = ?, sum = ? WHERE name = ?",
                [count, total - (1 << 64) if total >> 63 else total, table])


@pytest.mark.parametrize("where", ["copied", "by a symbolic link", "from another folder"])
def test_a_copied_or_linked_gallery_is_not_made_again(both, where):
    if where == "copied":
        target = both.folder.parent / "copy"
        shutil.copytree(both.folder, target, symlinks=True)
        gallery = Gallery(target, both.program)
    elif where == "by a symbolic link":
        (both.folder.parent / "link").symlink_to(both.folder)
        gallery = Gallery(both.folder.parent / "link", both.program)
    else:
        gallery = both
    before = {path: (*identity[1:], "") for path, identity in gallery.identities().items()}
    if where == "from another folder":
        folder = gallery.folder / "www"
        folder.mkdir()
        run = gallery.program.run("build", "../photos.plist", "-o", "../public", cwd=folder)
    else:
        run = gallery.build()
    assert "Nothing to do" in run.err or where == "copied", run.err
    after = {path: (*identity[1:], "") for path, identity in gallery.identities().items()}
    assert {path for path in before if before[path][1] != after[path][1]} == set()
    assert {request.status for request in both.web.new_requests()} == {304}


def test_after_the_state_folder_alone_was_moved_nothing_is_made_again(both):
    (both.folder.parent / "memory").mkdir()
    state(both).rename(both.folder.parent / "memory/state")
    before = both.identities()
    both.build("--state", "../memory/state")
    assert both.identities() == before
    assert {request.status for request in both.web.new_requests()} == {304}


def test_a_state_folder_that_was_moved_to_another_gallery_owns_no_files_there(both):
    other = Gallery(both.folder.parent / "other", both.program)
    other.list({"Mine": "mine.jpg"})
    (other.folder / "mine.jpg").write_bytes(jpeg(3))
    other.site.mkdir()
    (other.site / "index.html").write_text("<p>Mine</p>")
    (other.site / "robots.txt").write_text("mine")
    state(both).rename(state(other))
    assert "index.html" in other.build(expect=73).err
    assert other.files() == {"index.html", "robots.txt"}
    (other.site / "index.html").unlink()
    other.build()
    assert list(other.photos()) == ["Mine"]
    assert other.files() == other.accounted_for() | {"robots.txt"}


@pytest.fixture
def shared(both):
    """A gallery whose state folder also has the records of a second one, whose folder was deleted."""
    other = Gallery(both.folder.parent / "gone", both.program)
    (other.folder / "1.jpg").write_bytes(jpeg(70))
    other.list({"Gone": "1.jpg"}).build("--state", state(both), "-o", "public")
    shutil.rmtree(other.folder)
    both.gone = other
    return both


@pytest.mark.parametrize("by", ["its list", "its site", "its list, from its parent", "its key"])
def test_a_deleted_gallery_can_be_forgotten_and_then_its_originals_are_unused(shared, by):
    assert "Nothing to remove" in shared.run("clean", "--unused").err
    path = {
        "its list": shared.gone.manifest, "its site": shared.gone.site,
        "its list, from its parent": os.path.relpath(shared.gone.manifest, shared.folder),
        "its key": gallery_key(shared.gone.manifest)}[by]
    planned = shared.run("clean", "--forget", path, "--dry-run")
    assert planned.code == 0 and str(shared.gone.manifest) in planned.out, planned.output
    before = shared.identities()
    run = shared.run("clean", "--forget", path)
    assert run.code == 0 and str(shared.gone.manifest) in run.err, run.err
    assert shared.run("clean", "--unused").code == 0
    assert len(originals(shared)) == 6
    assert "Nothing to do" in shared.build().err
    assert shared.identities() == before


def test_a_dry_run_that_forgets_a_gallery_lists_the_files_that_would_be_unused_then(shared):
    arguments = ["clean", "--unused", "--forget", shared.gone.manifest]
    planned = shared.run(*arguments, "--dry-run")
    assert planned.code == 0 and str(shared.gone.manifest) in planned.out, planned.output
    before = {path.relative_to(state(shared)).as_posix() for path in state(shared).rglob("*") if path.is_file()}
    assert shared.run(*arguments).code == 0
    after = {path.relative_to(state(shared)).as_posix() for path in state(shared).rglob("*") if path.is_file()}
    assert set(planned.out.splitlines()[1:]) == before - after != set()


def test_forgetting_an_unknown_gallery_exits_with_66_and_lists_the_known_ones(shared):
    run = shared.run("clean", "--forget", "nowhere.plist")
    assert run.code == 66
    for text in (str(shared.manifest), str(shared.gone.manifest), str(shared.gone.site), "nowhere.plist", "6 photos"):
        assert text in run.err, run.err
    assert "Nothing to remove" in shared.run("clean", "--unused").err


def test_a_gallery_in_an_older_ledger_is_forgotten_by_its_recorded_path(both):
    make_version_8(state(both) / "ledger.sqlite")
    listed = both.run("clean", "--forget", "nowhere.plist")
    assert listed.code == 66 and gallery_key(both.manifest) in listed.err
    assert both.run("clean", "--forget", both.manifest, "--unused").code == 0
    assert originals(both) == set()


def test_after_a_gallery_was_forgotten_by_mistake_a_build_makes_the_same_site(both):
    before = both.contents()
    assert both.run("clean", "--forget", "photos.plist").code == 0
    both.build()
    after = both.contents()
    pictures = {path for path in before if path.startswith(("images/", "photo/"))}
    assert {path for path in pictures if before[path] != after.get(path)} == set()


def recorded(gallery, table, column):
    with contextlib.closing(sqlite3.connect(state(gallery) / "ledger.sqlite")) as database:
        return sorted({row[0] for row in database.execute(f"SELECT {column} FROM {table}")})


def test_a_list_that_was_renamed_is_forgotten_without_its_site(both):
    (both.folder / "photos.plist").rename(both.folder / "pics.plist")
    assert both.program.run("build", "pics.plist", cwd=both.folder).code == 0
    files = recorded(both, "owned", "path")
    assert both.run("clean", "--forget", "photos.plist").code == 0
    assert recorded(both, "site", "output") == recorded(both, "owned", "output") == ["../public"]
    assert recorded(both, "owned", "path") == files
    assert recorded(both, "place", "output") == ["", "../public"]
    run = both.program.run("build", "pics.plist", cwd=both.folder)
    assert "Nothing to do" in run.err, run.err
    assert both.run("clean", "--forget", "pics.plist").code == 0
    assert recorded(both, "site", "output") == recorded(both, "owned", "output") == []


def test_with_a_site_all_its_galleries_are_forgotten(both):
    (both.folder / "photos.plist").rename(both.folder / "pics.plist")
    assert both.program.run("build", "pics.plist", cwd=both.folder).code == 0
    run = both.run("clean", "--forget", "public")
    assert run.code == 0 and "photos.plist" in run.err and "pics.plist" in run.err, run.err
    for table, column in (("site", "output"), ("owned", "output"), ("place", "key"), ("photo", "gallery")):
        assert recorded(both, table, column) == []


@pytest.mark.parametrize(("by", "lists"), [
    ("photos.plist", ["photos.plist"]), ("public", ["photos.plist"]), ("where it was", ["photos.plist"]),
    ("where its site was", ["photos.plist"]), ("photos.plist", ["photos.plist", "more.plist"]),
    ("more.plist", ["photos.plist", "more.plist"]), ("public", ["photos.plist", "more.plist"])])
def test_a_moved_gallery_can_be_forgotten_before_it_is_built_again(both, by, lists):
    if len(lists) > 1:
        shutil.copy(both.folder / "photos.plist", both.folder / "more.plist")
        assert both.run("clean", "--forget", "photos.plist").code == 0
        assert both.program.run("build", *lists, cwd=both.folder).code == 0
    path = {"where it was": both.manifest, "where its site was": both.site}.get(by, by)
    gallery = moved(both)
    planned = gallery.run("clean", "--forget", path, "--dry-run")
    assert planned.code == 0, planned.output
    assert f"{gallery.manifest}" in planned.out and f"→ {gallery.site} (" in planned.out, planned.output
    assert gallery.run("clean", "--forget", path).code == 0
    for table, column in (("site", "output"), ("owned", "output"), ("place", "key"), ("photo", "gallery")):
        assert recorded(gallery, table, column) == []


def test_forgetting_during_a_build_exits_with_75(both, scripted):
    both.list({"Slow": scripted.on("/slow.jpg", held(scripted, jpeg(8)))})
    build = both.program.start("build", cwd=both.folder)
    try:
        scripted.wait_for("/slow.jpg")
        assert both.run("clean", "--forget", "photos.plist").code == 75
    finally:
        build.kill()
        build.communicate()
