"""The dates of a photo on its page and in the feed: when it was downloaded, and when it recovered from a failure."""

import re
import xml.etree.ElementTree as xml

import pytest
from pictures import jpeg

CLOCKS = [{"SOURCE_DATE_EPOCH": str(1_700_000_000 + 1000 * number)} for number in range(6)]
TIMES = ["2023-11-14T22:13:20Z", "2023-11-14T22:30:00Z", "2023-11-14T22:46:40Z", "2023-11-14T23:03:20Z"]
ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
def lake(gallery, web):
    """A gallery of one photo on a web server that has not been built."""
    gallery.picture = web.root / "lake.jpg"
    gallery.picture.write_bytes(jpeg(1))
    return gallery.list({"Lake": web.url("lake.jpg")})


def entry(gallery):
    """The photo's entry in the feed: id, summary and time."""
    found = xml.fromstring((gallery.site / "feed.xml").read_bytes()).find(f"{ATOM}entry")
    return tuple(found.findtext(ATOM + name) for name in ("id", "summary", "updated"))


def downloaded(gallery):
    page = (gallery.site / "photo/lake.html").read_text()
    return re.search(r'<dt>Downloaded</dt><dd><time datetime="([^"]*)"', page)[1]


def assert_nothing_to_do(gallery, clock):
    before = gallery.identities()
    assert "Nothing to do" in gallery.build(env=clock).err
    assert gallery.identities() == before


def test_the_feed_says_that_a_failed_photo_has_recovered(lake):
    content = lake.picture.read_bytes()
    lake.picture.unlink()
    lake.build(env=CLOCKS[0])
    assert entry(lake)[1].startswith("Failed")
    lake.picture.write_bytes(content)
    lake.build(env=CLOCKS[1])
    assert entry(lake)[1:] == ("Back again", TIMES[1])
    assert_nothing_to_do(lake, CLOCKS[2])
    lake.build("--filter", "sepia(0.5)", env=CLOCKS[2])
    assert entry(lake)[1:] == ("Back again", TIMES[1])
    lake.picture.unlink()
    lake.build(env=CLOCKS[3])
    assert "Back" not in entry(lake)[1]


def test_the_feed_has_a_new_entry_for_a_stale_photo_that_has_recovered(lake):
    content = lake.picture.read_bytes()
    lake.build(env=CLOCKS[0])
    first = entry(lake)
    assert first[1:] == ("New photo", TIMES[0])
    lake.picture.unlink()
    lake.build(env=CLOCKS[1])
    lake.picture.write_bytes(content)
    lake.build(env=CLOCKS[2])
    assert entry(lake)[1:] == ("Back again", TIMES[2])
    assert entry(lake)[0] != first[0]
    assert downloaded(lake) == TIMES[0], "it is the same original"
    assert_nothing_to_do(lake, CLOCKS[3])


def test_the_page_shows_when_the_original_was_downloaded(lake):
    lake.build(env=CLOCKS[0])
    assert downloaded(lake) == TIMES[0]
    assert_nothing_to_do(lake, CLOCKS[1])
    lake.build("--force", env=CLOCKS[1])
    assert downloaded(lake) == TIMES[0]
    lake.picture.write_bytes(jpeg(2))
    lake.build(env=CLOCKS[2])
    assert downloaded(lake) == TIMES[2]
    assert_nothing_to_do(lake, CLOCKS[3])


def test_the_page_of_a_local_photo_shows_no_download_time(gallery):
    (gallery.folder / "lake.jpg").write_bytes(jpeg(1))
    gallery.list({"Lake": "lake.jpg"}).build()
    assert "<dt>Downloaded" not in (gallery.site / "photo/lake.html").read_text()


def test_the_times_of_download_and_recovery_are_kept_when_the_ledger_is_lost(lake):
    content = lake.picture.read_bytes()
    lake.build(env=CLOCKS[0])
    lake.picture.unlink()
    lake.build(env=CLOCKS[1])
    lake.picture.write_bytes(content)
    lake.build(env=CLOCKS[2])
    for path in (lake.folder / ".gallerygen").glob("ledger.sqlite*"):
        path.unlink()
    assert_nothing_to_do(lake, CLOCKS[3])
