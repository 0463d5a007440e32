"""Search, filters, order and views, over all pages of the gallery."""

import json

import pytest
from axe_playwright_python.sync_playwright import Axe
from gallery import Gallery
from playwright.sync_api import expect
from screens import DESKTOP, PHONE, ORIGINS
from search import Search
from viewer import Viewer


@pytest.fixture
def searched(open_page):
    return lambda path="index.html", origin="web", **context: Search(open_page(path, origin, **(context or DESKTOP)))


@pytest.mark.parametrize("origin", ORIGINS)
def test_a_search_finds_photos_of_all_pages_by_name_caption_tag_and_album(searched, origin):
    search = searched(origin=origin)
    search.type("tulips").finds("Tulips")
    search.type("MEADOW rocky").finds("Autumn on Aizkorri")
    search.type("mountain").finds("Autumn on Aizkorri")
    search.type("birds").finds("Nuthatch")
    search.type("kapitan").finds(
        "A name so long that it has to be broken somewhere, with Donaudampfschifffahrtsgesellschaftskapitän in it")
    search.type("nothing like it").finds()
    assert search.visit.observed()["violations"] == []
    assert search.visit.external_requests() == []


def test_an_empty_search_shows_the_list_again(searched, site):
    search = searched().type("tulips")
    search.finds("Tulips")
    search.type("")
    expect(search.page.locator(".search-status")).to_have_text("")
    expect(search.page.locator(".photos:visible h2")).to_have_count(6)
    expect(search.page.get_by_role("navigation", name="Pages")).to_be_visible()
    assert search.page.url.endswith("/index.html")


def test_filters_narrow_the_search(searched, site):
    failed = [photo["name"] for photo in site.status()["photos"] if photo["state"] == "failed"]
    search = searched()
    search.choose("State", "failed").finds(*failed)
    search.choose("Album", "Animals").finds("Missing animal")
    search.choose("State", "").finds("Nuthatch", "Dragonfly", "Missing animal")
    search.choose("Album", "").choose("Tag", "autumn").finds("Autumn on Aizkorri")


def test_the_result_for_a_failed_photo_shows_its_reason_and_an_icon(searched, site):
    search = searched().choose("State", "failed")
    failed = [photo for photo in site.status()["photos"] if photo["state"] == "failed"]
    search.finds(*(photo["name"] for photo in failed))
    for card, photo in zip(search.page.locator(".results .card").all(), failed):
        expect(card.locator(".placeholder")).to_be_visible()
        expect(card.locator(".state")).to_have_text("failed")
        expect(card.locator(".reason")).to_have_text(photo["reason"]["message"])
        expect(card.locator("img")).to_have_count(0)
        assert card.bounding_box()["height"] > 100


def test_the_filters_can_be_opened_during_a_search_on_a_phone(searched):
    search = searched(**PHONE)
    search.form.locator("label.query").tap()
    search.type("nuthatch")
    search.page.touchscreen.tap(*middle(search.form.locator("summary")))
    assert search.form.locator(".filters").evaluate("filters => filters.open")


def middle(element):
    box = element.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_the_rating_narrows_the_search(searched):
    search = searched()
    search.choose("Rating", "3").finds("Autumn on Aizkorri", "Rocky Shore")
    search.choose("Rating", "4").finds("Rocky Shore")


def test_photos_can_be_sorted_by_date_and_rating_and_those_without_come_last(searched, names):
    search = searched().choose("Sort", "date")
    search.has_shown(len(names))
    shown = search.page.locator(".photos:visible h2").all_text_contents()
    assert shown[:2] == ["Rocky Shore", "Autumn on Aizkorri"]
    assert shown[2:] == [name for name in names if name not in shown[:2]]
    search.page.locator(".results").evaluate("results => { results.firstElementChild.id = 'earlier'; }")
    search.choose("Sort", "rating")
    expect(search.page.locator("#earlier")).to_have_count(0)
    search.has_shown(len(names))
    expect(search.page.locator(".photos:visible h2")).to_have_text(shown)


# Holds the reports to observers until `deliver` passes all of them on at once, as a busy browser does.
HELD_OBSERVATIONS = """
window.IntersectionObserver = class extends IntersectionObserver {
    constructor(report) {
        let delivered = false;
        const held = [];
        super(entries => delivered ? report(entries) : held.push(...entries));
        window.observations = {
            held, deliver: () => {
                delivered = true;
                report(held);
            } };
    }
};
"""


def test_more_results_follow_when_their_end_becomes_visible_before_the_page_learns_that_it_was_not(open_page, names):
    visit = open_page("about:blank", **DESKTOP)
    visit.context.add_init_script(HELD_OBSERVATIONS)
    visit.open("index.html")
    search = Search(visit).choose("Sort", "date")
    assert 12 < len(names) <= 24
    search.finds_at_least(12)
    visit.page.wait_for_function("() => observations.held.at(-1)?.isIntersecting === false")
    visit.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    visit.page.wait_for_function("() => observations.held.at(-1).isIntersecting")
    expect(search.page.locator(".results h2")).to_have_count(12)
    visit.page.evaluate("observations.deliver()")
    expect(search.page.locator(".results h2")).to_have_count(len(names))


def test_photos_can_be_sorted_by_name(searched, site):
    search = searched().choose("State", "filtered").choose("Sort", "name")
    names = [photo["name"] for photo in site.status()["photos"] if photo["state"] == "filtered"]
    shown = search.page.locator(".photos:visible h2")
    # The photos of the state are shown in the order of the list first, and there are as many of them.
    for place, name in enumerate(sorted(names, key=str.lower)[:3]):
        expect(shown.nth(place)).to_have_text(name)
    search.has_shown(len(names))
    assert sorted(shown.all_text_contents()) == sorted(names)


@pytest.mark.parametrize("origin", ORIGINS)
def test_the_search_is_in_the_address_and_survives_a_reload(searched, origin):
    search = searched(origin=origin).choose("State", "failed").type("animal")
    search.finds("Missing animal")
    assert search.page.url.endswith("/index.html?q=animal&state=failed")
    search.page.reload()
    search.finds("Missing animal")
    expect(search.field("State")).to_have_value("failed")
    expect(search.field("Search")).to_have_value("animal")


@pytest.mark.parametrize("origin", ORIGINS)
def test_the_viewer_steps_through_the_results_and_returns_to_them(searched, origin):
    search = searched(origin=origin).choose("Album", "Animals")
    search.finds("Nuthatch", "Dragonfly", "Missing animal")
    viewer = Viewer(search.visit).open("Nuthatch")
    expect(viewer.dialog.locator(".position")).to_have_text("1 of 3: Nuthatch")
    viewer.press("End").shows("Missing animal")
    viewer.press("Escape").is_closed()
    search.finds("Nuthatch", "Dragonfly", "Missing animal")
    assert search.page.url.endswith("?album=Animals")
    assert search.page.evaluate("document.activeElement.textContent") == "Missing animal"


@pytest.mark.parametrize("origin", ORIGINS)
def test_the_viewer_steps_through_the_results_after_a_reload(searched, origin):
    search = searched(origin=origin).choose("Album", "Animals")
    search.finds("Nuthatch", "Dragonfly", "Missing animal")
    viewer = Viewer(search.visit).open("Nuthatch").press("ArrowRight")
    viewer.shows("Dragonfly")
    search.page.reload()
    expect(viewer.dialog.locator(".position")).to_have_text("2 of 3: Dragonfly")
    viewer.press("End").shows("Missing animal")
    viewer.press("Escape").is_closed()
    Search(search.visit).finds("Nuthatch", "Dragonfly", "Missing animal")


def test_a_search_index_that_does_not_load_is_reported(open_page):
    visit = open_page("about:blank")
    visit.context.route("**/search.*.js", lambda route: route.abort())
    visit.ignore("ERR_FAILED")
    visit.open("index.html")
    search = Search(visit).type("a")
    expect(search.page.locator(".search-status")).to_contain_text("could not be loaded")
    assert search.page.locator(".photos:visible h2").count() == 6


def test_without_scripts_search_form_and_buttons_are_hidden(searched):
    search = searched(java_script_enabled=False)
    expect(search.form).to_be_hidden()
    assert search.page.locator("button:visible").count() == 0


@pytest.mark.parametrize("origin", ORIGINS)
def test_the_view_is_stored_and_applied_before_the_first_paint(searched, origin):
    search = searched(origin=origin)
    search.page.get_by_role("button", name="List").click()
    rows = search.page.locator(".card")
    assert rows.nth(0).bounding_box()["x"] == rows.nth(1).bounding_box()["x"]
    search.page.reload()
    expect(search.page.get_by_role("button", name="List")).to_have_attribute("aria-pressed", "true")
    search.visit.pictures()
    assert search.visit.observed()["moved"] == []
    assert rows.nth(0).bounding_box()["x"] == rows.nth(1).bounding_box()["x"]


COUNT, SHARD = 10_000, 100
WORDS = ["sea", "lake", "hill", "wood", "rock", "moor", "field"]
KEYS = """async () => {
    const times = [];
    const field = document.querySelector('form [name=q]');
    for (const text of ['l', 'la', 'lak', 'lake', 'lake 9', 'lake 99']) {
        const start = performance.now();
        field.value = text;
        field.dispatchEvent(new Event('input', { bubbles: true }));
        await new Promise(requestAnimationFrame);
        document.body.offsetHeight;
        times.push(performance.now() - start);
    }
    return times.sort((a, b) => a - b);
}"""


@pytest.fixture
def ten_thousand(open_page):
    """A page of the site whose index and records are replaced by those of 10,000 photos."""
    names = [f"{WORDS[n % 7]} {n}" for n in range(COUNT)]
    empty = dict.fromkeys(["slug", "credit", "album", "tags", "rating", "vote", "date"], "")
    index = {"search": "assets/search.0.js", "shards": [[str(n), SHARD] for n in range(COUNT // SHARD)], "albums": {}}
    search = empty | {
        "name": "\n".join(names), "state": "\n".join(["filtered"] * COUNT),
        "caption": "\n".join(f"{WORDS[n % 5]} at noon" for n in range(COUNT))}

    def records(route):
        first = int(route.request.url.rpartition("photos.")[2].removesuffix(".js")) * SHARD
        answer(route, "galleryPhotos", [
            {"name": names[n], "page": f"photo/{names[n].replace(' ', '-')}.html", "state": "filtered",
             "images": [[320, 213, "images/none-320.jpg", 1]]} for n in range(first, first + SHARD)])

    def answer(route, variable, value):
        route.fulfill(content_type="text/javascript", body=f"window.{variable} = {json.dumps(value)};")

    visit = open_page("about:blank", **DESKTOP)
    visit.context.route("**/photos.js", lambda route: answer(route, "galleryIndex", index))
    visit.context.route("**/assets/search.*.js", lambda route: answer(route, "gallerySearch", search))
    visit.context.route("**/assets/photos.*.js", records)
    visit.context.route("**/none-320.jpg", lambda route: route.abort())
    visit.ignore("ERR_FAILED")
    visit.open("index.html")
    return visit


def test_a_search_in_ten_thousand_photos_loads_only_the_records_of_shown_results(ten_thousand):
    search = Search(ten_thousand).type("lake 99")
    expected = [n for n in range(COUNT) if "99" in str(n) and "lake" in (WORDS[n % 7], WORDS[n % 5])]
    expect(search.page.locator(".search-status")).to_have_text(f"{len(expected)} photos found")
    cards = search.page.locator(".results h2")
    expect(cards.first).to_have_text(f"{WORDS[expected[0] % 7]} {expected[0]}")
    loaded = {url for url in ten_thousand.requests if "/assets/photos." in url}
    shown = cards.count()
    assert 12 <= shown < len(expected) // 2
    # Records are loaded for the cards that are shown, and perhaps for the next twelve.
    assert len(loaded) <= len({n // SHARD for n in expected[:shown + 12]})
    # When the end of the results becomes visible, the next ones are added.
    search.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    expect(cards.nth(shown)).to_be_attached()
    texts = cards.all_text_contents()
    assert texts == [f"{WORDS[n % 7]} {n}" for n in expected[:len(texts)]]


def test_the_results_of_the_last_input_are_shown_although_earlier_records_are_still_loading(ten_thousand):
    search = Search(ten_thousand)
    search.page.evaluate(KEYS)
    search.type("sea 9996")
    search.finds("sea 9996")
    search.type("")
    expect(search.page.locator(".results")).to_be_hidden()
    assert search.page.locator(".photos:visible h2").count() == 6


@pytest.mark.parametrize("rate", [1, 4])
def test_a_key_in_ten_thousand_photos_shows_results_and_its_time_is_printed(ten_thousand, rate):
    search = Search(ten_thousand).type("x")
    expect(search.page.locator(".search-status")).to_have_text("No photo found")
    ten_thousand.context.new_cdp_session(ten_thousand.page).send("Emulation.setCPUThrottlingRate", {"rate": rate})
    for records in ("records are loading", "records are loaded"):
        took = search.page.evaluate(KEYS)
        print(f"processor / {rate}, {records}: a key takes {took[len(took) // 2]:.1f} ms, at most {took[-1]:.1f} ms")
        search.finds_at_least(1)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_axe_finds_no_violation_in_results_and_list(searched, screen, scheme, screenshots):
    search = searched(bypass_csp=True, color_scheme=scheme, **screen)
    search.choose("Album", "Animals")
    search.page.get_by_role("button", name="List").click()
    search.finds("Nuthatch", "Dragonfly", "Missing animal")
    results = Axe().run(search.page)
    assert results.violations_count == 0, results.generate_report()
    search.page.screenshot(path=screenshots / f"found-{screen['viewport']['width']}-{scheme}.png")
    search.choose("Album", "")
    search.visit.pictures()
    search.page.evaluate("window.scrollTo(0, 0)")
    results = Axe().run(search.page)
    assert results.violations_count == 0, results.generate_report()
    search.page.screenshot(path=screenshots / f"list-{screen['viewport']['width']}-{scheme}.png")


def test_a_picture_in_the_results_has_the_placeholder_colour_of_the_page(searched):
    search = searched()
    card = search.page.locator(".card:has(.aspect-box)").first
    name = card.locator("h2").inner_text()
    expected = card.locator(".aspect-box rect").evaluate("rect => getComputedStyle(rect).fill")
    search.type(name).finds(name)
    shown = search.page.locator(".results img").evaluate("image => getComputedStyle(image).backgroundColor")
    assert shown == expected
    assert search.visit.observed()["violations"] == []


SPELLINGS = {"lodz": "Łódź", "strasse": "Große Straße", "aero": "Ærøskøbing", "oeuvre": "Œuvre", "dakovo": "Đakovo"}


def test_letters_that_have_no_accent_are_found_by_the_usual_ones(program, visit_at, tmp_path):
    gallery = Gallery(tmp_path / "gallery", program)
    gallery.list({name: "none.jpg" for name in SPELLINGS.values()}).build()
    search = Search(visit_at(gallery.site.as_uri() + "/", "index.html", **DESKTOP))
    for typed, name in SPELLINGS.items():
        search.type(typed).finds(name)
        search.type(name.upper()).finds(name)
