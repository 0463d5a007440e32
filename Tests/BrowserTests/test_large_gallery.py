"""A gallery of a thousand photos on one page."""

import shutil
import time

import known_files
import pytest
from gallery import Gallery
from playwright.sync_api import expect
from screens import DESKTOP
from viewer import Viewer

COUNT = 1_000


@pytest.fixture(scope="module")
def thousand(program, tmp_path_factory):
    gallery = Gallery(tmp_path_factory.mktemp("thousand") / "gallery", program)
    for name in ("nuthatch.jpg", "tulips-vignette-alpha.png"):
        shutil.copyfile(known_files.SAMPLES / name, gallery.folder / name)
    photos = {
        f"Photo {number}": ("nuthatch.jpg", "tulips-vignette-alpha.png")[number % 2] for number in range(1, COUNT + 1)
    }
    gallery.list(photos).build("--per-page", COUNT, "--widths", "160,320")
    return gallery


def test_the_viewer_works_on_a_page_of_a_thousand_photos(thousand, visit_at):
    start = time.monotonic()
    visit = visit_at(thousand.site.as_uri() + "/", "index.html", **DESKTOP)
    print(f"the page of {COUNT} photos was loaded after {time.monotonic() - start:.2f} s")
    assert visit.page.locator(".card").count() == COUNT
    viewer = Viewer(visit).open("Photo 1")
    start = time.monotonic()
    viewer.press("End").shows(f"Photo {COUNT}")
    print(f"from the first to the last: {time.monotonic() - start:.2f} s")
    viewer.press("Escape").is_closed()
    last = visit.page.get_by_role("link", name=f"Photo {COUNT}", exact=True)
    expect(last).to_be_focused()
    assert last.evaluate("link => link.getBoundingClientRect().top < innerHeight")
    assert visit.observed()["moved"] == []


def records_in(visit):
    """The addresses of the files of records that the page has loaded."""
    return visit.page.evaluate("[...document.querySelectorAll('script')].map(script => script.src)"
                               ".filter(address => address.includes('/assets/photos.'))")


def test_the_viewer_loads_only_the_files_of_records_that_it_needs(thousand, visit_at):
    visit = visit_at(thousand.site.as_uri() + "/", "index.html", **DESKTOP)
    viewer = Viewer(visit).open("Photo 1")
    viewer.picture()
    counts = visit.page.evaluate("galleryIndex.shards.map(([, count]) => count)")
    assert len(counts) >= 8 and sum(counts) == COUNT
    # The page has loaded the first file, and the last one, because the last photo precedes the first one.
    assert len(records_in(visit)) == 2
    # The photo after the last one of the first file is in another file.
    visit.page.evaluate("count => viewer.go(count - 1)", counts[0])
    viewer.shows(f"Photo {counts[0]}")
    viewer.press("ArrowRight").shows(f"Photo {counts[0] + 1}")
    assert len(records_in(visit)) == 3
    viewer.press("End").shows(f"Photo {COUNT}")
    viewer.press("ArrowLeft").shows(f"Photo {COUNT - 1}")
    assert len(records_in(visit)) <= 4


def test_a_fragment_opens_a_photo_with_the_records_near_it(thousand, visit_at):
    visit = visit_at(thousand.site.as_uri() + "/", "status.html#view=photo-777", **DESKTOP)
    viewer = Viewer(visit).shows("Photo 777")
    expect(viewer.dialog.locator(".position")).to_have_text(f"777 of {COUNT}: Photo 777")
    assert len(records_in(visit)) <= 2
    viewer.press("ArrowLeft").shows("Photo 776")
