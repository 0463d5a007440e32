"""The address while the viewer is open: history, reload, fragments."""

import re
import shutil
from itertools import chain, repeat

import known_files
import pytest
from gallery import Gallery
from playwright.sync_api import Route, expect
from screens import DESKTOP, ORIGINS
from viewer import Viewer


def test_the_address_is_that_of_the_photo_page_and_back_closes_the_viewer(opened, site, names):
    viewer = opened()
    pages = {photo["name"]: photo["page"] for photo in site.status()["photos"]}
    viewer.page.wait_for_url(f"**/{pages[names[0]]}")
    viewer.press("ArrowRight", "ArrowRight").shows(names[2])
    viewer.page.wait_for_url(f"**/{pages[names[2]]}")
    viewer.page.go_back()
    viewer.is_closed()
    assert viewer.page.url.endswith("/index.html")
    viewer.page.go_forward()
    viewer.shows(names[2])
    viewer.press("Escape").is_closed()
    assert viewer.page.url.endswith("/index.html")


def test_after_a_reload_the_viewer_is_open_and_closing_it_leads_to_the_list(opened, names):
    viewer = opened().press("ArrowRight")
    viewer.shows(names[1])
    viewer.page.reload()
    viewer.shows(names[1])
    viewer.press("ArrowRight").shows(names[2])
    viewer.press("Escape")
    viewer.page.wait_for_url("**/index.html")
    viewer.is_closed()
    expect(viewer.page.locator(".card")).to_have_count(6)


def test_on_pages_from_the_disk_a_fragment_identifies_the_photo(opened, names, site):
    viewer = opened(origin="file")
    viewer.press("ArrowRight").shows(names[1])
    slug = site.status()["photos"][1]["slug"]
    assert viewer.page.url.endswith(f"/index.html#view={slug}")
    viewer.page.reload()
    viewer.shows(names[1])
    viewer.page.go_back()
    viewer.is_closed()
    assert viewer.page.url.endswith("/index.html")


@pytest.mark.parametrize("number", [1, 10])
def test_a_fragment_opens_a_photo_of_any_page_and_closing_stays_on_this_page(open_page, site, number):
    photo = site.status()["photos"][number]
    viewer = Viewer(open_page(f"index.html#view={photo['slug']}", "file", **DESKTOP))
    viewer.shows(photo["name"])
    viewer.press("Escape").is_closed()
    assert viewer.page.url.endswith("/index.html")


def test_the_slideshow_survives_a_reload(opened, names):
    viewer = opened().press("Space")
    expect(viewer.button("Slideshow")).to_have_attribute("aria-pressed", "true")
    viewer.page.reload()
    expect(viewer.button("Slideshow")).to_have_attribute("aria-pressed", "true")


@pytest.mark.parametrize("origin", ORIGINS)
def test_the_viewer_of_a_photo_page_steps_to_its_neighbours(open_page, site, names, origin):
    viewer = Viewer(open_page(site.status()["photos"][2]["page"], origin, **DESKTOP))
    viewer.page.locator("a[data-viewer]").click()
    expect(viewer.dialog.locator(".position")).to_have_text(f"3 of {len(names)}: {names[2]}")
    viewer.press("ArrowRight").shows(names[3])
    viewer.press("ArrowLeft", "ArrowLeft").shows(names[1])
    viewer.press("Escape").is_closed()
    assert viewer.visit.observed()["violations"] == []


@pytest.fixture
def album(program, tmp_path_factory):
    """The address of a gallery with an album of two pages, and photos before and after it."""
    gallery = Gallery(tmp_path_factory.mktemp("album") / "gallery", program)
    for name in ("nuthatch.jpg", "cut-fig-adobergb.jpg", "picos-de-europa.jpg"):
        shutil.copy(known_files.SAMPLES / name, gallery.folder)
    animals = {f"Animal {number}": "nuthatch.jpg" for number in range(1, 6)}
    gallery.list({"Before": "cut-fig-adobergb.jpg", "Animals": animals, "After": "picos-de-europa.jpg"})
    gallery.build("--per-page", "3")
    return gallery.site.as_uri() + "/"


def test_the_viewer_of_an_album_steps_through_all_its_pages_and_no_further(visit_at, album):
    visit = visit_at(album, "album/animals.html", **DESKTOP)
    viewer = Viewer(visit).open("Animal 3")
    where = viewer.dialog.locator(".position")
    expect(where).to_have_text("3 of 5: Animal 3")
    viewer.press("ArrowRight").shows("Animal 4")
    viewer.picture()
    viewer.press("End").shows("Animal 5")
    expect(where).to_have_text("5 of 5: Animal 5")
    visit.page.reload()
    expect(where).to_have_text("5 of 5: Animal 5")
    viewer.press("Home").shows("Animal 1")
    viewer.press("Escape").is_closed()
    visit.open("album/animals--2.html")
    viewer.open("Animal 5")
    expect(where).to_have_text("5 of 5: Animal 5")
    viewer.press("Home").shows("Animal 1")


def test_records_that_failed_to_load_are_requested_again(open_page, names):
    visit = open_page("about:blank", **DESKTOP)
    # The route stays after the first request, because Playwright can miss requests while it removes the last route of a
    # context.
    answers = chain([Route.abort], repeat(Route.continue_))
    visit.context.route("**/assets/photos.*.js", lambda route: next(answers)(route))
    visit.ignore("ERR_FAILED")
    visit.open("index.html")
    # The viewer shows what the page says of a photo before its record is there.
    with visit.page.expect_event("requestfinished", lambda request: "/assets/photos." in request.url):
        Viewer(visit).open(names[0]).shows(names[0])
    assert len([url for url in visit.requests if "/photos.js" in url]) == 2


CLOSINGS = {
    "escape": lambda viewer: viewer.press("Escape"), "button": lambda viewer: viewer.button("Close").click(),
    "beside": lambda viewer: viewer.page.mouse.click(120, viewer.middle()[1]),
    "back": lambda viewer: viewer.page.go_back()}


@pytest.mark.parametrize("close", CLOSINGS.values(), ids=CLOSINGS)
def test_keys_and_gestures_do_nothing_while_the_viewer_closes(opened, names, close):
    portrait = names[2]
    viewer = opened(portrait).settle()
    viewer.picture()
    viewer.page.wait_for_url("**/photo/*.html")
    # The animations stop, so that the viewer closes only after all input.
    animations = viewer.visit.context.new_cdp_session(viewer.page)
    animations.send("Animation.enable")
    animations.send("Animation.setPlaybackRate", {"playbackRate": 0})
    close(viewer)
    expect(viewer.dialog).to_have_class(re.compile("closing"))
    viewer.page.wait_for_url("**/index.html")
    viewer.press("ArrowRight", "End", "ArrowLeft", "Home", "i", "Space", "Enter")
    x, y = viewer.middle()
    viewer.page.mouse.move(x, y)
    viewer.page.mouse.down()
    viewer.page.mouse.move(x - 400, y, steps=3)
    viewer.page.mouse.up()
    viewer.shows(portrait)
    expect(viewer.button("Slideshow")).to_have_attribute("aria-pressed", "false")
    animations.send("Animation.setPlaybackRate", {"playbackRate": 1})
    viewer.is_closed()
    assert viewer.page.url.endswith("/index.html")
    assert viewer.page.evaluate("history.state") is None
    # The address of the photo is still that of the next entry of the history.
    viewer.page.go_forward()
    viewer.shows(portrait)
