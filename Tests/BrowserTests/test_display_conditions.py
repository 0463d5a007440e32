"""Pages on paper, on small screens, with large text, in high contrast, and from right to left."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from page_kinds import KINDS, kinds
from playwright.sync_api import expect
from screens import DESKTOP
from viewer import Viewer

SMALL = {"viewport": {"width": 320, "height": 568}}


def is_too_wide(page):
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") > 0


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_cut_off_on_a_screen_of_320_pixels(site, open_page, kind, screenshots):
    visit = open_page(kinds(site)[kind], **SMALL)
    assert not is_too_wide(visit.page)
    visit.page.screenshot(path=screenshots / f"{kind}-320.png")


@pytest.mark.parametrize("kind", KINDS)
def test_pages_with_text_of_twice_the_size_fit_the_screen(site, open_page, kind):
    visit = open_page(kinds(site)[kind], viewport={"width": 640, "height": 800})
    visit.page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert not is_too_wide(visit.page)


def test_the_viewer_fits_320_pixels_and_large_text(site, open_page, screenshots):
    name = site.status()["photos"][0]["name"]
    viewer = Viewer(open_page("index.html", **SMALL)).open(name)
    viewer.page.screenshot(path=screenshots / "viewer-320.png")
    for size in ("100%", "200%"):
        viewer.page.evaluate("size => document.documentElement.style.fontSize = size", size)
        for button in viewer.dialog.locator(".toolbar button").all():
            box = button.bounding_box()
            assert 0 <= box["x"] and box["x"] + box["width"] <= 320 and box["y"] + box["height"] <= 568
            assert box["width"] >= 24 and box["height"] >= 24


def test_from_right_to_left_the_next_photo_is_on_the_left(site, open_page, screenshots):
    names = [photo["name"] for photo in site.status()["photos"]]
    visit = open_page("index.html", bypass_csp=True, **DESKTOP)
    visit.page.evaluate("document.documentElement.dir = 'rtl'")
    assert not is_too_wide(visit.page)
    visit.page.screenshot(path=screenshots / "index-rtl.png")
    viewer = Viewer(visit).open(names[0])
    viewer.press("ArrowLeft").shows(names[1])
    viewer.press("ArrowRight").shows(names[0])
    buttons = [viewer.button(name).bounding_box()["x"] for name in ("Previous photo", "Next photo")]
    assert buttons[1] < buttons[0]
    results = Axe().run(visit.page)
    assert results.violations_count == 0, results.generate_report()


def test_buttons_have_borders_in_high_contrast(site, open_page, screenshots):
    visit = open_page("index.html", forced_colors="active", **DESKTOP)
    visit.page.screenshot(path=screenshots / "index-contrast.png")
    viewer = Viewer(visit).open(site.status()["photos"][0]["name"])
    expect(viewer.button("Close")).to_have_css("border-top-style", "solid")
    viewer.page.screenshot(path=screenshots / "viewer-contrast.png")


def test_a_gallery_prints_as_a_contact_sheet(site, open_page, screenshots):
    visit = open_page("index.html", viewport={"width": 720, "height": 1000})
    visit.pictures()
    visit.page.emulate_media(media="print")
    cards = [card.bounding_box() for card in visit.page.locator(".card").all()]
    assert len({round(card["x"]) for card in cards}) == 4
    for part in (visit.page.get_by_role("search"), visit.page.locator(".pager"), visit.page.locator("footer")):
        expect(part).to_be_hidden()
    visit.page.screenshot(path=screenshots / "print.png")
