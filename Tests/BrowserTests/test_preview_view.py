"""A page of a preview tells the server which photos are on the screen, and when it is scrolled."""

import pytest
from playwright.sync_api import expect
from preview import numbered
from screens import DESKTOP, PHONE
from search import Search
from viewer import Viewer


@pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_photos_on_the_screen_are_reported_from_the_middle_outwards(preview, open_preview, screen):
    opened = open_preview(**screen)
    opened.has_reported_the_screen()
    assert 1 < len(opened.views()[-1]["photos"]) < len(numbered())


def test_scrolling_is_reported_when_it_begins_and_after_its_end_without_scrollend(preview, open_preview):
    opened = open_preview().ready()
    page = opened.page
    opened.has_reported_the_screen()
    page.evaluate("""() => {
        sent.length = 0;
        addEventListener('scrollend', event => event.stopImmediatePropagation(), { capture: true });
        scrollTo({ top: 900, behavior: 'smooth' });
    }""")
    page.wait_for_function("() => scrollY === 900 && sent.at(-1)?.scrolling === false")
    begin = opened.views()[0]
    assert begin["scrolling"] is True and "photos" not in begin
    opened.has_reported_the_screen()


def test_the_end_of_scrolling_is_reported_even_if_the_screen_shows_the_same_photos(preview, open_preview):
    opened = open_preview()
    opened.has_reported_the_screen()
    # The page takes a single step that coincides with the arrival of a picture for one of the browser's.
    opened.page.evaluate("""() => {
        sent.length = 0;
        let offset = 0;
        const step = () => {
            if (sent.some(({ scrolling }) => scrolling)) return;
            scrollTo(0, offset = 1 - offset);
            requestAnimationFrame(step);
        };
        step();
    }""")
    opened.page.wait_for_function(
        "() => sent.some(({ scrolling }, at) => scrolling === false && sent[at - 1]?.scrolling === true)")


def test_scrolling_that_goes_on_is_reported_again_each_second(preview, open_preview):
    opened = open_preview()
    opened.has_reported_the_screen()
    opened.page.evaluate("""() => {
        sent.length = 0;
        addEventListener('scrollend', event => event.stopImmediatePropagation(), { capture: true });
        let offset = 0;
        const step = () => scrollTo(0, offset = 1 - offset);
        window.steps = setInterval(step, 20);
    }""")
    # On a busy machine, the steps can pause so long that scrolling ends and begins anew, which is reported sooner.
    opened.page.wait_for_function("""() => sent.some(
        ({ scrolling, time }, at) => scrolling && sent[at - 1]?.scrolling && time - sent[at - 1].time > 900)""")
    opened.page.evaluate("clearInterval(steps)")


def test_the_photo_in_the_viewer_comes_first_and_then_its_neighbours(preview, open_preview):
    opened = open_preview()
    viewer = Viewer(opened).open("Photo 5").shows("Photo 5")
    opened.has_reported("photo-5", "photo-6", "photo-4", "photo-7")
    viewer.press("ArrowLeft").shows("Photo 4")
    opened.has_reported("photo-4", "photo-3", "photo-5", "photo-2")
    viewer.press("Escape").is_closed()
    opened.has_reported_the_screen()


def test_the_results_of_a_search_are_reported(preview, open_preview):
    opened = open_preview()
    Search(opened).type("photo 39")
    opened.has_reported_exactly(["photo-39"])
    Search(opened).type("")
    opened.has_reported_the_screen()


def test_the_photo_of_a_page_is_reported(preview, open_preview):
    open_preview("photo/photo-7.html").has_reported_exactly(["photo-7"])


def test_after_a_change_of_the_list_the_new_photos_on_the_screen_are_reported(preview, open_preview):
    opened = open_preview()
    preview.list({"New": {"url": "nuthatch.jpg"}} | numbered())
    expect(opened.page.locator("#p-new")).to_be_visible()
    opened.has_reported_the_screen()
    assert "new" in opened.views()[-1]["photos"]
