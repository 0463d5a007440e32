"""Accessibility of the viewer: focus, screen readers, sizes of targets."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect
from screens import DESKTOP, PHONE


def test_after_escape_the_last_shown_photo_has_the_focus(opened, names):
    viewer = opened().press("ArrowRight", "ArrowRight")
    viewer.shows(names[2])
    viewer.press("Escape").is_closed()
    # The focus moves when the browser dispatches the dialog's close event, in a later task.
    expect(viewer.page.locator(":focus")).to_have_text(names[2])


@pytest.mark.parametrize("step", ["Tab", "Shift+Tab"])
def test_the_focus_stays_in_the_viewer(opened, step):
    viewer = opened()
    reached = set()
    for _ in range(30):
        viewer.press(step)
        inside, label = viewer.page.evaluate(
            "[document.activeElement.closest('#viewer') !== null, document.activeElement.ariaLabel]")
        assert inside
        reached.add(label)
    assert {"Close", "Next photo", "Menu"} <= reached


def test_the_position_is_announced_politely(opened, names):
    viewer = opened()
    where = viewer.dialog.get_by_role("status")
    expect(where).to_have_text(f"1 of {len(names)}: {names[0]}")
    viewer.press("ArrowRight")
    expect(where).to_have_text(f"2 of {len(names)}: {names[1]}")


def test_every_target_of_the_viewer_is_at_least_24_pixels_large(opened):
    viewer = opened(**PHONE).press("i")
    viewer.press("?")
    for target in viewer.dialog.locator("button:visible, input:visible, a:visible").all():
        box = target.bounding_box()
        assert box["width"] >= 24 and box["height"] >= 24, target.evaluate("element => element.outerHTML")


def test_a_focused_element_is_never_covered(opened):
    viewer = opened(viewport={"width": 360, "height": 480}).press("i")
    for _ in range(25):
        viewer.press("Tab")
        covered = viewer.page.evaluate("""() => {
            const focused = document.activeElement;
            const box = focused.getBoundingClientRect();
            const top = document.elementFromPoint(box.x + box.width / 2, box.y + Math.min(box.height, 20) / 2);
            return focused.contains(top) || top?.contains(focused) ? null : focused.outerHTML;
        }""")
        assert covered is None


def test_axe_finds_no_violation_in_the_viewer_without_a_picture(opened, site):
    photo = next(photo for photo in site.status()["photos"][:6] if photo["reason"])
    viewer = opened(photo["name"], bypass_csp=True, **DESKTOP)
    expect(viewer.dialog.locator(".current .error")).to_be_visible()
    viewer.settle()
    results = Axe().run(viewer.page)
    assert results.violations_count == 0, results.generate_report()


@pytest.mark.parametrize("keys", ["", "?", "i", "b", "menu"])
@pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_axe_finds_no_violation_in_the_viewer(opened, keys, screen, screenshots):
    viewer = opened(bypass_csp=True, **screen)
    viewer.picture()
    viewer.menu() if keys == "menu" else viewer.press(*keys)
    viewer.settle()
    name = {"menu": "menu", "": "photo", "?": "help", "i": "info", "b": "compare"}[keys]
    viewer.page.screenshot(path=screenshots / f"viewer-{name}-{screen['viewport']['width']}.png")
    results = Axe().run(viewer.page)
    assert results.violations_count == 0, results.generate_report()


def test_arrow_keys_step_again_after_the_slider_was_hidden(opened, names):
    viewer = opened()
    viewer.press("b")
    expect(viewer.dialog.locator(".current img.before")).to_have_js_property("complete", True)
    viewer.press("b")
    expect(viewer.dialog.locator(".slider")).to_be_hidden()
    viewer.press("ArrowRight").shows(names[1])
