"""Pages with WebP and JPEG: a browser that supports WebP loads nothing else, and one that does not never loads it."""

import re
import shutil

import known_files
import pytest
from gallery import Gallery
from html_checker import errors_in
from page_kinds import KINDS, PHOTOS, kinds
from pictures import jpeg
from playwright.sync_api import expect
from screens import DESKTOP, PHONE, ORIGINS
from scripted_server import ScriptedServer, held, picture
from viewer import Viewer
from visit import Visit
from waiting import TIMEOUT, until
from web_server import WebServer


@pytest.fixture(scope="module")
def site(program, tmp_path_factory):
    """The gallery of the other browser tests, with WebP."""
    gallery = Gallery(tmp_path_factory.mktemp("formats") / "gallery", program)
    shutil.copytree(
        known_files.SAMPLES, gallery.folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".gallerygen")
    )
    gallery.list(PHOTOS).build("--per-page", "6", "--title", "Sample Photos", "--formats", "jpeg,webp")
    return gallery


@pytest.fixture(scope="module")
def web_address(site, tmp_path_factory):
    www = tmp_path_factory.mktemp("www")
    shutil.copytree(site.site, www / "gallery")
    with WebServer(www, tmp_path_factory.mktemp("nginx")) as server:
        yield server.url("gallery/")


@pytest.fixture
def names(site):
    return [photo["name"] for photo in site.status()["photos"]]


def without_webp(visit):
    """Makes the browser ignore WebP sources, by replacing their type in the pages."""
    def answer(route):
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace('"image/webp"', '"image/x-unknown"'))

    visit.context.route(re.compile(r"\.html"), answer)


def requested_images(visit):
    return [url for url in visit.requests if "/images/" in url]


@pytest.mark.parametrize("origin", ORIGINS)
@pytest.mark.parametrize("kind", KINDS)
def test_only_webp_pictures_are_loaded(site, open_page, kind, origin):
    visit = open_page(kinds(site)[kind], origin, **DESKTOP)
    pictures = visit.pictures()
    assert pictures or kind in ("failure", "status")
    for picture in pictures:
        assert picture["width"] > 0
        assert picture["source"].endswith(".webp")
        if picture["fit"] == "fill":
            assert picture["shownRatio"] == pytest.approx(picture["ownRatio"], rel=0.03), picture
    assert all(url.endswith(".webp") for url in requested_images(visit))
    assert visit.observed()["violations"] == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_browser_without_webp_loads_jpeg_and_png(site, open_page, kind):
    visit = open_page("about:blank", **DESKTOP)
    without_webp(visit)
    visit.open(kinds(site)[kind])
    for picture in visit.pictures():
        assert picture["width"] > 0
        assert picture["source"].endswith((".jpg", ".png"))
    assert not any(url.endswith(".webp") for url in requested_images(visit))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_nothing_moves_and_pictures_have_the_same_boxes_as_without_webp(site, open_page, kind, screen):
    visit = open_page(kinds(site)[kind], **screen)
    visit.pictures()
    assert visit.observed()["moved"] == []
    for colour, picture in visit.placeholder_boxes():
        assert colour == pytest.approx(picture, abs=1)
    boxes = """() => [...document.images].map(image => {
        const box = image.getBoundingClientRect();
        return [box.x, box.y + scrollY, box.width, box.height].map(Math.round);
    })"""
    with_webp = visit.page.evaluate(boxes)
    visit.page.evaluate(
        "() => document.querySelectorAll('picture')"
        ".forEach(picture => picture.replaceWith(picture.lastElementChild))"
    )
    visit.pictures()
    assert visit.page.evaluate(boxes) == with_webp


@pytest.mark.parametrize("origin", ORIGINS)
def test_the_viewer_loads_webp_for_neighbours_zoomed_and_unfiltered_pictures(open_page, names, origin):
    visit = open_page("index.html", origin, device_scale_factor=3, **DESKTOP)
    viewer = Viewer(visit).open(names[0])
    assert viewer.picture().get_attribute("src").endswith(".webp")
    viewer.press("+", "+", "+", "+")
    expect(viewer.dialog.locator(".current img.after")).to_have_attribute("src", re.compile(r"-1600\.webp$"))
    viewer.press("0", "ArrowRight", "ArrowRight").shows(names[2])
    assert viewer.picture().get_attribute("src").endswith(".webp")
    viewer.press("b")
    expect(viewer.dialog.locator(".current img.before")).to_have_attribute("src", re.compile(r"\.webp$"))
    expect(viewer.dialog.locator(".current img.before")).to_have_js_property("complete", True)
    viewer.press("i")
    assert re.search(r"\.(jpg|png)$", viewer.dialog.locator("[data-link=picture]").get_attribute("href"))
    assert all(url.endswith(".webp") for url in requested_images(visit))


def test_the_viewer_of_a_browser_without_webp_shows_jpeg(open_page, names):
    visit = open_page("about:blank", **DESKTOP)
    without_webp(visit)
    visit.open("index.html")
    viewer = Viewer(visit).open(names[0])
    assert viewer.picture().get_attribute("src").endswith(".jpg")
    viewer.press("b")
    expect(viewer.dialog.locator(".current img.before")).to_have_attribute("src", re.compile(r"\.jpg$"))
    assert not any(url.endswith(".webp") for url in requested_images(visit))


def test_search_results_show_webp(open_page):
    visit = open_page("index.html?q=tulips", **DESKTOP)
    image = visit.page.locator(".results img")
    expect(image).to_have_count(1)
    image.scroll_into_view_if_needed()
    visit.page.wait_for_function("() => document.querySelector('.results img').currentSrc.endsWith('.webp')")


def test_pictures_are_still_shown_after_the_window_was_resized_with_the_viewer_open(open_page, names, site):
    visit = open_page("index.html", **PHONE)
    viewer = Viewer(visit).open(names[0])
    viewer.page.wait_for_url("**/photo/*.html")
    viewer.page.set_viewport_size({"width": 1600, "height": 1000})
    viewer.press("Escape").is_closed()
    assert all(picture["width"] > 0 and picture["source"].endswith(".webp") for picture in visit.pictures())


def test_every_page_is_valid_html(site):
    assert errors_in([site.site / path for path in sorted(site.files()) if path.endswith(".html")]) == []


def test_a_live_page_shows_webp(program, chromium, tmp_path):
    with ScriptedServer() as server:
        gallery = Gallery(tmp_path / "gallery", program)
        gallery.list(
            {
                "One": server.on("/1.jpg", picture(jpeg(1, 640, 480))),
                "Two": server.on("/2.jpg", held(server, jpeg(2, 640, 480))),
            }
        )
        process = program.start("build", "--live", "--formats", "jpeg,webp", cwd=gallery.folder)
        try:
            until(lambda: (gallery.site / "status.js").exists(), process)
            listing, own = (Visit(chromium, gallery.site.as_uri() + "/") for _ in range(2))
            listing.open("index.html")
            own.open("photo/two.html")
            server.release.set()
            own.page.wait_for_selector("article[data-state=filtered] .picture picture img")
            own.page.wait_for_function(
                "() => document.querySelector('article .picture img').currentSrc.endsWith('.webp')"
            )
            sizes = own.page.locator("article .picture :is(source, img)").evaluate_all(
                "elements => elements.map(element => element.sizes)")
            assert sizes == ["(max-aspect-ratio: 640/480) 100vw, calc(1.33*(100vh - 9rem))"] * 2
            listing.page.wait_for_selector("#p-two picture img")
            listing.page.wait_for_function("() => document.querySelector('#p-two img').currentSrc.endsWith('.webp')")
            process.communicate(timeout=TIMEOUT)
            for visit in (listing, own):
                assert all(url.endswith(".webp") for url in requested_images(visit))
                visit.close()
                assert visit.unexpected_problems() == []
        finally:
            process.kill()
            process.communicate()
