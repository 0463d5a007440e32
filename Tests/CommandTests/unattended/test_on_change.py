"""--on-change: a command that gets a JSON document after each publication that changed something."""

import json
import re
import shutil
import signal
import time

import jsonschema_rs
import pytest
from pictures import jpeg
from program import ROOT, exit_code
from scripted_server import picture, status
from waiting import TIMEOUT, until

CHANGES_SCHEMA = jsonschema_rs.validator_for(
    json.loads((ROOT / "docs/changes.schema.json").read_text(encoding="utf-8")), validate_formats=True)
SAVE = "cat > changes.json"


@pytest.fixture
def saved(three_photos):
    """The document that the command has saved; None if it did not run."""

    def read():
        path = three_photos.folder / "changes.json"
        if not path.exists():
            return None
        document = json.loads(path.read_bytes())
        path.unlink()
        CHANGES_SCHEMA.validate(document)
        return document

    return read


def states(document):
    """Slug → old and new state of each changed photo."""
    return {
        photo["slug"]: tuple(photo[key] and photo[key]["state"] for key in ("old", "new"))
        for photo in document["photos"]}


def paths(document, kind):
    return {path for group in document["files"].values() for path in group[kind]}


@pytest.mark.quick
def test_the_first_build_adds_all_photos_and_files(three_photos, saved):
    three_photos.build("--on-change", SAVE, "--title", "Lakes")
    document = saved()
    assert document["title"] == "Lakes" and document["target"] is None
    assert document["output"] == str(three_photos.site)
    assert states(document) == {"one": (None, "filtered"), "two": (None, "filtered"), "three": (None, "filtered")}
    assert [photo["page"] for photo in document["photos"]] == ["photo/one.html", "photo/two.html", "photo/three.html"]
    assert paths(document, "added") == three_photos.files()
    assert paths(document, "changed") == paths(document, "removed") == set()
    assert "index.html" in document["files"]["index"]["added"]
    assert all(path.startswith("photo/") for path in document["files"]["pages"]["added"] if "one" in path)
    assert all(path.split("/")[0] in ("images", "assets", "photos.js") for path in
               document["files"]["pictures"]["added"])


def test_a_build_that_changes_nothing_runs_no_command(three_photos, saved):
    three_photos.build()
    three_photos.build("--on-change", SAVE)
    assert saved() is None


def test_changed_failed_recovered_and_removed_photos_have_their_old_and_new_condition(three_photos, saved):
    three_photos.build()
    (three_photos.folder / "1.jpg").write_bytes(jpeg(9))
    (three_photos.folder / "2.jpg").write_bytes(b"<html>moved</html>")
    three_photos.list({"One": "1.jpg", "Two": "2.jpg", "New": "new.jpg"})
    before = three_photos.contents()
    three_photos.build("--on-change", SAVE)
    document = saved()
    assert states(document) == {
        "one": ("filtered", "filtered"), "two": ("filtered", "filtered"), "new": (None, "failed"),
        "three": ("filtered", None)}
    one, two, new, three = document["photos"]
    assert one["old"]["sha256"] != one["new"]["sha256"]
    assert two["old"]["stale"] is None and two["new"]["stale"]["code"] == "not-an-image"
    assert new["new"]["reason"]["code"] == "missing-file" and new["name"] == "New"
    assert three["name"] is None
    after = three_photos.contents()
    assert paths(document, "added") == after.keys() - before.keys()
    assert paths(document, "removed") == before.keys() - after.keys()
    assert paths(document, "changed") == {path for path in after.keys() & before.keys() if after[path] != before[path]}

    (three_photos.folder / "2.jpg").write_bytes(jpeg(2))
    three_photos.build("--on-change", SAVE)
    document = saved()
    assert states(document) == {"two": ("filtered", "filtered")}
    assert document["photos"][0]["old"]["stale"]["code"] == "not-an-image"
    assert document["photos"][0]["new"]["stale"] is None


def test_a_new_mark_is_a_change_of_its_photo(three_photos, scripted, saved):
    # The server confirms the original, so the photo needs no work.
    url = scripted.on("/1.jpg", picture(jpeg(1), headers=('ETag: "1"',)))
    three_photos.list({"One": url}).build(env={"SOURCE_DATE_EPOCH": "1700000000"})
    scripted.on("/1.jpg", status(304))
    three_photos.build("--expect-change", "1h", "--on-change", SAVE, env={"SOURCE_DATE_EPOCH": "1700007200"})
    one = saved()["photos"][0]
    assert (one["slug"], one["old"]["marks"]) == ("one", [])
    assert [(mark["code"], mark["since"]) for mark in one["new"]["marks"]] == [("frozen", "2023-11-14T22:13:20Z")]


def test_another_filter_changes_files_and_no_photo(three_photos, saved):
    three_photos.build()
    three_photos.build("--filter", "invert(1)", "--on-change", SAVE)
    document = saved()
    assert document["photos"] == []
    assert document["files"]["pictures"]["added"] and document["files"]["pictures"]["removed"]


def test_a_live_build_lists_each_file_once(three_photos, saved):
    three_photos.build("--live", "--on-change", SAVE)
    document = saved()
    assert paths(document, "added") == three_photos.files()
    assert paths(document, "changed") == paths(document, "removed") == set()
    assert len(document["photos"]) == 3


def test_with_a_target_the_files_are_those_that_were_sent(three_photos, saved):
    target = three_photos.folder / "www"
    three_photos.build()
    # The output folder does not change, but the target does.
    three_photos.build("--publish", target, "--on-change", SAVE)
    document = saved()
    assert document["target"] == str(target) and document["photos"] == []
    assert paths(document, "added") == three_photos.files()
    three_photos.build("--publish", target, "--on-change", SAVE)
    assert saved() is None
    three_photos.list({"One": "1.jpg", "Two": "2.jpg"})
    three_photos.build("--publish", target, "--keep-old", "0", "--on-change", SAVE)
    document = saved()
    assert states(document) == {"three": ("filtered", None)}
    assert "photo/three.html" in document["files"]["pages"]["removed"]
    assert "index.html" in document["files"]["index"]["changed"]


def test_files_that_a_failed_publication_had_sent_are_changes_of_the_one_that_completes_it(three_photos, saved):
    target = three_photos.folder / "www"
    three_photos.build("--publish", target)
    # The lists as a publication leaves them that broke off after it had sent a page.
    for published in [target / ".gallerygen-published", *(three_photos.folder / ".gallerygen/published").iterdir()]:
        pending, count = re.subn(r"(?m)^(photo/one\.html\t\d+\t)\w+", r"\1?", published.read_text())
        assert count == 1
        published.write_text(pending)
    three_photos.build("--publish", target, "--on-change", SAVE)
    document = saved()
    assert paths(document, "changed") == {"photo/one.html"}
    assert paths(document, "added") == paths(document, "removed") == set()
    three_photos.build("--publish", target, "--on-change", SAVE)
    assert saved() is None


def test_a_site_that_was_copied_to_the_target_is_no_change(three_photos, saved):
    three_photos.build()
    shutil.copytree(three_photos.site, three_photos.folder / "www")
    three_photos.build("--publish", "www", "--on-change", SAVE)
    assert saved() is None


def test_the_command_runs_if_only_the_removals_were_not_allowed(three_photos, saved):
    arguments = ("--publish", "www", "--keep-old", "0", "--max-delete", "1", "--on-change", SAVE)
    three_photos.build(*arguments)
    saved()
    three_photos.list({"One": "1.jpg"})
    run = three_photos.build(*arguments, expect=74)
    assert "nothing was removed" in run.err
    document = saved()
    assert "index.html" in paths(document, "changed") and paths(document, "removed") == set()
    three_photos.build(*arguments, expect=74)
    assert saved() is None


def test_no_command_runs_if_the_site_is_not_published(three_photos, saved):
    (three_photos.folder / "www").write_text("in the way")
    three_photos.build("--publish", "www", "--on-change", SAVE, expect=74)
    three_photos.manifest.write_text("this is no property list")
    three_photos.build("--on-change", SAVE, expect=65)
    three_photos.build("--on-change", SAVE, "--dry-run", expect=65)
    assert saved() is None


def test_a_dry_run_runs_no_command(three_photos, saved):
    three_photos.build("--on-change", SAVE, "--dry-run")
    assert saved() is None


def test_the_environment_is_that_of_the_build_and_names_the_output_folder(three_photos):
    command = "env > variables"
    three_photos.build("--on-change", command, env={"TOKEN": "abc", "WATCHDOG_USEC": "5", "NOTIFY_SOCKET": "/none"})
    variables = dict(line.split("=", 1) for line in (three_photos.folder / "variables").read_text().splitlines())
    assert variables["GALLERY_OUTPUT"] == str(three_photos.site) and variables["TOKEN"] == "abc"
    assert not {"WATCHDOG_USEC", "NOTIFY_SOCKET"} & set(variables)


def test_a_command_of_the_settings_file_runs_in_its_folder(three_photos, tmp_path):
    (three_photos.folder / "gallerygen.yaml").write_text("on-change: ./hook\n")
    hook = three_photos.folder / "hook"
    hook.write_text("#!/bin/sh\npwd > where\n")
    hook.chmod(0o755)
    run = three_photos.program.run("build", three_photos.manifest, cwd=tmp_path)
    assert run.code == 0, run.output
    assert (three_photos.folder / "where").read_text().strip() == str(three_photos.folder)


def test_the_output_of_a_command_is_shown_with_verbose_and_never_on_standard_output(three_photos):
    run = three_photos.build("--verbose", "--on-change", "echo hello; echo there >&2")
    assert run.out == "" and "on-change: hello\n" in run.err and "on-change: there\n" in run.err
    three_photos.list({"One": "1.jpg"})
    run = three_photos.build("--quiet", "--on-change", "echo hello; echo there >&2")
    assert run.output == ""


FAILURES = {
    "fails": ("echo one; echo the reason >&2; exit 7", "exit code 7: the reason"),
    "missing": ("no-such-command-here", "exit code 127: "),
    "killed": ("kill -9 $$", "signal 9"),
    "hangs": ("sleep 60", "did not end in time"),
    "hangs and ignores signals": ("trap '' TERM; sleep 60 & wait; sleep 60; sleep 60", "did not end in time"),
    "writes without end": ("yes", "did not end in time"),
}


@pytest.mark.parametrize(("command", "message"), FAILURES.values(), ids=FAILURES)
def test_a_command_that_does_not_do_its_work_is_a_warning(three_photos, command, message):
    clock = {"SOURCE_DATE_EPOCH": "1700000000"}
    limit = "700ms" if message == "did not end in time" else "60s"
    run = three_photos.build("--quiet", "--on-change", command, "--on-change-timeout", limit, env=clock)
    assert message in run.err and len(run.lines()) == 1
    assert run.seconds < 30
    site = three_photos.contents()
    shutil.rmtree(three_photos.site)
    shutil.rmtree(three_photos.state)
    three_photos.build(env=clock)
    assert three_photos.contents() == site
    assert "Nothing to do" in three_photos.build(env=clock).err


def test_a_command_need_not_read_its_input(gallery):
    # The document is larger than a pipe holds.
    (gallery.folder / "1.jpg").write_bytes(jpeg(1))
    gallery.list({f"Photo {number} {'x' * 200}": "1.jpg" for number in range(400)})
    run = gallery.build("--on-change", "exec <&-; echo done > done", "--widths", "50", "--no-originals")
    assert "on-change" not in run.err and (gallery.folder / "done").exists()
    shutil.rmtree(gallery.site)
    shutil.rmtree(gallery.state)
    gallery.build("--on-change", "wc -c > size", "--widths", "50", "--no-originals")
    assert int((gallery.folder / "size").read_text()) > 65_536


def test_a_command_that_leaves_a_process_behind_does_not_hold_up_the_build(three_photos):
    run = three_photos.build("--on-change", "sleep 60 & echo $! > pid")
    assert run.seconds < 30 and "on-change" not in run.err


@pytest.mark.alone
def test_an_interruption_ends_the_command_and_not_the_success_of_the_build(three_photos):
    process = three_photos.program.start(
        "build", "--on-change", "echo > began; sleep 60", cwd=three_photos.folder)
    try:
        until((three_photos.folder / "began").exists, process)
        start = time.monotonic()
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=TIMEOUT)
        assert time.monotonic() - start < 2
        assert exit_code(process.returncode) == 0
        assert "on-change" in err and "interruption" in err
    finally:
        process.kill()
        process.communicate()


def test_settings_say_what_is_wrong(three_photos):
    run = three_photos.build("--on-change", "", expect=64)
    assert "--on-change" in run.err and "a shell command" in run.err
    run = three_photos.build("--on-change", "true", "--on-change-timeout", "soon", expect=64)
    assert "--on-change-timeout" in run.err
