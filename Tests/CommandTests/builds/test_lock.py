"""The lock that keeps two builds apart: its message, waiting for it, and its release when a process dies."""

import json
import os
import signal
import socket
import subprocess
import time

import pytest
from pictures import jpeg
from program import INTERRUPTIONS, ROOT, exit_code
from scripted_server import held
from waiting import TIMEOUT, line_from


@pytest.fixture
def busy(three_photos, scripted):
    """A gallery and a build that waits for a photo, and so holds its locks until the test releases the photo."""
    three_photos.build()
    three_photos.before = three_photos.contents()
    three_photos.list({"One": "1.jpg", "Slow": scripted.on("/slow.jpg", held(scripted, jpeg(8)))})
    process = three_photos.program.start("build", cwd=three_photos.folder)
    scripted.wait_for("/slow.jpg")
    yield three_photos, process
    process.kill()
    process.communicate()


@pytest.mark.quick
def test_the_message_names_the_holder_of_the_lock_since_when_and_how_to_wait(busy):
    gallery, process = busy
    start = time.strftime("%Y-%m-%dT", time.gmtime())
    run = gallery.build(expect=75, env={"SOURCE_DATE_EPOCH": "0"})
    assert run.seconds < 5
    for text in (
        f"process {process.pid} ",
        socket.gethostname(),
        start,
        str(gallery.folder / ".gallerygen/lock"),
        "--wait",
    ):
        assert text in run.err, run.err


def test_with_wait_a_build_starts_when_the_other_one_has_ended(waiting):
    gallery, end = waiting
    assert gallery.contents() == gallery.before
    end()
    assert gallery.reasons() == {}
    assert gallery.files() == gallery.accounted_for()


@pytest.fixture
def waiting(busy, scripted):
    """A gallery and a build that waits for the lock of another one; yields the gallery and a function that lets both
    builds end and returns the standard error of the waiting one."""
    gallery, process = busy
    second = gallery.program.start("build", "--wait", "60s", cwd=gallery.folder)

    def end(expect=0):
        scripted.release.set()
        assert process.wait(TIMEOUT) == 0
        _, err = second.communicate(timeout=TIMEOUT)
        assert second.returncode == expect, err
        return err

    try:
        line = line_from(second)
        assert "waiting" in line and "--wait" not in line
        yield gallery, end
    finally:
        second.kill()
        second.communicate()


def test_a_build_that_waited_uses_the_list_as_it_is_after_the_wait(waiting):
    gallery, end = waiting
    gallery.list({"Three": "3.jpg"})
    end()
    assert list(gallery.photos()) == ["Three"]
    assert gallery.files() == gallery.accounted_for()


def test_a_build_that_waited_uses_settings_templates_and_ratings_as_they_are_after_the_wait(waiting):
    gallery, end = waiting
    layout = (ROOT / "Templates/layout.mustache").read_text()
    (gallery.folder / "own").mkdir()
    (gallery.folder / "own/layout.mustache").write_text(layout + "<!-- Mine -->\n")
    ratings = {"schema": 1, "ratings": [{"page": "photo/one.html", "thumb": "up"}]}
    (gallery.folder / "ratings.json").write_text(json.dumps(ratings))
    (gallery.folder / "gallerygen.yaml").write_text(
        "title: Renamed meanwhile\nquiet: true\ntemplates: own\nratings: ratings.json\n")
    assert end() == ""
    assert gallery.status()["title"] == "Renamed meanwhile"
    page = (gallery.site / "photo/one.html").read_text()
    assert "thumb up" in page and page.endswith("<!-- Mine -->\n")


def test_the_site_of_a_build_that_waited_has_the_time_after_the_wait(waiting):
    gallery, end = waiting
    gallery.list({"Three": "3.jpg"})
    # Times in the site are whole seconds, so the time after the wait must be in a later second than the start.
    time.sleep(1 - time.time() % 1)
    second = int(time.time())
    end()
    assert gallery.status()["updated"] >= time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(second))


def test_a_build_that_waited_uses_the_folders_of_the_settings_after_the_wait(waiting):
    gallery, end = waiting
    gallery.list({"Three": "3.jpg"})
    (gallery.folder / "gallerygen.yaml").write_text("output: www\nstate: memory\n")
    end()
    assert set(gallery.photos()) == {"One", "Slow"}, "the site of the other build stays"
    gallery.site = gallery.folder / "www"
    assert list(gallery.photos()) == ["Three"]
    assert (gallery.folder / "memory/ledger.sqlite").exists()


@pytest.mark.parametrize(("meanwhile", "code"), [("no list", 66), ("no settings", 78), ("a broken list", 65)])
def test_an_error_after_the_wait_leaves_the_site_of_the_other_build(waiting, meanwhile, code):
    gallery, end = waiting
    match meanwhile:
        case "no list": gallery.manifest.unlink()
        case "no settings": (gallery.folder / "gallerygen.yaml").write_text("quality: 1000\n")
        case _: gallery.manifest.write_text("<plist>")
    end(expect=code)
    assert set(gallery.photos()) == {"One", "Slow"}
    gallery.list({"One": "1.jpg"})
    (gallery.folder / "gallerygen.yaml").unlink(missing_ok=True)
    gallery.build()


def test_a_list_from_standard_input_is_read_before_the_wait(busy, scripted):
    gallery, process = busy
    reading, writing = os.pipe()
    os.write(writing, gallery.list({"Three": "3.jpg"}).manifest.read_bytes())
    os.close(writing)
    second = subprocess.Popen(
        [gallery.program.path, "build", "-", "--wait", "60s"], cwd=gallery.folder, env=gallery.program.environment(),
        stdin=reading, stderr=subprocess.PIPE, text=True)
    os.close(reading)
    try:
        assert "waiting" in line_from(second)
        scripted.release.set()
        assert process.wait(TIMEOUT) == 0
        _, err = second.communicate(timeout=TIMEOUT)
        assert second.returncode == 0, err
    finally:
        second.kill()
        second.communicate()
    assert list(gallery.photos()) == ["Three"]


def test_after_the_duration_of_wait_a_build_exits_with_75(busy):
    gallery, _ = busy
    run = gallery.build("--wait", "300ms", expect=75)
    assert run.seconds >= 0.3
    assert gallery.contents() == gallery.before


@pytest.mark.alone
@pytest.mark.parametrize("number", INTERRUPTIONS, ids=lambda number: number.name)
def test_a_signal_ends_a_build_that_waits_for_the_lock_within_two_seconds(busy, number):
    gallery, _ = busy
    second = gallery.program.start("build", "--wait", "1h", cwd=gallery.folder)
    try:
        assert "waiting" in line_from(second)
        start = time.monotonic()
        second.send_signal(number)
        second.communicate(timeout=TIMEOUT)
        assert time.monotonic() - start <= 2
        assert exit_code(second.returncode) == INTERRUPTIONS[number]
    finally:
        second.kill()
        second.communicate()


def test_the_lock_of_a_killed_build_is_released_also_for_a_build_that_waits(busy):
    gallery, process = busy
    gallery.list({"One": "1.jpg"})
    second = gallery.program.start("build", "--wait", "1h", cwd=gallery.folder)
    try:
        assert "waiting" in line_from(second)
        process.send_signal(signal.SIGKILL)
        _, err = second.communicate(timeout=TIMEOUT)
        assert second.returncode == 0, err
    finally:
        second.kill()
        second.communicate()
    assert (gallery.folder / ".gallerygen/lock").exists()
    assert gallery.build().code == 0


def test_a_build_with_another_state_folder_and_the_same_output_folder_exits_with_75(busy, scripted):
    gallery, process = busy
    (gallery.folder / "other.plist").write_bytes(gallery.manifest.read_bytes())
    run = gallery.build("other.plist", "--state", "other", expect=75)
    assert str(gallery.site) in run.err
    assert scripted.counts()["/slow.jpg"] == 1, "the build fails before it downloads anything"
    scripted.release.set()
    assert process.wait(TIMEOUT) == 0
    assert gallery.files() == gallery.accounted_for()


def test_a_build_with_other_output_and_state_folders_runs_at_the_same_time(busy):
    gallery, _ = busy
    gallery.list({"One": "1.jpg"})
    assert gallery.build("--state", "other", "-o", "elsewhere").code == 0


def test_two_first_builds_into_the_same_folder_do_not_mix(three_photos):
    """Both builds start when the output folder does not exist."""
    manifests = {"a": {"One": "1.jpg", "Two": "2.jpg"}, "b": {"Three": "3.jpg"}}
    for _ in range(20):
        processes = []
        for name, photos in manifests.items():
            three_photos.list(photos)
            three_photos.manifest.rename(three_photos.folder / f"{name}.plist")
            processes.append(three_photos.program.start(
                "build", f"{name}.plist", "--state", f"state-{name}", cwd=three_photos.folder))
        ends = [(process.communicate(timeout=TIMEOUT), process.returncode)[::-1] for process in processes]
        codes = {code for code, _ in ends}
        assert codes <= {0, 75} and 0 in codes, ends
        assert three_photos.files() == three_photos.accounted_for()
        assert three_photos.run("clean", "--state", "state-a").code == 0
        assert three_photos.run("clean", "--state", "state-b").code == 0
        assert three_photos.files() == set()


@pytest.mark.parametrize("wait", ["soon", "-1s", "10"])
def test_a_wait_that_is_no_duration_exits_with_64(three_photos, wait):
    assert "--wait" in three_photos.run("build", f"--wait={wait}").err
    assert three_photos.run("build", f"--wait={wait}").code == 64
