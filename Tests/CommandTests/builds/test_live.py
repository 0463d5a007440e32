"""--live: the site is published while it is built, and in the end is the same as without the option."""

import re
import signal
import time

import pytest
from gallery import contents_of
from pictures import jpeg
from program import exit_code
from scripted_server import held, picture, status
from waiting import TIMEOUT, until

CLOCK = {"SOURCE_DATE_EPOCH": "1700000000"}


def wait_for_status(gallery, condition):
    """Waits until the contents of status.js meet the condition, and returns them."""

    def status():
        live = gallery.live_status()
        return live if live and condition(live) else None

    return until(status, what="the condition for status.js")


@pytest.fixture
def waiting(gallery, scripted):
    """A live build of three photos and one that fails; the server holds one of the photos back."""
    gallery.list({
        "One": scripted.on("/1.jpg", picture(jpeg(1))), "Slow": scripted.on("/slow.jpg", held(scripted, jpeg(2))),
        "Gone": scripted.on("/gone.jpg", status(404)), "Three": scripted.on("/3.jpg", picture(jpeg(3)))})
    process = gallery.program.start("build", "--live", cwd=gallery.folder, env=CLOCK)
    yield process
    process.kill()
    process.communicate()


def test_pages_are_published_first_and_then_each_photo(gallery, scripted, waiting):
    live = wait_for_status(gallery, lambda live: live["ready"] == 3)
    assert live["total"] == 4 and live["end"] is None
    assert sum('data-state="filtered"' in card for card in live["cards"]) == 2
    assert sum('data-reason="not-found"' in card for card in live["cards"]) == 1
    roots = {
        address for card in live["cards"] for address in re.findall(r'(?:href|src)="([^"]*?)(?:images|photo)/', card)
    }
    assert roots == {"\U0010fffd"}
    # All pictures and pages that the pages refer to exist.
    for page in gallery.pages():
        assert [target for target in page.local_targets() if not (gallery.site / target).is_file()] == []
    assert gallery.page("index.html").has("link", **{"data-script": "live"})
    assert {photo["state"] for photo in gallery.status()["photos"]} == {"new"}

    scripted.release.set()
    out, err = waiting.communicate(timeout=TIMEOUT)
    assert waiting.returncode == 0, err


def test_a_live_build_makes_the_same_site_as_any_other(gallery, scripted, waiting, tmp_path):
    scripted.release.set()
    live = wait_for_status(gallery, lambda live: live["end"])
    assert live["end"] == "done" and live["ready"] == 4
    waiting.communicate(timeout=TIMEOUT)
    assert not (gallery.site / "status.js").exists()
    assert gallery.files() == gallery.accounted_for()
    assert b"data-script=\"live\"" not in (gallery.site / "index.html").read_bytes()

    gallery.build("-o", "plain", "--state", str(tmp_path / "state"), env=CLOCK)
    assert contents_of(gallery.folder / "plain") == gallery.contents()


@pytest.mark.alone
def test_a_live_build_with_nothing_to_do_writes_nothing_and_does_not_wait(gallery, scripted):
    gallery.list({"One": scripted.on("/1.jpg", picture(jpeg(1))), "Gone": scripted.on("/gone.jpg", status(404))})
    gallery.build("--live")
    before = gallery.identities()
    run = gallery.build("--live")
    assert gallery.identities() == before
    assert run.seconds < 2


def test_a_live_build_with_another_filter_keeps_the_old_pictures_until_its_end(three_photos, scripted):
    three_photos.build()
    old = contents_of(three_photos.site / "images")
    three_photos.list({
        "One": "1.jpg", "Two": "2.jpg", "Three": "3.jpg",
        "Slow": scripted.on("/slow.jpg", held(scripted, jpeg(9)))})
    process = three_photos.program.start("build", "--live", "--filter", "invert()", cwd=three_photos.folder)
    try:
        wait_for_status(three_photos, lambda live: live["ready"] == 3)
        # The build may still be removing its temporary folder beside this one.
        now = contents_of(three_photos.site / "images")
        assert {path: now.get(path) for path in old} == old
        assert len(now) > len(old)
        scripted.release.set()
        process.communicate(timeout=TIMEOUT)
    finally:
        process.kill()
        process.communicate()
    assert three_photos.files() == three_photos.accounted_for()


@pytest.mark.alone
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
def test_an_interrupted_live_build_tells_open_pages(gallery, scripted, waiting, number):
    wait_for_status(gallery, lambda live: live["ready"] == 3)
    start = time.monotonic()
    waiting.send_signal(number)
    _, err = waiting.communicate(timeout=TIMEOUT)
    assert time.monotonic() - start <= 2
    assert exit_code(waiting.returncode) == 128 + number
    assert "interrupted; photos that were finished may be on the site already" in err
    assert gallery.live_status()["end"] == "stopped"
    for page in gallery.pages():
        assert [target for target in page.local_targets() if not (gallery.site / target).is_file()] == []

    scripted.release.set()
    gallery.build(env=CLOCK)
    assert gallery.files() == gallery.accounted_for()
    assert scripted.counts()["/1.jpg"] <= 2


def test_a_killed_live_build_is_completed_by_the_next_build(gallery, scripted, waiting):
    wait_for_status(gallery, lambda live: live["ready"] == 3)
    waiting.kill()
    waiting.communicate()
    scripted.release.set()
    gallery.build(env=CLOCK)
    assert not (gallery.site / "status.js").exists()
    assert gallery.files() == gallery.accounted_for()
    assert gallery.reasons() == {"Gone": "not-found"}
