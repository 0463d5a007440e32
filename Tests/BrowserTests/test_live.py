"""Pages of a live build show each photo when it is ready, without being reloaded."""

from urllib.parse import quote

import pytest
from axe_playwright_python.sync_playwright import Axe
from gallery import Gallery
from html_checker import errors_in
from pictures import jpeg
from playwright.sync_api import expect
from scripted_server import ScriptedServer, held, picture, status
from visit import Visit
from waiting import TIMEOUT, until
from web_server import WebServer

STATES = "() => [...document.querySelectorAll('.card')].map(card => [card.id, card.dataset.state])"
STATES_AND_REASONS = "() => photos.records.slice(0, 2).map(({ state, reason }) => [state, !!reason])"
PICTURES = """
async () => {
    for (const image of document.images) {
        image.scrollIntoView({ block: 'center' });
        await image.decode();
    }
    return [...document.images].map(image => new URL(image.currentSrc).pathname.split('/').pop());
}
"""

#: "$&" in the name of the folder would be a pattern if it were used as a replacement text of `String.replace`.
FOLDER = "gallery $& more"

FRAME_GEOMETRY = """
() => Object.fromEntries([...document.querySelectorAll('article .picture :is(img, svg)')].map(element => {
    const { x, width, height } = element.getBoundingClientRect();
    return [element.localName, [x, width, height, element.closest('a[data-viewer]').href]];
}))
"""


@pytest.fixture
def building(program, tmp_path):
    """A live build that has made one photo; the server holds the others back until it is released."""
    with ScriptedServer() as server:
        gallery = Gallery(tmp_path / FOLDER, program)
        gallery.list({
            "One": server.on("/1.jpg", picture(jpeg(1, 640, 480))),
            "Two": server.on("/2.jpg", held(server, jpeg(2, 640, 480))),
            "Gone": server.on("/gone.jpg", lambda connection, request: (
                server.release.wait(TIMEOUT), status(404)(connection, request))),
            "Three": server.on("/3.jpg", held(server, jpeg(3, 480, 640)))})
        process = program.start("build", "--live", cwd=gallery.folder)
        try:
            until(lambda: "data-state=\"filtered" in "".join((gallery.live_status() or {}).get("cards", [])), process)
            yield gallery, server, process
        finally:
            process.kill()
            process.communicate()


@pytest.fixture(params=["disk", "web"])
def visit(request, building, visit_at, tmp_path):
    """A function that opens a page of the gallery, and sets `window.isTheSame`, which a reload would lose."""
    gallery = building[0]

    def visit(path, address):
        visit = visit_at(address, path)
        visit.page.evaluate("() => { window.isTheSame = true; }")
        return visit

    if request.param == "disk":
        yield lambda path: visit(path, gallery.site.as_uri() + "/")
    else:
        (tmp_path / "www").mkdir()
        (tmp_path / "www" / FOLDER).symlink_to(gallery.site)
        with WebServer(tmp_path / "www", tmp_path / "nginx") as server:
            yield lambda path: visit(path, server.url(quote(FOLDER, safe="$&") + "/"))


def test_photos_appear_in_their_places_and_the_header_counts_them(building, visit):
    gallery, server, process = building
    page = visit("index.html").page
    page.wait_for_function("() => document.querySelector('.live').textContent.includes('1 of 4')")
    assert page.evaluate(STATES) == [["p-one", "filtered"], ["p-two", "new"], ["p-gone", "new"], ["p-three", "new"]]
    page.focus("#p-three a")
    scrolled = page.evaluate("() => { scrollTo(0, 40); return scrollY; }")

    server.release.set()
    page.wait_for_function("() => document.querySelector('.live').textContent.includes('4 of 4')")
    assert page.evaluate(STATES) == [
        ["p-one", "filtered"], ["p-two", "filtered"], ["p-gone", "failed"], ["p-three", "filtered"]]
    assert page.evaluate("() => document.activeElement.closest('.card').id") == "p-three"
    assert page.evaluate("() => scrollY") == scrolled
    process.communicate(timeout=TIMEOUT)

    # After a reload, the page shows the same pictures.
    assert page.evaluate("() => window.isTheSame")
    stayed = page.evaluate(PICTURES)
    page.reload()
    assert page.evaluate("() => window.isTheSame") is None
    assert page.evaluate(PICTURES) == stayed
    assert page.query_selector(".live") is None


def test_during_a_live_build_only_the_header_shows_counts(building, visit):
    _, server, process = building
    page = visit("index.html").page
    server.release.set()
    page.wait_for_function("() => document.querySelector('.live').textContent.includes('4 of 4')")
    shown = page.inner_text("body")
    assert "not fetched" not in shown
    assert page.locator(".needs-attention").count() == 0
    process.communicate(timeout=TIMEOUT)
    page.reload()
    assert page.inner_text(".needs-attention") == "1 failed"


def test_a_photo_page_and_the_viewer_show_a_photo_when_it_is_ready(building, visit):
    _, server, process = building
    own, listing = visit("photo/two.html").page, visit("index.html").page
    listing.click("#p-two a[data-viewer]")
    listing.wait_for_selector("dialog[open]")
    # Its icon is not crossed out, because nothing has failed.
    expect(listing.locator("dialog .current .error svg")).to_be_visible()
    expect(listing.locator("dialog .current .cross")).to_be_hidden()
    server.release.set()
    own.wait_for_selector("article[data-state=filtered] .picture img")
    assert own.evaluate("() => document.querySelector('article .picture img').decode().then(() => true)")
    assert "filtered" in own.inner_text("article .description")
    listing.wait_for_function("() => document.querySelector('dialog .slide img')?.naturalWidth > 0")
    process.communicate(timeout=TIMEOUT)
    assert own.evaluate("() => window.isTheSame") and listing.evaluate("() => window.isTheSame")
    own.focus("article .picture a")
    own.evaluate("""() => {
        const place = galleryLive.cards.findIndex(card => card.includes('id="p-two"'));
        return photoUpdates.show(galleryLive.cards[place], galleryLive.records[place]);
    }""")
    assert own.evaluate("() => document.activeElement.matches('article .picture a')")
    stayed = own.evaluate(FRAME_GEOMETRY)
    assert stayed["img"] == stayed["svg"]
    own.reload()
    own.evaluate("() => document.querySelector('article .picture img').decode().then(() => true)")
    assert own.evaluate(FRAME_GEOMETRY) == stayed


def test_a_live_page_is_valid_and_axe_finds_nothing(building, chromium):
    gallery, _, _ = building
    pages = [gallery.site / path for path in ("index.html", "photo/one.html", "photo/two.html", "status.html")]
    assert errors_in(pages) == []
    for page in pages:
        visit = Visit(chromium, gallery.site.as_uri() + "/", bypass_csp=True)
        visit.open(str(page.relative_to(gallery.site)))
        # On pages from the disk, axe may not load style sheets again.
        results = Axe().run(visit.page, options={"preload": False})
        visit.close()
        assert results.violations_count == 0, results.generate_report()


def test_a_page_says_that_its_build_was_interrupted_and_follows_the_next_one(building, visit):
    gallery, server, process = building
    opened = visit("index.html")
    # The build removes status.js at its end, while the page still polls it.
    opened.ignore("status.js", "Not Found", "ERR_FILE_NOT_FOUND")
    page = opened.page
    process.terminate()
    page.wait_for_function("() => document.querySelector('.live').textContent.includes('interrupted')")
    process.communicate(timeout=TIMEOUT)
    following = gallery.program.start("build", "--live", cwd=gallery.folder)
    try:
        # After an interruption, the page polls less often.
        page.wait_for_function("() => document.querySelector('.live').textContent.includes('1 of 4')")
        page.focus("#p-three a")
        server.release.set()
        page.wait_for_function("() => document.querySelector('.live').textContent.includes('4 of 4')")
        assert page.evaluate(STATES) == [
            ["p-one", "filtered"], ["p-two", "filtered"], ["p-gone", "failed"], ["p-three", "filtered"]]
        following.communicate(timeout=TIMEOUT)
        # status.js does not contain photos that were ready before, so the page reloads itself when the build has ended.
        page.wait_for_function("() => !window.isTheSame && !document.querySelector('.live')")
        page.wait_for_function("() => document.activeElement.closest('.card')?.id === 'p-three'")
        # A later reload leaves the focus where it is.
        page.reload()
        assert page.evaluate("() => document.activeElement === document.body && !history.state?.focus")
    finally:
        following.kill()
        following.communicate()


def test_an_open_page_shows_nothing_of_the_earlier_picture_or_reason_of_a_photo(program, tmp_path, visit_at):
    with ScriptedServer() as server:
        gallery = Gallery(tmp_path / "gallery", program)
        listed = {"One": server.on("/1.jpg", picture(jpeg(1, 640, 480))), "Two": server.on("/2.jpg", status(404))}
        gallery.list(listed)
        gallery.build()
        before = gallery.photos()["One"]
        server.on("/1.jpg", held(server, jpeg(3, 640, 480)))
        server.on("/2.jpg", held(server, jpeg(2, 640, 480)))
        # The build shows its first pages when this photo is ready.
        gallery.list(listed | {"Three": server.on("/3.jpg", picture(jpeg(4)))})
        process = program.start("build", "--live", cwd=gallery.folder)
        try:
            until(gallery.live_status, process)
            address = gallery.site.as_uri() + "/"
            listing, own = visit_at(address, "index.html").page, visit_at(address, "photo/one.html").page
            listing.evaluate("async () => { await photos.index(); await photos.fetch([0, 1]); }")
            assert listing.evaluate(STATES_AND_REASONS) == [
                ["filtered", False], ["failed", True]]
            expect(own.locator("[data-compare]")).to_be_visible()
            server.release.set()
            listing.wait_for_function("() => document.querySelector('.live').textContent.includes('3 of 3')")
            assert listing.evaluate(STATES_AND_REASONS) == [
                ["filtered", False], ["filtered", False]]
            expect(own.locator(".picture a")).not_to_have_attribute("href", f"../{before['images'][-1]['path']}")
            for outdated in ["[data-compare]", ".compare", "[download]", "code"]:
                expect(own.locator(outdated)).to_have_count(0)
            process.communicate(timeout=TIMEOUT)
            # A preview shows a card that waited with the record that its page has already.
            again = "() => { photoUpdates.updateRecords(photos.records[1]); return photos.records[1].name; }"
            assert listing.evaluate(again) == "Two"
            own.reload()
            expect(own.locator("[data-compare]")).to_be_visible()
        finally:
            process.kill()
            process.communicate()
