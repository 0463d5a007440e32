"""Album covers, thumbnails of a photo's neighbours, and photos that are small themselves."""

import shutil

import known_files
import pytest
from axe_playwright_python.sync_playwright import Axe
from gallery import Gallery
from page_kinds import PHOTOS
from pictures import jpeg
from playwright.sync_api import expect
from screens import DESKTOP, PHONE
from viewer import Viewer


def smallest(site, name):
    return site.photos()[name]["images"][0]["path"]


def is_loaded(image):
    image.scroll_into_view_if_needed()
    expect(image).to_have_js_property("complete", True)
    return image.evaluate("image => image.naturalWidth") > 0


@pytest.mark.parametrize("path, album", [("index.html", "animals"), ("album/animals.html", "animals-birds")])
def test_the_cover_of_an_album_is_its_first_picture(open_page, site, path, album):
    page = open_page(path, **DESKTOP).page
    cover = page.locator(f".albums a[href$='album/{album}.html'] img")
    assert cover.get_attribute("src").endswith(smallest(site, "Nuthatch"))
    assert is_loaded(cover)
    box = cover.bounding_box()
    assert (box["width"], box["height"]) == (28, 28)


@pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_thumbnails_link_to_the_photos_before_and_after(open_page, site, screen):
    names = list(PHOTOS)[:1] + ["Two Dogs on a Balcony"]
    visit = open_page(site.photos()["Lighthouse <b>& \"light\"</b>"]["page"], **screen)
    page = visit.page
    before, after = (page.locator(f".photo-nav [rel={rel}] img") for rel in ("prev", "next"))
    for image, name in zip((before, after), names):
        assert image.get_attribute("src").endswith(smallest(site, name))
        assert is_loaded(image)
    stage = page.locator(".photo-stage .picture").bounding_box()
    boxes = [image.bounding_box() for image in (before, after)]
    if screen is DESKTOP:
        assert boxes[0]["x"] + boxes[0]["width"] <= stage["x"] <= stage["x"] + stage["width"] <= boxes[1]["x"]
    else:
        assert all(box["y"] >= stage["y"] + stage["height"] for box in boxes)
        assert stage["height"] > 100
    assert boxes[0]["y"] == boxes[1]["y"]
    assert visit.observed()["moved"] == []


@pytest.fixture(scope="module")
def gallery(program, tmp_path_factory):
    """A gallery with an album of two albums, one without a picture, and a photo of 120 × 90 pixels."""
    gallery = Gallery(tmp_path_factory.mktemp("years") / "gallery", program)
    shutil.copy(known_files.SAMPLES / "nuthatch.jpg", gallery.folder)
    (gallery.folder / "small.jpg").write_bytes(jpeg(1, 120, 90))
    gallery.list({
        "Small": "small.jpg", "Years": {"1998": {"Nuthatch": "nuthatch.jpg"}, "1999": {"Gone": "no.jpg"}}})
    gallery.build()
    return gallery


@pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_an_album_of_albums_shows_a_large_cover_of_each(visit_at, gallery, screen):
    visit = visit_at(gallery.site.as_uri() + "/", "album/years.html", bypass_csp=True, **screen)
    covers = visit.page.locator(".covers li")
    expect(covers).to_have_count(2)
    assert is_loaded(covers.nth(0).locator("img"))
    assert covers.nth(0).locator("img").bounding_box()["width"] > 150
    expect(covers.nth(1).locator("svg")).to_be_visible()
    assert [cover.inner_text().split() for cover in covers.all()] == [["1998", "1", "photo"], ["1999", "1", "photo"]]
    assert visit.observed()["moved"] == []
    results = Axe().run(visit.page, options={"preload": False})
    assert results.violations_count == 0, results.generate_report()


def test_a_small_picture_is_not_enlarged_in_the_grid_and_at_most_doubled_in_the_viewer(visit_at, gallery):
    visit = visit_at(gallery.site.as_uri() + "/", "index.html", **DESKTOP)
    image = visit.page.locator("#p-small img")
    assert is_loaded(image)
    expect(image).to_have_css("object-fit", "scale-down")
    # This is the size that browsers compute from `sizes`, and that scale-down does not enlarge.
    assert image.evaluate("image => image.naturalWidth") == 120
    viewer = Viewer(visit).open("Small")
    viewer.picture()
    assert viewer.settle().dialog.locator(".current .picture").bounding_box()["width"] == 240


@pytest.fixture(scope="module")
def one_failed(program, tmp_path_factory):
    """A gallery without albums, in which a photo has failed."""
    gallery = Gallery(tmp_path_factory.mktemp("failed") / "gallery", program)
    shutil.copy(known_files.SAMPLES / "nuthatch.jpg", gallery.folder)
    gallery.list({"Nuthatch": "nuthatch.jpg", "Gone": "no.jpg"})
    gallery.build("--title", "Camera Club Nord")
    return gallery


@pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_without_albums_only_the_header_precedes_the_photos(visit_at, one_failed, screen):
    visit = visit_at(one_failed.site.as_uri() + "/", "index.html", bypass_csp=True, **screen)
    link = visit.page.locator(".page-header .needs-attention a")
    assert link.inner_text() == "1 failed"
    assert link.bounding_box()["height"] >= 24
    title = visit.page.locator("h1 bdi")
    assert title.evaluate("title => title.scrollWidth <= title.clientWidth")
    header = visit.page.locator(".page-header").bounding_box()
    assert header["height"] <= 92
    assert visit.page.locator("ul.photos > li").first.bounding_box()["y"] == pytest.approx(header["height"], abs=8)
    assert visit.page.evaluate("document.documentElement.scrollWidth") == screen["viewport"]["width"]
    link.click()
    assert visit.page.url.endswith("/status.html")


@pytest.mark.parametrize("width", [390, 720, 844, 1024, 1280])
def test_many_counts_leave_room_for_the_title_and_the_buttons(visit_at, one_failed, width):
    screen = {"viewport": {"width": width, "height": 800}}
    page = visit_at(one_failed.site.as_uri() + "/", "index.html", bypass_csp=True, **screen).page
    # As with photos in every state and with every mark.
    page.locator(".needs-attention a").evaluate("""link => {
        for (const count of ['12 stale', '12 suspicious', '12 changed', '12 frozen', '12 from an archive']) {
            const copy = link.firstElementChild.cloneNode();
            copy.textContent = count;
            link.append(copy);
        }
    }""")
    title = page.locator("h1 bdi")
    box = title.bounding_box()
    assert box["x"] >= 0 and box["width"] >= 100
    assert title.evaluate("title => title.closest('h1').clientWidth") >= 120
    buttons = [button.bounding_box() for button in page.locator(".page-header button:visible").all()]
    assert buttons and all(button["x"] + button["width"] <= width for button in buttons)
    assert page.evaluate("document.documentElement.scrollWidth") == width
