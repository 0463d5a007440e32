"""--language and --ratings: their effect on the pages, and the messages about mistakes in their files."""

import json

import pytest

RATINGS = {
    "schema": 1,
    "ratings": [{"page": "photo/one.html", "thumb": "up"}, {"page": "photo/two.html", "thumb": "down"}],
}


def html_attributes(page):
    return next(attributes for tag, attributes in page.elements if tag == "html")


@pytest.mark.parametrize("language, words, direction", [
    ("de", "3 Fotos", None), ("de-AT", "3 Fotos", None), ("es", "3 fotos", None), ("ar", "3 صور", "rtl")])
def test_the_pages_are_in_the_requested_language(three_photos, language, words, direction):
    run = three_photos.build("--language", language)
    assert "language" not in run.err
    for page in three_photos.pages():
        assert html_attributes(page)["lang"] == language
        assert html_attributes(page).get("dir") == direction
    assert words in three_photos.page("index.html").text


def test_a_language_without_translation_causes_a_warning_and_english_pages(three_photos):
    run = three_photos.build("--language", "fr")
    assert "warning" in run.err and "strings/fr.txt" in run.err
    assert html_attributes(three_photos.page("index.html"))["lang"] == "fr"
    assert "3 photos" in three_photos.page("index.html").text


def test_a_failure_is_in_the_language_of_the_pages_and_in_english_in_status_json(three_photos):
    three_photos.list({"One": "1.jpg", "Lost": "lost.jpg"}).build("--language", "de")
    assert "Datei nicht gefunden: lost.jpg." in three_photos.page("index.html").text
    assert "Datei nicht gefunden" in (three_photos.site / "feed.xml").read_text()
    problems = three_photos.page("status.html").text
    assert "Lost" in problems and f"photos.plist:{three_photos.line_of('>Lost<')}" in problems
    assert three_photos.photos()["Lost"]["reason"]["message"] == "File not found: lost.jpg."


def test_the_status_page_does_not_show_the_folder_of_the_list(three_photos):
    three_photos.list({"Lost": "lost.jpg"}).build(three_photos.manifest)
    assert str(three_photos.folder) not in (three_photos.site / "status.html").read_text()


@pytest.mark.quick
def test_ratings_are_part_of_the_pages(three_photos):
    (three_photos.folder / "ratings.json").write_text(json.dumps(RATINGS))
    run = three_photos.build("--ratings", "ratings.json")
    assert "not in the list" not in run.err
    index = three_photos.page("index.html")
    votes = [attributes.get("data-voted") for _, attributes in index.elements if "data-page" in attributes]
    assert votes == ["up", "down", None]
    assert "thumb up" in three_photos.page("photo/one.html").text
    before = three_photos.identities()
    three_photos.build("--ratings", "ratings.json")
    assert three_photos.identities() == before


def test_ratings_of_unknown_photos_cause_a_warning(three_photos):
    ratings = {"schema": 1, "ratings": [{"page": "photo/gone.html", "thumb": "up"}]}
    (three_photos.folder / "ratings.json").write_text(json.dumps(ratings))
    assert "photo/gone.html" in three_photos.build("--ratings", "ratings.json").err


@pytest.mark.parametrize(
    "text",
    [
        "no json",
        "[]",
        '{"schema":2,"ratings":[]}',
        '{"schema":1}',
        '{"schema":1,"ratings":[{"page":"../x","thumb":"up"}]}',
        '{"schema":1,"ratings":[{"page":"photo/one.html","thumb":"sideways"}]}',
        '{"schema":1,"ratings":[{"page":"photo/one.html","thumb":"up"},{"page":"photo/one.html","thumb":"down"}]}',
    ],
)
def test_an_invalid_file_of_ratings_exits_with_78_and_is_named(three_photos, text):
    (three_photos.folder / "ratings.json").write_text(text)
    run = three_photos.build("--ratings", "ratings.json", expect=78)
    assert "ratings.json" in run.err
    assert not three_photos.site.exists()


def test_a_missing_file_of_ratings_exits_with_66_and_is_named(three_photos):
    assert "thumbs.json" in three_photos.build("--ratings", "thumbs.json", expect=66).err
