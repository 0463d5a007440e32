"""The viewer, driven by real keys, clicks, fingers and wheels."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect
from touch import Touch

PLACES = ["web", "file"]
PHONE = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "has_touch": True, "is_mobile": True}
DESKTOP = {"viewport": {"width": 1280, "height": 800}}
LAYOUT = """() => {
    const matrix = new DOMMatrix(document.querySelector('.viewer .slide').style.transform);
    return { x: matrix.e, y: matrix.f, scale: matrix.a };
}"""


@pytest.fixture
def names(site):
    return [photo["name"] for photo in site.status()["photos"]]


class Viewer:
    """The viewer of one visit's page."""

    def __init__(self, visit):
        self.visit, self.page = visit, visit.page
        self.dialog = self.page.locator("#viewer")

    def open(self, name):
        self.page.get_by_role("link", name=name, exact=True).click()
        expect(self.dialog).to_be_visible()
        return self

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)
        return self

    def shows(self, name):
        expect(self.dialog.locator(".where")).to_contain_text(f": {name}")

    def picture(self):
        picture = self.dialog.locator(".slide img.after")
        expect(picture).to_have_js_property("complete", True)
        return picture

    def button(self, name):
        return self.dialog.get_by_role("button", name=name, exact=True)

    def layout(self):
        return self.page.evaluate(LAYOUT)

    def is_closed(self):
        expect(self.dialog).to_be_hidden()

    def middle(self):
        box = self.dialog.locator(".stage").bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.fixture
def opened(open_page, names):
    """Opens the viewer at a photo of the first page."""

    def opened(name=names[0], place="web", path="index.html", **context):
        return Viewer(open_page(path, place, **(context or DESKTOP))).open(name)

    return opened


@pytest.mark.parametrize("place", PLACES)
def test_a_click_opens_the_photo_and_the_arrows_go_through_the_whole_gallery(opened, names, place):
    viewer = opened(place=place)
    for name in names[1:]:
        viewer.press("ArrowRight").shows(name)
    viewer.press("ArrowRight").shows(names[-1])
    viewer.press("Home").shows(names[0])
    viewer.press("End").shows(names[-1])
    viewer.press("ArrowLeft").shows(names[-2])
    assert [trouble for trouble in viewer.visit.troubles if "ERR_ABORTED" not in trouble] == []
    assert viewer.visit.strangers() == []
    assert viewer.visit.observed()["violations"] == []
    assert viewer.visit.observed()["shift"] == 0


@pytest.mark.parametrize("modifier", ["Control", "Shift"])
def test_a_click_with_a_modifier_is_left_to_the_browser(open_page, names, modifier):
    visit = open_page("index.html", **DESKTOP)
    with visit.context.expect_page() as other:
        visit.page.get_by_role("link", name=names[0], exact=True).click(modifiers=[modifier])
    assert "/photo/" in other.value.url
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
    expect(viewer.dialog.locator(".facts")).to_be_hidden()
    expect(viewer.dialog.locator(".help")).to_be_hidden()
    assert viewer.layout()["scale"] == 1


def test_keys_of_one_character_can_be_turned_off_and_stay_off(opened, names):
    viewer = opened().press("?")
    viewer.dialog.get_by_label("Use the keys of one character").uncheck()
    viewer.press("Escape", "i")
    expect(viewer.dialog.locator(".facts")).to_be_hidden()
    viewer.press("ArrowRight").shows(names[1])
    viewer.visit.open("index.html")
    viewer.open(names[0]).press("i")
    expect(viewer.dialog.locator(".facts")).to_be_hidden()


def test_escape_closes_and_the_focus_returns_to_the_photo_that_was_shown_last(opened, names):
    viewer = opened().press("ArrowRight", "ArrowRight")
    viewer.shows(names[2])
    viewer.press("Escape").is_closed()
    assert viewer.page.evaluate("document.activeElement.textContent") == names[2]


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
    assert {"Close", "Next photo", "Help"} <= reached


def test_zoom_keys_zoom_and_the_next_larger_picture_is_fetched(opened):
    viewer = opened(viewport={"width": 500, "height": 400})
    small = viewer.picture().evaluate("image => image.naturalWidth")
    viewer.press("+", "+")
    assert viewer.layout()["scale"] == pytest.approx(2.25)
    expect(viewer.dialog.locator(".slide img.after")).not_to_have_js_property("naturalWidth", small)
    assert viewer.picture().evaluate("image => image.naturalWidth") > small
    viewer.press("-")
    assert viewer.layout()["scale"] == pytest.approx(1.5)
    viewer.press("0")
    assert viewer.layout() == {"x": 0, "y": 0, "scale": 1}


def test_arrows_move_a_zoomed_picture_up_to_its_edge_and_then_step(opened, names):
    viewer = opened().press("+", "+")
    viewer.press("ArrowRight")
    assert viewer.layout()["x"] < 0
    viewer.shows(names[0])
    viewer.press(*["ArrowRight"] * 30)
    assert re.search(rf": {re.escape(names[0])}$", viewer.dialog.locator(".where").inner_text()) is None


def test_the_wheel_zooms_to_the_point_under_the_mouse(opened):
    viewer = opened()
    x, y = viewer.middle()
    viewer.page.mouse.move(x + 100, y)
    viewer.page.mouse.wheel(0, -300)
    viewer.page.wait_for_function("document.querySelector('.stage').classList.contains('zoomed')")
    layout = viewer.layout()
    assert layout["x"] == pytest.approx(100 - 100 * layout["scale"], abs=1)


def test_a_dragged_picture_stops_at_its_edges(opened):
    viewer = opened().press("+", "+")
    x, y = viewer.middle()
    viewer.page.mouse.move(x, y)
    viewer.page.mouse.down()
    viewer.page.mouse.move(x + 900, y, steps=5)
    viewer.page.mouse.up()
    layout = viewer.layout()
    width, room = viewer.page.evaluate(
        "[document.querySelector('.slide').offsetWidth, document.querySelector('.stage').clientWidth]")
    assert layout["x"] == pytest.approx((width * layout["scale"] - room) / 2, abs=1)


def test_swipes_go_to_the_next_and_the_previous_photo(opened, names):
    viewer = opened(**PHONE)
    touch, (x, y) = Touch(viewer.visit), viewer.middle()
    touch.swipe((x + 120, y), (x - 120, y))
    viewer.shows(names[1])
    touch.swipe((x - 120, y), (x + 120, y))
    viewer.shows(names[0])
    touch.swipe((x - 120, y), (x + 120, y))
    viewer.shows(names[0])
    assert viewer.layout()["x"] == 0


def test_a_drag_down_closes(opened):
    viewer = opened(**PHONE)
    x, y = viewer.middle()
    Touch(viewer.visit).swipe((x, y - 100), (x, y + 250))
    viewer.is_closed()
    assert viewer.page.url.endswith("index.html")


def test_two_taps_zoom_to_the_point_and_back(opened):
    viewer = opened(**PHONE)
    touch, (x, y) = Touch(viewer.visit), viewer.middle()
    touch.tap((x + 60, y)).tap((x + 60, y))
    assert viewer.layout()["scale"] == 2.5
    assert viewer.layout()["x"] == pytest.approx(60 - 60 * 2.5, abs=1)
    touch.tap((x, y)).tap((x, y))
    assert viewer.layout() == {"x": 0, "y": 0, "scale": 1}


def test_a_pinch_zooms_about_the_fingers_and_does_not_turn_the_page(opened, names):
    viewer = opened(**PHONE)
    touch, (x, y) = Touch(viewer.visit), viewer.middle()
    touch.pinch((x, y), 60, 180)
    assert viewer.layout()["scale"] == pytest.approx(3, abs=.05)
    touch.pinch((x, y), 180, 30)
    assert viewer.layout() == {"x": 0, "y": 0, "scale": 1}
    viewer.shows(names[0])


def test_help_is_a_key_away_and_escape_closes_it_first(opened):
    viewer = opened().press("?")
    expect(viewer.dialog.locator(".help")).to_be_visible()
    viewer.press("Escape")
    expect(viewer.dialog.locator(".help")).to_be_hidden()
    expect(viewer.dialog).to_be_visible()


def test_full_screen_is_a_key_away(opened):
    viewer = opened().press("f")
    viewer.page.wait_for_function("document.fullscreenElement !== null")
    expect(viewer.button("Close")).to_be_visible()
    viewer.press("f")
    viewer.page.wait_for_function("document.fullscreenElement === null")


def test_the_slideshow_goes_on_by_itself_until_it_is_stopped(opened, names, open_page):
    visit = open_page("about:blank", **DESKTOP)
    visit.page.clock.install()
    visit.open("index.html")
    viewer = Viewer(visit).open(names[0]).press("Space")
    expect(viewer.button("Stop the slideshow")).to_have_attribute("aria-pressed", "true")
    visit.page.clock.run_for(5100)
    viewer.shows(names[1])
    viewer.press("Space")
    visit.page.clock.run_for(20000)
    viewer.shows(names[1])


def test_the_position_is_announced_politely(opened, names):
    viewer = opened()
    where = viewer.dialog.get_by_role("status")
    expect(where).to_have_text(f"1 of {len(names)}: {names[0]}")
    viewer.press("ArrowRight")
    expect(where).to_have_text(f"2 of {len(names)}: {names[1]}")


def test_a_photo_that_failed_says_why(opened, site):
    name, reason = next((photo["name"], photo["reason"]) for photo in site.status()["photos"] if photo["reason"])
    viewer = opened(name, path=page_of(site, name))
    expect(viewer.dialog.get_by_text(reason["message"], exact=True).first).to_be_visible()
    expect(viewer.button("Try again")).to_be_hidden()


def test_a_picture_that_does_not_load_says_so_and_is_tried_again(open_page, names):
    visit = open_page("about:blank", **DESKTOP)
    visit.context.route("**/*-1600.*", lambda route: route.abort())
    visit.open("index.html")
    viewer = Viewer(visit).open(names[0])
    expect(viewer.dialog.locator(".trouble")).to_contain_text("could not be loaded")
    expect(viewer.button("Try again")).to_be_visible()
    visit.context.unroute("**/*-1600.*")
    viewer.button("Try again").click()
    expect(viewer.dialog.locator(".trouble")).to_be_hidden()
    assert viewer.picture().evaluate("image => image.naturalWidth") == 1600


def page_of(site, name):
    """The page of the index that lists a photo: six to a page."""
    number = [photo["name"] for photo in site.status()["photos"]].index(name) // 6 + 1
    return "index.html" if number == 1 else f"page/{number}.html"


@pytest.mark.parametrize("keys", ["", "?", "i", "b"])
@pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_axe_finds_nothing_in_the_viewer(opened, keys, screen, screenshots):
    viewer = opened(bypass_csp=True, **screen)
    viewer.picture()
    viewer.press(*keys)
    name = {"": "photo", "?": "help", "i": "info", "b": "compare"}[keys]
    viewer.page.screenshot(path=screenshots / f"viewer-{name}-{screen['viewport']['width']}.png")
    results = Axe().run(viewer.page)
    assert results.violations_count == 0, results.generate_report()


def test_the_address_is_the_photos_own_and_back_closes(opened, site, names):
    viewer = opened()
    pages = {photo["name"]: photo["page"] for photo in site.status()["photos"]}
    viewer.page.wait_for_url(f"**/{pages[names[0]]}")
    viewer.press("ArrowRight", "ArrowRight").shows(names[2])
    viewer.page.wait_for_url(f"**/{pages[names[2]]}")
    viewer.page.go_back()
    viewer.is_closed()
    assert viewer.page.url.endswith("/index.html")
    viewer.page.go_forward()
    viewer.shows(names[2])
    viewer.press("Escape").is_closed()
    assert viewer.page.url.endswith("/index.html")


def test_after_reload_the_viewer_is_there_again_and_back_leads_to_the_list(opened, names):
    viewer = opened().press("ArrowRight")
    viewer.shows(names[1])
    viewer.page.reload()
    viewer.shows(names[1])
    viewer.press("ArrowRight").shows(names[2])
    viewer.press("Escape")
    viewer.page.wait_for_url("**/index.html")
    viewer.is_closed()


def test_on_the_disk_the_fragment_is_the_address(opened, names, site):
    viewer = opened(place="file")
    viewer.press("ArrowRight").shows(names[1])
    slug = site.status()["photos"][1]["slug"]
    assert viewer.page.url.endswith(f"/index.html#view={slug}")
    viewer.page.reload()
    viewer.shows(names[1])
    viewer.page.go_back()
    viewer.is_closed()
    assert viewer.page.url.endswith("/index.html")


@pytest.mark.parametrize("number", [1, 10])
def test_a_fragment_opens_its_photo_wherever_it_is_listed_and_closing_stays(open_page, site, number):
    photo = site.status()["photos"][number]
    viewer = Viewer(open_page(f"index.html#view={photo['slug']}", "file", **DESKTOP))
    viewer.shows(photo["name"])
    viewer.press("Escape").is_closed()
    assert viewer.page.url.endswith("/index.html")


def test_the_slideshow_survives_a_reload(opened, names):
    viewer = opened().press("Space")
    expect(viewer.button("Stop the slideshow")).to_be_visible()
    viewer.page.reload()
    expect(viewer.button("Stop the slideshow")).to_be_visible()


@pytest.mark.parametrize("place", PLACES)
def test_a_photos_own_page_opens_the_viewer_and_goes_on_to_its_neighbours(open_page, site, names, place):
    viewer = Viewer(open_page(site.status()["photos"][2]["page"], place, **DESKTOP))
    viewer.page.locator("a[data-view]").click()
    expect(viewer.dialog.locator(".where")).to_have_text(f"3 of {len(names)}: {names[2]}")
    viewer.press("ArrowRight").shows(names[3])
    viewer.press("ArrowLeft", "ArrowLeft").shows(names[1])
    viewer.press("Escape").is_closed()
    assert viewer.visit.observed()["violations"] == []


def loaded(visit):
    return [url.rpartition("/images/")[2] for url in visit.requests if "/images/" in url]


def test_the_next_two_and_the_one_before_are_loaded_ahead_and_shown_at_once(open_page, site):
    visit = open_page(site.status()["photos"][8]["page"], device_scale_factor=3, **DESKTOP)
    visit.pictures()
    del visit.requests[:]
    photos = site.status()["photos"]
    viewer = Viewer(visit)
    viewer.page.locator("a[data-view]").click()
    expect(viewer.dialog.locator(".where")).to_contain_text(f"9 of {len(photos)}")
    wanted = [photos[8 + by]["images"][-1]["path"].removeprefix("images/") for by in (1, 2, -1)]
    for _ in range(50):
        if set(wanted) <= set(loaded(visit)):
            break
        visit.page.wait_for_timeout(100)
    order = [name for name in loaded(visit) if name in wanted]
    assert order == wanted
    before = len(visit.requests)
    viewer.press("ArrowRight").shows(photos[9]["name"])
    assert wanted[0] in viewer.picture().get_attribute("src")
    assert wanted[0] not in loaded(visit)[before:]


def test_nothing_is_loaded_ahead_when_the_visitor_saves_data(open_page, site):
    visit = open_page("about:blank", **DESKTOP)
    visit.context.add_init_script("Object.defineProperty(navigator, 'connection', { value: { saveData: true } })")
    photos = site.status()["photos"]
    visit.open(photos[8]["page"])
    viewer = Viewer(visit)
    viewer.page.locator("a[data-view]").click()
    viewer.picture()
    visit.page.wait_for_load_state("networkidle")
    assert not {image["path"].removeprefix("images/") for image in photos[9]["images"]} & set(loaded(visit))


def test_before_and_after_is_a_slider_for_keys_and_pointer(opened, site):
    viewer = opened().press("b")
    slider = viewer.dialog.get_by_role("slider", name="Before and after")
    expect(slider).to_be_focused()
    before = viewer.dialog.locator(".slide img.before")
    original = site.status()["photos"][0]["original"]["path"]
    assert before.get_attribute("src").endswith(original)
    expect(before).to_have_css("clip-path", "inset(0px 50% 0px 0px)")
    viewer.press(*["ArrowRight"] * 5)
    expect(before).to_have_css("clip-path", "inset(0px 45% 0px 0px)")
    box = slider.bounding_box()
    viewer.page.mouse.click(box["x"] + box["width"] * .25, box["y"] + box["height"] / 2)
    assert 20 <= int(slider.input_value()) <= 30
    viewer.press("b")
    expect(slider).to_be_hidden()
    assert before.count() == 0


def test_the_information_says_what_is_known(opened, site):
    viewer = opened().press("i")
    facts = viewer.dialog.get_by_role("region", name="Information")
    for text in ("Aitzol Berasategi", "CC BY 4.0", "A rocky summit", "autumn, mountain", "sepia(0.8)",
                 site.status()["photos"][0]["sha256"][:12], "autumn-mountain.jpg"):
        expect(facts).to_contain_text(text)
    largest = site.status()["photos"][0]["images"][-1]["path"]
    link = facts.get_by_role("link", name="Download the picture")
    assert link.get_attribute("href").endswith(largest)
    viewer.press("i")
    expect(facts).to_be_hidden()


def test_the_link_to_a_photo_can_be_copied(opened, site):
    viewer = opened(permissions=["clipboard-read", "clipboard-write"], **DESKTOP).press("i")
    viewer.button("Copy link").click()
    expect(viewer.button("Copied")).to_be_visible()
    copied = viewer.page.evaluate("navigator.clipboard.readText()")
    assert copied == viewer.visit.address + site.status()["photos"][0]["page"]


def test_a_viewer_that_does_not_load_leaves_the_link_to_the_photos_page(open_page, site, names):
    visit = open_page("about:blank", **DESKTOP)
    visit.context.route("**/viewer.*.js", lambda route: route.abort())
    visit.open("index.html")
    visit.page.get_by_role("link", name=names[0], exact=True).click()
    visit.page.wait_for_url(f"**/{site.status()['photos'][0]['page']}")
    expect(visit.page.get_by_role("heading", name=names[0])).to_be_visible()
