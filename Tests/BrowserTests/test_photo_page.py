"""The page of a photo, with and without scripts."""

import pytest
from pictures import jpeg
from playwright.sync_api import expect
from screens import DESKTOP, PHONE, ORIGINS
from viewer import Viewer

CUT = "getComputedStyle(document.querySelector('.photo-stage .before')).clipPath"
"""The clip path of the unfiltered picture: the slider cuts off its right part."""


@pytest.fixture
def shown(open_page, site):
    """A function that opens the page of the first photo, which has an unfiltered picture."""

    def shown(origin="web", **context):
        return open_page(site.status()["photos"][0]["page"], origin, **(context or DESKTOP)).page

    return shown


@pytest.mark.parametrize("origin", ORIGINS)
def test_a_slider_divides_before_and_after(shown, origin):
    page = shown(origin)
    page.get_by_role("button", name="Before and after").click()
    slider = page.get_by_role("slider", name="Before and after")
    slider.scroll_into_view_if_needed()
    pictures = [picture.bounding_box() for picture in page.locator(".photo-stage img").all()]
    assert pictures[0] == pytest.approx(pictures[1], abs=1)
    assert page.evaluate(CUT) == "inset(0px 50% 0px 0px)"
    slider.focus()
    page.keyboard.press("End")
    assert page.evaluate(CUT) == "inset(0px 0% 0px 0px)"
    page.keyboard.press("Home")
    assert page.evaluate(CUT) == "inset(0px 100% 0px 0px)"
    box = pictures[0]
    page.mouse.click(box["x"] + box["width"] * .75, box["y"] + box["height"] / 2)
    assert 73 <= int(slider.input_value()) <= 77
    page.get_by_role("button", name="Before and after").click()
    expect(slider).to_be_hidden()
    expect(page.locator(".photo-stage img.before")).to_be_hidden()


def test_a_tap_moves_the_slider_and_the_page_stays_within_the_screen(shown):
    page = shown(**PHONE)
    page.get_by_role("button", name="Before and after").click()
    slider = page.get_by_role("slider", name="Before and after")
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] * .25, box["y"] + box["height"] / 2)
    assert 20 <= int(slider.input_value()) <= 30
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_without_scripts_the_unfiltered_picture_is_below_the_filtered_one(shown):
    page = shown(java_script_enabled=False, **DESKTOP)
    expect(page.get_by_role("slider")).to_have_count(0)
    filtered, before = page.locator(".photo-stage img"), page.locator(".compare img")
    before.scroll_into_view_if_needed()
    expect(page.get_by_role("heading", name="Before and after")).to_be_visible()
    assert filtered.bounding_box()["y"] + filtered.bounding_box()["height"] <= before.bounding_box()["y"]
    assert page.locator("button:visible").count() == 0


@pytest.mark.parametrize("origin", ORIGINS)
def test_thumbs_are_given_by_buttons_and_keys_and_are_stored(shown, origin):
    page = shown(origin)
    up, down = page.get_by_role("button", name="Thumb up"), page.get_by_role("button", name="Thumb down")
    up.click()
    expect(up).to_have_attribute("aria-pressed", "true")
    page.reload()
    expect(up).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("d")
    expect(up).to_have_attribute("aria-pressed", "false")
    expect(down).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Control+d")
    expect(down).to_have_attribute("aria-pressed", "true")


def test_a_caption_has_its_lines_on_the_page_and_runs_on_in_the_bar_of_the_viewer(gallery, visit_at):
    (gallery.folder / "lake.jpg").write_bytes(jpeg(1, 300, 200))
    gallery.list({"Lake": {"url": "lake.jpg", "caption": "Seen\n\nat dawn"}}).build()
    visit = visit_at(gallery.site.as_uri() + "/", "index.html", **DESKTOP)
    viewer = Viewer(visit).open("Lake")
    assert viewer.dialog.locator(".words .caption").inner_text() == "Seen at dawn"
    visit.open(gallery.photos()["Lake"]["page"])
    assert visit.page.locator("article .caption").inner_text() == "Seen\n\nat dawn"
