"""The effect of --language and --ratings on the pages, and the messages about mistakes in their files."""

import json

import pytest

RATINGS = {
    "schema": 1,
    "ratings": [{"page": "photo/one.html", "thumb": "up"}, {"page": "photo/two.html", "thumb": "down"}],
}


def lang(page):
    return next(attributes for tag, attributes in page.elements if tag == "html")


@pytest.mark.parametrize("language, words, direction", [
    ("de", "3 Fotos", None), ("de-AT", "3 Fotos", None), ("es", "3 fotos", None), ("ar", "3 صور", "rtl")])
def test_the_pages_are_in_the_language_that_was_asked_for(three_photos, language, words, direction):
    run = three_photos.build("--language", language)
    assert "language" not in run.err
    for page in three_photos.pages():
        assert lang(page)["lang"] == language
        assert lang(page).get("dir") == direction
    assert words in three_photos.page("index.html").text


def test_a_language_without_words_is_told_and_its_pages_are_in_english(three_photos):
    run = three_photos.build("--language", "fr")
    assert "warning" in run.err and "strings/fr.txt" in run.err
    assert lang(three_photos.page("index.html"))["lang"] == "fr"
    assert "3 photos" in three_photos.page("index.html").text


def test_a_failure_is_told_in_the_language_of_the_page_and_in_english_to_programs(three_photos):
    three_photos.list({"One": "1.jpg", "Lost": "lost.jpg"}).build("--language", "de")
    assert "Datei nicht gefunden: lost.jpg." in three_photos.page("index.html").text
    assert "Datei nicht gefunden" in (three_photos.site / "feed.xml").read_text()
    problems = three_photos.page("status.html").text
    assert "Lost" in problems and f"photos.plist:{three_photos.line_of('>Lost<')}" in problems
    assert three_photos.photos()["Lost"]["reason"]["message"] == "File not found: lost.jpg."


def test_the_list_s_folder_does_not_show_on_the_pages(three_photos):
    three_photos.list({"Lost": "lost.jpg"}).build(three_photos.manifest)
    assert str(three_photos.folder) not in (three_photos.site / "status.html").read_text()


@pytest.mark.quick
def test_ratings_are_baked_into_the_pages(three_photos):
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


def test_ratings_of_photos_that_are_not_there_are_told(three_photos):
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
def test_a_file_of_ratings_that_is_none_is_78_and_named(three_photos, text):
    (three_photos.folder / "ratings.json").write_text(text)
    run = three_photos.build("--ratings", "ratings.json", expect=78)
    assert "ratings.json" in run.err
    assert not three_photos.site.exists()


def test_ratings_that_are_not_there_are_66_and_named(three_photos):
    assert "thumbs.json" in three_photos.build("--ratings", "thumbs.json", expect=66).err
