"""Open pages of a preview take over the changes of their gallery in place."""

import time

import known_files
import pytest
from pictures import jpeg
from playwright.sync_api import expect
from preview import numbered
from scripted_server import ScriptedServer, held, picture
from search import Search
from viewer import Viewer

COUNT = len(numbered())


def names(opened):
    return opened.page.locator("main > .photos h2").all_text_contents()


def test_a_changed_list_is_taken_over_with_scroll_position_focus_and_filter_menu(preview, open_preview):
    opened = open_preview().ready()
    page = opened.page
    Search(opened).open_filters()
    page.locator("#p-photo-20 a").focus()
    page.evaluate("document.querySelector('#p-photo-20').scrollIntoView({ block: 'center' })")
    page.locator("form .filters").evaluate("filters => { filters.open = true; }")
    top = page.locator("#p-photo-20").bounding_box()["y"]

    listed = {"New": {"url": "cut-fig-adobergb.jpg"}} | numbered(caption="Changed")
    del listed["Photo 3"]
    preview.list(listed)
    expect(page.locator("#p-new")).to_be_attached()
    assert names(opened) == list(listed)
    assert page.locator("#p-photo-20").bounding_box()["y"] == pytest.approx(top, abs=1)
    assert page.evaluate("document.activeElement.closest('.card').id") == "p-photo-20"
    assert page.evaluate("document.querySelector('form .filters').open")
    assert opened.is_marked
    viewer = Viewer(opened).open("Photo 20").shows("Photo 20")
    expect(viewer.dialog.locator(".words .caption")).to_have_text("Changed")


def test_a_reordered_list_keeps_its_elements(preview, open_preview):
    opened = open_preview().ready()
    opened.page.evaluate("for (const card of document.querySelectorAll('.card')) card.isOld = true")
    listed = numbered()
    first = listed.pop("Photo 1")
    preview.list(listed | {"Photo 1": first})
    expect(opened.page.locator("main > .photos h2").last).to_have_text("Photo 1")
    assert names(opened) == [*listed, "Photo 1"]
    assert opened.page.evaluate("[...document.querySelectorAll('.card')].every(card => card.isOld)")


def test_changed_words_and_templates_appear_without_a_reload(preview, open_preview):
    opened = open_preview()
    preview.write("templates/strings/en.txt", "feed = All news\n")
    expect(opened.page.get_by_role("link", name="All news")).to_be_visible()
    card = (known_files.ROOT / "Templates/card.mustache").read_text(encoding="utf-8")
    preview.write("templates/card.mustache", card.replace("<bdi>{{name}}</bdi>", "<bdi>«{{name}}»</bdi>"))
    expect(opened.page.locator("#p-photo-1 h2")).to_have_text("«Photo 1»")
    assert opened.is_marked


#: Records in each frame whether the page has its style, and how many style sheets apply to it.
FRAMES = """
window.frames = [];
(function frame() {
    const { backgroundColor, position } = getComputedStyle(document.querySelector('.page-header'));
    window.frames.push([position, document.styleSheets.length]);
    requestAnimationFrame(frame);
})();
"""


def test_a_style_sheet_is_exchanged_without_a_frame_that_has_no_style(preview, open_preview):
    opened = open_preview().ready()
    page = opened.page
    before = page.evaluate("document.styleSheets.length")
    page.evaluate(FRAMES)
    style = (known_files.ROOT / "Templates/assets/gallery.css").read_text(encoding="utf-8")
    for colour in ("rgb(1, 2, 3)", "rgb(4, 5, 6)"):
        preview.write("templates/assets/gallery.css", style + f"\nbody {{ background: {colour}; }}")
        expect(page.locator("body")).to_have_css("background-color", colour)
    assert {position for position, _ in page.evaluate("window.frames")} == {"sticky"}
    assert page.evaluate("document.styleSheets.length") == before
    assert page.evaluate("document.querySelectorAll('link[media=\"not all\"]').length") == 0
    assert opened.is_marked


def test_an_open_viewer_keeps_its_zoom_and_its_comparison_while_its_picture_changes(preview, open_preview):
    opened = open_preview().ready()
    viewer = Viewer(opened).open("Photo 5").shows("Photo 5")
    viewer.picture()
    viewer.settle().press("+", "+").settle()
    viewer.press("ArrowUp").settle()
    zoomed = viewer.layout()
    assert zoomed["scale"] > 1 and zoomed["y"] != 0
    source = viewer.picture().get_attribute("src")
    opened.try_filter("grayscale(1)")
    opened.page.wait_for_function(
        "source => { const { image } = viewer.track.current; return image && image.src !== source && image.complete; }",
        arg=source)
    assert viewer.settle().layout() == zoomed
    viewer.dialog.focus()
    viewer.press("0").settle().button("Before and after").click()
    slider = viewer.dialog.locator(".stage > .slider")
    slider.fill("30")
    source = viewer.picture().get_attribute("src")
    opened.try_filter("sepia(0.3)")
    opened.page.wait_for_function(
        "source => { const { image } = viewer.track.current; return image && image.src !== source && image.complete; }",
        arg=source)
    expect(slider).to_be_visible()
    expect(slider).to_have_value("30")
    assert opened.is_marked


def test_a_photo_page_keeps_its_before_after_view(preview, open_preview):
    opened = open_preview("photo/photo-2.html").ready()
    button = opened.page.get_by_role("button", name="Before and after")
    button.click()
    opened.page.locator("article .slider").fill("20")
    preview.list(numbered(caption="Another caption"))
    expect(opened.page.locator("article .caption")).to_have_text("Another caption")
    expect(opened.page.locator("article .picture > img.before")).to_be_visible()
    expect(opened.page.locator("article .slider")).to_have_value("20")
    button.click()
    expect(opened.page.locator("article .picture > img.before")).to_be_hidden()
    assert opened.is_marked


def test_votes_and_a_search_stay(preview, open_preview):
    opened = open_preview()
    viewer = Viewer(opened).open("Photo 1").shows("Photo 1")
    viewer.press("u", "Escape").is_closed()
    search = Search(opened).type("photo 1")
    search.has_shown(13)
    preview.list(numbered(caption="Changed") | {"Photo 100": {"url": "nuthatch.jpg"}})
    search.has_shown(14)
    expect(search.field("Search")).to_have_value("photo 1")
    expect(search.field("Search")).to_be_focused()
    search.field("Search").fill("")
    expect(opened.page.locator("#p-photo-100")).to_be_visible()
    assert opened.page.locator("#p-photo-1").get_attribute("data-voted") == "up"
    assert opened.is_marked


def test_twenty_quick_changes_end_in_the_last_one(stand_in, open_preview):
    opened = open_preview()
    for number in range(20):
        listed = numbered(4)
        listed["Photo 1"]["caption"] = f"Version {number}"
        listed["Photo 2"]["name"] = f"Name {number}"
        stand_in.gallery.list(listed)
        if number % 5 == 4:
            stand_in.rebuild()
        else:
            stand_in.send({"type": "changed", "what": ["pages"], "revision": stand_in.revision})
    expect(opened.page.locator("main > .photos h2")).to_have_text(names := ["Photo 1", "Photo 2", "Photo 3", "Photo 4"])
    assert len(names) == 4
    assert opened.is_marked


def test_a_card_template_that_is_empty_while_it_is_saved_reloads_no_page(preview, open_preview):
    opened = open_preview().ready()
    card = (known_files.ROOT / "Templates/card.mustache").read_text(encoding="utf-8")
    preview.write("templates/card.mustache", "")
    expect(opened.page.locator("main > .photos .card")).to_have_count(0)
    preview.write("templates/card.mustache", card)
    expect(opened.page.locator("main > .photos .card")).to_have_count(40)
    assert opened.is_marked


def test_a_photo_that_arrives_with_an_empty_card_changes_the_records_alone(stand_in, open_preview):
    opened = open_preview()
    page = opened.page
    records = page.evaluate("photos.list({}).then(list => photos.fetch(list)).then(() => photos.records)")
    # The first photo is on the screen, and the last one is shown with the next batch.
    for record in (records[0], records[-1]):
        stand_in.send({"type": "photo", "card": "", "record": record | {"name": "Arrived"}})
    page.wait_for_function("() => photos.records.at(-1).name === 'Arrived' && !previewArrivals.waiting.size")
    assert page.evaluate("photos.records[0].name") == "Arrived"
    assert names(opened) == [f"Photo {number}" for number in range(1, COUNT + 1)]
    assert opened.is_marked


def test_twenty_edits_of_all_kinds_in_two_seconds_end_in_the_right_page(preview, open_preview):
    opened = open_preview()
    style = (known_files.ROOT / "Templates/assets/gallery.css").read_text(encoding="utf-8")
    card = (known_files.ROOT / "Templates/card.mustache").read_text(encoding="utf-8")
    for number in range(20):
        if number % 4 == 0:
            preview.list(numbered(8, caption=f"Caption {number}") | {f"Last {number}": {"url": "nuthatch.jpg"}})
        elif number % 4 == 1:
            preview.write("templates/card.mustache", card.replace("<bdi>{{name}}", f"<bdi>{number}: {{{{name}}}}"))
        elif number % 4 == 2:
            preview.write("templates/strings/en.txt", f"feed = News {number}\n")
        else:
            preview.write("templates/assets/gallery.css", style + f"\nbody {{ background: rgb({number}, 2, 3); }}")
        # The pace of the edits. Without it, the preview would see them as one.
        time.sleep(0.1)
    page = opened.page
    expected = [f"17: {name}" for name in [*numbered(8), "Last 16"]]
    expect(page.locator("main > .photos h2")).to_have_text(expected)
    expect(page.get_by_role("link", name="News 18")).to_be_visible()
    expect(page.locator("body")).to_have_css("background-color", "rgb(19, 2, 3)")
    assert opened.is_marked


def test_the_counts_in_the_header_follow_the_photos_that_arrive(preview, open_preview):
    with ScriptedServer() as server:
        there = server.on("/there.jpg", picture(jpeg(1)))
        never = server.on("/never.jpg", held(server, b""))
        preview.list({"One": there, "Two": never, "Three": never, "Four": server.url("/none.jpg")})
        opened = open_preview()
        link = opened.page.locator(".page-header .needs-attention a")
        link.focus()
        expect(link).to_have_text("1 failed2 not fetched yet")
        assert link.evaluate("link => link.href") == preview.address + "status.html"
        expect(link).to_be_focused()
        expect(opened.fold).to_have_text("2 of 4 photos done")
        assert opened.is_marked


def test_changed_scripts_reload_the_page_with_its_scroll_position_and_viewer(stand_in, open_preview):
    opened = open_preview()
    page = opened.page
    page.locator("#p-photo-30").scroll_into_view_if_needed()
    viewer = Viewer(opened).open("Photo 30").shows("Photo 30")
    viewer.picture()
    viewer.settle().press("+").settle()
    scrolled, zoomed = page.evaluate("scrollY"), viewer.layout()
    assert scrolled > 0 and zoomed["scale"] > 1
    stand_in.scripts_version = 1
    with page.expect_navigation():
        stand_in.send({"type": "changed", "what": ["scripts"], "revision": 2})
    viewer.shows("Photo 30")
    viewer.picture()
    page.wait_for_function("scale => Math.abs(viewer.zoom.scale - scale) < 0.01", arg=zoomed["scale"])
    assert page.url.endswith("/photo/photo-30.html")
    assert page.evaluate("scrollY") == pytest.approx(scrolled, abs=2)
    viewer.press("Escape").is_closed()
    expect(page.locator("#p-photo-30")).to_be_visible()
    assert page.url.endswith("/index.html")


def test_a_photo_that_arrives_replaces_its_card_and_stays_through_a_change_of_the_page(stand_in, open_preview):
    opened = open_preview()
    page = opened.page
    card = page.locator("#p-photo-2").evaluate("card => card.outerHTML").replace("Photo 2", "Arrived")
    record = page.evaluate("photos.list({}).then(list => photos.fetch(list)).then(() => photos.records[1])")
    page.locator("#p-photo-2 a").focus()
    stand_in.send({"type": "photo", "card": card, "record": record | {"name": "Arrived"}})
    expect(page.locator("#p-photo-2 h2")).to_have_text("Arrived")
    assert page.evaluate("document.activeElement.closest('.card').id") == "p-photo-2"
    stand_in.list({"Photo 0": {"url": "nuthatch.jpg"}} | numbered())
    expect(page.locator("#p-photo-0")).to_be_attached()
    assert names(opened) == [f"Photo {number}" for number in range(COUNT + 1)]
    assert opened.is_marked


def test_a_photo_page_gets_everything_that_depends_on_its_picture(preview, open_preview):
    opened = open_preview("photo/photo-39.html")
    expect(opened.page.locator("article[data-state=filtered] .picture img")).to_be_visible()
    expect(opened.page.get_by_role("button", name="Before and after")).to_be_visible()
    expect(opened.page.locator(".photo-nav [rel=prev] img.thumbnail")).to_be_visible()
    assert opened.is_marked


def test_the_viewer_opens_although_its_card_is_replaced_at_that_moment(stand_in, open_preview):
    opened = open_preview()
    assert opened.page.evaluate("""() => {
        const card = document.querySelector('#p-photo-5');
        const opening = openViewer('photo/photo-5.html', {}, card);
        card.replaceWith(card.cloneNode(true));
        return opening;
    }""")
    Viewer(opened).shows("Photo 5")
