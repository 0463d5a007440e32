"""A network that fails a third of all requests: three builds in a row leave what a network without faults would
have."""

import os

import pytest
from gallery import Gallery
from pictures import with_comment, jpeg
from unreliable_server import FAULTS, UnreliableServer

COUNT = 5000
SEED = os.environ.get("GALLERYGEN_TEST_SEED", "1")
CLOCK = {"SOURCE_DATE_EPOCH": "1780000000"}
OPTIONS = (
    "--downloads", "64", "--downloads-per-host", "64", "--retries", "5", "--stall-timeout", "2s", "--widths", "24",
    "--no-originals", "--title", "Unreliable", "--quiet")
#: More than it takes on a machine that has much else to do.
PATIENCE = {"env": CLOCK, "timeout": 600}


@pytest.fixture(scope="module")
def server():
    pictures = [jpeg(number, 32, 24) for number in range(20)]
    photos = {f"/{number}.jpg": with_comment(pictures[number % 20], str(number)) for number in range(COUNT)}
    with UnreliableServer(photos, SEED) as server:
        yield server


def manifest(server):
    return {f"Photo {path}": server.url(path) for path in server.photos}


def good(gallery):
    return {name for name, photo in gallery.photos().items() if photo["state"] == "filtered"}


@pytest.mark.alone
@pytest.mark.timeout(900)
def test_three_builds_over_a_network_that_fails_a_third_of_all_requests(gallery, server, tmp_path, program):
    print(f"GALLERYGEN_TEST_SEED={SEED}")
    assert 0.33 < sum(FAULTS.values()) < 0.34
    gallery.list(manifest(server))

    gallery.build(*OPTIONS, **PATIENCE)
    once_good = good(gallery)
    asked = server.tries.total()
    assert server.fault_counts[None] < 0.7 * asked
    # Few enough are missing for the retries to have worked, and enough for the next builds to have something to do.
    assert 0 < COUNT - len(once_good) < COUNT / 50
    assert set(gallery.reasons().values()) <= {"interrupted", "http-status", "stalled", "not-an-image"}

    # Every photo is asked for again, also those that are good, and they fail as often.
    server.cache_control = "max-age=86400"
    gallery.build(*OPTIONS, **PATIENCE)
    assert server.tries.total() - asked > COUNT
    assert once_good <= good(gallery), "a photo that was good shows a placeholder"
    stale = {name for name, photo in gallery.photos().items() if photo["stale"]}
    assert stale, "no photo failed that was good before, so nothing was shown"
    once_good |= good(gallery)
    asked = server.tries.total()

    # Good originals are fresh by now, so only missing or stale ones are requested.
    gallery.build(*OPTIONS, **PATIENCE)
    assert once_good <= good(gallery), "a photo that was good shows a placeholder"
    assert server.tries.total() - asked < COUNT / 10
    assert gallery.status()["counts"] == {"new": 0, "downloaded": 0, "filtered": COUNT, "failed": 0, "stale": 0}

    server.is_reliable = True
    reference = Gallery(tmp_path / "reference", program).list(manifest(server))
    reference.build(*OPTIONS, **PATIENCE)
    assert gallery.contents() == reference.contents()
    assert not [path for path in (gallery.folder / ".gallerygen/originals/tmp").iterdir()]
    assert not [path for path in (gallery.folder / ".gallerygen/originals/partial").iterdir()]
