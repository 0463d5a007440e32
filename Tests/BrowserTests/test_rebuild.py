"""A page that is open while its gallery is built again works with the files of the new publication."""

import shutil
from contextlib import ExitStack

import known_files
import pytest
from gallery import Gallery
from playwright.sync_api import expect
from screens import DESKTOP, ORIGINS
from search import Search
from viewer import Viewer
from web_server import WebServer

COUNT = 200
# Parts of the messages about requests for files that the new publication has removed.
GONE = ("ERR_FILE_NOT_FOUND", "404", "Not Found")


def photos(caption):
    """A list of COUNT photos, whose records fill several files. Each file changes with the caption."""
    numbered = {f"Photo {number}": number for number in range(1, COUNT + 1)}
    return {name: {"url": "nuthatch.jpg", "caption": f"{caption} {number}"} for name, number in numbered.items()}


@pytest.fixture(params=ORIGINS)
def opened_before(request, program, visit_at, tmp_path):
    """A gallery, and a page of it that was opened from the disk or from a web server."""
    gallery = Gallery(tmp_path / "gallery", program)
    shutil.copy(known_files.SAMPLES / "nuthatch.jpg", gallery.folder)
    build(gallery, photos("Before"))

    with ExitStack() as stack:
        if request.param == "file":
            address = gallery.site.as_uri() + "/"
        else:
            address = stack.enter_context(WebServer(gallery.site, tmp_path / "nginx")).url("")
        visit = visit_at(address, "index.html", **DESKTOP)
        visit.ignore(*GONE)
        yield gallery, visit
        visit.close()


def build(gallery, listed, *options):
    gallery.list(listed).build("--widths", "160,320", *options)


def with_new_first(listed):
    return {"New": {"url": "nuthatch.jpg"}} | listed


def position(viewer):
    return viewer.dialog.locator(".position")


def test_an_open_viewer_loads_records_of_the_new_publication(opened_before):
    gallery, visit = opened_before
    viewer = Viewer(visit).open("Photo 2").shows("Photo 2")
    expect(position(viewer)).to_have_text(f"2 of {COUNT}: Photo 2")
    visit.wait_for_requests()
    build(gallery, with_new_first(photos("After")))
    last = visit.page.evaluate("viewer.list.findLastIndex((number, place) => !viewer.at(place))")
    visit.page.evaluate("index => viewer.go(index)", last)
    viewer.shows(f"Photo {last}")
    expect(position(viewer)).to_have_text(f"{last + 1} of {COUNT + 1}: Photo {last}")
    expect(viewer.dialog.locator(".words .caption")).to_have_text(f"After {last}")
    viewer.picture()
    viewer.press("Home").shows("New")
    viewer.press("ArrowRight", "ArrowRight").shows("Photo 2")
    viewer.press("Escape").is_closed()


def test_a_step_to_a_photo_without_loaded_records_shows_the_next_photo(opened_before):
    gallery, visit = opened_before
    viewer = Viewer(visit).open("Photo 2").shows("Photo 2")
    visit.wait_for_requests()
    count = visit.page.evaluate("galleryIndex.shards[0][1]")
    visit.page.evaluate("index => viewer.go(index)", count - 14)
    viewer.shows(f"Photo {count - 13}")
    build(gallery, with_new_first(photos("After")))
    # The strip of thumbnails loads the next file of records.
    for number in range(count - 12, count + 3):
        viewer.press("ArrowRight").shows(f"Photo {number}")
    expect(position(viewer)).to_have_text(f"{count + 3} of {COUNT + 1}: Photo {count + 2}")


def test_after_the_open_photo_was_removed_the_viewer_goes_on_in_its_place(opened_before):
    gallery, visit = opened_before
    viewer = Viewer(visit).open("Photo 2").shows("Photo 2")
    visit.wait_for_requests()
    listed = photos("After")
    del listed["Photo 2"]
    build(gallery, listed)
    visit.page.evaluate("viewer.go(180)")
    expect(position(viewer)).to_contain_text(f" of {COUNT - 1}: ")
    viewer.press("Home").shows("Photo 1")
    viewer.press("ArrowRight").shows("Photo 3")


def test_the_viewer_shows_the_pictures_of_a_new_filter(opened_before):
    gallery, visit = opened_before
    shutil.copy(known_files.SAMPLES / "cut-fig-adobergb.jpg", gallery.folder)
    listed = photos("Before")
    listed["Photo 150"] = {"url": "cut-fig-adobergb.jpg"}
    build(gallery, listed)
    visit.open("index.html")
    viewer = Viewer(visit).open("Photo 2").shows("Photo 2")
    visit.page.evaluate("viewer.fetch([149])")
    visit.wait_for_requests()
    build(gallery, listed, "--filter", "grayscale(1)")
    visit.page.evaluate("viewer.go(149)")
    viewer.shows("Photo 150")
    names = [image["path"].split("/")[-1] for image in gallery.photos()["Photo 150"]["images"]]
    visit.page.wait_for_function(
        "names => names.some(name => document.querySelector('.viewer .current img.after')?.src.endsWith(name))",
        arg=names)
    assert viewer.picture().evaluate("image => image.naturalWidth") > 0
    expect(viewer.dialog.locator(".current .error")).to_be_hidden()


def test_a_step_to_an_unloaded_record_is_not_lost_when_a_rebuild_renames_all_pictures(opened_before):
    gallery, visit = opened_before
    viewer = Viewer(visit).open("Photo 2").shows("Photo 2")
    visit.wait_for_requests()
    build(gallery, photos("Before"), "--filter", "grayscale(1)")
    unknown = visit.page.evaluate("viewer.list.findLastIndex((number, place) => place < 199 && !viewer.at(place))")
    visit.page.evaluate("index => viewer.go(index)", unknown)
    viewer.shows(f"Photo {unknown + 1}")


SCROLL = """count => {
    scrollTo(0, document.body.scrollHeight);
    return document.querySelectorAll('.results .card').length >= count;
}"""


def test_a_search_keeps_its_focus_and_scroll_position(opened_before):
    gallery, visit = opened_before
    search = Search(visit).type("before")
    visit.page.wait_for_function(SCROLL, arg=24)
    scrolled = visit.page.evaluate("scrollY")
    assert scrolled > 0
    build(gallery, with_new_first(photos("Before and after")))
    visit.page.wait_for_function(SCROLL, arg=COUNT)
    assert visit.page.evaluate("scrollY") > scrolled
    shown = visit.page.locator(".results h2").all_text_contents()
    assert shown == [f"Photo {number}" for number in range(1, COUNT + 1)]
    expect(search.field("Search")).to_be_focused()
    search.type("after 150").finds("Photo 150")
    viewer = Viewer(visit).open("Photo 150").shows("Photo 150")
    expect(position(viewer)).to_have_text("1 of 1: Photo 150")


def test_a_click_opens_the_clicked_photo_although_its_position_has_changed(opened_before):
    gallery, visit = opened_before
    build(gallery, with_new_first(photos("After")))
    viewer = Viewer(visit).open("Photo 2").shows("Photo 2")
    expect(position(viewer)).to_have_text(f"3 of {COUNT + 1}: Photo 2")
    viewer.press("ArrowLeft", "ArrowLeft").shows("New")
