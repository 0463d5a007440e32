"""The keys of the viewer."""

import re

import pytest
from playwright.sync_api import expect
from screens import DESKTOP, ORIGINS
from viewer import Viewer


@pytest.mark.parametrize("origin", ORIGINS)
def test_a_click_opens_a_photo_and_arrow_keys_step_through_the_whole_gallery(opened, names, origin):
    viewer = opened(origin=origin).settle()
    viewer.page.evaluate("window.observed.moved = []")
    for name in names[1:]:
        viewer.press("ArrowRight").shows(name)
    viewer.press("ArrowRight").shows(names[0])
    viewer.press("ArrowLeft").shows(names[-1])
    viewer.press("Home").shows(names[0])
    viewer.press("End").shows(names[-1])
    viewer.press("ArrowLeft").shows(names[-2])
    assert [problem for problem in viewer.visit.problems if "ERR_ABORTED" not in problem] == []
    assert viewer.visit.external_requests() == []
    assert viewer.visit.observed()["violations"] == []
    assert viewer.visit.observed()["moved"] == []


@pytest.mark.parametrize("modifier", ["Control", "Shift"])
def test_a_click_with_a_modifier_is_left_to_the_browser(open_page, names, modifier):
    visit = open_page("index.html", **DESKTOP)
    with visit.context.expect_page() as other:
        visit.page.get_by_role("link", name=names[0], exact=True).click(modifiers=[modifier])
    other.value.wait_for_url("**/photo/*.html")
    expect(visit.page.locator("#viewer")).to_be_hidden()


@pytest.mark.parametrize("modifier", ["Control", "Alt", "Meta"])
def test_keys_with_a_modifier_do_nothing(opened, names, modifier):
    viewer = opened()
    for key in ("i", "b", "+", "End", "?"):
        viewer.page.evaluate(
            "([key, modifier]) => document.getElementById('viewer').dispatchEvent(new KeyboardEvent('keydown',"
            " { key, [modifier]: true, bubbles: true, cancelable: true }))",
            [key, {"Control": "ctrlKey", "Alt": "altKey", "Meta": "metaKey"}[modifier]])
    viewer.shows(names[0])
    expect(viewer.dialog.locator(".information")).to_be_hidden()
    expect(viewer.dialog.locator(".help")).to_be_hidden()
    assert viewer.layout()["scale"] == 1


def test_single_key_shortcuts_can_be_turned_off_for_all_pages(opened, names):
    viewer = opened().press("?")
    viewer.dialog.get_by_label("Use single-key shortcuts").uncheck()
    viewer.press("Escape", "i")
    expect(viewer.dialog.locator(".information")).to_be_hidden()
    viewer.press("ArrowRight").shows(names[1])
    viewer.visit.open("index.html")
    viewer.open(names[0]).press("i")
    expect(viewer.dialog.locator(".information")).to_be_hidden()


def test_zoom_keys_change_the_scale_by_steps_and_a_larger_picture_is_loaded(opened):
    viewer = opened(viewport={"width": 500, "height": 400})
    small = viewer.picture().evaluate("image => image.naturalWidth")
    fitted, *steps = viewer.steps()
    for step in steps:
        viewer.press("+")
        assert viewer.layout()["scale"] == pytest.approx(step)
    viewer.press("+")
    assert viewer.layout()["scale"] == pytest.approx(steps[-1])
    expect(viewer.dialog.locator(".current img.after")).not_to_have_js_property("naturalWidth", small)
    assert viewer.picture().evaluate("image => image.naturalWidth") > small
    viewer.press("-")
    assert viewer.layout()["scale"] == pytest.approx(steps[-2])
    viewer.press("0")
    assert viewer.layout() == {"x": 0, "y": 0, "scale": 1}


def test_arrow_keys_move_a_zoomed_picture_up_to_its_edge_and_then_step(opened, names):
    viewer = opened().press("+", "+")
    viewer.press("ArrowRight")
    assert viewer.layout()["x"] < 0
    viewer.shows(names[0])
    viewer.press(*["ArrowRight"] * 30)
    assert re.search(rf": {re.escape(names[0])}$", viewer.dialog.locator(".position").inner_text()) is None


def test_a_key_shows_help_and_escape_closes_only_that(opened):
    viewer = opened().press("?")
    expect(viewer.dialog.locator(".help")).to_be_visible()
    viewer.press("Escape")
    expect(viewer.dialog.locator(".help")).to_be_hidden()
    expect(viewer.dialog).to_be_visible()


def test_escape_closes_only_the_menu_and_its_button_gets_the_focus(opened):
    viewer = opened().menu()
    expect(viewer.dialog.get_by_role("link", name="Page of this photo")).to_be_visible()
    viewer.press("Escape")
    expect(viewer.dialog.locator(".menu")).to_be_hidden()
    expect(viewer.button("Menu")).to_be_focused()
    expect(viewer.button("Menu")).to_have_attribute("aria-expanded", "false")
    viewer.press("Escape").is_closed()


def test_the_first_visible_button_of_the_menu_gets_the_focus(open_page, names):
    """Pages from plain http can neither share nor copy, and with a mouse the menu does not need the arrows."""
    visit = open_page("about:blank", **DESKTOP)
    visit.page.add_init_script(
        "for (const name of ['share', 'clipboard']) "
        "Object.defineProperty(Navigator.prototype, name, { get: () => undefined })")
    visit.open("index.html")
    viewer = Viewer(visit).open(names[0]).menu()
    expect(viewer.dialog.locator(".menu :focus")).to_be_visible()


def test_a_key_turns_full_screen_on_and_off(opened):
    viewer = opened().press("f")
    viewer.page.wait_for_function("() => document.fullscreenElement !== null")
    expect(viewer.button("Close")).to_be_visible()
    viewer.press("f")
    viewer.page.wait_for_function("() => document.fullscreenElement === null")


@pytest.mark.parametrize("close", [lambda viewer: viewer.button("Close").click(), lambda viewer: viewer.page.go_back()],
                         ids=["button", "back"])
def test_full_screen_ends_with_the_viewer(opened, close):
    viewer = opened().press("f")
    viewer.page.wait_for_function("() => document.fullscreenElement !== null")
    close(viewer)
    viewer.is_closed()
    viewer.page.wait_for_function("() => document.fullscreenElement === null")


def test_without_support_for_full_screen_its_button_is_hidden(open_page, names):
    visit = open_page("about:blank", **DESKTOP)
    visit.page.add_init_script("Object.defineProperty(Document.prototype, 'fullscreenEnabled', { get: () => false })")
    visit.open("index.html")
    viewer = Viewer(visit).open(names[0]).menu()
    expect(viewer.button("Help")).to_be_visible()
    expect(viewer.button("Full screen")).to_be_hidden()


def test_the_closed_viewer_handles_no_keys(opened):
    viewer = opened(viewport={"width": 800, "height": 400}).press("Escape")
    viewer.is_closed()
    viewer.press("b", "i", "?", "+", "u")
    viewer.page.evaluate("scrollTo(0, 0)")
    viewer.press("Space")
    viewer.page.wait_for_function("() => scrollY > 0")
    viewer.press("Escape")
    viewer.is_closed()
