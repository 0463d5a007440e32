"""A ledger that is lost or unusable: the build makes the same site from the originals and the site itself."""

import json
import os
import shutil
import sqlite3
import subprocess
from pathlib import Path
from tempfile import gettempdir

import pytest
from pictures import jpeg

CLOCKS = [{"SOURCE_DATE_EPOCH": str(1_700_000_000 + 1000 * number)} for number in range(6)]


@pytest.fixture
def with_history(gallery, web):
    """A gallery after three builds: photos of different ages, one in an album, one stale, one that always failed."""
    for number in range(4):
        (web.root / f"{number}.jpg").write_bytes(jpeg(number, width=400, height=300))
    (gallery.folder / "local.jpg").write_bytes(jpeg(20))
    gallery.web = web
    photos = {"Zero": web.url("0.jpg"), "One": web.url("1.jpg"), "Summer": {"Two": web.url("2.jpg")}}
    gallery.list(photos).build(env=CLOCKS[0])
    # This photo's slug depends on the order in which the photos were added; a new ledger would assign another one.
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


def test_after_the_ledger_was_lost_a_complete_site_does_not_change(with_history):
    before = with_history.identities()
    lose(with_history)
    run = with_history.build(env=CLOCKS[3])
    assert "Nothing to do" in run.err
    assert with_history.identities() == before
    assert "Nothing to do" in with_history.build(env=CLOCKS[4]).err


def test_a_photo_whose_server_fails_after_the_ledger_was_lost_keeps_its_last_good_picture(with_history):
    before = with_history.photos()
    lose(with_history)
    (with_history.web.root / "0.jpg").unlink()
    with_history.build(env=CLOCKS[3])
    after = with_history.photos()
    assert after["Zero"]["stale"]["code"] == "not-found"
    assert after["Zero"]["stale"]["since"] == "2023-11-14T23:03:20Z"
    for key in ("state", "slug", "since", "images", "original", "sha256"):
        assert after["Zero"][key] == before["Zero"][key]
    assert {name: after[name] for name in after if name != "Zero"} == {
        name: before[name] for name in before if name != "Zero"}
    assert with_history.files() == with_history.accounted_for()


def test_after_the_ledger_was_lost_a_changed_photo_changes_alone(with_history):
    before, photos = with_history.identities(), with_history.photos()
    lose(with_history)
    (with_history.web.root / "2.jpg").write_bytes(jpeg(50, width=400, height=300))
    with_history.build(env=CLOCKS[3])
    after = with_history.photos()
    assert [name for name in photos if after[name] != photos[name]] == ["Two"]
    assert with_history.status()["updated"] == "2023-11-14T23:03:20Z"
    now = with_history.identities()
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
def test_an_unusable_ledger_is_set_aside_with_a_warning_and_the_site_does_not_change(with_history, damage):
    damage(ledger(with_history))
    kept = ledger(with_history).is_file() and ledger(with_history).read_bytes()
    before = with_history.identities()
    run = with_history.build("--quiet", env=CLOCKS[3])
    assert "warning" in run.err and "ledger.sqlite.unreadable" in run.err
    assert damage is not newer or "version 4000" in run.err
    aside = ledger(with_history).with_name("ledger.sqlite.unreadable")
    assert os.path.lexists(aside)
    assert not kept or aside.read_bytes() == kept
    assert with_history.identities() == before
    assert "ledger" not in with_history.build("--quiet", env=CLOCKS[4]).err


def break_free_pages(path):
    """Damages the list of free pages, which SQLite reads only when the ledger grows."""
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA journal_mode = DELETE")
        database.execute("CREATE TABLE rubbish (text)")
        database.executemany("INSERT INTO rubbish VALUES (?)", [("x" * 3000,)] * 50)
        database.commit()
        database.execute("DROP TABLE rubbish")
    database.close()
    content = bytearray(path.read_bytes())
    trunk = int.from_bytes(content[32:36], "big")
    assert trunk, "the ledger has no free pages"
    content[(trunk - 1) * 4096 : trunk * 4096] = b"\xff" * 4096
    path.write_bytes(content)


def test_a_ledger_that_turns_out_to_be_damaged_while_writing_is_set_aside_and_the_build_starts_again(with_history):
    before = with_history.photos()
    break_free_pages(ledger(with_history))
    photos = {"Zero": with_history.web.url("0.jpg"), **{f"Photo {number}": "local.jpg" for number in range(100)}}
    run = with_history.list(photos).build(env=CLOCKS[3])
    assert run.err.count("ledger.sqlite.unreadable") == 1
    assert with_history.photos()["Zero"] == before["Zero"]
    assert with_history.files() == with_history.accounted_for()
    assert "Nothing to do" in with_history.build(env=CLOCKS[4]).err


def test_a_ledger_with_a_changed_row_is_set_aside(with_history):
    """The changed row has a valid value, so only its checksum shows the damage."""
    before = with_history.identities()
    with sqlite3.connect(ledger(with_history)) as database:
        database.execute("UPDATE photo SET since = since + 1 WHERE slug = 'zero'")
    database.close()
    run = with_history.build(env=CLOCKS[3])
    assert "photo is not as it was written" in run.err and "ledger.sqlite.unreadable" in run.err
    assert with_history.identities() == before


def test_an_empty_ledger_is_used_as_a_new_one_without_a_warning(gallery):
    (gallery.folder / "1.jpg").write_bytes(jpeg(1))
    ledger(gallery).parent.mkdir()
    ledger(gallery).touch()
    assert "warning" not in gallery.list({"One": "1.jpg"}).build().err


def test_two_damaged_ledgers_are_both_kept(with_history):
    for _ in range(2):
        zeroed(ledger(with_history))
        with_history.build(env=CLOCKS[3])
    assert len([path for path in ledger(with_history).parent.glob("*.unreadable*") ]) == 2


def as_nobody():
    """Changes to another user if the tests run as root, since no file is read-only for root."""
    if os.geteuid() == 0:
        os.setgid(65534)
        os.setuid(65534)


@pytest.fixture
def owned_by_nobody(three_photos, tmp_path):
    """A gallery whose files belong to the user of `as_nobody`."""
    three_photos.build()
    if os.geteuid() == 0:
        root = Path(os.environ.get("PYTEST_DEBUG_TEMPROOT") or gettempdir()).resolve()
        for folder in (tmp_path, *tmp_path.parents):
            if folder.stat().st_uid == 0 and root in folder.parents:
                folder.chmod(folder.stat().st_mode | 0o755)
        subprocess.run(["chown", "-R", "65534:65534", str(three_photos.folder)], check=True)
    yield three_photos
    subprocess.run(["chmod", "-R", "u+rwX", str(three_photos.folder)], check=True)


@pytest.mark.parametrize("mode", [0o444, 0o000], ids=["read-only", "forbidden"])
def test_a_read_only_ledger_is_set_aside(owned_by_nobody, mode):
    before = owned_by_nobody.identities()
    ledger(owned_by_nobody).chmod(mode)
    run = owned_by_nobody.build(preexec_fn=as_nobody)
    assert "Permission denied" in run.err and "ledger.sqlite.unreadable" in run.err
    assert owned_by_nobody.identities() == before
    assert "Nothing to do" in owned_by_nobody.build(preexec_fn=as_nobody).err


@pytest.mark.parametrize("command", [("status",), ("build", "--dry-run"), ("clean", "--unused")])
def test_a_ledger_that_may_not_be_read_is_named_with_advice(owned_by_nobody, command):
    ledger(owned_by_nobody).chmod(0o000)
    run = owned_by_nobody.run(*command, preexec_fn=as_nobody)
    assert run.code == 74
    assert f"{ledger(owned_by_nobody)}: Permission denied; run gallerygen as the owner" in run.err, run.err
    assert "bytes are free" not in run.err


@pytest.mark.parametrize("command", [("status",), ("status", "--moved"), ("build", "--dry-run")])
def test_a_state_folder_that_may_not_be_searched_is_named_with_advice(owned_by_nobody, command):
    owned_by_nobody.state.chmod(0o600)
    run = owned_by_nobody.run(*command, preexec_fn=as_nobody)
    assert run.code == 74
    assert f"{owned_by_nobody.state}: Permission denied; run gallerygen as the owner" in run.err, run.err


@pytest.mark.parametrize("command", [("build", "--force"), ("clean",)])
def test_a_folder_of_the_site_that_may_not_be_searched_is_no_empty_folder(owned_by_nobody, command):
    photos = owned_by_nobody.site / "photo"
    before = owned_by_nobody.contents()
    photos.chmod(0o644)
    run = owned_by_nobody.run(*command, preexec_fn=as_nobody)
    assert (run.code, f"{photos} can't be written: Permission denied" in run.err) == (74, True), run.err
    photos.chmod(0o755)
    assert owned_by_nobody.contents() == before
    assert "Nothing to do" in owned_by_nobody.build(preexec_fn=as_nobody).err


def test_a_state_folder_that_may_not_be_written_is_named_with_advice(owned_by_nobody):
    owned_by_nobody.state.chmod(0o555)
    run = owned_by_nobody.build("--force", preexec_fn=as_nobody, expect=74)
    assert f"{owned_by_nobody.state}: Permission denied; run gallerygen as the owner" in run.err, run.err
    assert "bytes are free" not in run.err


@pytest.mark.parametrize("command", [("build", "--force"), ("build", "--dry-run")])
def test_originals_that_may_not_be_read_are_named_with_advice(owned_by_nobody, command):
    (owned_by_nobody.state / "originals").chmod(0o000)
    run = owned_by_nobody.run(*command, preexec_fn=as_nobody)
    assert run.code == 74
    assert f"{owned_by_nobody.state}/originals" in run.err and ": Permission denied; run" in run.err, run.err


def test_status_needs_no_permission_to_write_even_before_the_first_build(owned_by_nobody):
    for folder in (owned_by_nobody.site, owned_by_nobody.state):
        shutil.rmtree(folder)
    owned_by_nobody.folder.chmod(0o555)
    run = owned_by_nobody.run("status", preexec_fn=as_nobody)
    assert (run.code, run.out.count("new")) == (0, 3)


def test_a_read_only_state_folder_exits_with_74_and_is_named(owned_by_nobody):
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


@pytest.fixture
def without_shared_memory(three_photos, tmp_path):
    """A command prefix that makes opening the ledger's shared memory fail, as on network file systems."""
    shared = ledger(three_photos).with_name("ledger.sqlite-shm")
    return [
        "strace", "-f", "-o", tmp_path / "trace", "-P", shared, "-e", "trace=openat", "-e",
        "inject=openat:error=EACCES"]


def test_without_shared_memory_a_new_ledger_uses_a_rollback_journal(three_photos, without_shared_memory, tmp_path):
    three_photos.build(prefix=without_shared_memory)
    assert "-shm" in (tmp_path / "trace").read_text(), "the program did not try to open the shared memory"
    assert journal_mode(ledger(three_photos)) == 1
    assert three_photos.files() == three_photos.accounted_for()
    assert "Nothing to do" in three_photos.build(prefix=without_shared_memory).err


def test_without_shared_memory_a_ledger_with_a_write_ahead_log_is_converted(three_photos, without_shared_memory):
    three_photos.build()
    assert journal_mode(ledger(three_photos)) == 2
    run = three_photos.build(prefix=without_shared_memory)
    assert "ledger" not in run.err
    assert "Nothing to do" in run.err
    assert journal_mode(ledger(three_photos)) == 1


def test_after_a_failed_sync_of_the_ledger_it_is_not_synchronised_again(three_photos, tmp_path):
    """After a failed sync the kernel may have dropped the data; a second sync would then succeed without it."""
    three_photos.build()
    tracing = ["strace", "-f", "-qq", "-y", "-o", tmp_path / "trace", "-e"]
    # The killed build leaves records in the log. SQLite would move them into the main file when the ledger is closed.
    three_photos.run("build", "--title", "Killed", prefix=[*tracing, "inject=renameat2:signal=KILL:when=1"])
    assert ledger(three_photos).with_name("ledger.sqlite-wal").stat().st_size > 0
    # This build only renders pages. Its first sync is that of the record of the files that it is about to publish.
    refusing = [*tracing, "trace=fdatasync", "-e", "inject=fdatasync:error=EIO:when=1"]
    run = three_photos.run("build", "--title", "Another", prefix=refusing)
    calls = [call for call in (tmp_path / "trace").read_text().splitlines() if "/ledger.sqlite" in call]
    assert "ledger.sqlite-wal>" in calls[0] and "INJECTED" in calls[0]
    assert calls[1:] == []
    assert run.code == 74, run.output
    three_photos.build("--title", "Another")
    assert three_photos.files() == three_photos.accounted_for()


@pytest.mark.parametrize("side", [8_000_000_000, -(2**62)])
def test_sizes_in_status_json_that_no_picture_has_are_ignored(with_history, side):
    """Somebody may have edited the file from which a build continues after the ledger was lost."""
    status = with_history.status()
    for photo in status["photos"]:
        for image in photo["images"]:
            image["width"] = image["height"] = side
    (with_history.site / "status.json").write_text(json.dumps(status))
    lose(with_history)
    for name in ("0.jpg", "1.jpg"):
        (with_history.web.root / name).write_bytes(jpeg(20 + int(name[0]), width=400, height=300))
    for _ in range(2):
        with_history.build()
    assert {image["width"] for photo in with_history.status()["photos"] for image in photo["images"]} <= set(
        range(1, 1601))
