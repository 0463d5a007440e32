"""Photos of unusual shapes."""

import pytest
from gallery import Gallery
from pictures import jpeg
from playwright.sync_api import expect
from screens import PHONE

NARROW = PHONE | {"viewport": {"width": 320, "height": 640}}
SHAPES = {"Tall": (100, 1200), "Phone": (540, 1170), "Small and tall": (20, 100)}
RING = "states => states.map(state => getComputedStyle(state, '::before').width)"


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
