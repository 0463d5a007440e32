"""Thumbs that a visitor gives, which are stored on the device."""

import json
from urllib.parse import urljoin

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


def test_a_vote_keeps_those_that_another_page_has_stored_and_appears_there(open_page, site):
    photos = site.status()["photos"]
    viewer = Viewer(open_page("index.html", **DESKTOP))
    other = viewer.page.context.new_page()
    other.goto(urljoin(viewer.page.url, photos[1]["page"]))
    voted = viewer.page.locator("[data-voted] h2")
    expect(voted).to_have_count(0)
    other.get_by_role("button", name="Thumb up").click()
    expect(voted).to_have_text([photos[1]["name"]])
    viewer.open(photos[0]["name"]).press("u", "Escape").is_closed()
    expect(voted).to_have_text([photos[0]["name"], photos[1]["name"]])
    other.reload()
    expect(other.locator("article")).to_have_attribute("data-voted", "up")


@pytest.mark.parametrize("stored", ["5", "[]", '"up"', "null", "{"])
def test_a_stored_value_that_is_no_list_of_votes_is_replaced_by_the_next_vote(open_page, site, stored):
    photo = site.status()["photos"][0]
    page = open_page(photo["page"], **DESKTOP).page
    page.evaluate("stored => localStorage.setItem('gallerygen.' + ratings.key, stored)", stored)
    page.reload()
    page.get_by_role("button", name="Thumb up").click()
    page.reload()
    expect(page.locator("article")).to_have_attribute("data-voted", "up")
