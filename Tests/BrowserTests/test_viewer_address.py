"""The address while the viewer is open: shared, gone back from, loaded again."""

import shutil

import known_files
import pytest
from gallery import Gallery
from playwright.sync_api import expect
from screens import DESKTOP, ORIGINS
from viewer import Viewer


def test_the_address_is_the_photos_own_and_back_closes(opened, site, names):
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


def test_after_reload_the_viewer_is_there_again_and_back_leads_to_the_list(opened, names):
    viewer = opened().press("ArrowRight")
    viewer.shows(names[1])
    viewer.page.reload()
    viewer.shows(names[1])
    viewer.press("ArrowRight").shows(names[2])
    viewer.press("Escape")
    viewer.page.wait_for_url("**/index.html")
    viewer.is_closed()
    expect(viewer.page.locator(".card")).to_have_count(6)


def test_on_the_disk_the_fragment_is_the_address(opened, names, site):
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
def test_a_fragment_opens_its_photo_wherever_it_is_listed_and_closing_stays(open_page, site, number):
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
def test_a_photos_own_page_opens_the_viewer_and_goes_on_to_its_neighbours(open_page, site, names, origin):
    viewer = Viewer(open_page(site.status()["photos"][2]["page"], origin, **DESKTOP))
    viewer.page.locator("a[data-viewer]").click()
    expect(viewer.dialog.locator(".position")).to_have_text(f"3 of {len(names)}: {names[2]}")
    viewer.press("ArrowRight").shows(names[3])
    viewer.press("ArrowLeft", "ArrowLeft").shows(names[1])
    viewer.press("Escape").is_closed()
    assert viewer.visit.observed()["violations"] == []


@pytest.fixture
def album(program, tmp_path_factory):
    """The address of a gallery with an album of two pages between other photos."""
    gallery = Gallery(tmp_path_factory.mktemp("album") / "gallery", program)
    for name in ("nuthatch.jpg", "cut-fig-adobergb.jpg", "picos-de-europa.jpg"):
        shutil.copy(known_files.SAMPLES / name, gallery.folder)
    animals = {f"Animal {number}": "nuthatch.jpg" for number in range(1, 6)}
    gallery.list({"Before": "cut-fig-adobergb.jpg", "Animals": animals, "After": "picos-de-europa.jpg"})
    gallery.build("--per-page", "3")
    return gallery.site.as_uri() + "/"


def test_in_an_album_the_viewer_stays_within_it_and_goes_beyond_the_page(open_page, album):
    visit = open_page("about:blank", **DESKTOP)
    visit.address = album
    visit.open("album/animals.html")
    viewer = Viewer(visit).open("Animal 3")
    where = viewer.dialog.locator(".position")
    expect(where).to_have_text("3 of 5: Animal 3")
    viewer.press("ArrowRight").shows("Animal 4")
    viewer.picture()  # the same as its neighbours'
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


def test_records_that_did_not_load_are_asked_for_again(open_page, names):
    visit = open_page("about:blank", **DESKTOP)
    visit.context.route("**/assets/photos.*.js", lambda route: route.abort(), times=1)
    visit.ignore("ERR_FAILED")
    visit.open("index.html")
    Viewer(visit).open(names[0]).shows(names[0])
    assert len([url for url in visit.requests if "/photos.js" in url]) == 2
