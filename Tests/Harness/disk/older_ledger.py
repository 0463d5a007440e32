"""Converts a ledger of the current version into one of versions 8 to 15."""

import contextlib
import hashlib
import json
import re
import sqlite3
from pathlib import Path

MASK = (1 << 64) - 1


def row_sum(values):
    """The checksum of a row as Sources/Ledger/Records/RowChecksum.swift computes it and SQLite stores it."""
    state = 0x243F6A8885A308D3

    def mix(word):
        nonlocal state
        state = (state ^ word & MASK) * 0x9E3779B97F4A7C15 & MASK
        state ^= state >> 32

    for value in values:
        if value is None:
            mix(0)
        elif isinstance(value, int):
            mix(1)
            mix(value)
        else:
            text = value.encode()
            mix(len(text) << 2 | 2)
            whole = len(text) // 8 * 8
            for start in range(0, whole, 8):
                mix(int.from_bytes(text[start:start + 8], "little"))
            if text[whole:]:
                mix(int.from_bytes(text[whole:], "big"))
    return signed(state)


def signed(number):
    return number - (1 << 64) if number >> 63 else number


def gallery_key(manifest):
    return hashlib.sha256(f"file {manifest}".encode()).hexdigest()[:32]


KEYED = {"site": ("output", "output, content, templates, updated, inputs, revision"),
         "gallery": ("key", "key, revision"), "look": ("gallery", "gallery, checked")}


def replace_key(database, table, old, new):
    key, columns = KEYED[table]
    row = database.execute(f"SELECT {columns} FROM {table} WHERE {key} = ?", [old]).fetchone()
    if row:
        database.execute(f"UPDATE {table} SET {key} = ?, sum = ? WHERE {key} = ?", [new, row_sum([new, *row[1:]]), old])


def drop_columns(database, table, columns):
    """Drops columns that an older version did not have, and gives the rows the checksums that it computed."""
    for column in columns:
        database.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
    names = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
    values = ", ".join(name for name in names if name != "sum")
    sums = []
    for row in database.execute(f"SELECT {values} FROM {table}").fetchall():
        sums.append(row_sum(row))
        database.execute(f"UPDATE {table} SET sum = ? WHERE {names[0]} = ?", [sums[-1], row[0]])
    database.execute("UPDATE total SET sum = ? WHERE name = ?", [signed(sum(sums) & MASK), table])


# Kind of a fact → the prefix of its names in Templates/strings.
GROUPS = {"content": "found", "file": "file", "address": "address", "damage": "damage"}


def sentence(reason):
    """The English sentence for a reason as version 10 stores it: {"not-an-image":{"phrase":{"content":"web-page"}}}."""
    texts = (Path(__file__).parents[3] / "Templates/strings/en.txt").read_text()
    def text(name):
        return re.search(f"^{re.escape(name)} = (.*)$", texts, re.MULTILINE).group(1)

    def words(value):
        if not isinstance(value, dict):
            return str(value)
        [(kind, fact)] = value.items()
        return text(f"{GROUPS[kind]}.{fact}")

    [(name, values)] = json.loads(reason).items()
    return re.sub("{(.*?)}", lambda place: words(values[place.group(1)]), text(f"reason.{name}"))


def update_sums(database, table, scope, columns):
    """Gives the rows of a table, and its totals, the checksums of these columns. The first one belongs to the key."""
    totals = {}
    for owner, *row in database.execute(f"SELECT {scope}, {columns} FROM {table}").fetchall():
        totals[owner] = totals.get(owner, 0) + row_sum(row)
        database.execute(f"UPDATE {table} SET sum = ? WHERE {columns.split(',')[0]} = ? AND {scope} = ?",
                         [row_sum(row), row[0], owner])
    for owner, total in totals.items():
        database.execute("UPDATE total SET sum = ? WHERE name = ? AND scope = ?",
                         [signed(total & MASK), table, owner])


def update_sums_without_publications(database):
    update_sums(database, "site", "''", KEYED["site"][1])
    update_sums(database, "owned", "output", "path, digest, bytes, key")


def make_version_15(ledger):
    """Version 15 has no numbers of publications."""
    with contextlib.closing(sqlite3.connect(ledger, isolation_level=None)) as database:
        for table, column in (("owned", "replaced"), ("owned", "publication"), ("site", "publication")):
            database.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
        update_sums_without_publications(database)
        database.execute("PRAGMA user_version = 15")
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def make_version_14(ledger):
    """Version 14 does not record where validators come from."""
    make_version_15(ledger)
    with contextlib.closing(sqlite3.connect(ledger, isolation_level=None)) as database:
        drop_columns(database, "source", ["responder"])
        database.execute("PRAGMA user_version = 14")
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def make_version_13(ledger):
    """Version 13 has no earlier versions of photos."""
    make_version_14(ledger)
    with contextlib.closing(sqlite3.connect(ledger, isolation_level=None)) as database:
        database.execute("DROP TABLE version")
        database.execute("DELETE FROM total WHERE name = 'version'")
        database.execute("ALTER TABLE picture DROP COLUMN version")
        totals = {}
        for gallery, *row in database.execute(
                "SELECT gallery, photo, position, file_name, width, height, bytes, unfiltered, colour FROM picture"
        ).fetchall():
            totals[gallery] = totals.get(gallery, 0) + row_sum(row)
            database.execute("UPDATE picture SET sum = ? WHERE gallery = ? AND photo = ? AND position = ?",
                             [row_sum(row), gallery, *row[:2]])
        for gallery, total in totals.items():
            database.execute("UPDATE total SET sum = ? WHERE name = 'picture' AND scope = ?",
                             [signed(total & MASK), gallery])
        database.execute("PRAGMA user_version = 13")
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def make_version_12(ledger):
    """Version 12 has no marks of photos."""
    make_version_13(ledger)
    with contextlib.closing(sqlite3.connect(ledger, isolation_level=None)) as database:
        database.execute("DROP TABLE mark")
        database.execute("DELETE FROM total WHERE name = 'mark'")
        database.execute("PRAGMA user_version = 12")
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def make_version_11(ledger):
    """Version 11 does not record where addresses have moved."""
    make_version_12(ledger)
    with contextlib.closing(sqlite3.connect(ledger, isolation_level=None)) as database:
        drop_columns(database, "source", ["moved"])
        database.execute("PRAGMA user_version = 11")
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")


# Tests/TestSupport/OlderLedger.swift reads the same file.
VERSION_10 = Path(__file__).with_name("version-10.sql").read_text()


def make_version_10(ledger):
    """Version 10 stores pictures, facts of originals and file stamps as text."""
    with contextlib.closing(sqlite3.connect(ledger, isolation_level=None)) as database:
        database.executescript(VERSION_10)
        for table, columns in {
            "source": "key, sha256, bytes, etag, last_modified, file_stamp, validated, fresh_until, retry_after, "
                      "retry_status, fetched, caching, refusal",
            "original": "sha256, facts",
            "photo": "key, slug, state, code, reason, since, stale_since, stale_code, stale_reason, sha256, pictures, "
                     "attempts, source, recipe, back, fetched",
        }.items():
            update_sums(database, table, "gallery" if table == "photo" else "''", "number, " + columns)
        update_sums_without_publications(database)
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def make_version_9(ledger):
    """Version 9 stores reasons as English sentences."""
    make_version_10(ledger)
    with contextlib.closing(sqlite3.connect(ledger, isolation_level=None)) as database:
        columns = ("number, key, slug, state, code, message, since, stale_since, stale_code, stale_message, sha256, "
                   "pictures, attempts, source, recipe, back, fetched")
        for index in "source_by_key", "original_by_sha256", "photo_by_key":
            database.execute(f"DROP INDEX {index}")
        for column in "reason", "stale_reason":
            database.execute(f"ALTER TABLE photo RENAME COLUMN {column} TO {column.replace('reason', 'message')}")
        for gallery, in database.execute("SELECT DISTINCT gallery FROM photo").fetchall():
            total = 0
            for row in database.execute(f"SELECT {columns} FROM photo WHERE gallery = ?", [gallery]).fetchall():
                row = [sentence(value) if value and index in (5, 9) else value for index, value in enumerate(row)]
                total += row_sum(row)
                database.execute(
                    "UPDATE photo SET message = ?, stale_message = ?, sum = ? WHERE gallery = ? AND number = ?",
                    [row[5], row[9], row_sum(row), gallery, row[0]])
            database.execute("UPDATE total SET sum = ? WHERE name = 'photo' AND scope = ?",
                             [signed(total & MASK), gallery])
        database.execute("PRAGMA user_version = 9")
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def make_version_8(ledger):
    """Version 8 identifies galleries and folders by absolute paths, and has no table `place`."""
    make_version_9(ledger)
    with contextlib.closing(sqlite3.connect(ledger, isolation_level=None)) as database:
        places = database.execute("SELECT key, absolute, manifests FROM place").fetchall()
        for key, absolute, manifests in places:
            tables = ["photo", "album"] if manifests else ["owned"]
            for table in KEYED:
                replace_key(database, table, key, absolute)
            for table in tables:
                column = "gallery" if manifests else "output"
                database.execute(f"UPDATE {table} SET {column} = ? WHERE {column} = ?", [absolute, key])
                database.execute("UPDATE total SET scope = ? WHERE name = ? AND scope = ?", [absolute, table, key])
        for table in KEYED:
            sums = [row[0] for row in database.execute(f"SELECT sum FROM {table}")]
            database.execute(
                "UPDATE total SET sum = ? WHERE name = ?", [signed(sum(sums) & MASK), table])
        drop_columns(database, "source", ["caching", "refusal"])
        for table in ["place", "location"]:
            database.execute(f"DROP TABLE {table}")
            database.execute("DELETE FROM total WHERE name = ?", [table])
        database.execute("PRAGMA user_version = 8")
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
