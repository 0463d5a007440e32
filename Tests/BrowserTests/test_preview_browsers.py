"""Pages of a preview in Firefox and WebKit."""

import json
import sys

import known_files
import pytest
from firefox import Firefox
from preview import numbered
from webkit import WebKit

WEBKIT = pytest.param(WebKit, marks=pytest.mark.skipif(sys.platform != "linux", reason="WebKitGTK runs on Linux"))
NAMES = "[...document.querySelectorAll('main > .photos h2')].map(heading => heading.textContent)"
# Scripts of the tests do not see the constants of the page's scripts in Firefox.
PANEL = "document.querySelector('aside[aria-label=Preview]').shadowRoot"
SHOWN = """[...document.images].filter(image => {
    const { top, bottom } = image.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
})"""


@pytest.fixture(params=[Firefox, WEBKIT], ids=["firefox", "webkit"], scope="module")
def browser(request):
    with request.param() as browser:
        yield browser


@pytest.fixture
def opened(browser, preview):
    """The browser with a page of the preview that shows its photos."""
    browser.open(preview.address, "index.html")
    browser.evaluate("(document.documentElement.dataset.marked = true)")
    browser.waits_for(f"({SHOWN}).length > 8 && ({SHOWN}).every(image => image.naturalWidth)")
    browser.waits_for(f"{PANEL}.querySelector('.words').textContent.endsWith('40 photos done')")
    # The page renews itself when everything is ready.
    browser.waits_for("!document.querySelector('.needs-attention')")
    yield browser
    # The page has followed everything in place.
    assert browser.evaluate("document.documentElement.dataset.marked") == "true"
    # A page that stays open would connect again to the preview of the next test.
    browser.open("about:blank", "")


def has_names(opened, *names):
    opened.waits_for(f"JSON.stringify({NAMES}) === {json.dumps(json.dumps(names, separators=(',', ':')))}")


def test_a_changed_list_and_its_new_picture_appear_in_place(preview, opened):
    opened.evaluate("document.querySelector('#p-photo-3').scrollIntoView()")
    preview.list({"New": {"url": "cut-fig-adobergb.jpg"}} | numbered(9))
    has_names(opened, "New", *numbered(9))
    opened.evaluate("scrollTo(0, 0)")
    opened.waits_for("document.querySelector('#p-new img')?.naturalWidth > 0")


def test_words_a_template_and_a_style_sheet_appear_in_place(preview, opened):
    preview.write("templates/strings/en.txt", "feed = All news\n")
    opened.waits_for("document.querySelector('footer').textContent.includes('All news')")
    card = (known_files.ROOT / "Templates/card.mustache").read_text(encoding="utf-8")
    preview.write("templates/card.mustache", card.replace("<bdi>{{name}}</bdi>", "<bdi>«{{name}}»</bdi>"))
    opened.waits_for("document.querySelector('#p-photo-1 h2').textContent === '«Photo 1»'")
    style = (known_files.ROOT / "Templates/assets/gallery.css").read_text(encoding="utf-8")
    preview.write("templates/assets/gallery.css", style + "\nbody { background: rgb(1, 2, 3); }")
    opened.waits_for("getComputedStyle(document.body).backgroundColor === 'rgb(1, 2, 3)'")


def test_a_mistake_is_shown_until_it_is_mended(preview, opened):
    good = preview.gallery.manifest.read_bytes()
    preview.gallery.manifest.write_bytes(good.replace(b"<string>", b"<strin>", 1))
    opened.waits_for(f"{PANEL}.querySelector('.mistake .place')?.textContent.startsWith('photos.plist:')")
    preview.gallery.manifest.write_bytes(good)
    opened.waits_for(f"!{PANEL}.querySelector('.mistake').textContent")


def test_a_filter_is_tried_on_what_is_on_the_screen(opened):
    source = opened.evaluate("document.querySelector('#p-photo-1 img').src")
    opened.evaluate(f"({PANEL}.querySelector('input').value = 'invert(1)')")
    opened.evaluate(f"{PANEL}.querySelector('form').requestSubmit()")
    image = "document.querySelector('#p-photo-1 img')"
    opened.waits_for(f"{image}.src !== {json.dumps(source)} && {image}.naturalWidth")
