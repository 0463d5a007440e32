"""A ledger that is lost or unusable: the build makes the same site, from the store and the site itself."""

import os
import sqlite3
import subprocess

import pytest
from pictures import jpeg

CLOCKS = [{"SOURCE_DATE_EPOCH": str(1_700_000_000 + 1000 * number)} for number in range(6)]


@pytest.fixture
def lived_in(gallery, web):
    """A site with a history: photos that came at different times, one in an album, one stale, one that never came."""
    for number in range(4):
        (web.root / f"{number}.jpg").write_bytes(jpeg(number, width=400, height=300))
    (gallery.folder / "local.jpg").write_bytes(jpeg(20))
    gallery.web = web
    photos = {"Zero": web.url("0.jpg"), "One": web.url("1.jpg"), "Summer": {"Two": web.url("2.jpg")}}
    gallery.list(photos).build(env=CLOCKS[0])
    # The slug shows that the photo was the second of its name, and would not be assigned again.
    photos |= {"zero": web.url("3.jpg"), "Never": web.url("never.jpg"), "Local": "local.jpg"}
    gallery.list(photos).build(env=CLOCKS[1])
    (web.root / "1.jpg").unlink()
    gallery.build(env=CLOCKS[2])
    assert gallery.photos()["One"]["stale"]
    web.new_requests()
    return gallery


def ledger(gallery):
    return gallery.folder / ".gallerygen/ledger.sqlite"


def lose(gallery):
    for path in ledger(gallery).parent.glob("ledger.sqlite*"):
        path.unlink()


def test_a_lost_ledger_changes_nothing_in_a_site_that_is_whole(lived_in):
    before = lived_in.identities()
    lose(lived_in)
    run = lived_in.build(env=CLOCKS[3])
    assert "Nothing to do" in run.err
    assert lived_in.identities() == before
    assert "Nothing to do" in lived_in.build(env=CLOCKS[4]).err


def test_a_photo_whose_server_fails_after_the_ledger_was_lost_keeps_its_last_good_picture(lived_in):
    before = lived_in.photos()
    lose(lived_in)
    (lived_in.web.root / "0.jpg").unlink()
    lived_in.build(env=CLOCKS[3])
    after = lived_in.photos()
    assert after["Zero"]["stale"]["code"] == "not-found"
    assert after["Zero"]["stale"]["since"] == "2023-11-14T23:03:20Z"
    for key in ("state", "slug", "since", "images", "original", "sha256"):
        assert after["Zero"][key] == before["Zero"][key]
    assert {name: after[name] for name in after if name != "Zero"} == {
        name: before[name] for name in before if name != "Zero"}
    assert lived_in.files() == lived_in.accounted_for()


def test_after_the_ledger_was_lost_a_change_is_a_change_of_that_photo_alone(lived_in):
    before, photos = lived_in.identities(), lived_in.photos()
    lose(lived_in)
    (lived_in.web.root / "2.jpg").write_bytes(jpeg(50, width=400, height=300))
    lived_in.build(env=CLOCKS[3])
    after = lived_in.photos()
    assert [name for name in photos if after[name] != photos[name]] == ["Two"]
    assert lived_in.status()["updated"] == "2023-11-14T23:03:20Z"
    now = lived_in.identities()
    untouched = {photos[name]["page"] for name in ("Zero", "Local")}
    assert [path for path in untouched if now[path] != before[path]] == []


def torn(path):
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2 + 100])


def zeroed(path):
    path.write_bytes(bytes(path.stat().st_size))


def empty(path):
    path.write_bytes(b"")


def foreign(path):
    path.unlink()
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE notes (text)")
    database.close()


def newer(path):
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA user_version = 4000")
    database.close()


def a_folder(path):
    path.unlink()
    path.mkdir()


def a_link_to_nothing(path):
    path.unlink()
    path.symlink_to("nowhere")


@pytest.mark.parametrize(
    "damage", [torn, zeroed, empty, foreign, newer, a_folder, a_link_to_nothing], ids=lambda one: one.__name__
)
def test_a_ledger_that_is_none_is_kept_aside_with_a_warning_and_the_site_stays_as_it_is(lived_in, damage):
    damage(ledger(lived_in))
    kept = ledger(lived_in).is_file() and ledger(lived_in).read_bytes()
    before = lived_in.identities()
    run = lived_in.build("--quiet", env=CLOCKS[3])
    assert "warning" in run.err and "ledger.sqlite.unreadable" in run.err
    assert damage is not newer or "version 4000" in run.err
    aside = ledger(lived_in).with_name("ledger.sqlite.unreadable")
    assert os.path.lexists(aside)
    assert not kept or aside.read_bytes() == kept
    assert lived_in.identities() == before
    assert "ledger" not in lived_in.build("--quiet", env=CLOCKS[4]).err


def break_free_pages(path):
    """Damage that shows only when the ledger grows: what it says of its unused pages is nonsense."""
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA journal_mode = DELETE")
        database.execute("CREATE TABLE rubbish (text)")
        database.executemany("INSERT INTO rubbish VALUES (?)", [("x" * 3000,)] * 50)
        database.commit()
        database.execute("DROP TABLE rubbish")
    database.close()
    content = bytearray(path.read_bytes())
    trunk = int.from_bytes(content[32:36], "big")
    assert trunk, "there are unused pages"
    content[(trunk - 1) * 4096 : trunk * 4096] = b"\xff" * 4096
    path.write_bytes(content)


def test_damage_that_only_writing_meets_is_set_aside_too_and_the_build_begins_again(lived_in):
    before = lived_in.photos()
    break_free_pages(ledger(lived_in))
    photos = {"Zero": lived_in.web.url("0.jpg"), **{f"Photo {number}": "local.jpg" for number in range(100)}}
    run = lived_in.list(photos).build(env=CLOCKS[3])
    assert run.err.count("ledger.sqlite.unreadable") == 1
    assert lived_in.photos()["Zero"] == before["Zero"]
    assert lived_in.files() == lived_in.accounted_for()
    assert "Nothing to do" in lived_in.build(env=CLOCKS[4]).err


def test_a_row_of_which_the_disk_changed_a_byte_is_not_believed(lived_in):
    """The photo would have entered its state at another time."""
    before = lived_in.identities()
    with sqlite3.connect(ledger(lived_in)) as database:
        database.execute("UPDATE photo SET since = since + 1 WHERE slug = 'zero'")
    database.close()
    run = lived_in.build(env=CLOCKS[3])
    assert "photo is not as it was written" in run.err and "ledger.sqlite.unreadable" in run.err
    assert lived_in.identities() == before


def test_an_empty_ledger_of_a_build_that_has_just_begun_is_a_new_one(gallery):
    (gallery.folder / "1.jpg").write_bytes(jpeg(1))
    ledger(gallery).parent.mkdir()
    ledger(gallery).touch()
    assert "warning" not in gallery.list({"One": "1.jpg"}).build().err


def test_two_damaged_ledgers_are_both_kept(lived_in):
    for _ in range(2):
        zeroed(ledger(lived_in))
        lived_in.build(env=CLOCKS[3])
    assert len([path for path in ledger(lived_in).parent.glob("*.unreadable*") ]) == 2


def as_nobody():
    """The user of the program where the tests run as root, for whom no file is read-only."""
    if os.geteuid() == 0:
        os.setgid(65534)
        os.setuid(65534)


@pytest.fixture
def owned_by_nobody(three_photos, tmp_path):
    """A gallery whose files belong to whoever `as_nobody` is."""
    three_photos.build()
    if os.geteuid() == 0:
        for folder in (tmp_path, *tmp_path.parents):
            if folder.stat().st_uid == 0 and folder != folder.parent and str(folder).startswith("/tmp/"):
                folder.chmod(folder.stat().st_mode | 0o755)
        subprocess.run(["chown", "-R", "65534:65534", str(three_photos.folder)], check=True)
    yield three_photos
    subprocess.run(["chmod", "-R", "u+rwX", str(three_photos.folder)], check=True)


@pytest.mark.parametrize("mode", [0o444, 0o000], ids=["read-only", "forbidden"])
def test_a_ledger_that_may_not_be_written_is_set_aside(owned_by_nobody, mode):
    before = owned_by_nobody.identities()
    ledger(owned_by_nobody).chmod(mode)
    run = owned_by_nobody.build(preexec_fn=as_nobody)
    assert "Permission denied" in run.err and "ledger.sqlite.unreadable" in run.err
    assert owned_by_nobody.identities() == before
    assert "Nothing to do" in owned_by_nobody.build(preexec_fn=as_nobody).err


def test_a_state_folder_that_may_not_be_written_is_74_with_its_path(owned_by_nobody):
    state = ledger(owned_by_nobody).parent
    before = owned_by_nobody.contents()
    (owned_by_nobody.folder / "1.jpg").write_bytes(jpeg(9))
    for path in (state, *state.iterdir()):
        path.chmod(0o555 if path.is_dir() else 0o444)
    run = owned_by_nobody.build(expect=74, preexec_fn=as_nobody)
    assert str(state) in run.err and "ermission denied" in run.err
    assert owned_by_nobody.contents() == before
    for path in (state, *state.iterdir()):
        path.chmod(0o755 if path.is_dir() else 0o644)
    owned_by_nobody.build(preexec_fn=as_nobody)
    assert owned_by_nobody.contents() != before


def journal_mode(path):
    """2 for a write-ahead log, 1 for a rollback journal (SQLite's file format §1.3.3)."""
    return path.read_bytes()[18]


def test_where_processes_share_no_memory_the_ledger_does_without(three_photos, tmp_path):
    """On network file systems the file that backs the shared memory can't be opened."""
    shared = ledger(three_photos).with_name("ledger.sqlite-shm")
    trace = [
        "strace",
        "-f",
        "-o",
        tmp_path / "trace",
        "-P",
        shared,
        "-e",
        "trace=openat",
        "-e",
        "inject=openat:error=EACCES",
    ]
    three_photos.build(prefix=trace)
    assert "-shm" in (tmp_path / "trace").read_text(), "it was tried"
    assert journal_mode(ledger(three_photos)) == 1
    assert three_photos.files() == three_photos.accounted_for()
    assert "Nothing to do" in three_photos.build(prefix=trace).err


def test_a_ledger_with_a_write_ahead_log_is_taken_along_to_such_a_place(three_photos, tmp_path):
    three_photos.build()
    assert journal_mode(ledger(three_photos)) == 2
    shared = ledger(three_photos).with_name("ledger.sqlite-shm")
    run = three_photos.build(
        prefix=[
            "strace",
            "-f",
            "-o",
            tmp_path / "trace",
            "-P",
            shared,
            "-e",
            "trace=openat",
            "-e",
            "inject=openat:error=EACCES",
        ]
    )
    assert "ledger" not in run.err
    assert "Nothing to do" in run.err
    assert journal_mode(ledger(three_photos)) == 1


def test_what_the_disk_refused_to_synchronise_is_not_synchronised_again(three_photos, tmp_path):
    """A disk that failed once may say that all is well the next time, and have lost it."""
    three_photos.build()
    tracing = ["strace", "-f", "-qq", "-y", "-o", tmp_path / "trace", "-e"]
    # Something is left in the journal, which whoever closes the ledger would put into it.
    three_photos.run("build", "--title", "Killed", prefix=[*tracing, "inject=renameat2:signal=KILL:when=1"])
    assert ledger(three_photos).with_name("ledger.sqlite-wal").stat().st_size > 0
    # This build renders only pages; the first one that is synchronised tells which files are about to appear.
    refusing = [*tracing, "trace=fdatasync", "-e", "inject=fdatasync:error=EIO:when=1"]
    run = three_photos.run("build", "--title", "Another", prefix=refusing)
    calls = [call for call in (tmp_path / "trace").read_text().splitlines() if "/ledger.sqlite" in call]
    assert "ledger.sqlite-wal>" in calls[0] and "INJECTED" in calls[0]
    assert calls[1:] == []
    assert run.code == 74, run.output
    three_photos.build("--title", "Another")
    assert three_photos.files() == three_photos.accounted_for()
