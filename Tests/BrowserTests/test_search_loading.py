"""Pages whose address has a search, while they load."""

import re

import pytest
from playwright.sync_api import expect
from screens import DESKTOP, PHONE


def test_if_the_script_of_a_page_does_not_load_nothing_stays_hidden(open_page):
    visit = open_page("about:blank", **DESKTOP)
    visit.context.route("**/assets/gallery.*.js", lambda route: route.abort())
    visit.ignore("ERR_FAILED")
    visit.open("index.html?q=a")
    expect(visit.page.locator("footer")).to_be_visible()


@pytest.mark.parametrize("query, found", [("?q=o", None), ("?q=nothing+like+it", "No photo found"), ("?x=y", "")])
@pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_nothing_moves_while_a_page_with_a_search_loads(open_page, screen, query, found):
    visit = open_page("about:blank", **screen)
    # The list for the search arrives after the page has been shown.
    visit.page.route("**/assets/search.*.js", lambda route: route.continue_() if visit.page.evaluate(
        "new Promise(done => requestAnimationFrame(() => setTimeout(() => done(true), 300)))") else None)
    visit.open("index.html" + query)
    expect(visit.page.locator("footer")).to_be_visible()
    status = visit.page.locator(".search-status")
    expect(status).to_have_text(re.compile("found") if found is None else found)
    expect(visit.page.locator("html")).not_to_have_class(re.compile("searching"))
    visit.wait_for_requests()
    assert visit.observed()["moved"] == []
