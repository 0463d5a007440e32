"""Ledgers of newer and older versions, and values that this version does not know."""

import contextlib
import sqlite3

import pytest
from older_ledger import make_version_9, make_version_11, make_version_15, row_sum, signed
from pictures import jpeg
from scripted_server import response, status

PHOTO = ("number, key, slug, state, code, reason, since, stale_since, stale_code, stale_reason, sha256, "
         "attempts, source, recipe, back, fetched")


@pytest.fixture
def built(three_photos):
    three_photos.build()
    return three_photos


def ledger(gallery):
    return gallery.folder / ".gallerygen/ledger.sqlite"


def change(gallery, *statements):
    with contextlib.closing(sqlite3.connect(ledger(gallery), isolation_level=None)) as database:
        for statement in statements:
            database.execute(statement)


def update_photo_checksums(gallery):
    """Writes the checksums that a program with these values would have written."""
    with contextlib.closing(sqlite3.connect(ledger(gallery), isolation_level=None)) as database:
        total = 0
        for row in database.execute(f"SELECT {PHOTO} FROM photo").fetchall():
            total += row_sum(row)
            database.execute("UPDATE photo SET sum = ? WHERE number = ?", [row_sum(row), row[0]])
        database.execute("UPDATE total SET sum = ? WHERE name = 'photo'", [signed(total & (1 << 64) - 1)])


@pytest.mark.parametrize("arguments", [
    ("build",), ("build", "--dry-run"), ("status",), ("clean",), ("clean", "--unused"),
    ("clean", "--forget", "photos.plist")], ids=" ".join)
def test_a_ledger_of_a_newer_version_is_left_alone(built, arguments):
    change(built, "CREATE TABLE later (text TEXT)", "PRAGMA user_version = 99")
    before, site = ledger(built).read_bytes(), built.identities()
    run = built.run(*arguments)
    assert run.code == 74, run.output
    assert "newer gallerygen" in run.err and "--state" in run.err and str(ledger(built)) in run.err
    assert ledger(built).read_bytes() == before
    assert built.identities() == site
    assert not list(ledger(built).parent.glob("*unreadable*"))


def test_a_changed_version_number_is_taken_for_damage_and_not_for_a_newer_version(built):
    change(built, "PRAGMA user_version = 17")
    site = built.contents()
    assert "can't be used" in built.build().err
    assert built.contents() == site


def test_reasons_of_version_9_keep_their_translation(three_photos):
    """Version 9 stored English sentences. "Lost" has failed; "One" keeps its picture and is stale."""
    three_photos.list({"One": "1.jpg", "Two": "2.jpg", "Lost": "lost.jpg"}).build("--language", "de")
    (three_photos.folder / "1.jpg").write_text("<!DOCTYPE html>")
    three_photos.build("--language", "de")
    make_version_9(ledger(three_photos))
    site = three_photos.identities()
    listed = three_photos.run("status")
    assert "File not found: lost.jpg." in listed.out and "Expected a picture, found a web page." in listed.out
    three_photos.build("--language", "de")
    assert three_photos.identities() == site
    three_photos.build("--language", "es")
    assert "No es una imagen, sino una página web." in three_photos.page("photo/one.html").text


def test_a_ledger_of_version_11_is_migrated_and_records_a_moved_address_after_a_304(gallery, scripted):
    def answer(connection, request):
        if "if-none-match" in request.headers:
            return status(304, 'ETag: "v1"')(connection, request)
        return connection.sendall(response(jpeg(1), headers=['ETag: "v1"']))

    scripted.on("/new.jpg", answer)
    gallery.list({"Lake": scripted.on("/old.jpg", status(301, "Location: /new.jpg")), "Gone": "gone.jpg"}).build()
    make_version_11(ledger(gallery))
    site = gallery.identities()
    assert "moved" not in gallery.run("status").out
    gallery.build()
    assert gallery.identities() == site
    assert "moved permanently to" in gallery.run("status").out


def test_after_a_ledger_of_version_15_is_migrated_there_is_nothing_to_do_and_the_next_page_is_recorded(built):
    make_version_15(ledger(built))
    site = built.identities()
    assert "Nothing to do" in built.build().err
    assert built.identities() == site
    built.build("--title", "Other")
    assert "Nothing to do" in built.build("--title", "Other").err


@pytest.mark.parametrize("values", ["state = 'developed'", "code = 'quantum', reason = '{}', state = 'failed'",
                                   "stale_code = 'quantum', stale_reason = '{}', stale_since = 7"])
def test_only_a_photo_with_values_of_a_newer_version_is_processed_again(built, values):
    before = built.contents()
    change(built, f"UPDATE photo SET {values} WHERE slug = 'one'")
    update_photo_checksums(built)
    unused = built.run("clean", "--unused", "--dry-run")
    assert unused.code == 0 and unused.out == "", "the photo's original is still needed"
    run = built.build("--explain")
    assert "can't be used" not in run.err
    assert "One: new" in run.err and "Two: new" not in run.err
    after = built.contents()
    for site in (before, after):
        site["pictures"] = {path for path in site if path.startswith("images/")}
    assert after["pictures"] == before["pictures"]
    assert built.reasons() == {}


def test_a_constraint_violation_in_an_undamaged_ledger_is_reported_as_a_bug(built):
    """A trigger rejects a statement, as a constraint of the table would."""
    rule = "SELECT RAISE(ABORT, 'a rule of the table')"
    change(built, f"CREATE TRIGGER refusal BEFORE INSERT ON source BEGIN {rule}; END")
    (built.folder / "4.jpg").write_bytes((built.folder / "1.jpg").read_bytes())
    site = built.identities()
    run = built.list({"One": "1.jpg", "Four": "4.jpg"}).build(expect=70)
    assert "a rule of the table" in run.err
    assert not list(ledger(built).parent.glob("*unreadable*"))
    assert built.identities() == site
    change(built, "DROP TRIGGER refusal")
    built.build()
    assert set(built.photos()) == {"One", "Four"}


def test_status_and_a_dry_run_report_a_damaged_ledger_and_use_the_site(built):
    listed = built.run("status").out
    ledger(built).write_bytes(b"no ledger" * 1000)
    for arguments in (["status"], ["build", "--dry-run"]):
        run = built.run(*arguments)
        assert run.code == 0 and "not a database" in run.err, run.output
    assert built.run("status").out == listed, "status reads the site"
