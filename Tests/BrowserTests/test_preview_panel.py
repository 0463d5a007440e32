"""The panel of a preview: mistakes, the filter, the connection, the progress; for all visitors and screens."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect
from preview import numbered
from screens import DESKTOP, PHONE
from viewer import Viewer

# Mistakes


def test_a_mistake_is_shown_over_the_page_until_it_is_mended(preview, open_preview):
    opened = open_preview().ready()
    page = opened.page
    good = preview.gallery.manifest.read_text(encoding="utf-8")
    preview.gallery.manifest.write_text(good.replace("<string>", "<strin>", 1), encoding="utf-8")
    expect(opened.mistake).to_be_visible()
    line = preview.gallery.line_of("<strin>")
    expect(opened.mistake.locator(".place")).to_contain_text(f"photos.plist:{line}:")
    expect(opened.panel.get_by_role("alert").filter(has_text="strin")).to_be_visible()
    assert page.locator(".card").count() == len(numbered())

    opened.button("Dismiss").click()
    expect(opened.mistake.locator(".message")).to_be_hidden()
    expect(opened.button("Show the mistake")).to_be_focused()
    opened.button("Show the mistake").click()
    expect(opened.mistake.locator(".message")).to_be_visible()
    opened.button("Dismiss").press("Escape")
    expect(opened.mistake.locator(".message")).to_be_hidden()

    preview.gallery.manifest.write_text(good, encoding="utf-8")
    expect(opened.button("Show the mistake")).to_be_hidden()
    expect(opened.status).to_have_text("The mistake is mended.")
    assert opened.is_marked


def test_a_mistake_in_a_template_names_its_file_and_line(preview, open_preview):
    opened = open_preview().ready()
    preview.write("templates/card.mustache", "<li>\n{{unknown}}\n</li>\n")
    expect(opened.mistake.locator(".place")).to_contain_text("card.mustache:2")
    expect(opened.mistake.locator(".message")).to_contain_text("unknown")
    (preview.gallery.folder / "templates/card.mustache").unlink()
    expect(opened.mistake.locator(".message")).to_be_hidden()


def test_a_mistake_without_a_place_is_shown_over_the_viewer(stand_in, open_preview):
    opened = open_preview()
    Viewer(opened).open("Photo 1").shows("Photo 1")
    stand_in.send({"type": "mistake", "message": "The settings\ncontradict each other"})
    expect(opened.mistake.locator(".message")).to_have_text("The settings\ncontradict each other")
    assert opened.mistake.locator(".place").count() == 0
    opened.button("Dismiss").click()
    expect(opened.mistake.locator(".message")).to_be_hidden()
    expect(opened.page.locator("#viewer")).to_be_visible()


# The filter


def test_a_filter_is_tried_saved_and_taken_back(preview, open_preview):
    opened = open_preview().ready()
    expect(opened.field).to_have_value("sepia(0.8)")
    expect(opened.button("Back")).to_have_attribute("aria-disabled", "true")
    expect(opened.button("Save")).to_have_attribute("aria-disabled", "true")
    image = opened.page.locator("#p-photo-1 img")
    source = image.get_attribute("src")
    opened.try_filter("grayscale(1) contrast(1.2)")
    # These words are shown for a few seconds.
    expect(opened.status).to_have_text("Filter: grayscale(1) contrast(1.2)")
    expect(image).not_to_have_attribute("src", source)
    expect(opened.page.locator("footer")).to_contain_text("Filter: grayscale(1) contrast(1.2)")
    opened.button("Save").click()
    expect(opened.status).to_have_text("Saved in gallerygen.yaml.")
    assert "filter: grayscale(1) contrast(1.2)\n" in (preview.gallery.folder / "gallerygen.yaml").read_text()
    expect(opened.button("Save")).to_have_attribute("aria-disabled", "true")

    opened.button("Back").click()
    expect(opened.field).to_have_value("sepia(0.8)")
    expect(image).to_have_js_property("src", source if "//" in source else preview.address + source)
    expect(opened.button("Back")).to_have_attribute("aria-disabled", "true")
    expect(opened.button("Save")).to_have_attribute("aria-disabled", "false")
    assert opened.is_marked


def test_a_refused_filter_shows_its_column(preview, open_preview):
    opened = open_preview().ready()
    opened.try_filter("sepia(0.5) blurr(2)")
    expect(opened.refusal.locator("p")).to_have_text(re.compile("^Column 12: unknown filter"))
    chain, caret = opened.refusal.locator("pre").inner_text().split("\n")
    assert chain == "sepia(0.5) blurr(2)" and caret.index("^") == chain.index("blurr")
    expect(opened.field).to_have_attribute("aria-invalid", "true")
    assert opened.field.evaluate("field => field.selectionStart") == 11
    opened.field.press("End")
    opened.field.press("x")
    expect(opened.refusal).to_be_hidden()
    opened.field.press("Escape")
    expect(opened.field).to_have_value("sepia(0.8)")
    opened.try_filter("")
    expect(opened.page.locator("footer")).not_to_contain_text("Filter:")
    expect(opened.field).to_have_value("none")


def test_the_way_back_survives_a_reload(stand_in, open_preview):
    opened = open_preview()
    for chain in ("sepia(0.1)", "sepia(0.2)"):
        opened.try_filter(chain)
        expect(opened.status).to_have_text(f"Filter: {chain}")
    opened.page.reload()
    opened.connected()
    for chain in ("sepia(0.1)", "sepia(0.8)"):
        opened.button("Back").click()
        expect(opened.field).to_have_value(chain)


def test_what_is_written_during_an_answer_stays(stand_in, open_preview):
    opened = open_preview()
    opened.field.fill("sepia(0.4) inv")
    stand_in.send({"type": "filter", "chain": "sepia(0.3)"})
    expect(opened.status).to_have_text("Filter: sepia(0.3)")
    expect(opened.field).to_have_value("sepia(0.4) inv")


def test_keys_in_the_field_are_not_those_of_the_viewer(stand_in, open_preview):
    opened = open_preview()
    viewer = Viewer(opened).open("Photo 2").shows("Photo 2")
    opened.field.click()
    opened.field.press("End")
    opened.field.press_sequentially("bi? ")
    opened.field.press("ArrowLeft")
    expect(opened.field).to_have_value("sepia(0.8)bi? ")
    viewer.shows("Photo 2")
    expect(viewer.button("Before and after")).to_have_attribute("aria-pressed", "false")
    opened.field.press("Escape")
    expect(viewer.dialog).to_be_visible()
    viewer.dialog.focus()
    viewer.press("Escape").is_closed()
    expect(opened.field).to_be_visible()


def test_tab_reaches_the_panel_in_the_viewer(stand_in, open_preview):
    opened = open_preview()
    Viewer(opened).open("Photo 2").shows("Photo 2")
    for _ in range(40):
        opened.page.keyboard.press("Tab")
        if opened.field.evaluate("field => field.matches(':focus')"):
            return
    raise AssertionError("Tab does not reach the field")


# Connection and progress


def test_the_page_connects_again_after_a_restart_of_the_server(preview, open_preview):
    opened = open_preview().ready()
    opened.ignore("ERR_CONNECTION", "WebSocket")
    preview.stop()
    opened.connected(False)
    expect(opened.fold).to_have_text("No connection")
    expect(opened.status).to_contain_text("can’t be reached")
    opened.try_filter("sepia(0.2)")
    expect(opened.status).to_have_text("There is no connection.")
    preview.list({"New": {"url": "nuthatch.jpg"}} | numbered())
    preview.start()
    opened.connected()
    expect(opened.status).to_have_text("The connection is back.")
    expect(opened.page.locator("#p-new")).to_be_visible()
    opened.try_filter("sepia(0.2)")
    expect(opened.page.locator("footer")).to_contain_text("sepia(0.2)")
    assert opened.is_marked


def test_a_dropped_connection_is_made_again(stand_in, open_preview):
    opened = open_preview()
    stand_in.drop()
    expect(opened.status).to_have_text("The connection is back.")
    opened.has_reported_the_screen()
    assert opened.is_marked


def test_a_server_with_other_messages_makes_the_page_reload(stand_in, open_preview):
    opened = open_preview()
    stand_in.hello = {"version": 2}
    with opened.page.expect_navigation():
        stand_in.drop()
    opened.connected()
    assert not opened.is_marked


def test_the_progress_is_shown(stand_in, open_preview):
    opened = open_preview()
    stand_in.send({"type": "progress", "ready": 12, "total": 60})
    expect(opened.fold).to_have_text("12 of 60 photos done")
    bar = opened.panel.get_by_role("progressbar", name="Photos done")
    assert bar.evaluate("bar => bar.position") == pytest.approx(0.2)
    stand_in.send({"type": "progress", "ready": 60, "total": 60})
    expect(opened.fold).to_have_text("60 photos done")
    expect(bar).to_be_hidden()


# The panel


def show_everything(server, opened):
    opened.unfold()
    server.send({"type": "progress", "ready": 12, "total": 60})
    server.send({"type": "mistake", "message": "'Lighthouse' has no address", "file": "photos.plist", "line": 14})
    server.send({"type": "filter-refused", "message": "there is no filter blurr()", "column": 3})
    expect(opened.mistake.locator(".message")).to_be_visible()
    expect(opened.refusal).to_be_visible()


@pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_the_page_and_in_the_viewer(stand_in, open_preview, screen, scheme):
    opened = open_preview(color_scheme=scheme, bypass_csp=True, **screen)
    show_everything(stand_in, opened)
    results = Axe().run(opened.page)
    assert results.violations_count == 0, results.generate_report()
    opened.button("Dismiss").click()
    opened.page.locator("#p-photo-1 a").evaluate("link => link.click()")
    Viewer(opened).shows("Photo 1")
    results = Axe().run(opened.page)
    assert results.violations_count == 0, results.generate_report()


def test_the_panel_moves_nothing_and_stays_folded(stand_in, open_preview):
    opened = open_preview()
    show_everything(stand_in, opened)
    opened.fold.click()
    expect(opened.field).to_be_hidden()
    opened.fold.click()
    expect(opened.field).to_be_visible()
    opened.field.press("Tab")
    opened.page.keyboard.press("Escape")
    expect(opened.fold).to_be_focused()
    opened.page.reload()
    opened.connected()
    expect(opened.field).to_be_hidden()
    # Elements of the panel itself are in its shadow tree, and have no name here.
    assert [moved for moved in opened.observed()["moved"] if "; undefined from" not in moved] == []


@pytest.mark.parametrize("path", ["index.html", "photo/photo-1.html"])
def test_the_panel_fits_on_a_narrow_screen_of_a_page_from_right_to_left(stand_in, open_preview, path):
    (stand_in.gallery.folder / "gallerygen.yaml").write_text("language: ar\n")
    stand_in.rebuild()
    opened = open_preview(path, viewport={"width": 320, "height": 640})
    show_everything(stand_in, opened)
    page = opened.page
    assert page.evaluate("getComputedStyle(document.documentElement).direction") == "rtl"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for part in (opened.mistake, opened.field, opened.button("Save"), opened.fold):
        box = part.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= 320 and box["y"] + box["height"] <= 640


def test_the_end_of_the_page_is_not_below_the_panel(stand_in, open_preview):
    opened = open_preview()
    opened.fold.click()
    opened.page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    footer, panel = opened.page.locator("footer p").last.bounding_box(), opened.fold.bounding_box()
    assert footer["y"] + footer["height"] <= panel["y"]


def test_a_published_site_has_nothing_of_the_preview(preview_gallery):
    preview_gallery.build()
    assert [path for path in preview_gallery.files() if "preview" in path] == []
    assert "preview" not in (preview_gallery.site / "index.html").read_text(encoding="utf-8")


def test_a_page_tells_which_photos_it_has_when_it_connects(stand_in, open_preview):
    stand_in.photos = 3
    opened = open_preview()
    stand_in.photos = 5
    stand_in.drop()
    expect(opened.status).to_have_text("The connection is back.")
    assert stand_in.known == [3, 5]
