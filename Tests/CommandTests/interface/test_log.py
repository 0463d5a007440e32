"""--log-format json: a JSON object for each event."""

import json
import re
import signal

import pytest
from pictures import jpeg
from program import ROOT
from scripted_server import held, picture, status
from waiting import TIMEOUT, line_from


def events(run):
    return [json.loads(line) for line in run.err.splitlines()]


def named(run, name):
    return [event for event in events(run) if event["event"] == name]


@pytest.fixture
def mixed(gallery, scripted):
    """A gallery with a local photo, one on a server, and one that fails."""
    (gallery.folder / "local.jpg").write_bytes(jpeg(2))
    return gallery.list({
        "Here": "local.jpg", "There": scripted.on("/1.jpg", picture(jpeg(1))),
        "Trees": {"Gone \u202e\"1\"": scripted.on("/2.jpg", status(404))}})


@pytest.mark.quick
def test_a_build_logs_its_photos_and_its_result(mixed):
    run = mixed.build("--log-format", "json")
    assert run.out == ""
    assert [event["event"] for event in events(run)] == ["build-started", "work-started", *["photo"] * 3, "summary"]
    for event in events(run):
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", event["time"])
    photos = {event["photo"]: event for event in named(run, "photo")}
    there, gone = photos["There"], photos["Gone \u202e\"1\""]
    assert (there["state"], there["stale"], there["bytes"], there["album"]) == ("filtered", False, len(jpeg(1)), [])
    assert "code" not in there and there["seconds"] > 0
    assert (gone["state"], gone["code"], gone["album"]) == ("failed", "not-found", ["Trees"])
    assert gone["message"] == mixed.photos()[gone["photo"]]["reason"]["message"]
    assert gone["position"].startswith("photos.plist:") and "bytes" not in gone
    assert "\u202e" not in run.err
    summary = events(run)[-1]
    assert summary["counts"] == {"new": 0, "downloaded": 0, "filtered": 2, "failed": 1}
    assert (summary["photos"], summary["rendered"], summary["changed"]) == (3, 2, True)
    assert summary["written"] == len(mixed.files())


def test_a_stale_photo_is_logged_with_its_reason(gallery, scripted):
    answers = [picture(jpeg(1), headers=("Cache-Control: no-cache",)), status(500)]
    gallery.list({"One": scripted.on("/1.jpg", lambda connection, request: answers[0](connection, request))}).build()
    answers.pop(0)
    run = gallery.build("--log-format", "json", "--retries", "0", "--quiet")
    (photo,) = events(run)
    assert (photo["event"], photo["state"], photo["stale"], photo["code"]) == ("photo", "filtered", True, "http-status")


def test_a_build_with_nothing_to_do_logs_only_that(gallery, scripted):
    fresh = picture(jpeg(1), headers=("Cache-Control: max-age=3600",))
    gallery.list({"One": scripted.on("/1.jpg", fresh)}).build()
    run = gallery.build("--log-format", "json")
    assert [event["event"] for event in events(run)] == ["build-started", "summary"]
    assert events(run)[-1]["changed"] is False
    assert gallery.build("--log-format", "json", "--quiet").output == ""


@pytest.mark.parametrize(("options", "code"), [
    (("--quality", "500", "--filter", "blur(3px)"), 64), (("missing.plist",), 66)])
def test_an_error_is_a_diagnostic_with_the_exit_code(three_photos, options, code):
    run = three_photos.build("--log-format", "json", *options, expect=code)
    errors = named(run, "diagnostic")
    assert len(errors) == (2 if code == 64 else 1)
    assert {(error["severity"], error["exit_code"]) for error in errors} == {("error", code)}


def test_warnings_and_reasons_are_logged(three_photos):
    three_photos.list({"One": {"url": "1.jpg", "captoin": "A caption"}})
    run = three_photos.build("--log-format", "json", "--explain")
    assert ["warning"] == [event["severity"] for event in named(run, "diagnostic")]
    assert "caption" in named(run, "diagnostic")[0]["message"]
    assert named(run, "reason")[0]["photo"] == "One"
    checked = three_photos.run("check", env={"GALLERYGEN_LOG_FORMAT": "json"})
    assert [event["severity"] for event in events(checked)] == ["warning", "info"]


def test_on_sigusr1_a_build_logs_its_progress(gallery, scripted):
    gallery.list({"One": scripted.on("/1.jpg", held(scripted, jpeg(1)))})
    process = gallery.program.start("build", "--log-format", "json", cwd=gallery.folder)
    try:
        scripted.wait_for("/1.jpg")
        process.send_signal(signal.SIGUSR1)
        event = {}
        while event.get("event") != "progress":
            event = json.loads(line_from(process))
        assert (event["done"], event["photos"]) == (0, 1)
        scripted.release.set()
        process.communicate(timeout=TIMEOUT)
    finally:
        process.kill()
        process.communicate()
    assert process.returncode == 0


def test_the_documentation_names_the_keys_of_each_event(mixed):
    page = (ROOT / "docs/reference/log.md").read_text(encoding="utf-8")
    titles, texts = re.findall(r"^## `(.+)`$", page, re.M), re.split(r"^## .*$", page, flags=re.M)[1:]
    sections = dict(zip(titles, texts, strict=True))
    target = str(mixed.folder.parent / "target")
    runs = [
        mixed.build("--log-format", "json", "--explain", "--publish", target),
        mixed.build("--log-format", "json", "--jobs", "0", expect=64),
    ]
    seen = {event["event"]: event for run in runs for event in events(run)}
    assert set(seen) == set(sections) - {"progress", "preview-started"}
    for name, event in seen.items():
        assert [key for key in event if key not in ("event", "time") and f"`{key}`" not in sections[name]] == [], name
