"""Photos of unusual shapes: narrow cards, and pictures that are much taller than the screen."""

import pytest
from gallery import Gallery
from pictures import jpeg
from playwright.sync_api import expect
from screens import DESKTOP, PHONE
from viewer import Viewer

NARROW = PHONE | {"viewport": {"width": 320, "height": 640}}
SHAPES = {"Tall": (100, 1200), "Phone": (540, 1170), "Small and tall": (20, 100)}
RING = "states => states.map(state => getComputedStyle(state, '::before').width)"
LINES = """labels => labels.map(label => {
    const range = document.createRange();
    range.selectNodeContents(label);
    return new Set([...range.getClientRects()].map(line => line.top)).size;
})"""
"""The number of lines of each label."""


@pytest.fixture(scope="module")
def gallery(program, tmp_path_factory):
    """A gallery of portraits."""
    gallery = Gallery(tmp_path_factory.mktemp("shapes") / "gallery", program)
    for name, (width, height) in SHAPES.items():
        (gallery.folder / f"{name}.jpg").write_bytes(jpeg(len(name), width, height))
    gallery.list({name: f"{name}.jpg" for name in SHAPES})
    gallery.build("--language", "es")
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


@pytest.mark.parametrize("screen", [NARROW, DESKTOP], ids=["narrow", "desktop"])
def test_the_labels_of_a_comparison_do_not_cover_a_narrow_or_low_picture(shown, screen):
    viewer = Viewer(shown("index.html", **screen)).open("Tall").press("b")
    labels = viewer.dialog.locator(".slider-labels span")
    expect(labels).to_have_text(["Antes", "Después"])
    assert labels.evaluate_all(LINES) == [1, 1]
    picture = viewer.picture().bounding_box()
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
