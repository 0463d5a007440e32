"""A gallery of a thousand photos on one page."""

import shutil
import time

import known_files
import pytest
from gallery import Gallery
from playwright.sync_api import expect
from screens import DESKTOP
from viewer import Viewer
from visit import Visit

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


def test_a_thousand_photos_on_one_page_open_and_step_without_trouble(thousand, chromium):
    visit = Visit(chromium, thousand.site.as_uri() + "/", **DESKTOP)
    start = time.monotonic()
    visit.open("index.html")
    print(f"the page of {COUNT} photos was there after {time.monotonic() - start:.2f} s")
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
    visit.close()
    assert visit.faults() == []
