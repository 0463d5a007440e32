"""How the viewer opens from a thumbnail and closes into it."""

import pytest
from playwright.sync_api import expect
from screens import DESKTOP, PHONE
from viewer import Viewer

FIRST_FRAME = """() => {
    const [animation] = document.querySelector('.current .picture').getAnimations();
    if (!animation) return null;
    animation.pause();
    animation.currentTime = 0;
    const { x, y, width, height } = animation.effect.target.getBoundingClientRect();
    animation.play();
    return [x, y, width, height];
}"""
LAST_FRAME = FIRST_FRAME.replace("currentTime = 0", "currentTime = 279.99")


def thumbnail(viewer, number):
    box = viewer.page.locator(".card .picture").nth(number).bounding_box()
    return [box["x"], box["y"], box["width"], box["height"]]


def covers(picture, box):
    """Checks that the picture has the centre of the box, and its size or slightly more: thumbnails are cropped."""
    for at, size in ((0, 2), (1, 3)):
        assert picture[at] + picture[size] / 2 == pytest.approx(box[at] + box[size] / 2, abs=1)
        assert box[size] - 1 <= picture[size] <= box[size] * 1.05
    return True


@pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_the_picture_grows_from_its_thumbnail(open_page, opened, names, screen):
    visit = open_page("index.html", **screen)
    visit.page.locator(".card img").first.evaluate("image => image.decode()")
    viewer = Viewer(visit)
    box = thumbnail(viewer, 0)
    visit.page.evaluate(f"""() => document.addEventListener('click', () => {{
        const watch = () => {{
            if (document.querySelector('.current .picture')?.getAnimations().length) window.first = ({FIRST_FRAME})();
            else requestAnimationFrame(watch);
        }};
        watch();
    }})""")
    viewer.open(names[0])
    assert covers(visit.page.wait_for_function("() => window.first").json_value(), box)
    viewer.settle()
    assert viewer.layout() == {"x": 0, "y": 0, "scale": 1}


@pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_the_picture_shrinks_into_the_thumbnail_of_the_last_shown_photo(opened, names, screen):
    viewer = opened(**screen).settle().press("ArrowRight", "ArrowRight").settle()
    viewer.picture()
    # The thumbnails of the page do not move while the viewer is open.
    box = thumbnail(viewer, 2)
    viewer.page.evaluate("""() => {
        const watch = () => document.querySelector('.viewer.closing .current .picture')?.getAnimations().length
            ? window.last = (%s)() : requestAnimationFrame(watch);
        watch();
    }""" % LAST_FRAME)
    viewer.press("Escape")
    assert covers(viewer.page.wait_for_function("() => window.last").json_value(), box)
    viewer.is_closed()
    expect(viewer.page.locator(".card img").nth(1)).to_have_css("opacity", "1")


def test_with_reduced_motion_the_viewer_fades(opened, names):
    viewer = opened(reduced_motion="reduce", **DESKTOP).settle()
    viewer.page.evaluate("""() => {
        const watch = () => document.querySelector('.viewer.closing')
            ? window.properties = document.querySelector('#viewer').getAnimations({ subtree: true })
                .flatMap(animation => animation.effect.getKeyframes()).flatMap(Object.keys)
            : requestAnimationFrame(watch);
        watch();
    }""")
    viewer.press("Escape")
    properties = set(viewer.page.wait_for_function("() => window.properties").json_value())
    assert "opacity" in properties and "transform" not in properties
    viewer.is_closed()


def test_forward_during_the_closing_animation_opens_the_viewer_again(opened, names):
    viewer = opened().settle()
    viewer.page.evaluate("history.back(); addEventListener('popstate', () => history.forward(), { once: true })")
    viewer.page.wait_for_url("**/photo/*")
    expect(viewer.dialog).not_to_have_class("viewer leaving closing")
    viewer.settle().shows(names[0])
    expect(viewer.dialog).to_be_visible()
