"""The pages in Firefox, from the disk and from a web server."""

import json

import pytest
from firefox import Firefox
from page_kinds import KINDS, kinds
from pointers import AT_REST, STAGE_CENTRE, drag, pinch, tap, wheel
from screens import ORIGINS

# On a busy machine, Firefox may report in the console that layout was forced before the page was loaded.
pytestmark = pytest.mark.alone

POSITION = "document.querySelector('#viewer .position')?.textContent"


@pytest.fixture(scope="session")
def firefox():
    with Firefox() as firefox:
        yield firefox


@pytest.fixture(params=ORIGINS)
def visited(request, firefox, site, web_address):
    """A function that opens a page. When the test ends, it fails if there were console messages or requests to other
    hosts."""
    address = web_address if request.param == "web" else site.site.as_uri() + "/"

    def visited(path):
        firefox.open(address, path)
        return firefox

    yield visited
    assert firefox.console() == []
    assert firefox.external_requests(address) == []


def shows(firefox, name):
    firefox.waits_for(f"({POSITION} || '').endsWith({json.dumps(': ' + name)})")


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_page_loads_its_pictures(visited, site, kind):
    firefox = visited(kinds(site)[kind])
    firefox.waits_for(
        "[...document.images].filter(image => image.loading !== 'lazy').every(image => image.naturalWidth)"
    )
    assert firefox.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_keys_step_through_the_viewer_and_close_it(visited, names):
    firefox = visited("index.html")
    firefox.click("a[data-viewer]")
    shows(firefox, names[0])
    firefox.press("ArrowRight")
    shows(firefox, names[1])
    firefox.press("End")
    shows(firefox, names[-1])
    firefox.press("ArrowLeft")
    shows(firefox, names[-2])
    firefox.press("Escape")
    firefox.waits_for("!document.querySelector('#viewer').open && location.pathname.endsWith('/index.html')")


def test_single_key_shortcuts_work(visited, names):
    firefox = visited("index.html")
    firefox.click("a[data-viewer]")
    shows(firefox, names[0])
    firefox.press("+")
    firefox.waits_for("document.querySelector('.current').classList.contains('zoomed')")
    firefox.press("0")
    firefox.waits_for("!document.querySelector('.current').classList.contains('zoomed')")
    for key, panel in (("i", ".information"), ("?", ".help"), ("b", ".slider")):
        firefox.press(key)
        firefox.waits_for(f"!document.querySelector('#viewer {panel}').hidden")


def test_a_search_finds_photos_of_all_pages(visited):
    firefox = visited("index.html")
    firefox.type("[name=q]", "tulips")
    firefox.waits_for("document.querySelector('.search-status').textContent === '1 photo found'")
    # The cards are shown later than the count, when their records are loaded.
    firefox.waits_for("document.querySelector('.results h2')?.textContent === 'Tulips'")
    assert firefox.evaluate("location.search") == "?q=tulips"


def test_the_slider_of_a_photo_page_divides_before_and_after(visited, site):
    firefox = visited(site.status()["photos"][0]["page"])
    firefox.evaluate("document.querySelector('[data-compare]').click()")
    firefox.evaluate("document.querySelector('.photo-stage .slider').focus()")
    firefox.press("End")
    firefox.waits_for(
        "parseFloat(getComputedStyle(document.querySelector('.photo-stage .before')).clipPath.split(' ')[1] || 0) === 0"
    )


ZOOMED = "document.querySelector('.current').classList.contains('zoomed')"
IS_CLOSED = "!document.querySelector('#viewer').open"


@pytest.fixture
def first_photo(visited, names):
    """The browser with the viewer at the first photo, and the centre of its stage."""
    firefox = visited("index.html")
    firefox.click("a[data-viewer]")
    shows(firefox, names[0])
    firefox.waits_for(AT_REST)
    return firefox, firefox.evaluate(STAGE_CENTRE)


@pytest.mark.parametrize("kind", ["touch", "mouse"])
def test_a_swipe_steps_to_the_neighbour_and_back(first_photo, names, kind):
    firefox, (x, y) = first_photo
    # More than a quarter of the screen, because the swipe may be too slow for a fling on a busy machine.
    firefox.perform(drag((1.6 * x, y), (0.4 * x, y), kind))
    shows(firefox, names[1])
    firefox.waits_for(AT_REST)
    firefox.perform(drag((0.4 * x, y), (1.6 * x, y), kind))
    shows(firefox, names[0])


@pytest.mark.parametrize("direction", [-1, 1], ids=["up", "down"])
def test_a_drag_up_or_down_closes_the_viewer(first_photo, direction):
    firefox, (x, y) = first_photo
    firefox.perform(drag((x, y), (x, y + direction * 200)))
    firefox.waits_for(IS_CLOSED)


def test_pinch_double_tap_and_wheel_zoom(first_photo):
    firefox, (x, y) = first_photo
    firefox.perform(pinch((x, y), 60, 240))
    firefox.waits_for(ZOOMED)
    firefox.perform(tap((x, y), 2))
    firefox.waits_for(f"!{ZOOMED}")
    firefox.waits_for(AT_REST)
    firefox.perform(wheel((x, y), -300))
    firefox.waits_for(ZOOMED)
    firefox.press("0")
    firefox.waits_for(f"!{ZOOMED}")
    firefox.waits_for(AT_REST)
    firefox.perform(pinch((x, y), 300, 60))
    firefox.waits_for(IS_CLOSED)


def test_a_tap_hides_the_bars_and_the_next_one_shows_them(first_photo):
    firefox, point = first_photo
    firefox.perform(tap(point))
    firefox.waits_for("document.querySelector('#viewer').classList.contains('idle')")
    firefox.perform(tap(point))
    firefox.waits_for("!document.querySelector('#viewer').classList.contains('idle')")
