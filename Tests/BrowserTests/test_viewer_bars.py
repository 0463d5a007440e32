"""The bars over the picture: their contents, when they hide, and the menu."""

import pytest
from playwright.sync_api import expect
from screens import DESKTOP, PHONE
from viewer import Viewer


@pytest.fixture
def timed(open_page, names):
    """A function that opens the viewer with a simulated clock."""

    def timed(**context):
        visit = open_page("about:blank", **(context or DESKTOP))
        visit.page.clock.install()
        visit.open("index.html")
        viewer = Viewer(visit).open(names[0], bars_stay=False)
        viewer.picture()
        return viewer, visit.page.clock

    return timed


@pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_bars_hide_after_three_seconds_without_input(timed, screen):
    viewer, clock = timed(**screen)
    # The simulated clock runs until it is paused, so the last input must come after that.
    clock.pause_at(viewer.page.evaluate("Date.now()") + 100)
    viewer.press("ArrowRight")
    clock.run_for(2500)
    viewer.bars_are_hidden(False)
    clock.run_for(600)
    viewer.bars_are_hidden()


def test_mouse_and_keys_show_the_bars(timed):
    viewer, clock = timed()
    for wake in (lambda: viewer.page.mouse.move(300, 300), lambda: viewer.press("ArrowRight")):
        clock.run_for(3100)
        viewer.bars_are_hidden()
        wake()
        viewer.bars_are_hidden(False)


@pytest.mark.parametrize("keys", [["Tab"], ["i"], ["?"], ["b"]], ids=["focus", "information", "help", "compare"])
def test_bars_stay_while_they_are_used(timed, keys):
    viewer, clock = timed()
    viewer.press(*keys)
    clock.run_for(10_000)
    viewer.bars_are_hidden(False)


def test_bars_stay_while_the_menu_is_open(timed):
    viewer, clock = timed()
    viewer.menu()
    clock.run_for(10_000)
    viewer.bars_are_hidden(False)


def test_a_tap_on_a_hidden_button_only_shows_the_bars(timed):
    viewer, clock = timed(**PHONE)
    close = viewer.button("Close").bounding_box()
    clock.run_for(3100)
    viewer.bars_are_hidden()
    viewer.page.touchscreen.tap(close["x"] + 10, close["y"] + 10)
    clock.run_for(500)
    viewer.bars_are_hidden(False)
    expect(viewer.dialog).to_be_visible()


@pytest.mark.parametrize("name", ["Boats in a small harbour. " * 15, "x" * 400], ids=["words", "letters"])
def test_a_long_name_has_three_lines_below_the_picture_and_is_complete_in_the_information(opened, name):
    viewer = opened(**PHONE)
    rename = "(elements, name) => elements.forEach(element => { element.textContent = name; })"
    names = viewer.dialog.locator("[data-field=name]")
    names.evaluate_all(rename, name)
    heading = viewer.dialog.locator(".words h2")
    line = heading.evaluate("heading => parseFloat(getComputedStyle(heading).lineHeight)")
    assert heading.bounding_box()["height"] == pytest.approx(3 * line, abs=1)
    viewer.press("i")
    information = viewer.dialog.locator(".information")
    expect(information).to_be_visible()
    # The panel is filled when it opens.
    names.evaluate_all(rename, name)
    assert information.evaluate("panel => panel.scrollWidth <= panel.clientWidth")
    assert information.locator("h2").evaluate("heading => heading.scrollHeight <= heading.clientHeight + 1")


def test_name_caption_credit_and_date_are_below_the_picture(opened, names):
    viewer = opened()
    words = viewer.dialog.locator(".words")
    for text in (names[0], "A rocky summit over a meadow.", "Aitzol Berasategi", "2021"):
        expect(words).to_contain_text(text)
    viewer.press("ArrowRight").shows(names[1])
    expect(words).to_contain_text(names[1])
    expect(words.locator(".caption")).to_be_hidden()


def test_the_counter_shows_the_number_of_the_photo_and_of_all_photos(opened, names):
    viewer = opened().press("ArrowRight")
    expect(viewer.dialog.locator(".counter")).to_have_text(f"2 / {len(names)}")


def test_every_button_of_the_bars_is_at_least_44_pixels_large(opened):
    for button in opened(**PHONE).dialog.locator(".toolbar button").all():
        box = button.bounding_box()
        assert box["width"] >= 44 and box["height"] >= 44


def test_a_photo_can_be_shared_on_devices_that_support_it(open_page, site, names):
    visit = open_page("about:blank", **PHONE)
    visit.page.add_init_script("navigator.share = async data => { window.shared = data; }")
    visit.open("index.html")
    viewer = Viewer(visit).open(names[0])
    viewer.button("Menu").tap()
    viewer.button("Share").tap()
    page = site.status()["photos"][0]["page"]
    assert visit.page.evaluate("window.shared") == {"title": names[0], "url": visit.address + page}


def test_the_link_to_a_photo_can_be_copied(opened, site):
    viewer = opened(permissions=["clipboard-read", "clipboard-write"], **DESKTOP).menu()
    viewer.button("Copy link").click()
    expect(viewer.button("Copied")).to_be_visible()
    copied = viewer.page.evaluate("navigator.clipboard.readText()")
    assert copied == viewer.visit.address + site.status()["photos"][0]["page"]


def test_the_largest_picture_can_be_downloaded(opened, site):
    link = opened().menu().dialog.get_by_role("link", name="Download the picture")
    assert link.get_attribute("href").endswith(site.status()["photos"][0]["images"][-1]["path"])


def test_a_click_in_the_strip_of_thumbnails_shows_the_photo(opened, names):
    viewer = opened(**DESKTOP)
    strip = viewer.dialog.locator(".strip img")
    expect(strip).to_have_count(len(names))
    expect(viewer.dialog.locator(".strip .shown")).to_have_attribute("data-index", "0")
    strip.nth(2).click()
    viewer.shows(names[2])
    expect(viewer.dialog.locator(".strip .shown")).to_have_attribute("data-index", "2")


def test_a_phone_shows_no_strip_and_loads_no_thumbnails_for_it(opened):
    viewer = opened(**PHONE)
    expect(viewer.dialog.locator(".strip")).to_be_hidden()
    expect(viewer.dialog.locator(".strip img")).to_have_count(0)


@pytest.mark.parametrize("width", [320, 390])
@pytest.mark.parametrize("position", ["184 / 401", "123456 / 1000000"])
def test_the_position_is_whole_on_a_phone(opened, width, position):
    viewer = opened(**PHONE | {"viewport": {"width": width, "height": 700}})
    counter = viewer.dialog.locator(".counter")
    counter.locator("bdi").evaluate("(counter, text) => { counter.textContent = text; }", position)
    assert counter.evaluate("counter => counter.scrollWidth <= counter.clientWidth")
    boxes = [button.bounding_box() for button in viewer.dialog.locator(".toolbar button:visible").all()]
    box = counter.locator("bdi").bounding_box()
    assert box["x"] + box["width"] <= boxes[0]["x"]
    assert all(box["width"] >= 24 for box in boxes)
    assert boxes[-1]["x"] + boxes[-1]["width"] <= width
