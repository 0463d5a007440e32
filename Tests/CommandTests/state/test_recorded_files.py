"""The ledger has a record of each file of the site, with its size and the digest of its content."""

import contextlib
import hashlib
import sqlite3

import pytest
from pictures import jpeg
from scripted_server import picture, status


def recorded(gallery):
    """The ledger's record of the site: path → digest and size in bytes."""
    with contextlib.closing(sqlite3.connect(gallery.state / "ledger.sqlite")) as ledger:
        return {path: (digest, size) for path, digest, size in ledger.execute("SELECT path, digest, bytes FROM owned")}


def mistakes(gallery):
    """The records that are not those of the files. The digest may be missing if the name proves the content."""
    records, found = recorded(gallery), []
    files = {str(path.relative_to(gallery.site)): path for path in gallery.site.rglob("*") if path.is_file()}
    for name, path in files.items():
        content = path.read_bytes()
        digest = hashlib.sha256(content).hexdigest()
        allowed = {(digest, len(content))}
        if name.startswith("images/") or digest[:16] in name:
            allowed.add((None, len(content)))
        if records.pop(name, None) not in allowed:
            found.append(name)
    with contextlib.closing(sqlite3.connect(gallery.state / "ledger.sqlite")) as ledger:
        unfinished = ledger.execute(
            "SELECT path FROM owned JOIN site USING (output) WHERE owned.publication > site.publication").fetchall()
    return found + list(records) + unfinished


@pytest.fixture
def listed(gallery, scripted):
    photos = {
        "One": scripted.on("/1.jpg", picture(jpeg(1))), "Two": scripted.on("/2.jpg", picture(jpeg(2))),
        "Gone": scripted.on("/gone.jpg", status(404))}
    gallery.list(photos)
    return photos


@pytest.mark.parametrize("options", [[], ["--live"], ["--keep-old", "1h"]], ids=["plain", "live", "keep-old"])
def test_the_files_of_every_build_are_recorded(gallery, scripted, listed, options):
    def build(*more):
        gallery.build(*options, *more)
        assert mistakes(gallery) == []

    build()
    # One photo leaves the list, one gets another picture, and one is new.
    del listed["One"]
    scripted.on("/2.jpg", picture(jpeg(4)))
    gallery.list(listed | {"Three": scripted.on("/3.jpg", picture(jpeg(3)))})
    build()
    build("--title", "Another title")
    (gallery.site / "index.html").unlink()
    (gallery.site / "feed.xml").write_text("damaged")
    build()
    build("--force")
    (gallery.state / "ledger.sqlite").unlink()
    build()
