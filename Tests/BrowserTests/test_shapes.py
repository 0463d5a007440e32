"""Photos of unusual shapes: narrow cards, pictures that are much taller than the screen, and panoramas."""

from statistics import median

import pytest
from gallery import Gallery
from pictures import jpeg
from playwright.sync_api import expect
from screens import DESKTOP, PHONE
from search import Search
from viewer import Viewer

NARROW = PHONE | {"viewport": {"width": 320, "height": 640}}
SHAPES = {"Tall": (100, 1200), "Phone": (540, 1170), "Small and tall": (20, 100)}
ROWS = {"Panorama": (2400, 800), "Photo": (1800, 1200), "Portrait": (1200, 1800), "Tower": (800, 1600)}
"""The shapes of a gallery that has six photos of each."""
RING = "states => states.map(state => getComputedStyle(state, '::before').width)"
LINES = """labels => labels.map(label => {
    const range = document.createRange();
    range.selectNodeContents(label);
    return new Set([...range.getClientRects()].map(line => line.top)).size;
})"""
"""The number of lines of each label."""
STATED_WIDTHS = """images => Promise.all(images.map(async image => {
    image.loading = 'eager';
    await image.decode();
    return image.naturalWidth;
}))"""
"""The widths of pictures in CSS pixels as `sizes` states them: those that browsers assume before the layout."""


@pytest.fixture(scope="module")
def gallery(program, tmp_path_factory):
    """A gallery of portraits."""
    gallery = Gallery(tmp_path_factory.mktemp("shapes") / "gallery", program)
    for name, (width, height) in SHAPES.items():
        (gallery.folder / f"{name}.jpg").write_bytes(jpeg(len(name), width, height))
    gallery.list({name: f"{name}.jpg" for name in SHAPES})
    gallery.build("--language", "es")
    return gallery


@pytest.fixture(scope="module")
def rows(program, tmp_path_factory):
    gallery = Gallery(tmp_path_factory.mktemp("rows") / "gallery", program)
    for shape, (width, height) in ROWS.items():
        (gallery.folder / f"{shape}.jpg").write_bytes(jpeg(len(shape), width, height))
    gallery.list({f"{shape} {number}": f"{shape}.jpg" for number in range(1, 7) for shape in ROWS})
    gallery.build()
    return gallery


@pytest.fixture
def shown(visit_at, gallery):
    return lambda path, **screen: visit_at(gallery.site.as_uri() + "/", path, **screen)


@pytest.mark.parametrize("screen", [PHONE, NARROW], ids=["phone", "narrow"])
def test_the_shape_of_a_state_keeps_its_width_in_a_narrow_card(shown, screen):
    states = shown("index.html", **screen).page.locator(".card .state")
    expect(states).to_have_count(len(SHAPES))
    assert states.first.bounding_box()["width"] < 80
    assert states.evaluate_all(RING) == ["8px"] * len(SHAPES)


@pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize("name", SHAPES)
def test_a_tall_picture_fits_the_screen_and_keeps_its_shape(shown, gallery, name, screen):
    visit = shown(gallery.photos()[name]["page"], **screen)
    image = visit.page.locator(".photo-stage figure img")
    expect(image).to_have_js_property("complete", True)
    box = image.bounding_box()
    assert box["y"] + box["height"] < screen["viewport"]["height"]
    width, height = SHAPES[name]
    assert box["width"] / box["height"] == pytest.approx(width / height, rel=0.03)
    assert box["height"] <= height
    assert visit.placeholder_boxes()[0][0] == pytest.approx(visit.placeholder_boxes()[0][1], abs=1)
    assert visit.observed()["moved"] == []


@pytest.mark.parametrize("width", [390, 768, 1440, 1920])
def test_the_sizes_of_cards_are_their_widths_before_rows_are_stretched(visit_at, rows, width):
    page = visit_at(rows.site.as_uri() + "/", "index.html", viewport={"width": width, "height": 900}).page
    expect(page.locator(".card img")).to_have_count(6 * len(ROWS))
    stated = page.locator(".card img").evaluate_all(STATED_WIDTHS)
    real = [card.bounding_box() for card in page.locator(".card").all()]
    # Each row is stretched by a factor of its own.
    stretched = [box["width"] / before for box, before in zip(real, stated)]
    assert 0.95 < min(stretched) < max(stretched) < 1.9
    assert median(stretched) < 1.3


@pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize("shape", ROWS)
def test_the_sizes_of_a_photos_own_picture_fit_its_page(visit_at, rows, shape, screen):
    page = visit_at(rows.site.as_uri() + "/", f"photo/{shape.lower()}-1.html", **screen).page
    image = page.locator(".photo-stage figure img")
    stated, = image.evaluate_all(STATED_WIDTHS)
    assert 0.9 < stated / image.bounding_box()["width"] < 1.3


@pytest.mark.parametrize("shape", ROWS)
def test_search_results_have_the_sizes_of_cards(visit_at, rows, shape):
    page = visit_at(rows.site.as_uri() + "/", f"index.html?q={shape}", **DESKTOP).page
    results = page.locator(".results .card img")
    expect(results).to_have_count(6)
    own = page.locator(f"#p-{shape.lower()}-1 img").get_attribute("sizes")
    assert results.evaluate_all("images => images.map(image => image.sizes)") == [own] * 6


def test_search_results_keep_the_sizes_that_a_search_form_states(visit_at, rows):
    visit = visit_at(rows.site.as_uri() + "/", "index.html", **DESKTOP)
    visit.page.evaluate("document.querySelector('form template').content.querySelector('img').sizes = '20rem'")
    Search(visit).type("tower")
    results = visit.page.locator(".results .card img")
    expect(results).to_have_count(6)
    assert results.evaluate_all("images => images.map(image => image.sizes)") == ["20rem"] * 6


@pytest.mark.parametrize("screen", [NARROW, DESKTOP], ids=["narrow", "desktop"])
def test_the_labels_of_a_comparison_do_not_cover_a_narrow_or_low_picture(shown, screen):
    viewer = Viewer(shown("index.html", **screen)).open("Tall").press("b")
    labels = viewer.dialog.locator(".slider-labels span")
    expect(labels).to_have_text(["Antes", "Después"])
    assert labels.evaluate_all(LINES) == [1, 1]
    picture = viewer.settle().picture().bounding_box()
    left, right = (label.bounding_box() for label in labels.all())
    assert 0 <= left["x"] <= left["x"] + left["width"] <= picture["x"]
    assert picture["x"] + picture["width"] <= right["x"] <= screen["viewport"]["width"] - right["width"]
    # As for a panorama of this height.
    stage, height = viewer.dialog.locator(".stage"), 32
    stage.evaluate("(stage, height) => stage.style.setProperty('--height', `${height}px`)", height)
    top = viewer.middle()[1] - height / 2
    assert all(label.bounding_box()["y"] + label.bounding_box()["height"] < top for label in labels.all())


@pytest.mark.parametrize("screen", [PHONE, NARROW], ids=["phone", "narrow"])
def test_the_labels_below_a_picture_are_not_broken(shown, gallery, screen):
    page = shown(gallery.photos()["Phone"]["page"], **screen).page
    # As in a gallery of ten thousand photos.
    page.locator(".photo-nav [rel=up]").evaluate("link => { link.textContent = '4.711 de 10.000'; }")
    labels = page.locator(".photo-nav span:not([hidden])")
    expect(labels).to_have_text(["Anterior", "Siguiente"])
    assert labels.evaluate_all(LINES) == [1, 1]
    assert page.evaluate("document.documentElement.scrollWidth") == screen["viewport"]["width"]
    for link in page.locator(".photo-nav a").all():
        box = link.bounding_box()
        assert 0 <= box["x"] <= box["x"] + box["width"] <= screen["viewport"]["width"]
