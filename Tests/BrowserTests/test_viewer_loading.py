"""Which pictures the viewer loads, when, and its message after a failure."""

import pytest
from playwright.sync_api import expect
from screens import DESKTOP
from viewer import Viewer


def loaded(visit):
    return [url.rpartition("/images/")[2] for url in visit.requests if "/images/" in url]


def page_of(site, name):
    """The page of the list that has a photo; there are six photos on each page."""
    number = [photo["name"] for photo in site.status()["photos"]].index(name) // 6 + 1
    return "index.html" if number == 1 else f"page/{number}.html"


def test_the_viewer_shows_the_reason_of_a_failed_photo(opened, site):
    name, reason = next((photo["name"], photo["reason"]) for photo in site.status()["photos"] if photo["reason"])
    viewer = opened(name, path=page_of(site, name))
    expect(viewer.dialog.get_by_text(reason["message"], exact=True).first).to_be_visible()
    expect(viewer.button("Try again")).to_be_hidden()
    expect(viewer.dialog.locator(".current .cross")).to_have_css("display", "inline")
    # In the strip, it has an icon, unlike a picture that is not loaded yet.
    expect(viewer.dialog.locator(".strip .shown")).not_to_have_css("background-image", "none")


def test_a_picture_that_does_not_load_shows_an_error_and_can_be_loaded_again(open_page, names):
    visit = open_page("about:blank", **DESKTOP)
    visit.context.route("**/*-1600.*", lambda route: route.abort())
    visit.ignore("ERR_FAILED")
    visit.open("index.html")
    viewer = Viewer(visit).open(names[0])
    expect(viewer.dialog.locator(".current .error")).to_contain_text("could not be loaded")
    expect(viewer.button("Try again")).to_be_visible()
    visit.context.unroute("**/*-1600.*")
    viewer.button("Try again").click()
    expect(viewer.dialog.locator(".current .error")).to_be_hidden()
    expect(viewer.dialog.locator(".current img.after")).to_have_js_property("naturalWidth", 1600)


def test_two_photos_ahead_and_one_back_are_preloaded_nearest_first(open_page, site):
    visit = open_page(site.status()["photos"][8]["page"], device_scale_factor=3, **DESKTOP)
    visit.pictures()
    del visit.requests[:]
    photos = site.status()["photos"]
    viewer = Viewer(visit)
    wanted = [photos[8 + by]["images"][-1]["path"].removeprefix("images/") for by in (1, -1, 2)]
    with visit.page.expect_request(f"**/{wanted[-1]}"):
        viewer.page.locator("a[data-viewer]").click()
        expect(viewer.dialog.locator(".position")).to_contain_text(f"9 of {len(photos)}")
    order = [name for name in loaded(visit) if name in wanted]
    assert order == wanted
    before = len(visit.requests)
    viewer.press("ArrowRight").shows(photos[9]["name"])
    assert wanted[0] in viewer.picture().get_attribute("src")
    assert wanted[0] not in loaded(visit)[before:]


def test_when_the_direction_changes_pending_preloads_are_cancelled(open_page, site, names):
    visit = open_page("about:blank", **DESKTOP)
    photos = site.status()["photos"]
    ahead = photos[9]["images"][-1]["path"].removeprefix("images/")
    held = []
    visit.context.route(f"**/{ahead}", lambda route: held.append(route))
    visit.open(photos[7]["page"])
    viewer = Viewer(visit)
    with visit.page.expect_request(f"**/{ahead}"):
        viewer.page.locator("a[data-viewer]").click()
        viewer.shows(names[7])
    with visit.page.expect_event("requestfailed", lambda request: request.url.endswith(ahead)) as given_up:
        viewer.press("ArrowLeft").shows(names[6])
        viewer.press("ArrowLeft").shows(names[5])
    assert "ERR_ABORTED" in given_up.value.failure


def test_the_thumbnail_is_shown_until_a_slow_picture_is_loaded(open_page, names):
    visit = open_page("about:blank", **DESKTOP)
    held = []
    visit.context.route("**/*-1600.*", lambda route: held.append(route))
    visit.open("index.html")
    visit.page.locator(".card img").first.evaluate("image => image.decode()")
    viewer = Viewer(visit).open(names[0])
    expect(viewer.dialog.locator(".slide.loading")).to_be_visible()
    small = viewer.dialog.locator(".current img.after")
    assert small.evaluate("image => image.complete && image.naturalWidth > 0 && !image.src.includes('-1600.')")
    for route in held:
        route.continue_()
    expect(viewer.dialog.locator(".current img.after")).to_have_js_property("naturalWidth", 1600)
    expect(viewer.dialog.locator(".stage")).not_to_have_class("stage loading")


@pytest.mark.parametrize("connection", ["{ saveData: true }", "{ effectiveType: '2g' }", "{ effectiveType: '3g' }"])
def test_nothing_is_preloaded_on_a_slow_connection_or_with_save_data(open_page, site, connection):
    visit = open_page("about:blank", **DESKTOP)
    visit.context.add_init_script(f"Object.defineProperty(navigator, 'connection', {{ value: {connection} }})")
    photos = site.status()["photos"]
    visit.open(photos[8]["page"])
    viewer = Viewer(visit)
    viewer.page.locator("a[data-viewer]").click()
    viewer.picture()
    visit.wait_for_requests()
    # The page itself shows the smallest picture of each neighbour.
    assert not {image["path"].removeprefix("images/") for image in photos[9]["images"][1:]} & set(loaded(visit))


def test_if_the_viewer_does_not_load_a_click_opens_the_photo_page(open_page, site, names):
    visit = open_page("about:blank", **DESKTOP)
    visit.context.route("**/viewer.*.js", lambda route: route.abort())
    visit.ignore("ERR_FAILED")
    visit.open("index.html")
    visit.page.get_by_role("link", name=names[0], exact=True).click()
    visit.page.wait_for_url(f"**/{site.status()['photos'][0]['page']}")
    expect(visit.page.get_by_role("heading", name=names[0])).to_be_visible()


def test_only_a_picture_with_transparency_has_a_light_background_in_the_viewer(opened):
    viewer = opened("Tulips", path="page/2.html")
    viewer.picture()
    picture = viewer.dialog.locator(".current .picture")
    expect(picture).to_have_css("background-color", "rgb(185, 177, 167)")
    viewer.press("ArrowRight").shows("Cut Fig")
    expect(picture).not_to_have_css("background-color", "rgb(185, 177, 167)")
