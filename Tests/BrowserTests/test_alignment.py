"""The alignment of texts with one another and with the edges of the page."""

import pytest
from page_kinds import kinds
from screens import DESKTOP, PHONE, TABLET

LANDSCAPE = {**PHONE, "viewport": {"width": 844, "height": 390}}
PAPER = {"viewport": {"width": 698, "height": 1027}}  # A4 at 96 dpi, without its margins
LONG = "A name so long that it has to be broken somewhere, with Donaudampfschifffahrtsgesellschaftskapitän in it"

EDGES = """element => {
    const range = document.createRange();
    range.selectNodeContents(element);
    const boxes = [...range.getClientRects()].filter(box => box.width);
    return [Math.min(...boxes.map(box => box.left)), Math.max(...boxes.map(box => box.right))];
}"""
"""The left and right edges of an element's text."""


@pytest.mark.parametrize("kind", ["album", "status"])
def test_on_a_phone_a_heading_is_below_its_breadcrumbs(open_page, site, kind):
    page = open_page(kinds(site)[kind], **PHONE).page
    link = page.locator(".breadcrumbs a").last.bounding_box()
    heading = page.locator(".breadcrumbs h1").bounding_box()
    assert heading["y"] >= link["y"] + link["height"] - 1
    assert heading["x"] == pytest.approx(16, abs=1)


@pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_the_number_of_found_photos_is_aligned_with_the_title(open_page, screen):
    page = open_page("index.html?q=nuthatch", **screen).page
    status = page.locator(".search-status:not(:empty)")
    status.wait_for()
    assert status.evaluate(EDGES)[0] == pytest.approx(page.locator("h1 bdi").evaluate(EDGES)[0], abs=1)


@pytest.mark.parametrize(("screen", "name", "side"), [
    (LANDSCAPE, "Two Dogs on a Balcony", "prev"), (LANDSCAPE, "Two Dogs on a Balcony", "next"),
    (PHONE, "Two Dogs on a Balcony", "prev"), (DESKTOP, LONG, "prev"), (DESKTOP, LONG, "next")])
def test_the_names_of_a_photos_neighbours_are_at_the_edges_of_the_page(open_page, site, screen, name, side):
    page = open_page(site.photos()[name]["page"], **screen).page
    left, right = page.locator(f"[rel={side}] bdi").evaluate(EDGES)
    assert 15 <= {"prev": left, "next": page.viewport_size["width"] - right}[side] <= 25


def test_a_right_to_left_name_is_next_to_its_thumbnail(open_page, site):
    link = open_page(site.photos()[LONG]["page"], **PHONE).page.locator("[rel=next]")
    right = link.locator("bdi").evaluate(EDGES)[1]
    assert right == pytest.approx(link.locator(".thumbnail").bounding_box()["x"] - 12, abs=1)


@pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_the_name_of_a_photo_without_picture_is_at_the_bottom_of_its_card(open_page, screen):
    card = open_page("index.html", **screen).page.locator(".card.missing").first
    for has_reason in (True, False):  # a new photo has no reason
        if not has_reason:
            card.evaluate("card => card.querySelector('.reason').remove()")
        box, name = card.bounding_box(), card.locator("h2 a bdi").bounding_box()
        assert 0 <= box["y"] + box["height"] - name["y"] - name["height"] <= 16


def test_the_table_of_photos_that_need_attention_fits_on_paper(open_page):
    page = open_page("status.html", **PAPER).page
    page.emulate_media(media="print")
    table = page.locator(".table-scroll")
    assert table.evaluate("table => table.scrollWidth <= table.clientWidth")
    # No word of a name is broken.
    heights = table.locator("tbody th a bdi").filter(has_text="Missing animal").evaluate_all(
        "all => all.map(name => name.getClientRects().length)")
    assert heights and max(heights) <= 2


def test_the_buttons_of_a_photo_have_borders_in_forced_colours(open_page, site):
    page = open_page(kinds(site)["photo"], forced_colors="active", **DESKTOP).page
    buttons = page.locator(".photo-actions button")
    assert buttons.count() == 3
    assert buttons.evaluate_all("all => all.map(button => getComputedStyle(button).borderTopWidth)") == ["1px"] * 3


def test_the_counts_of_failed_and_stale_photos_are_in_one_line_next_to_albums(open_page):
    needs_attention = open_page("index.html", **PHONE).page.locator(".albums .needs-attention a")
    needs_attention.evaluate("link => link.append(...['2 stale', '3 waiting'].map(text => {"
                             "const copy = link.firstElementChild.cloneNode();"
                             "copy.textContent = text; return copy; }))")
    assert len(set(needs_attention.evaluate("link => [...link.children].map(part => part.offsetTop)"))) == 1


@pytest.mark.parametrize("screen", [PHONE, TABLET, DESKTOP], ids=["phone", "tablet", "desktop"])
def test_a_reason_of_two_lines_does_not_overlap_the_name(open_page, screen):
    card = open_page("index.html", **screen).page.locator(".card.missing").first
    reason = card.locator(".reason")
    reason.evaluate("reason => reason.innerHTML = 'File not found:<br>photos/gone.jpg'")
    top = card.locator("h2").bounding_box()["y"]
    assert max(box["bottom"] for box in reason.evaluate("""reason => {
        const range = document.createRange();
        range.selectNodeContents(reason);
        return [...range.getClientRects()].map(({ bottom }) => ({ bottom }));
    }""")) <= top + 1
