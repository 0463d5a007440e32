"""Galleries in other languages than English, one of which is written from right to left."""

import re
import shutil

import known_files
import pytest
from axe_playwright_python.sync_playwright import Axe
from gallery import Gallery
from playwright.sync_api import expect
from program import ROOT
from screens import DESKTOP, PHONE
from search import Search
from viewer import Viewer

LABELS = "[...document.querySelectorAll('#viewer [aria-label], #viewer button')].map(e => e.ariaLabel || e.textContent)"

AS_SEEN = """counter => {
    const text = counter.firstChild;
    const places = [...text.data].map((character, index) => {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + 1);
        return [range.getBoundingClientRect().left, character];
    });
    return places.sort(([left], [other]) => left - other).map(([, character]) => character).join('');
}"""
"""The characters of an element from left to right."""

EDGES = """element => {
    const range = document.createRange();
    range.selectNodeContents(element);
    const { left, right } = range.getBoundingClientRect();
    return [left, right];
}"""
"""The left and right edges of an element's text."""

OFFLINE = {"preload": False}
"""An option of axe for pages from the disk, where it may not load style sheets again."""


@pytest.fixture(scope="module")
def gallery_in(program, tmp_path_factory):
    """A function that returns a small gallery in a language. The gallery is built at the first call."""
    built = {}

    def gallery_in(language):
        if language not in built:
            gallery = Gallery(tmp_path_factory.mktemp(language) / "gallery", program)
            for name in ("nuthatch.jpg", "tulips-vignette-alpha.png"):
                shutil.copyfile(known_files.SAMPLES / name, gallery.folder / name)
            gallery.list({"1": "nuthatch.jpg", "2": "tulips-vignette-alpha.png", "3": "4.jpg"})
            built[language] = gallery.build("--language", language) and gallery
        return built[language]

    return gallery_in


@pytest.fixture
def visited(gallery_in, visit_at):
    """A function that opens a page of the gallery in a language."""

    def visited(language, path="index.html", **context):
        return visit_at(gallery_in(language).site.as_uri() + "/", path, **(context or DESKTOP))

    return visited


@pytest.mark.parametrize("language", ["en", "de", "es", "ar"])
@pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_no_word_of_the_table_overflows_its_column(visited, language, screen):
    page = visited(language, "status.html", **screen).page
    cells = page.locator(".table-scroll :is(th, td)")
    assert cells.count() >= 12
    for state in ("failed", "stale", "new"):
        word = words(language)[f"state.{state}"]
        page.locator("td .state").first.evaluate("(state, word) => { state.textContent = word; }", word)
        assert (
            cells.evaluate_all(
                "cells => cells.filter(cell => cell.scrollWidth > cell.clientWidth).map(cell => cell.textContent)"
            )
            == []
        )


@pytest.mark.parametrize("language", ["en", "de", "es", "ar"])
@pytest.mark.parametrize("width", [320, 390])
def test_the_heading_above_the_table_is_not_cut_on_a_phone(visited, language, width):
    page = visited(language, "status.html", **PHONE | {"viewport": {"width": width, "height": 844}}).page
    heading = page.locator("h1")
    expect(heading).to_have_text(words(language)["status.title"])
    assert heading.evaluate(
        """heading => {
            const line = heading.closest('li');
            return line.scrollWidth <= line.clientWidth && line.scrollHeight <= line.clientHeight;
        }"""
    )


def words(language):
    """Name → text of the built-in translation."""
    lines = (ROOT / f"Templates/strings/{language}.txt").read_text().splitlines()
    return dict(line.split(" = ", 1) for line in lines if " = " in line and not line.startswith("#"))


@pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize("path", ["index.html", "photo/1.html", "status.html"])
def test_an_arabic_page_is_laid_out_from_right_to_left(visited, screen, path):
    visit = visited("ar", path, bypass_csp=True, **screen)
    assert visit.page.evaluate("[document.documentElement.lang, getComputedStyle(document.body).direction]") == [
        "ar",
        "rtl",
    ]
    assert visit.page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    results = Axe().run(visit.page, options=OFFLINE)
    assert results.violations_count == 0, results.generate_report()


def test_the_arabic_viewer_has_arabic_labels_and_its_next_photo_on_the_left(visited, screenshots):
    visit = visited("ar", bypass_csp=True, **DESKTOP)
    viewer = Viewer(visit).open("1").press("ArrowLeft").shows("2")
    viewer.press("ArrowRight").shows("1")
    keys = {action: viewer.dialog.locator(f".arrow[data-action={action}]").get_attribute("title")[-3:]
            for action in ("previous", "next")}
    assert keys == {"previous": "(→)", "next": "(←)"}
    assert [label for label in visit.page.evaluate(LABELS) if re.search("[A-Za-z]{2}", label)] == []
    visit.page.screenshot(path=screenshots / "viewer-arabic.png")
    results = Axe().run(visit.page, options=OFFLINE)
    assert results.violations_count == 0, results.generate_report()


@pytest.mark.parametrize(("language", "side"), [("en", "left"), ("ar", "right")])
def test_the_counter_is_written_from_left_to_right_at_the_start_of_the_bar(visited, language, side):
    viewer = Viewer(visited(language)).open("1")
    counter = viewer.shows("1").dialog.locator(".counter bdi")
    assert counter.evaluate(AS_SEEN) == "1 / 3"
    left, right = counter.evaluate(EDGES)
    assert {"left": left, "right": DESKTOP["viewport"]["width"] - right}[side] == pytest.approx(16, abs=1)


def test_a_title_in_latin_letters_is_at_the_start_of_an_arabic_page(visited):
    page = visited("ar", **PHONE).page
    title = page.locator("h1 bdi")
    title.evaluate("title => { title.textContent = 'A'; }")
    assert page.viewport_size["width"] - title.evaluate(EDGES)[1] == pytest.approx(16, abs=1)


@pytest.mark.parametrize(("language", "none", "one", "two"), [
    ("de", "Kein Foto gefunden", "1 Foto gefunden", "2 Fotos gefunden"),
    ("en", "No photo found", "1 photo found", "2 photos found")])
def test_counts_have_the_plural_forms_of_the_language(visited, language, none, one, two):
    search = Search(visited(language))
    query, status = search.page.locator("[name=q]"), search.page.locator(".search-status")
    for text, count in (("2", one), ("nothing like it", none)):
        query.fill(text)
        expect(status).to_have_text(count)
    search.open_filters().page.locator("[name=state]").select_option("filtered")
    query.fill("")
    expect(status).to_have_text(two)
