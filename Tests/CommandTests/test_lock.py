"""One build at a time: the holder of the lock, waiting for it, and its release by a dead process."""

import json
import signal
import socket
import subprocess
import time

import pytest
from pictures import jpeg
from program import INTERRUPTIONS, ROOT, exit_code
from scripted_server import held
from waiting import line_from


@pytest.fixture
def busy(three_photos, scripted):
    """A build that waits for a photo, and so holds its locks until the test releases it."""
    three_photos.build()
    three_photos.before = three_photos.contents()
    three_photos.list({"One": "1.jpg", "Slow": scripted.on("/slow.jpg", held(scripted, jpeg(8)))})
    process = three_photos.program.start("build", cwd=three_photos.folder)
    scripted.wait_for("/slow.jpg")
    yield three_photos, process
    process.kill()
    process.communicate()


@pytest.mark.quick
def test_the_message_says_who_holds_the_lock_since_when_and_how_to_wait(busy):
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


def test_wait_lets_the_other_build_end_and_then_builds(busy, scripted):
    gallery, process = busy
    second = gallery.program.start("build", "--wait", "60s", cwd=gallery.folder)
    try:
        assert "waiting" in line_from(second)
        assert gallery.contents() == gallery.before
        scripted.release.set()
        assert process.wait(30) == 0
        _, said = second.communicate(timeout=30)
        assert second.returncode == 0, said
    finally:
        second.kill()
        second.communicate()
    assert gallery.reasons() == {}
    assert gallery.files() == gallery.accounted_for()


@pytest.fixture
def waiting(busy, scripted):
    """A build that waits for the busy one; `end` lets that one end, and returns what the waiting one said."""
    gallery, process = busy
    second = gallery.program.start("build", "--wait", "60s", cwd=gallery.folder)

    def end(expect=0):
        scripted.release.set()
        assert process.wait(30) == 0
        _, said = second.communicate(timeout=30)
        assert second.returncode == expect, said
        return said

    try:
        assert "waiting" in second.stderr.readline()
        yield gallery, end
    finally:
        second.kill()
        second.communicate()


def test_a_build_that_waited_publishes_the_list_as_it_is_now(waiting):
    gallery, end = waiting
    gallery.list({"Three": "3.jpg"})
    end()
    assert list(gallery.photos()) == ["Three"]
    assert gallery.files() == gallery.accounted_for()


def test_a_build_that_waited_takes_settings_templates_and_ratings_as_they_are_now(waiting):
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


def test_a_build_that_waited_tells_the_time_at_which_it_began_to_build(waiting):
    gallery, end = waiting
    gallery.list({"Three": "3.jpg"})
    time.sleep(1 - time.time() % 1)  # the clock of the site counts whole seconds
    second = int(time.time())
    end()
    assert gallery.status()["updated"] >= time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(second))


def test_a_build_that_waited_goes_where_the_settings_say_now(waiting):
    gallery, end = waiting
    gallery.list({"Three": "3.jpg"})
    (gallery.folder / "gallerygen.yaml").write_text("output: www\nstate: memory\n")
    end()
    assert set(gallery.photos()) == {"One", "Slow"}, "the site of the other build stays"
    gallery.site = gallery.folder / "www"
    assert list(gallery.photos()) == ["Three"]
    assert (gallery.folder / "memory/ledger.sqlite").exists()


@pytest.mark.parametrize(("meanwhile", "code"), [("no list", 66), ("no settings", 78), ("a broken list", 65)])
def test_what_is_wrong_after_the_wait_leaves_the_other_builds_site(waiting, meanwhile, code):
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


def test_a_list_from_standard_input_is_what_it_was_before_the_wait(busy, scripted):
    gallery, process = busy
    body = gallery.list({"Three": "3.jpg"}).manifest.read_bytes()
    second = subprocess.Popen(
        [gallery.program.path, "build", "-", "--wait", "60s"], cwd=gallery.folder, env=gallery.program.environment(),
        stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        second.stdin.write(body)
        second.stdin.close()
        assert b"waiting" in second.stderr.readline()
        scripted.release.set()
        assert process.wait(30) == 0
        said = second.stderr.read()
        assert second.wait(30) == 0, said
    finally:
        second.kill()
        second.wait()
    assert list(gallery.photos()) == ["Three"]


def test_a_wait_that_is_over_is_75(busy):
    gallery, _ = busy
    run = gallery.build("--wait", "300ms", expect=75)
    assert run.seconds >= 0.3
    assert gallery.contents() == gallery.before


@pytest.mark.alone
@pytest.mark.parametrize("number", INTERRUPTIONS, ids=lambda number: number.name)
def test_a_build_that_waits_ends_within_two_seconds_when_it_is_interrupted(busy, number):
    gallery, _ = busy
    second = gallery.program.start("build", "--wait", "1h", cwd=gallery.folder)
    try:
        assert "waiting" in line_from(second)
        start = time.monotonic()
        second.send_signal(number)
        second.communicate(timeout=20)
        assert time.monotonic() - start <= 2
        assert exit_code(second.returncode) == INTERRUPTIONS[number]
    finally:
        second.kill()
        second.communicate()


def test_the_lock_of_a_killed_build_is_no_lock_also_for_one_that_waits(busy):
    gallery, process = busy
    gallery.list({"One": "1.jpg"})
    second = gallery.program.start("build", "--wait", "1h", cwd=gallery.folder)
    try:
        assert "waiting" in line_from(second)
        process.send_signal(signal.SIGKILL)
        _, said = second.communicate(timeout=20)
        assert second.returncode == 0, said
    finally:
        second.kill()
        second.communicate()
    assert (gallery.folder / ".gallerygen/lock").exists()
    assert gallery.build().code == 0


def test_a_build_with_another_state_folder_may_not_work_on_the_same_output_folder(busy, scripted):
    gallery, process = busy
    (gallery.folder / "other.plist").write_bytes(gallery.manifest.read_bytes())
    run = gallery.build("other.plist", "--state", "other", expect=75)
    assert str(gallery.site) in run.err
    assert scripted.counts()["/slow.jpg"] == 1, "it is told before anything is downloaded"
    scripted.release.set()
    assert process.wait(30) == 0
    assert gallery.files() == gallery.accounted_for()


def test_another_output_folder_and_another_state_folder_are_no_obstacle(busy):
    gallery, _ = busy
    gallery.list({"One": "1.jpg"})
    assert gallery.build("--state", "other", "-o", "elsewhere").code == 0


def test_two_first_builds_into_the_same_folder_do_not_mix(three_photos):
    """Both builds begin when there is no output folder."""
    manifests = {"a": {"One": "1.jpg", "Two": "2.jpg"}, "b": {"Three": "3.jpg"}}
    for _ in range(20):
        processes = []
        for name, photos in manifests.items():
            three_photos.list(photos)
            three_photos.manifest.rename(three_photos.folder / f"{name}.plist")
            processes.append(three_photos.program.start(
                "build", f"{name}.plist", "--state", f"state-{name}", cwd=three_photos.folder))
        ends = [(process.communicate(timeout=60), process.returncode)[::-1] for process in processes]
        codes = {code for code, _ in ends}
        assert codes <= {0, 75} and 0 in codes, ends
        assert three_photos.files() == three_photos.accounted_for()
        assert three_photos.run("clean", "--state", "state-a").code == 0
        assert three_photos.run("clean", "--state", "state-b").code == 0
        assert three_photos.files() == set()


@pytest.mark.parametrize("wait", ["soon", "-1s", "10"])
def test_a_wait_that_is_no_duration_is_64(three_photos, wait):
    assert "--wait" in three_photos.run("build", f"--wait={wait}").err
    assert three_photos.run("build", f"--wait={wait}").code == 64
