"""The slideshow: its speed, its progress line, and what follows the last photo."""

import pytest
from playwright.sync_api import expect
from screens import DESKTOP
from search import Search
from viewer import Viewer

PROGRESS = "document.querySelector('.progress').getAnimations()[0]?.effect.getTiming().duration"


@pytest.fixture
def running(open_page, names):
    """The viewer with a running slideshow and a simulated clock."""
    visit = open_page("about:blank", **DESKTOP)
    visit.page.clock.install()
    visit.open("index.html")
    viewer = Viewer(visit).open(names[0])
    viewer.picture()
    return viewer.press("Space")


def test_the_slideshow_advances_until_it_is_stopped(running, names):
    viewer, clock = running, running.page.clock
    # Only aria-pressed shows whether the slideshow runs; the label must not change too.
    expect(viewer.button("Slideshow")).to_have_attribute("aria-pressed", "true")
    clock.run_for(5100)
    viewer.shows(names[1])
    viewer.press("Space")
    expect(viewer.button("Slideshow")).to_have_attribute("aria-pressed", "false")
    clock.run_for(20000)
    viewer.shows(names[1])


def test_a_progress_line_runs_while_a_photo_is_shown(running):
    assert running.page.evaluate(PROGRESS) == 5000
    running.press("Space")
    assert running.page.evaluate(PROGRESS) is None


def test_the_seconds_for_each_photo_can_be_chosen_and_are_stored(running, names):
    viewer, clock = running, running.page.clock
    viewer.menu().dialog.get_by_label("Slideshow: seconds for each photo").select_option("10")
    assert viewer.page.evaluate(PROGRESS) == 10000
    clock.run_for(9000)
    viewer.shows(names[0])
    clock.run_for(1100)
    viewer.shows(names[1])
    viewer.visit.open("index.html")
    viewer.open(names[0]).press("Space")
    assert viewer.page.evaluate(PROGRESS) == 10000


def test_after_the_last_photo_the_slideshow_continues_with_the_first(running, names):
    running.press("End").shows(names[-1])
    running.page.clock.run_for(5100)
    running.shows(names[0])
    expect(running.button("Slideshow")).to_have_attribute("aria-pressed", "true")


def test_a_slideshow_of_a_single_photo_stops(running):
    running.press("Escape").is_closed()
    search = Search(running.visit).type("tulips")
    search.finds("Tulips")
    running.open("Tulips").picture()
    running.press("Space").page.clock.run_for(5100)
    expect(running.button("Slideshow")).to_have_attribute("aria-pressed", "false")
