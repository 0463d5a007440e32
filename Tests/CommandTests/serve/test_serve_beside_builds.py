"""`serve` beside builds: each uses what the other has made, and neither waits for the other."""

import contextlib
import json
import os
import re
import sqlite3

from preview_process import requested, slugs
from waiting import until


def recorded_photos(gallery):
    """The number of photos in the ledger of the gallery's preview."""
    with contextlib.closing(sqlite3.connect(gallery.state / "preview" / "ledger.sqlite")) as database:
        return database.execute("SELECT count(*) FROM photo").fetchone()[0]


def test_build_uses_what_the_preview_has_fetched_and_filtered(remote, serve):
    preview = serve(remote)
    page = preview.open()
    page.view(*slugs(3))
    page.until("progress", lambda message: message["ready"] == 40)
    assert preview.end()[0] == 130
    run = remote.build("--log-format", "json")
    summary = json.loads(run.err.splitlines()[-1])
    assert (summary["counts"]["filtered"], summary["rendered"], summary["transfers"]) == (40, 0, 0)
    assert len(requested(remote)) == 40
    # All of it is in the state of the builds now.
    assert not (remote.state / "preview" / "ledger.sqlite").exists()


def test_build_after_a_killed_preview_uses_what_it_had_finished(remote, serve):
    preview = serve(remote)
    page = preview.open()
    page.view(*slugs(3, 4))
    page.photos(*slugs(3, 4))
    # A photo is announced before it is recorded, and a build leaves a preview that has recorded no photo alone.
    until(lambda: recorded_photos(remote) >= 2, what="the rows of the photos")
    preview.kill()
    count = requested(remote).count(3) + requested(remote).count(4)
    remote.build()
    assert requested(remote).count(3) + requested(remote).count(4) == count == 2
    assert not (remote.state / "preview" / "ledger.sqlite").exists()


def test_build_beside_a_preview_neither_waits_nor_disturbs_it(remote, serve):
    preview = serve(remote)
    page = preview.open()
    page.view(*slugs(1, 2))
    page.photos(*slugs(1, 2))
    assert remote.build().seconds < 20
    page.view(*slugs(40))
    page.until("progress", lambda message: message["ready"] == 40)
    assert preview.page("/photo/photo-40.html").count("images/") > 0
    assert (remote.state / "preview" / "ledger.sqlite").exists()


def test_build_does_not_wait_for_a_locked_ledger_of_a_preview(three_photos, serve):
    preview = serve(three_photos)
    preview.open().view("lighthouse")
    preview.end()
    connection = sqlite3.connect(three_photos.state / "preview" / "ledger.sqlite")
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    connection.execute("BEGIN EXCLUSIVE")
    assert three_photos.build().seconds < 8
    connection.close()


def test_build_ignores_a_pipe_in_place_of_the_ledger_of_a_preview(three_photos):
    (three_photos.state / "preview").mkdir(parents=True)
    os.mkfifo(three_photos.state / "preview" / "ledger.sqlite")
    three_photos.build()


def test_preview_shows_what_a_build_has_made(remote, serve):
    remote.build()
    before = remote.contents()
    count = len(requested(remote))
    preview = serve(remote)
    page = preview.open()
    assert page.until("progress")["ready"] == 40
    image = re.search(r'src="(images/[^"]+)"', preview.page())[1]
    assert preview.get("/" + image)[0] == 200
    assert preview.end()[0] == 130
    assert len(requested(remote)) == count
    assert remote.contents() == before


def test_picture_that_a_build_has_removed_is_made_again(remote, serve):
    remote.build()
    preview = serve(remote)
    page = preview.open()
    image = re.search(r'src="(images/[^"]+)"', preview.page("/photo/photo-1.html").replace("../", ""))[1]
    assert preview.get("/" + image)[0] == 200
    # The second time, the preview itself has rendered it.
    for folders in ([remote.site / "images", remote.state / "derivatives"], [remote.state / "preview/derivatives"]):
        for path in [path for folder in folders for path in folder.iterdir()]:
            path.unlink()
        assert preview.get("/" + image)[0] == 404
        page.view(*slugs(1))
        page.photos(*slugs(1))
        assert preview.get("/" + image)[0] == 200


def test_filter_of_photos_that_a_build_has_fetched_needs_no_download(remote, serve):
    remote.build()
    page = serve(remote).open()
    page.view(*slugs(9))
    page.send(type="filter", chain="invert(1)")
    page.until("progress", lambda message: message["ready"] == 0)
    # While it is only tried, the rest is left alone.
    page.photos(*slugs(9))
    for number in range(20, 26):
        page.view(*slugs(number))
        assert page.photos(*slugs(number)) == slugs(number)
    page.send(type="save-filter", chain="invert(1)")
    page.until("progress", lambda message: message["ready"] == 40)
    assert len(requested(remote)) == 40


def test_clean_removes_what_an_ended_preview_has_left(remote, serve):
    preview = serve(remote)
    page = preview.open()
    page.view(*slugs(1))
    page.until("progress", lambda message: message["ready"] == 40)
    remote.run("clean", "--unused")
    assert (remote.state / "preview" / "ledger.sqlite").exists()
    preview.end()
    run = remote.run("clean", "--unused", "--dry-run")
    assert "preview/ledger.sqlite" in run.out.splitlines()
    assert remote.run("clean", "--unused").code == 0
    assert [path.name for path in (remote.state / "preview").iterdir()] == ["lock"]
