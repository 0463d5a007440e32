"""The earlier versions of a photo in the before/after view of its page."""

import re

import pytest
from gallery import Gallery
from pictures import jpeg
from playwright.sync_api import expect
from screens import DESKTOP, PHONE

START = 1_800_000_000
VERSIONS = ["Version from 15 January 2027, 09:00 UTC", "Version from 15 January 2027, 08:00 UTC"]


def build(gallery, *arguments):
    """Builds a gallery of two photos: one with three pictures, one after the other, and one with two."""
    gallery.list({"Camera": "camera.jpg", "Harbour": "harbour.jpg"})
    for hour in range(3):
        (gallery.folder / "camera.jpg").write_bytes(jpeg(hour, width=400, height=300))
        (gallery.folder / "harbour.jpg").write_bytes(jpeg(9 + min(hour, 1), width=400, height=200 + 100 * hour))
        gallery.build("--show-versions", "--keep-versions", "2", *arguments,
                      env={"SOURCE_DATE_EPOCH": str(START + 3600 * hour)})
    return gallery


@pytest.fixture(scope="module")
def watched(program, tmp_path_factory):
    return build(Gallery(tmp_path_factory.mktemp("versions") / "gallery", program))


@pytest.fixture
def camera(visit_at, watched):
    """A function that opens the page of the photo with two versions."""

    def camera(**context):
        return visit_at(watched.site.as_uri() + "/", "photo/camera.html", **(context or DESKTOP)).page

    return camera


def shown(page):
    """The address of the picture that lies over that of the page."""
    return page.locator(".photo-stage img.before").get_attribute("src")


def test_a_visitor_chooses_what_a_picture_is_compared_with(camera, watched):
    photo = watched.photos()["Camera"]
    paths = [photo["original"]["path"], *(version["image"]["path"] for version in photo["versions"])]
    assert len(set(paths)) == 3
    page = camera()
    choice = page.get_by_label("Compare with")
    expect(choice).to_be_hidden()
    button = page.get_by_role("button", name="Before and after")
    button.click()
    expect(choice.locator("option")).to_have_text(["Unfiltered picture", *VERSIONS])
    slider = page.get_by_role("slider", name="Before and after: how much of the other picture is shown")
    expect(slider).to_be_focused()
    assert shown(page) == f"../{paths[0]}"
    for number, path in ((2, paths[2]), (1, paths[1]), (0, paths[0])):
        choice.select_option(index=number)
        assert shown(page) == f"../{path}"
        expect(page.locator(".photo-stage img.before")).to_have_js_property("complete", True)
        assert page.locator(".photo-stage img.before").evaluate("image => image.naturalWidth") == 400
    choice.select_option(index=1)
    button.click()
    expect(page.locator(".photo-stage img.before")).to_have_count(0)
    expect(choice).to_be_hidden()
    button.click()
    assert shown(page) == f"../{paths[1]}", "the choice stays"
    boxes = [image.bounding_box() for image in page.locator(".photo-stage .picture img").all()]
    assert boxes[0] == pytest.approx(boxes[1], abs=1)


def test_the_choice_is_made_by_keyboard(camera, watched):
    page = camera()
    page.keyboard.press("b")
    page.get_by_label("Compare with").focus()
    page.keyboard.press("ArrowDown")
    assert shown(page) == f"../{watched.photos()['Camera']['versions'][0]['image']['path']}"
    page.keyboard.press("u")
    expect(page.get_by_label("Compare with")).to_have_value("Unfiltered picture")
    expect(page.get_by_role("button", name="Thumb up")).to_have_attribute("aria-pressed", "false")


@pytest.mark.parametrize("language", ["en", "ar"])
def test_the_page_stays_within_the_screen_of_a_phone(visit_at, program, tmp_path, language):
    gallery = build(Gallery(tmp_path / "gallery", program), "--language", language)
    page = visit_at(gallery.site.as_uri() + "/", "photo/camera.html", **PHONE).page
    page.locator("[data-compare]").click()
    page.locator(".compare-with select").select_option(index=1)
    expect(page.locator(".compare-with")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_without_scripts_the_versions_are_below_the_picture_and_complete(camera):
    page = camera(java_script_enabled=False, **DESKTOP)
    expect(page.locator(".compare figcaption")).to_have_text(["Before: unfiltered", *VERSIONS])
    for figure in page.locator(".compare figure").all():
        figure.scroll_into_view_if_needed()
        expect(figure).to_be_visible()
        assert figure.evaluate("figure => getComputedStyle(figure).clipPath") == "none"
    expect(page.locator(".compare-with")).to_be_hidden()


def test_a_single_version_is_named_and_keeps_its_proportions(visit_at, program, tmp_path):
    gallery = build(Gallery(tmp_path / "gallery", program), "--no-originals", "--keep-versions", "1")
    page = visit_at(gallery.site.as_uri() + "/", "photo/harbour.html", **DESKTOP).page
    page.get_by_role("button", name="Before and after").click()
    expect(page.locator(".compare-with")).to_have_text(re.compile("^Version from 15 January 2027"))
    expect(page.locator(".compare-with select")).to_have_count(0)
    picture = page.locator(".photo-stage img.before")
    assert picture.evaluate("image => getComputedStyle(image).objectFit") == "contain"
