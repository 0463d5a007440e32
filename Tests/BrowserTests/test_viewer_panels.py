"""The panels of the viewer: before and after, information, states."""

import io
import shutil

import known_files
import pytest
from gallery import Gallery
from PIL import Image
from playwright.sync_api import expect
from screens import DESKTOP, PHONE
from viewer import Viewer


def test_keys_and_pointer_move_the_slider_of_before_and_after(opened, site):
    viewer = opened().press("b")
    slider = viewer.dialog.get_by_role("slider", name="Before and after")
    expect(slider).to_be_focused()
    before = viewer.dialog.locator(".current img.before")
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


def test_the_information_panel_shows_the_facts_of_the_photo(opened, site):
    viewer = opened().press("i")
    facts = viewer.dialog.get_by_role("region", name="Information")
    for text in ("Aitzol Berasategi", "CC BY 4.0", "A rocky summit", "autumn, mountain", "sepia(0.8)",
                 site.status()["photos"][0]["sha256"][:12], "autumn-mountain.jpg"):
        expect(facts).to_contain_text(text)
    expect(facts.get_by_text("SHA-256")).to_be_hidden()
    facts.get_by_text("More").click()
    expect(facts.get_by_text("SHA-256")).to_be_visible()
    viewer.press("i")
    expect(facts).to_be_hidden()


@pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_the_information_panel_does_not_cover_the_picture(opened, screen):
    viewer = opened(**screen).settle().press("i")
    picture, panel = (viewer.dialog.locator(part).bounding_box() for part in (".current .picture", ".information"))
    assert picture["x"] + picture["width"] <= panel["x"] or picture["y"] + picture["height"] <= panel["y"]


def test_before_and_after_have_the_same_box_and_the_whole_width_of_a_phone(opened):
    viewer = opened(**PHONE).settle().press("b")
    before = viewer.dialog.locator(".current img.before")
    expect(before).to_have_js_property("complete", True)
    boxes = [viewer.dialog.locator(part).bounding_box() for part in (".current img.before", ".current img.after")]
    assert boxes[0] == boxes[1]
    assert boxes[0]["x"] == 0 and boxes[0]["width"] == 390
    slider = viewer.dialog.get_by_role("slider").bounding_box()
    assert slider["x"] + slider["width"] / 2 == 195


def test_the_line_of_the_slider_is_visible_in_forced_colours(opened):
    viewer = opened(forced_colors="active", **DESKTOP).settle().press("b")
    box = viewer.dialog.get_by_role("slider").bounding_box()
    middle = {"x": box["x"] + box["width"] / 2 - 20, "y": box["y"] + box["height"] / 4, "width": 40, "height": 4}
    expect(viewer.dialog.locator(".current img.before")).to_have_js_property("complete", True)
    with Image.open(io.BytesIO(viewer.page.screenshot(clip=middle))) as picture:
        row = [picture.convert("L").getpixel((x, 2)) for x in range(40)]
    assert max(row[18:22]) - min(row) > 60


@pytest.mark.parametrize("language", ["en", "ar"])
def test_the_viewer_shows_the_state_of_each_photo_and_the_reason_of_a_stale_one(
        program, tmp_path, visit_at, screenshots, language):
    gallery = Gallery(tmp_path / "gallery", program)
    shutil.copy(known_files.SAMPLES / "nuthatch.jpg", gallery.folder)
    shutil.copy(known_files.SAMPLES / "nuthatch.jpg", gallery.folder / "stale.jpg")
    gallery.list({"Good": "nuthatch.jpg", "Stale": "stale.jpg", "Gone": "gone.jpg"}).build("--language", language)
    (gallery.folder / "stale.jpg").unlink()
    gallery.build("--language", language)
    visit = visit_at(gallery.site.as_uri() + "/", "index.html", **DESKTOP)
    viewer = Viewer(visit).open("Good")
    state = viewer.dialog.locator(".words .state")
    note = viewer.dialog.locator(".words [data-field=stale]")
    expect(state).to_have_attribute("data-state", "filtered")
    expect(state).to_be_visible()
    expect(note).to_be_hidden()
    viewer.press("End")
    expect(state).to_have_attribute("data-state", "failed")
    expect(viewer.dialog.locator(".current .error svg")).to_be_visible()
    viewer.press("Home", "ArrowRight" if language == "en" else "ArrowLeft")
    expect(state).to_have_attribute("data-state", "stale")
    expect(note).to_be_visible()
    assert note.inner_text()
    viewer.settle()
    visit.page.screenshot(path=screenshots / f"viewer-stale-{language}.png")
