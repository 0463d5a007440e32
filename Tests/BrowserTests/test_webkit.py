"""The pages in WebKit, from the disk and from a web server."""

import json
import sys

import pytest
from page_kinds import KINDS, kinds
from pointers import AT_REST, STAGE_CENTRE, drag
from screens import ORIGINS
from webkit import WebKit

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="WebKitGTK runs on Linux")

LOADED = "[...document.images].filter(image => image.loading !== 'lazy').every(image => image.naturalWidth)"
VISIBLE = "[...document.querySelectorAll('main *')].every(part => getComputedStyle(part).visibility === 'visible')"
POSITION = "document.querySelector('#viewer .position')?.textContent"


@pytest.fixture(scope="module")
def webkit():
    with WebKit() as webkit:
        yield webkit


@pytest.fixture(params=ORIGINS)
def visited(request, webkit, site, web_address):
    address = web_address if request.param == "web" else site.site.as_uri() + "/"

    def visited(path):
        webkit.open(address, path)
        return webkit

    return visited


def shows(webkit, name):
    webkit.waits_for(f"({POSITION} || '').endsWith({json.dumps(': ' + name)})")


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_page_loads_its_pictures_and_is_visible(visited, site, kind):
    webkit = visited(kinds(site)[kind])
    webkit.waits_for(LOADED)
    assert webkit.evaluate(VISIBLE)
    assert webkit.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_keys_step_through_the_viewer_and_close_it(visited, names):
    webkit = visited("index.html")
    webkit.click("a[data-viewer]")
    shows(webkit, names[0])
    webkit.press("ArrowRight")
    shows(webkit, names[1])
    webkit.press("End")
    shows(webkit, names[-1])
    webkit.press("ArrowRight")
    shows(webkit, names[0])
    webkit.press("+")
    webkit.waits_for("document.querySelector('.current').classList.contains('zoomed')")
    webkit.press("Escape")
    webkit.waits_for("!document.querySelector('#viewer').open && location.pathname.endsWith('/index.html')")


def test_swipes_step_to_the_neighbours_and_a_drag_down_closes_the_viewer(visited, names):
    webkit = visited("index.html")
    webkit.click("a[data-viewer]")
    shows(webkit, names[0])
    webkit.waits_for(AT_REST)
    x, y = webkit.evaluate(STAGE_CENTRE)
    webkit.perform(drag((1.6 * x, y), (0.4 * x, y), "mouse"))
    shows(webkit, names[1])
    webkit.waits_for(AT_REST)
    webkit.perform(drag((0.4 * x, y), (1.6 * x, y), "mouse"))
    shows(webkit, names[0])
    webkit.waits_for(AT_REST)
    webkit.perform(drag((x, y - 100), (x, y + 150), "mouse"))
    webkit.waits_for("!document.querySelector('#viewer').open")
