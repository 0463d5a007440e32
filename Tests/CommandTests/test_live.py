"""--live: the site is published while it is built, and ends as if it had been built without."""

import re
import signal
import time

import pytest
from gallery import contents_of
from pictures import jpeg
from program import exit_code
from scripted_server import held, picture, status

CLOCK = {"SOURCE_DATE_EPOCH": "1700000000"}


def until(gallery, condition, seconds=30):
    """Looks again and again until status.js tells what is waited for."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        told = gallery.live_status()
        if told and condition(told):
            return told
        time.sleep(0.02)
    raise AssertionError(f"status.js never told it; in the end: {gallery.live_status()}")


@pytest.fixture
def waiting(gallery, scripted):
    """A live build of three photos and a failure, one of which its server keeps back."""
    gallery.list({
        "One": scripted.on("/1.jpg", picture(jpeg(1))), "Slow": scripted.on("/slow.jpg", held(scripted, jpeg(2))),
        "Gone": scripted.on("/gone.jpg", status(404)), "Three": scripted.on("/3.jpg", picture(jpeg(3)))})
    process = gallery.program.start("build", "--live", cwd=gallery.folder, env=CLOCK)
    yield process
    process.kill()
    process.communicate()


def test_pages_are_there_at_once_and_each_photo_follows(gallery, scripted, waiting):
    told = until(gallery, lambda told: told["ready"] == 3)
    assert told["total"] == 4 and told["end"] is None
    assert sum('data-state="filtered"' in card for card in told["cards"]) == 2
    assert sum('data-reason="not-found"' in card for card in told["cards"]) == 1
    roots = {
        address for card in told["cards"] for address in re.findall(r'(?:href|src)="([^"]*?)(?:images|photo)/', card)
    }
    assert roots == {"\U0010fffd"}
    # Every picture that is named is there, and no link leads nowhere.
    for page in gallery.pages():
        assert [target for target in page.local_targets() if not (gallery.site / target).is_file()] == []
    assert gallery.page("index.html").has("link", **{"data-script": "live"})
    assert {photo["state"] for photo in gallery.status()["photos"]} == {"new"}

    scripted.release.set()
    out, err = waiting.communicate(timeout=60)
    assert waiting.returncode == 0, err


@pytest.mark.quick
def test_a_live_build_ends_as_any_other(gallery, scripted, waiting, tmp_path):
    scripted.release.set()
    told = until(gallery, lambda told: told["end"])
    assert told["end"] == "done" and told["ready"] == 4
    waiting.communicate(timeout=60)
    assert not (gallery.site / "status.js").exists()
    assert gallery.files() == gallery.accounted_for()
    assert b"data-script=\"live\"" not in (gallery.site / "index.html").read_bytes()

    gallery.build("-o", "plain", "--state", str(tmp_path / "state"), env=CLOCK)
    assert contents_of(gallery.folder / "plain") == gallery.contents()


@pytest.mark.alone
def test_with_nothing_new_a_live_build_is_as_quick_and_quiet_as_any(gallery, scripted):
    gallery.list({"One": scripted.on("/1.jpg", picture(jpeg(1))), "Gone": scripted.on("/gone.jpg", status(404))})
    gallery.build("--live")
    before = gallery.identities()
    run = gallery.build("--live")
    assert gallery.identities() == before
    assert run.seconds < 2


def test_another_filter_leaves_the_old_pictures_until_the_new_ones_are_there(three_photos, scripted):
    three_photos.build()
    before = three_photos.contents()
    old = {path: digest for path, digest in before.items() if path.startswith("images/")}
    three_photos.list({
        "One": "1.jpg", "Two": "2.jpg", "Three": "3.jpg",
        "Slow": scripted.on("/slow.jpg", held(scripted, jpeg(9)))})
    process = three_photos.program.start("build", "--live", "--filter", "invert()", cwd=three_photos.folder)
    try:
        until(three_photos, lambda told: told["ready"] == 3)
        now = three_photos.contents()
        assert {path: now.get(path) for path in old} == old
        assert len([path for path in now if path.startswith("images/")]) > len(old)
        scripted.release.set()
        process.communicate(timeout=60)
    finally:
        process.kill()
        process.communicate()
    assert three_photos.files() == three_photos.accounted_for()


@pytest.mark.alone
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
def test_an_interrupted_live_build_says_so_to_open_pages(gallery, scripted, waiting, number):
    until(gallery, lambda told: told["ready"] == 3)
    start = time.monotonic()
    waiting.send_signal(number)
    waiting.communicate(timeout=20)
    assert time.monotonic() - start <= 2
    assert exit_code(waiting.returncode) == 128 + number
    assert gallery.live_status()["end"] == "stopped"
    for page in gallery.pages():
        assert [target for target in page.local_targets() if not (gallery.site / target).is_file()] == []

    scripted.release.set()
    gallery.build(env=CLOCK)
    assert gallery.files() == gallery.accounted_for()
    assert scripted.counts()["/1.jpg"] <= 2


def test_a_killed_live_build_is_completed_by_the_next_build(gallery, scripted, waiting):
    until(gallery, lambda told: told["ready"] == 3)
    waiting.kill()
    waiting.communicate()
    scripted.release.set()
    gallery.build(env=CLOCK)
    assert not (gallery.site / "status.js").exists()
    assert gallery.files() == gallery.accounted_for()
    assert gallery.reasons() == {"Gone": "not-found"}
