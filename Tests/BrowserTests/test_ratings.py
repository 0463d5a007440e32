"""Thumbs that a visitor gives, which are stored on the device."""

import json

import pytest
from playwright.sync_api import expect
from screens import DESKTOP, ORIGINS
from search import Search
from viewer import Viewer


@pytest.mark.parametrize("origin", ORIGINS)
def test_thumbs_are_stored_shown_in_the_list_and_can_be_searched_for(open_page, site, origin):
    names = [photo["name"] for photo in site.status()["photos"]]
    viewer = Viewer(open_page("index.html", origin, **DESKTOP)).open(names[0])
    viewer.button("Thumb up").click()
    viewer.press("ArrowRight").shows(names[1])
    viewer.press("d")
    expect(viewer.button("Thumb down")).to_have_attribute("aria-pressed", "true")
    viewer.press("ArrowRight").shows(names[2])
    expect(viewer.button("Thumb down")).to_have_attribute("aria-pressed", "false")
    viewer.visit.open("index.html")
    assert viewer.page.locator("[data-voted=up]").locator("h2").all_inner_texts() == [names[0]]
    search = Search(viewer.visit)
    search.choose("Rating", "down").finds(names[1])
    search.choose("Rating", "up").finds(names[0])


def test_the_same_thumb_again_removes_the_rating(open_page, site):
    viewer = Viewer(open_page(site.status()["photos"][0]["page"], **DESKTOP))
    viewer.page.locator("a[data-viewer]").click()
    viewer.press("u")
    expect(viewer.button("Thumb up")).to_have_attribute("aria-pressed", "true")
    viewer.press("d")
    expect(viewer.button("Thumb up")).to_have_attribute("aria-pressed", "false")
    viewer.press("d")
    expect(viewer.button("Thumb down")).to_have_attribute("aria-pressed", "false")


@pytest.mark.parametrize("origin", ORIGINS)
def test_ratings_can_be_exported_and_are_merged_on_import(open_page, site, origin, tmp_path):
    photos = site.status()["photos"]
    viewer = Viewer(open_page("index.html", origin, **DESKTOP)).open(photos[0]["name"]).press("u", "Escape")
    viewer.is_closed()
    page = viewer.page
    page.get_by_text("Ratings on this device").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Export").click()
    exported = json.loads(download.value.path().read_text())
    assert exported == {"schema": 1, "ratings": [{"page": photos[0]["page"], "thumb": "up"}]}

    other = {"schema": 1, "ratings": [{"page": photos[1]["page"], "thumb": "down"}, {"page": 5, "thumb": "x"}]}
    (tmp_path / "other.json").write_text(json.dumps(other))
    page.get_by_label("Import").set_input_files(tmp_path / "other.json")
    expect(page.locator(".local-ratings").get_by_role("status")).to_have_text("1 rating imported")
    assert page.locator("[data-voted] h2").all_inner_texts() == [photos[0]["name"], photos[1]["name"]]

    (tmp_path / "wrong.json").write_text("[1, 2")
    page.get_by_label("Import").set_input_files(tmp_path / "wrong.json")
    expect(page.locator(".local-ratings").get_by_role("status")).to_have_text("This file contains no ratings")
    assert page.locator("[data-voted]").count() == 2
    assert viewer.visit.problems == []
