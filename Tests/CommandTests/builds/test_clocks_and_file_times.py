"""Clocks that jump, and files with unreliable modification times: changes are noticed, and nothing is made twice."""

import os
import sqlite3
import time

import pytest
from older_ledger import make_version_8
from pictures import jpeg

DECADES = 30 * 365 * 86_400
SECOND = 10**9


@pytest.fixture
def settled(three_photos):
    """A gallery of local photos with old modification times; built once."""
    for number in range(1, 4):
        age(three_photos.folder / f"{number}.jpg", -3600)
    three_photos.build()
    return three_photos


def age(path, seconds):
    moment = time.time_ns() + seconds * SECOND
    os.utime(path, ns=(moment, moment))


def picture_of_same_size(path, number):
    """Another picture with the same number of bytes as the file."""
    size, picture = path.stat().st_size, jpeg(number)
    small = min((jpeg(n) for n in range(number, number + 40)), key=len)
    body = picture if len(picture) <= size else small
    assert len(body) <= size
    return body + bytes(size - len(body))


@pytest.mark.parametrize("way", ["overwritten", "replaced"])
@pytest.mark.parametrize("seconds", [-3600, 0, 3600, DECADES], ids=["past", "now", "in an hour", "far future"])
def test_a_changed_file_with_the_same_size_and_time_is_noticed(three_photos, seconds, way):
    path = three_photos.folder / "2.jpg"
    path.write_bytes(path.read_bytes() + bytes(2000))
    age(path, seconds)
    moment = path.stat().st_mtime_ns
    three_photos.build()
    before = three_photos.photos()
    body = picture_of_same_size(path, 60)
    if way == "replaced":
        other = three_photos.folder / "other.jpg"
        other.write_bytes(body)
        os.utime(other, ns=(moment, moment))
        other.replace(path)
    else:
        path.write_bytes(body)
        os.utime(path, ns=(moment, moment))
    assert path.stat().st_mtime_ns == moment
    three_photos.build()
    after = three_photos.photos()
    assert after["Two"]["sha256"] != before["Two"]["sha256"]
    assert (after["One"], after["Three"]) == (before["One"], before["Three"])


@pytest.mark.parametrize("seconds", [-DECADES, 3600, DECADES], ids=["decades ago", "in an hour", "far future"])
def test_files_with_unusual_times_are_processed_once(three_photos, seconds):
    for number in range(1, 4):
        age(three_photos.folder / f"{number}.jpg", seconds)
    three_photos.build()
    before = three_photos.identities()
    for _ in range(2):
        assert "Nothing to do" in three_photos.build().err
    assert three_photos.identities() == before


def test_a_file_whose_time_alone_changes_changes_nothing_in_the_site(settled):
    before = settled.identities()
    for seconds in (-10, 0, DECADES):
        age(settled.folder / "2.jpg", seconds)
        assert "Nothing to do" in settled.build().err
    assert settled.identities() == before


def shift_recorded_times(gallery, seconds):
    """Changes the ledger as if the clock had been so many seconds ahead at the last build."""
    ledger = gallery.folder / ".gallerygen/ledger.sqlite"
    with sqlite3.connect(ledger) as database:
        for table, column in [
            ("source", "validated"),
            ("source", "fresh_until"),
            ("photo", "checked"),
            ("photo", "since"),
        ]:
            database.execute(f"UPDATE {table} SET {column} = {column} + ?", (seconds,))
    database.close()
    make_version_8(ledger)
    with sqlite3.connect(ledger) as database:
        # Version 5 gave rows neither numbers nor checksums, so the migration accepts the changed rows.
        database.execute("DROP TABLE look")
        for table in ("source", "original", "photo"):
            columns = [name for _, name, *_ in database.execute(f"PRAGMA table_info({table})") if name != "number"]
            database.execute(f"CREATE TABLE keyed AS SELECT {', '.join(columns)} FROM {table}")
            database.execute(f"DROP TABLE {table}")
            database.execute(f"ALTER TABLE keyed RENAME TO {table}")
        for (table,) in database.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'total'"
        ).fetchall():
            database.execute(f"ALTER TABLE {table} DROP COLUMN sum")
        database.executescript("DROP TABLE total; PRAGMA user_version = 5")
    database.close()


@pytest.fixture
def fresh(gallery, web):
    """A gallery of photos that are fresh for an hour; built once."""
    for number in range(3):
        (web.root / f"{number}.jpg").write_bytes(jpeg(number))
    gallery.list({f"Photo {number}": web.url(f"fresh/{number}.jpg") for number in range(3)}).build()
    web.new_requests()
    gallery.web = web
    return gallery


@pytest.mark.parametrize("options", [(), ("--max-age", "1d")], ids=["auto", "a day"])
@pytest.mark.parametrize(("seconds", "requests"), [(0, 0), (DECADES, 3), (7200, 3), (-DECADES, 3)], ids=[
    "clock unchanged", "clock set back by decades", "clock set back by two hours", "clock set forward by decades"])
def test_after_the_clock_has_jumped_fresh_photos_are_revalidated(fresh, options, seconds, requests):
    fresh.build(*options)
    fresh.web.new_requests()
    shift_recorded_times(fresh, seconds)
    fresh.build(*options)
    assert len(fresh.web.new_requests()) == requests
    fresh.build(*options)
    assert fresh.web.new_requests() == []


def test_source_date_epoch_affects_only_the_site(fresh):
    """Freshness depends on the real time, and the lock shows the real time."""
    fresh.run("clean")
    for clock in ("0", "1700000000", "253402300799"):
        fresh.build(env={"SOURCE_DATE_EPOCH": clock})
        assert fresh.web.new_requests() == []
    assert fresh.status()["updated"] == "1970-01-01T00:00:00Z", "nothing has changed since the first build"
    fresh.build("--title", "Other", env={"SOURCE_DATE_EPOCH": "1700000000"})
    assert fresh.status()["updated"] == "2023-11-14T22:13:20Z"
    assert f"since {time.strftime('%Y-', time.gmtime())}" in (fresh.folder / ".gallerygen/lock").read_text()
