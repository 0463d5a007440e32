"""Clicks and taps on cards."""

import pytest
from playwright.sync_api import expect
from screens import DESKTOP, PHONE
from search import Search

PARTS = [(0.5, 0.5), (0.1, 0.1), (0.9, 0.1), (0.5, 0.95)]


def hit(page, element, part, screen):
    """Clicks or taps at a point of the element, whatever element is on top there."""
    element.scroll_into_view_if_needed()
    box = element.bounding_box()
    point = box["x"] + box["width"] * part[0], box["y"] + box["height"] * part[1]
    if screen.get("has_touch"):
        page.touchscreen.tap(*point)
    else:
        page.mouse.click(*point)


def shows(page, name):
    expect(page.locator("#viewer .position")).to_contain_text(f": {name}")


@pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize("part", PARTS, ids=str)
@pytest.mark.parametrize("name", ["Autumn on Aizkorri", 'Lighthouse <b>& "light"</b>'], ids=["picture", "placeholder"])
def test_a_click_or_tap_anywhere_on_a_card_opens_its_photo(open_page, site, screen, part, name):
    page = open_page("index.html", **screen).page
    hit(page, page.locator(".card").filter(has=page.get_by_text(name, exact=True)), part, screen)
    shows(page, name)


def test_a_click_in_the_middle_of_a_search_result_opens_it(open_page):
    search = Search(open_page("index.html", **DESKTOP)).type("tulips")
    search.finds("Tulips")
    hit(search.page, search.page.locator(".results .card"), (0.5, 0.5), DESKTOP)
    shows(search.page, "Tulips")


def test_a_click_on_a_picture_of_the_list_view_opens_it(open_page, names):
    page = open_page("index.html", **DESKTOP).page
    page.get_by_role("button", name="List").click()
    hit(page, page.locator(".card .picture").first, (0.5, 0.5), DESKTOP)
    shows(page, names[0])
