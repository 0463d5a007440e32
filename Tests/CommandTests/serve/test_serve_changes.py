"""`serve` while lists, pictures, templates and filters change."""

import re
import time

import pytest
from pictures import jpeg
from waiting import until


def save(gallery, path, text):
    """Replaces a file at once, so that the preview never sees an empty one."""
    new = gallery.folder / "new"
    new.write_text(text)
    new.replace(path)


def test_changed_list_is_taken_over(three_photos, serve):
    preview = serve(three_photos)
    page = preview.open()
    page.message()
    three_photos.list({"One": "1.jpg", "Other": "2.jpg"})
    assert page.until("changed")["what"] == ["pages"]
    text = preview.page()
    assert "Other" in text
    assert "Three" not in text


def test_changed_picture_is_shown(three_photos, serve):
    page = serve(three_photos).open()
    page.view("one", "two", "three")
    of_two = lambda message: message["record"]["page"] == "photo/two.html"
    first = page.until("photo", of_two)["record"]["sha256"]
    (three_photos.folder / "2.jpg").write_bytes(jpeg(77))
    assert page.until("photo", lambda message: of_two(message) and message["record"]["sha256"] != first)


def test_changed_style_and_template_are_taken_over(three_photos, serve):
    templates = three_photos.folder / "templates"
    (templates / "assets").mkdir(parents=True)
    style = templates / "assets" / "own.css"
    style.write_text("body { color: red }")
    preview = serve(three_photos, "--templates", templates)
    page = preview.open()
    page.message()
    save(three_photos, style, "body { color: blue }")
    assert page.until("changed")["what"] == ["styles"]
    link = re.search(r'href="(assets/own\.[^"]+)"', preview.page())[1]
    assert b"blue" in preview.get("/" + link)[2]
    save(three_photos, templates / "assets" / "own.js", "'use strict'")
    assert page.until("changed")["what"] == ["scripts"]
    three_photos.run("init", "--templates", "copied")
    layout = (three_photos.folder / "copied/templates/layout.mustache").read_text()
    save(three_photos, templates / "layout.mustache", layout.replace("<main", "<p>own</p><main"))
    assert page.until("changed")["what"] == ["pages"]
    assert "<p>own</p>" in preview.page()


def test_layout_without_the_block_of_the_preview_is_warned_of(three_photos, serve):
    three_photos.run("init", "--templates", "copied")
    layout = three_photos.folder / "copied/templates/layout.mustache"
    whole = layout.read_text()
    layout.write_text(re.sub(r"{{#preview}}.*?{{/preview}}", "", whole, flags=re.DOTALL))
    preview = serve(three_photos, "--templates", layout.parent)
    preview.page()
    preview.page("/photo/one.html")
    _, err = preview.end()
    assert err.count("layout.mustache has no block {{#preview}}") == 1
    layout.write_text(whole)
    preview = serve(three_photos, "--templates", layout.parent)
    preview.page()
    assert "layout.mustache" not in preview.end()[1]


@pytest.mark.quick
def test_mistake_is_shown_until_it_is_mended(three_photos, serve):
    preview = serve(three_photos)
    page = preview.open()
    good = three_photos.manifest.read_bytes()
    three_photos.manifest.write_bytes(good.replace(b"</dict>", b"</dic>"))
    mistake = page.until("mistake")
    assert mistake["file"] == "photos.plist"
    assert mistake["line"] >= 1
    assert "One" in preview.page()
    # A page that is opened now sees it as well.
    assert preview.open().until("mistake") == mistake
    three_photos.manifest.write_bytes(good)
    page.until("mended")


def test_many_edits_end_in_the_right_page(three_photos, serve):
    preview = serve(three_photos)
    page = preview.open()
    page.message()
    for number in range(20):
        three_photos.list({f"Edit {number}": "1.jpg"})
        time.sleep(0.05)
    until(lambda: "Edit 19" in preview.page(), preview.process)
    page.until("changed")


# Filters


def test_filter_is_tried_and_saved(three_photos, serve):
    preview = serve(three_photos)
    page = preview.open()
    page.view("one")
    first = page.until("photo")["card"]
    page.send(type="filter", chain="sepia(0.8")
    refused = page.until("filter-refused")
    assert refused["column"] > 1
    page.send(type="filter", chain="invert(1)")
    # A fast machine has the picture before the filter is confirmed.
    arrived = page.next_of_each({
        "filter": lambda message: True, "photo": lambda message: message["record"]["page"] == "photo/one.html"})
    assert arrived["filter"]["chain"] == "invert(1)"
    assert arrived["photo"]["card"] != first
    settings = three_photos.folder / "gallerygen.yaml"
    assert not settings.exists()
    page.send(type="save-filter", chain="invert(1)")
    assert page.until("filter-saved")["file"] == "gallerygen.yaml"
    assert settings.read_text() == "filter: invert(1)\n"
    preview.end()
    three_photos.build()
    assert "invert(1)" in (three_photos.site / "index.html").read_text()


def test_saved_filter_keeps_the_line_breaks_of_the_file(three_photos, serve):
    settings = three_photos.folder / "gallerygen.yaml"
    settings.write_bytes(b"title: Trips\r\nfilter: none\r\nper-page: 40\r\n")
    page = serve(three_photos).open()
    page.send(type="save-filter", chain="invert(1)")
    page.until("filter-saved")
    assert settings.read_bytes() == b"title: Trips\r\nfilter: invert(1)\r\nper-page: 40\r\n"


def test_settings_file_that_would_become_invalid_is_not_written(three_photos, serve):
    settings = three_photos.folder / "gallerygen.yaml"
    settings.write_text("{filter: none, title: Trips}\n")
    page = serve(three_photos).open()
    page.send(type="save-filter", chain="invert(1)")
    assert "write 'filter: invert(1)' into it" in page.until("filter-refused")["message"]
    assert settings.read_text() == "{filter: none, title: Trips}\n"


@pytest.mark.parametrize("options, env, source", [
    (["--filter", "none"], None, "--filter on the command line"),
    ([], {"GALLERYGEN_FILTER": "none"}, "GALLERYGEN_FILTER in the environment")], ids=["flag", "environment"])
def test_saved_filter_that_is_overridden_is_not_called_saved(three_photos, serve, options, env, source):
    page = serve(three_photos, *options, env=env).open()
    page.send(type="save-filter", chain="invert(1)")
    message = page.until("filter-refused")["message"]
    assert f"but {source} overrides it" in message
    # The filter of the command line itself is never overridden.
    page.send(type="save-filter", chain="none")
    assert page.until("filter-saved")


def test_of_many_filters_only_the_last_ones_are_tried(three_photos, serve):
    preview = serve(three_photos)
    page = preview.open()
    for number in range(1, 400):
        page.send(type="filter", chain=f"sepia({number / 1000})")
    tried = []
    while not tried or tried[-1] != "sepia(0.399)":
        tried.append(page.until("filter")["chain"])
    assert len(tried) < 399
