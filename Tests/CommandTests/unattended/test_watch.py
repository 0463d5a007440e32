"""--watch: the program builds again whenever one of the files changes that the site is made from."""

import functools
import hashlib
import plistlib
import re
import signal
import sys
import time
from pathlib import Path

import pytest
from pictures import jpeg
from program import exit_code
from waiting import TIMEOUT, line_from, until


class WatchingBuild:
    """A process of `gallerygen build --watch`, and its gallery."""

    def __init__(self, gallery, *options, cwd=None, env=None):
        self.gallery = gallery
        self.process = gallery.program.start("build", "--watch", *options, cwd=cwd or gallery.folder, env=env)

    def until(self, condition):
        """Waits until the photos in the site meet the condition."""

        def is_met():
            try:
                return condition(self.gallery.photos())
            except (FileNotFoundError, ValueError):
                return False  # the site is not published yet

        until(is_met, self.process, what="the condition for the site")

    def wait_for_line(self, text):
        while text not in (line := line_from(self.process)):
            assert line, f"the program ended or was silent for too long before it printed {text!r}"

    def memory(self):
        """The resident memory of the process, in bytes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"^VmRSS:\s*(\d+) kB$", status, re.MULTILINE)[1]) * 1024

    def end(self, number=signal.SIGINT):
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=TIMEOUT)
        return exit_code(self.process.returncode), out + err


@pytest.fixture
def watch():
    """A function that starts a watching build of a gallery, and waits for its first build."""
    running = []

    def start(gallery, *options, **surroundings):
        running.append(WatchingBuild(gallery, *options, **surroundings))
        running[-1].wait_for_line("Watching")
        return running[-1]

    yield start
    for build in running:
        build.process.kill()
        build.process.communicate()


@pytest.fixture
def watched(three_photos, watch):
    return functools.partial(watch, three_photos)


@pytest.mark.quick
def test_added_and_changed_photos_are_built(three_photos, watched):
    running = watched()
    assert list(three_photos.photos()) == ["One", "Two", "Three"]
    (three_photos.folder / "4.jpg").write_bytes(jpeg(4))
    three_photos.list({"One": "1.jpg", "Four": "4.jpg"})
    running.until(lambda photos: list(photos) == ["One", "Four"])
    old = three_photos.photos()["Four"]["sha256"]
    (three_photos.folder / "4.jpg").write_bytes(jpeg(5))
    running.until(lambda photos: photos["Four"]["sha256"] != old)


def test_a_warning_about_settings_is_printed_once(three_photos, watched):
    running = watched(env={"GALLERYGEN_NO_SUCH_THING": "1"})
    three_photos.list({"One": "1.jpg"})
    running.until(lambda photos: list(photos) == ["One"])
    three_photos.list({"Two": "2.jpg"})
    running.until(lambda photos: list(photos) == ["Two"])
    # The warning of the first build came before "Watching".
    assert "NO_SUCH_THING" not in running.end()[1]


def test_a_missing_picture_is_built_when_it_appears(three_photos, watched):
    three_photos.list({"One": "1.jpg", "Late": "far/away/late.jpg"})
    running = watched()
    assert three_photos.reasons() == {"Late": "missing-file"}
    (three_photos.folder / "far/away").mkdir(parents=True)
    (three_photos.folder / "far/away/late.jpg").write_bytes(jpeg(6))
    running.until(lambda photos: photos["Late"]["state"] == "filtered")


def test_a_change_of_a_local_mirror_is_noticed(three_photos, watched):
    mirror = three_photos.folder / "far/away/mirror.jpg"
    three_photos.list({"One": {"url": ["missing.jpg", str(mirror)]}})
    mirror.parent.mkdir(parents=True)
    mirror.write_bytes(jpeg(6))
    running = watched()
    # The first build is followed by another one, because the photos were not watched before.
    for number in (7, 8):
        content = jpeg(number)
        mirror.write_bytes(content)
        running.until(lambda photos, content=content: photos["One"]["sha256"] == hashlib.sha256(content).hexdigest())


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_command_that_runs_after_a_build_inherits_no_descriptors(three_photos, watched):
    watched("--on-change", "ls /proc/self/fd > list && mv list descriptors")
    # The last one is that of the folder that `ls` lists.
    assert (three_photos.folder / "descriptors").read_text().split() == ["0", "1", "2", "3"]


def test_a_local_photo_whose_file_stays_the_same_is_marked_as_frozen_in_time(three_photos, watched):
    three_photos.list({"One": {"url": "1.jpg", "expect-change": "2s"}, "Two": "2.jpg"})
    watched().until(lambda photos: [mark["code"] for mark in photos["One"]["marks"]] == ["frozen"])
    assert three_photos.photos()["Two"]["marks"] == []


def test_a_replaced_folder_above_the_pictures_is_watched(three_photos, watched):
    """A deployment that prepares the folder of the list elsewhere and swaps the folders by renaming."""
    site = three_photos.folder / "current"
    for folder, name in (site, "One"), (three_photos.folder / "next", "Two"):
        (folder / "pictures").mkdir(parents=True)
        (folder / "pictures/1.jpg").write_bytes(jpeg(1))
        (folder / "photos.plist").write_bytes(plistlib.dumps({name: "pictures/1.jpg"}))
    running = watched("current/photos.plist", "--output", "public", "--state", ".gallerygen")
    site.rename(three_photos.folder / "last")
    (three_photos.folder / "next").rename(site)
    running.until(lambda photos: "Two" in photos)
    content = jpeg(7)
    (site / "pictures/1.jpg").write_bytes(content)
    running.until(lambda photos: photos["Two"]["sha256"] == hashlib.sha256(content).hexdigest())


def test_watching_continues_after_a_failed_build(three_photos, watched):
    running = watched()
    good = three_photos.manifest.read_bytes()
    before = three_photos.contents()
    three_photos.manifest.write_text("this is no property list")
    running.wait_for_line("photos.plist:1:1")
    assert three_photos.contents() == before
    three_photos.manifest.write_bytes(good.replace(b"Three", b"Four"))
    running.until(lambda photos: "Four" in photos)


def test_a_failed_publication_is_repeated_after_a_minute(three_photos, watched):
    target = three_photos.folder / "www"
    target.write_text("in the way")
    running = watched("--publish", target)
    # The first build is followed by another one, because the photos were not watched before.
    running.wait_for_line("Not a directory")
    target.unlink()
    until((target / "index.html").exists, running.process, seconds=90)


def test_changed_settings_and_templates_are_used_and_watching_continues_after_a_wrong_setting(three_photos, watched):
    three_photos.run("init", "--templates")
    settings = three_photos.folder / "gallerygen.yaml"
    settings.write_text("templates: templates\n")
    running = watched()
    settings.write_text("templates: templates\nfilter: none\n")
    running.until(lambda photos: photos["One"]["state"] == "downloaded")
    settings.write_text("no-such: setting\n")
    running.wait_for_line("no-such")
    settings.write_text("templates: templates\n")
    running.until(lambda photos: photos["One"]["state"] == "filtered")
    footer = three_photos.folder / "templates/index.mustache"
    footer.write_text(footer.read_text().replace("{{$main}}", "{{$main}}<p>Greetings</p>"))
    running.until(lambda _: "Greetings" in (three_photos.site / "index.html").read_text())


@pytest.mark.parametrize("setting", ["ratings", "templates"])
def test_ratings_and_templates_that_the_settings_name_are_used_when_they_appear(three_photos, watched, setting):
    three_photos.run("init", "--templates")
    settings = three_photos.folder / "gallerygen.yaml"
    settings.write_text("title: Before\n")
    running = watched()
    settings.write_text(f"title: After\n{setting}: far/new\n")
    running.wait_for_line("far/new")
    (three_photos.folder / "far").mkdir()
    if setting == "ratings":
        (three_photos.folder / "next").write_text('{"schema": 1, "ratings": []}')
        (three_photos.folder / "next").rename(three_photos.folder / "far/new")
    else:
        (three_photos.folder / "templates").rename(three_photos.folder / "far/new")
    running.until(lambda _: three_photos.status()["title"] == "After")
    assert running.end()[1].count("far/new") == 0, "the missing file is reported once"


def test_the_files_that_a_build_writes_do_not_start_another_build(three_photos, watched):
    three_photos.list({"One": "1.jpg"})
    running = watched("-o", "public", "--verbose")
    before = three_photos.identities()
    # If the first build had started another one, its summary would come before that of this change.
    (three_photos.folder / "2.jpg").write_bytes(jpeg(9))
    three_photos.list({"One": "1.jpg", "Two": "2.jpg"})
    running.until(lambda photos: list(photos) == ["One", "Two"])
    code, output = running.end()
    assert output.count("files written") == 1, output
    assert before != three_photos.identities()


def test_memory_does_not_grow_with_the_number_of_builds(gallery, watch):
    for number in range(40):
        (gallery.folder / f"{number}.jpg").write_bytes(jpeg(number))

    def build(count):
        photos = {f"Photo {number}, {count}": f"{number}.jpg" for number in range(40)}
        gallery.list(photos)
        running.until(lambda found: list(found) == list(photos))

    gallery.list({"Photo": "0.jpg"})
    running = watch(gallery)
    for count in range(10):
        build(count)
    before = running.memory()
    for count in range(10, 40):
        build(count)
    # The contents of all pages would take ten megabytes.
    assert running.memory() - before < 4_000_000


@pytest.mark.alone
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
def test_a_signal_ends_a_watching_build_within_two_seconds(watched, number):
    running = watched()
    start = time.monotonic()
    code, _ = running.end(number)
    assert time.monotonic() - start <= 2
    assert code == 128 + number


def test_wrong_settings_at_the_start_end_the_program(three_photos):
    three_photos.build("--watch", "--filter", "blur(3px)", expect=64)
    (three_photos.folder / "gallerygen.yaml").write_text("no-such: setting\n")
    three_photos.build("--watch", expect=78)
