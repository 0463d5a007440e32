"""One source through everything that happens to sources, and what page, status.json, `status` and feed say at each
step. docs/explanation/watched-sources.md has the same table."""

import datetime
import re
from typing import NamedTuple

import pytest
from gallery import Gallery
from pictures import jpeg
from program import ROOT
from scripted_server import ScriptedServer, picture, status
from watched_sources import GIF, LARGE, START, sha256

REMOVED = jpeg(99, **LARGE)
OTHERS = 39


class Step(NamedTuple):
    """What the source does in an hour, and what is said then. The words of page, status and feed begin alike."""

    hour: int
    event: str
    script: object
    word: str
    words: str
    feed: str
    shown: int


def at(hour):
    return datetime.datetime.fromtimestamp(START + hour * 3600, datetime.UTC)


def text(hour):
    moment = at(hour)
    return f"{moment.day} {moment:%B %Y, %H:%M} UTC"


FROZEN = "The picture was expected to change within 24 h, but is still the same."
SMALLER = ("The source has a far smaller picture now (1 × 1 instead of 400 × 300 pixels). "
           "The earlier one stays until the new one is accepted.")
SAME = "Several sources have this same picture now. The earlier one stays until the new one is accepted."
NOT_FOUND = "Not found: the server has nothing at this address (status 404)."

STEPS = [
    Step(0, "the first picture", picture(jpeg(1, **LARGE)), "filtered", "", "New photo", 1),
    Step(24, "the same picture for 24 hours", picture(jpeg(1, **LARGE)), "frozen", FROZEN,
         f"frozen since {text(0)}: {FROZEN}", 1),
    Step(25, "another picture", picture(jpeg(2, **LARGE)), "filtered", "", "Back again", 2),
    Step(26, "a GIF of one pixel", picture(GIF, kind="image/gif"), "suspicious", SMALLER,
         f"suspicious since {text(26)}: {SMALLER}", 2),
    Step(27, "a web page", picture(b"<!doctype html><p>Removed", kind="text/html"), "stale",
         "Expected a picture, found a web page.",
         f"Not refreshed since {text(27)}: Expected a picture, found a web page.", 2),
    Step(28, "the second picture", picture(jpeg(2, **LARGE)), "filtered", "", "Back again", 2),
    Step(29, "the notice of 40 addresses", picture(REMOVED), "suspicious", SAME,
         f"suspicious since {text(29)}: {SAME}", 2),
    Step(30, "moved (301), there another picture", status(301, "Location: /new.jpg"), "filtered", "", "Back again", 3),
    Step(31, "moved (308), there the same picture", status(308, "Location: /new.jpg"), "filtered", "", "Back again", 3),
    Step(32, "nothing (404)", status(404), "stale", NOT_FOUND, f"Not refreshed since {text(32)}: {NOT_FOUND}", 3),
    Step(33, "the third picture", picture(jpeg(3, **LARGE)), "filtered", "", "Back again", 3),
]


@pytest.fixture(scope="module")
def said(program, tmp_path_factory):
    """The hour of each step → what was said then: the word and the note of `status`, the pages, the feed."""
    gallery = Gallery(tmp_path_factory.mktemp("steps"), program)
    with ScriptedServer() as server:
        server.on("/new.jpg", picture(jpeg(3, **LARGE)))
        others = {f"P{n}": server.on(f"/{n}.jpg", picture(jpeg(100 + n))) for n in range(OTHERS)}
        url = server.on("/camera.jpg", status(404))
        gallery.list({"Camera": {"url": url, "expect-change": "24h"}, **others})
        found = {}
        for step in STEPS:
            server.on("/camera.jpg", step.script)
            if step.event.startswith("the notice"):
                for n in range(OTHERS):
                    server.on(f"/{n}.jpg", picture(REMOVED))
            gallery.build(env={"SOURCE_DATE_EPOCH": str(START + step.hour * 3600)})
            entry = (gallery.site / "feed.xml").read_text().split("<title>Camera</title>")[1]
            word, _, note = gallery.run("status").out.splitlines()[0].partition("Camera")
            found[step.hour] = {
                "photo": gallery.photos()["Camera"], "word": word.strip(), "note": note.strip(),
                "card": gallery.page("index.html").text, "page": gallery.page("photo/camera.html").text,
                "chips": re.findall(r'data-state="(\w+)"', (gallery.site / "photo/camera.html").read_text()),
                "attention": gallery.page("status.html").text,
                "feed": re.search("<summary>(.*?)</summary>", entry).group(1),
                "others": {tuple(mark["code"] for mark in photo["marks"])
                           for name, photo in gallery.photos().items() if name != "Camera"},
            }
        return found


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.event)
def test_every_step_of_a_source_is_said_on_pages_in_the_status_and_in_the_feed(said, step):
    now = said[step.hour]
    photo = now["photo"]
    assert now["word"] == step.word
    assert step.words in now["note"]
    assert now["feed"] == step.feed
    assert photo["sha256"] == sha256(jpeg(step.shown, **LARGE))
    assert (photo["stale"] is not None) == (step.word == "stale")
    shown_marks = [mark["code"] for mark in photo["marks"]]
    # A mark stays while the source fails, because nothing new is known of its picture.
    assert shown_marks == {"frozen": ["frozen"], "suspicious": ["suspicious"]}.get(
        step.word, ["suspicious"] if step.event == "a web page" else [])
    assert step.word in now["chips"]
    if step.words:
        assert step.words in now["card"] and step.words in now["page"] and step.words in now["attention"]
    else:
        assert "Camera" not in now["attention"]


def test_all_forty_addresses_with_the_same_notice_are_suspicious(said):
    assert said[28]["others"] == {()}
    assert said[29]["others"] == said[33]["others"] == {("suspicious",)}


def test_the_documentation_has_the_same_table():
    table = (ROOT / "docs/explanation/watched-sources.md").read_text(encoding="utf-8")
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines() if line.startswith("| ")]
    documented = [(row[0], row[1]) for row in rows if len(row) == 4 and row[0] not in ("the source has", "---")]
    assert documented == [(step.event, step.word) for step in STEPS]
