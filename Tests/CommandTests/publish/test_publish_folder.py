"""`publish` and `build --publish` with a folder as the target."""

import contextlib
import fcntl
import json
import os
import re
import subprocess

import pytest
from gallery import contents_of
from pictures import jpeg
from publishing import LIST, another_gallery, publish, published
from waiting import TIMEOUT, until

DAY = 86_400
START = 1_700_000_000


def clock(seconds):
    return {"SOURCE_DATE_EPOCH": str(START + seconds)}


@pytest.mark.quick
def test_the_site_and_a_list_are_published_and_a_second_publication_changes_nothing(three_photos, target):
    three_photos.build()
    run = publish(three_photos, target)
    assert run.out == ""
    assert re.fullmatch(
        rf"Published to {target}: sent \d+ pictures and assets, 3 pages and 4 index and feed files; "
        r"removed nothing\.\n", run.err)
    assert published(target) == three_photos.contents()
    assert (target / LIST).exists()
    before = {path: path.stat().st_mtime_ns for path in target.rglob("*")}
    run = publish(three_photos, target)
    assert run.output == f"{target} is up to date.\n"
    assert publish(three_photos, "--quiet", target).output == ""
    assert {path: path.stat().st_mtime_ns for path in target.rglob("*")} == before


def test_build_publishes_to_the_target_of_the_flag_or_else_of_the_settings_file(three_photos, target):
    three_photos.build("--publish", "www")
    assert published(target) == three_photos.contents()
    (three_photos.folder / "gallerygen.yaml").write_text("publish: other\n")
    run = three_photos.build()
    assert published(three_photos.folder / "other") == three_photos.contents()
    assert "Published to" in run.err
    three_photos.list({"One": "1.jpg"})
    three_photos.build("--publish", "none")
    assert published(three_photos.folder / "other") != three_photos.contents()
    publish(three_photos)
    assert published(three_photos.folder / "other").items() >= three_photos.contents().items()


def test_a_target_in_the_settings_file_is_relative_to_that_file(three_photos, tmp_path):
    three_photos.build()
    (three_photos.folder / "gallerygen.yaml").write_text("publish: www\n")
    run = three_photos.program.run(
        "publish", "--config", three_photos.folder / "gallerygen.yaml", "-o", three_photos.site, "--state",
        three_photos.state, cwd=tmp_path)
    assert run.code == 0, run.output
    assert published(three_photos.folder / "www") == three_photos.contents()


def test_files_that_left_the_site_are_removed_after_a_day(three_photos, target):
    three_photos.build(env=clock(0))
    publish(three_photos, target, env=clock(0))
    old = published(target)
    three_photos.list({"One": "1.jpg"})
    three_photos.build(env=clock(10))
    run = publish(three_photos, target, env=clock(10))
    assert re.search(r"removed nothing; kept \d+ files for cached pages", run.err)
    now = published(target)
    assert now.keys() >= old.keys() and now.items() >= three_photos.contents().items()
    assert "is up to date" in publish(three_photos, target, env=clock(DAY + 9)).err
    run = publish(three_photos, "--dry-run", target, env=clock(DAY + 10))
    assert sorted(run.out.splitlines()) == sorted(
        f"remove {path}" for path in now.keys() - three_photos.contents().keys())
    publish(three_photos, target, env=clock(DAY + 10))
    assert published(target) == three_photos.contents()


def test_a_photo_is_removed_at_once_with_keep_old_0(three_photos, target):
    three_photos.build("--publish", target)
    three_photos.list({"One": "1.jpg"})
    three_photos.build()
    publish(three_photos, "--keep-old", "0", target)
    assert published(target) == three_photos.contents()


def test_a_foreign_file_is_reported_and_nothing_is_sent(three_photos, target):
    three_photos.build()
    target.mkdir()
    (target / "index.html").write_text("mine")
    (target / "robots.txt").write_text("mine")
    run = publish(three_photos, target, expect=73)
    assert f"{target}: index.html is not known as gallerygen's" in run.err
    assert {path.name for path in target.iterdir()} == {"index.html", "robots.txt"}
    (target / "index.html").unlink()
    publish(three_photos, target)
    assert (target / "robots.txt").read_text() == "mine"


def test_a_damaged_list_is_reported_with_advice_that_leads_to_a_new_list(three_photos, target):
    three_photos.build()
    publish(three_photos, target)
    (target / LIST).write_bytes((target / LIST).read_bytes()[:-10])
    (target / "photo/mine.html").write_text("mine")
    three_photos.list({"One": "1.jpg"})
    three_photos.build()
    run = publish(three_photos, target, expect=73)
    assert f"{LIST} is not known as gallerygen's list of published files, or is damaged; nothing was sent. " in run.err
    assert "Move it away and publish again, with --verify if this machine has published there before." in run.err
    (target / LIST).unlink()
    publish(three_photos, "--verify", "--keep-old", "0", target)
    assert published(target).keys() == three_photos.contents().keys() | {"photo/mine.html"}
    assert published(target).items() > three_photos.contents().items()


def test_a_site_that_was_built_in_the_target_is_taken_over(three_photos, target):
    three_photos.build("-o", target)
    three_photos.list({"One": "1.jpg", "Three": "3.jpg"})
    three_photos.build()
    publish(three_photos, "--keep-old", "0", target)
    assert published(target) == three_photos.contents()


@pytest.mark.parametrize("where", ["public", "public/www", ".", ".gallerygen/www", "/"])
def test_a_target_that_would_mix_the_site_with_something_else_is_refused(three_photos, where):
    three_photos.build()
    before = three_photos.contents()
    run = publish(three_photos, where, expect=73)
    assert "name " in run.err
    assert three_photos.contents() == before


def test_a_home_folder_is_refused_as_a_target(three_photos):
    three_photos.build()
    before = set(three_photos.program.home.iterdir())
    assert "is your home folder" in publish(three_photos, three_photos.program.home, expect=73).err
    assert set(three_photos.program.home.iterdir()) == before


@pytest.mark.parametrize("option", ["--dry-run", "--plan"])
def test_a_run_that_only_prints_creates_nothing(three_photos, target, option):
    three_photos.build()
    state = three_photos.folder / "no-state"
    before = contents_of(three_photos.folder)
    assert "index.html" in publish(three_photos, option, "--state", state, target).out
    assert contents_of(three_photos.folder) == before and not state.exists()
    publish(three_photos, option, target)
    assert not (three_photos.state / "published").exists()


def test_publishing_without_a_site_says_to_build_first(three_photos, target):
    assert "run gallerygen build first" in publish(three_photos, target, expect=74).err
    assert not target.exists()


def test_a_missing_file_of_the_site_is_reported_and_nothing_is_sent(three_photos, target):
    three_photos.build()
    page = next((three_photos.site / "photo").iterdir())
    page.unlink()
    assert f"{page} is missing" in publish(three_photos, target, expect=74).err
    assert not target.exists()


def test_a_target_that_cannot_be_written_is_reported(three_photos, target):
    three_photos.build()
    (three_photos.folder / "file").write_text("")
    run = publish(three_photos, three_photos.folder / "file", expect=74)
    assert "Not a directory" in run.err


@pytest.mark.parametrize(
    "arguments", [[], ["ftp://example.org/x"], ["-ox:/srv"], ["host::module"], ["www", "--phase", "pages"],
                  ["www", "--plan", "--dry-run"], ["www", "--max-delete", "many"]])
def test_wrong_arguments_are_usage_errors(three_photos, arguments):
    publish(three_photos, *arguments, expect=64)


def test_a_wrong_target_in_the_settings_file_is_reported_with_its_line(three_photos):
    (three_photos.folder / "gallerygen.yaml").write_text("title: x\npublish: 'ftp://example.org/'\n")
    assert "gallerygen.yaml:2:" in publish(three_photos, expect=78).err
    assert three_photos.run("build").code == 78


def test_a_locked_folder_is_reported_or_waited_for(three_photos, target):
    three_photos.build("--publish", target)
    three_photos.list({"One": "1.jpg"})
    three_photos.build()
    for folder in [three_photos.site, target]:
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            assert str(folder) in publish(three_photos, target, expect=75).err
            assert "waiting" in publish(three_photos, "--wait", "100ms", target, expect=75).err
        finally:
            os.close(descriptor)
    publish(three_photos, target)


def test_a_new_folder_is_locked_while_a_site_is_published_there(three_photos, target):
    three_photos.build()
    other = another_gallery(three_photos, {"Four": "1.jpg", "Five": "2.jpg"})
    # A full pipe stops the first publication at its first message, which it writes after the first file.
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    with contextlib.suppress(BlockingIOError):
        while True:
            os.write(writer, b"x")
    os.set_blocking(writer, True)
    process = subprocess.Popen(
        [three_photos.program.path, "publish", "--verbose", str(target)], cwd=three_photos.folder,
        env=three_photos.program.environment(), stderr=writer)
    os.close(writer)
    try:
        until(lambda: list(target.glob("assets/*")))
        run = publish(three_photos, *other, target, expect=75)
        assert str(target) in run.err
    finally:
        with os.fdopen(reader, "rb") as pipe:
            pipe.read()
        assert process.wait(timeout=TIMEOUT) == 0
    assert published(target) == three_photos.contents()


def test_a_new_folder_is_removed_if_nothing_was_published_there(three_photos):
    three_photos.build()
    next((three_photos.site / "photo").iterdir()).unlink()
    publish(three_photos, three_photos.folder / "new/folder/www", expect=74)
    assert not (three_photos.folder / "new").exists()


def test_new_folders_have_the_permissions_of_the_site_whatever_the_umask_is(three_photos, target):
    three_photos.build("--mode", "644")
    publish(three_photos, target / "inside", preexec_fn=lambda: os.umask(0o077))
    folders = [target, *(path for path in target.rglob("*") if path.is_dir())]
    assert len(folders) > 3
    assert {oct(path.stat().st_mode & 0o777) for path in folders} == {"0o755"}


def test_the_plan_lists_all_phases_in_order_or_a_single_one(three_photos, target):
    three_photos.build(env=clock(0))
    run = publish(three_photos, "--plan", target)
    lines = run.out.splitlines()
    assert [line for line in lines if line.startswith("#")] == ["# pictures", "# pages", "# index"]
    paths = [line for line in lines if not line.startswith("#")]
    assert sorted(paths) == sorted(three_photos.contents())
    assert lines[-1] == "index.html" and lines[1].startswith("assets/")
    assert not target.exists()
    pages = publish(three_photos, "--plan", "--phase", "pages", target).out.splitlines()
    assert pages == ["photo/one.html", "photo/three.html", "photo/two.html"]
    publish(three_photos, target, env=clock(0))
    assert publish(three_photos, "--plan", "--phase", "pictures", target).out == ""
    three_photos.list({"One": "1.jpg"})
    three_photos.build(env=clock(10))
    removals = publish(three_photos, "--plan", "--phase", "removals", "--keep-old", "0", target).out.splitlines()
    assert "photo/two.html" in removals and not {path for path in removals if (three_photos.site / path).exists()}
    everything = publish(three_photos, "--plan", "--keep-old", "0", target).out.splitlines()
    assert [line.removeprefix("# ") for line in everything[everything.index("# removals") + 1:]] == removals


def test_too_many_removals_are_refused_after_everything_is_sent(three_photos, target):
    three_photos.build("--publish", target)
    three_photos.list({"One": "1.jpg"})
    three_photos.build()
    arguments = ["--keep-old", "0", "--max-delete", "1", target]
    before = contents_of(target)
    run = publish(three_photos, "--dry-run", *arguments, expect=74)
    assert "send index.html\n" in run.out and "remove " not in run.out
    assert re.search(r"everything would be sent, but .* nothing would be removed\. Use --max-delete \d+", run.err)
    assert contents_of(target) == before
    run = publish(three_photos, *arguments, expect=74)
    assert re.search(r"Use --max-delete \d+ to remove them", run.err)
    assert published(target).items() > three_photos.contents().items()


def test_verify_sends_files_again_that_are_missing_at_the_target(three_photos, target):
    three_photos.build("--publish", target)
    (target / "photo/one.html").unlink()
    assert "is up to date" in publish(three_photos, target).err
    assert "sent 1 page; removed nothing." in publish(three_photos, "--verify", target).err
    assert published(target) == three_photos.contents()


def test_a_publication_is_logged(three_photos, target):
    three_photos.build()
    run = publish(three_photos, "--log-format", "json", target)
    events = [json.loads(line) for line in run.err.splitlines()]
    assert [event["event"] for event in events] == ["publication-started", "publication-finished"]
    assert events[1]["sent"] == len(three_photos.contents()) and events[1]["target"] == str(target)


def test_verbose_lists_the_files_in_the_order_in_which_they_are_sent(three_photos, target):
    three_photos.build()
    (three_photos.folder / "4.jpg").write_bytes(jpeg(4))
    lines = publish(three_photos, "--verbose", target).err.splitlines()
    sent = [line.removeprefix("sent ") for line in lines if line.startswith("sent ")]
    assert sorted(sent) == sorted(three_photos.contents())
    assert sent[-1] == "index.html"
    first_page = next(number for number, path in enumerate(sent) if path.endswith(".html"))
    assert all(path.startswith(("assets/", "images/")) or path == "photos.js" for path in sent[:first_page])
