"""The pages in Chromium: pictures, layout, accessibility, without scripts."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from page_kinds import KINDS, kinds
from screens import DESKTOP, PHONE, ORIGINS


@pytest.mark.parametrize("origin", ORIGINS)
@pytest.mark.parametrize("kind", KINDS)
def test_every_picture_is_shown_and_there_are_no_problems(site, open_page, kind, origin):
    visit = open_page(kinds(site)[kind], origin, **DESKTOP)
    pictures = visit.pictures()
    assert pictures or kind in ("failure", "status")
    for picture in pictures:
        assert picture["width"] > 0, picture
        assert picture["alt"] is not None
        if picture["fit"] == "fill":
            assert picture["shownRatio"] == pytest.approx(picture["ownRatio"], rel=0.03), picture
    assert visit.problems == []
    assert visit.external_requests() == []
    assert visit.observed()["violations"] == []


@pytest.mark.parametrize("origin", ORIGINS)
def test_every_page_of_the_site_opens_without_problems(site, open_page, origin):
    visit = open_page("index.html", origin)
    for path in sorted(path for path in site.files() if path.endswith(".html")):
        visit.open(path)
        assert all(picture["width"] > 0 for picture in visit.pictures()), path
        assert visit.page.title(), path
        assert visit.problems == [], path
    assert visit.external_requests() == []


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_nothing_moves_while_a_page_loads_and_nothing_is_wider_than_the_screen(site, open_page, kind, screen):
    visit = open_page(kinds(site)[kind], **screen)
    visit.pictures()
    assert visit.observed()["moved"] == []
    wide = visit.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0


@pytest.mark.parametrize("view", ["grid", "list"])
@pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_the_placeholder_colour_has_the_box_of_its_picture(site, open_page, screen, view):
    visit = open_page("index.html", **screen)
    visit.page.evaluate("view => localStorage.setItem('gallerygen.view', JSON.stringify(view))", view)
    count = 0
    for path in sorted(path for path in site.files() if path.endswith(".html")):
        visit.open(path)
        assert visit.page.evaluate("document.documentElement.classList.contains('list-view')") == (view == "list")
        visit.pictures()
        for colour, picture in visit.placeholder_boxes():
            assert colour == pytest.approx(picture, abs=1), path
            count += 1
    assert count >= 15


def test_the_reason_of_a_failure_is_shown_in_the_list_and_on_the_photo_page(site, open_page):
    photo = site.photos()["Missing animal"]
    visit = open_page(photo["page"])
    assert visit.page.get_by_text(photo["reason"]["message"], exact=False).first.is_visible()
    year = photo["since"][:4]
    assert visit.page.locator("article").inner_text().count(year) == 1, "the time is shown twice"
    for path in ("index.html", "page/2.html"):
        visit.open(path)
        shown = visit.page.get_by_role("link", name="Missing animal")
        if shown.count():
            assert photo["reason"]["message"] in visit.page.inner_text("body")
            return
    raise AssertionError("no list shows the photo")


def test_the_list_shows_the_states_of_photos(site, open_page):
    visit = open_page("index.html")
    text = visit.page.inner_text("body").lower()
    assert "filtered" in text
    assert "failed" in text


@pytest.mark.parametrize("origin", ORIGINS)
def test_links_lead_from_the_first_photo_to_the_last_and_back(site, open_page, origin):
    pages = [photo["page"] for photo in site.status()["photos"]]
    visit = open_page(pages[0], origin, reduced_motion="reduce")
    for path in pages[1:]:
        visit.page.locator('a[rel~="next"]').first.click()
        visit.page.wait_for_url(f"**/{path}")
    assert visit.page.locator('a[rel~="next"]').count() == 0
    for path in reversed(pages[:-1]):
        visit.page.locator('a[rel~="prev"]').first.click()
        visit.page.wait_for_url(f"**/{path}")
    assert visit.page.locator('a[rel~="prev"]').count() == 0
    assert visit.problems == []


def test_one_photo_page_fades_into_the_next(site, open_page):
    visit = open_page(site.status()["photos"][0]["page"], **DESKTOP)
    visit.page.add_init_script(
        "addEventListener('pagereveal', event => { window.fades = event.viewTransition !== null; });")
    visit.page.locator('a[rel="next"]').first.click()
    visit.page.wait_for_function("() => window.fades !== undefined")
    assert visit.page.evaluate("window.fades")


def test_photos_and_their_pages_work_without_scripts(site, open_page):
    visit = open_page("index.html", java_script_enabled=False, **DESKTOP)
    first = site.status()["photos"][0]
    assert visit.page.get_by_text(first["name"]).first.is_visible()
    visit.page.locator(f'a[href="{first["page"]}"]').first.click()
    visit.page.wait_for_url(f"**/{first['page']}")
    visit.wait_for_requests()
    loaded = {url.rpartition("/images/")[2] for url in visit.requests if "/images/" in url}
    assert loaded & {image["path"].removeprefix("images/") for image in first["images"]}
    assert visit.page.get_by_role("heading", name=first["name"]).is_visible()
    assert visit.problems == []


def test_a_small_screen_loads_small_pictures(site, open_page):
    def widths(visit):
        return [
            int(p["source"].rpartition("-")[2].partition(".")[0]) for p in visit.pictures() if "/images/" in p["source"]
        ]

    small = widths(open_page("index.html", viewport={"width": 360, "height": 740}))
    assert small and max(small) <= 800


def test_pictures_below_the_screen_are_loaded_lazily(site, open_page):
    visit = open_page("index.html", viewport={"width": 360, "height": 640})
    assert visit.page.locator('img[loading="lazy"]').count() > 0


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_axe_finds_no_violation_on_any_kind_of_page(site, open_page, kind, scheme, screen):
    visit = open_page(kinds(site)[kind], color_scheme=scheme, bypass_csp=True, **screen)
    results = Axe().run(visit.page)
    assert results.violations_count == 0, results.generate_report()


def test_light_and_dark_pages_differ(site, open_page, screenshots):
    for kind, path in kinds(site).items():
        taken = {}
        for scheme in ("light", "dark"):
            for name, screen in {"phone": PHONE, "desktop": DESKTOP}.items():
                visit = open_page(path, color_scheme=scheme, **screen)
                visit.pictures()
                visit.page.evaluate("window.scrollTo(0, 0)")
                file = screenshots / f"{kind}-{name}-{scheme}.png"
                taken[scheme, name] = visit.page.screenshot(path=file)
        assert taken["light", "desktop"] != taken["dark", "desktop"]
        assert taken["light", "phone"] != taken["dark", "phone"]


def test_markup_in_names_is_shown_as_text(site, open_page):
    visit = open_page("index.html")
    assert 'Lighthouse <b>& "light"</b>' in visit.page.inner_text("body")
    assert visit.page.locator("b").count() == 0


def test_every_photo_can_be_focused_by_the_keyboard_and_the_focus_is_visible(site, open_page):
    visit = open_page("index.html", **DESKTOP)
    links = visit.page.locator('a[href^="photo/"]')
    reached = set()
    for _ in range(60):
        visit.page.keyboard.press("Tab")
        reached.add(visit.page.evaluate("document.activeElement.getAttribute('href')"))
    assert {links.nth(number).get_attribute("href") for number in range(links.count())} <= reached
    links.first.focus()
    ring = visit.page.evaluate(
        "(() => getComputedStyle(document.activeElement.closest('.card'), '::after').borderTopWidth)()")
    assert ring == "3px"
