"""--watch: the program stays, and builds again when something changes that the site is made from."""

import functools
import re
import signal
import time
from pathlib import Path

import pytest
from pictures import jpeg
from program import exit_code
from waiting import line_from


class Watched:
    """A build that stays, and the site that it keeps."""

    def __init__(self, gallery, *options, cwd=None, env=None):
        self.gallery = gallery
        self.process = gallery.program.start("build", "--watch", *options, cwd=cwd or gallery.folder, env=env)

    def until(self, condition, seconds=30):
        """Looks again and again until the site is as it is waited for."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            assert self.process.poll() is None, self.process.communicate()
            try:
                if condition(self.gallery.photos()):
                    return
            except (FileNotFoundError, ValueError):
                pass  # not there yet
            time.sleep(0.02)
        raise AssertionError(f"the site never came to it; it has {self.gallery.photos()}")

    def line_with(self, text):
        while text not in (line := line_from(self.process)):
            assert line, f"it ended, or was silent for too long, before it said {text!r}"

    def memory(self):
        """The resident memory of the process, in bytes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"^VmRSS:\s*(\d+) kB$", status, re.MULTILINE)[1]) * 1024

    def end(self, number=signal.SIGINT):
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=20)
        return exit_code(self.process.returncode), out + err


@pytest.fixture
def watched_at():
    running = []

    def start(gallery, *options, **surroundings):
        running.append(Watched(gallery, *options, **surroundings))
        running[-1].line_with("Watching")
        return running[-1]

    yield start
    for watched in running:
        watched.process.kill()
        watched.process.communicate()


@pytest.fixture
def watched(three_photos, watched_at):
    return functools.partial(watched_at, three_photos)


@pytest.mark.quick
def test_a_photo_that_is_added_and_one_that_is_changed_are_seen(three_photos, watched):
    running = watched()
    assert list(three_photos.photos()) == ["One", "Two", "Three"]
    (three_photos.folder / "4.jpg").write_bytes(jpeg(4))
    three_photos.list({"One": "1.jpg", "Four": "4.jpg"})
    running.until(lambda photos: list(photos) == ["One", "Four"])
    old = three_photos.photos()["Four"]["sha256"]
    (three_photos.folder / "4.jpg").write_bytes(jpeg(5))
    running.until(lambda photos: photos["Four"]["sha256"] != old)


def test_a_remark_on_settings_is_made_once(three_photos, watched):
    running = watched(env={"GALLERYGEN_NO_SUCH_THING": "1"})
    three_photos.list({"One": "1.jpg"})
    running.until(lambda photos: list(photos) == ["One"])
    three_photos.list({"Two": "2.jpg"})
    running.until(lambda photos: list(photos) == ["Two"])
    # The first time was before it began to watch.
    assert "NO_SUCH_THING" not in running.end()[1]


def test_a_picture_that_was_missing_is_taken_when_it_comes(three_photos, watched):
    three_photos.list({"One": "1.jpg", "Late": "far/away/late.jpg"})
    running = watched()
    assert three_photos.reasons() == {"Late": "missing-file"}
    (three_photos.folder / "far/away").mkdir(parents=True)
    (three_photos.folder / "far/away/late.jpg").write_bytes(jpeg(6))
    running.until(lambda photos: photos["Late"]["state"] == "filtered")


def test_a_build_that_fails_does_not_end_it(three_photos, watched):
    running = watched()
    good = three_photos.manifest.read_bytes()
    before = three_photos.contents()
    three_photos.manifest.write_text("this is no property list")
    running.line_with("photos.plist:1:1")
    assert three_photos.contents() == before
    three_photos.manifest.write_bytes(good.replace(b"Three", b"Four"))
    running.until(lambda photos: "Four" in photos)


def test_settings_and_templates_are_seen_and_a_wrong_setting_does_not_end_it(three_photos, watched):
    three_photos.run("init", "--templates")
    settings = three_photos.folder / "gallerygen.yaml"
    settings.write_text("templates: templates\n")
    running = watched()
    settings.write_text("templates: templates\nfilter: none\n")
    running.until(lambda photos: photos["One"]["state"] == "downloaded")
    settings.write_text("no-such: setting\n")
    running.line_with("no-such")
    settings.write_text("templates: templates\n")
    running.until(lambda photos: photos["One"]["state"] == "filtered")
    footer = three_photos.folder / "templates/index.mustache"
    footer.write_text(footer.read_text().replace("{{$main}}", "{{$main}}<p>Greetings</p>"))
    running.until(lambda _: "Greetings" in (three_photos.site / "index.html").read_text())


@pytest.mark.parametrize("setting", ["ratings", "templates"])
def test_what_the_settings_name_before_it_is_there_is_seen_when_it_comes(three_photos, watched, setting):
    three_photos.run("init", "--templates")
    settings = three_photos.folder / "gallerygen.yaml"
    settings.write_text("title: Before\n")
    running = watched()
    settings.write_text(f"title: After\n{setting}: far/new\n")
    running.line_with("far/new")
    (three_photos.folder / "far").mkdir()
    if setting == "ratings":
        (three_photos.folder / "next").write_text('{"schema": 1, "ratings": []}')
        (three_photos.folder / "next").rename(three_photos.folder / "far/new")
    else:
        (three_photos.folder / "templates").rename(three_photos.folder / "far/new")
    running.until(lambda _: three_photos.status()["title"] == "After")
    assert running.end()[1].count("far/new") == 0, "it is told once"


def test_what_it_writes_itself_is_no_change(three_photos, watched):
    three_photos.list({"One": "1.jpg"})
    running = watched("-o", "public", "--verbose")
    before = three_photos.identities()
    # The next output belongs to this change and to none before it.
    (three_photos.folder / "2.jpg").write_bytes(jpeg(9))
    three_photos.list({"One": "1.jpg", "Two": "2.jpg"})
    running.until(lambda photos: list(photos) == ["One", "Two"])
    code, said = running.end()
    assert said.count("files written") == 1, said
    assert before != three_photos.identities()


@pytest.mark.alone
def test_many_builds_take_the_memory_of_a_few(gallery, watched_at):
    for number in range(40):
        (gallery.folder / f"{number}.jpg").write_bytes(jpeg(number))

    def build(turn):
        photos = {f"Photo {number}, {turn}": f"{number}.jpg" for number in range(40)}
        gallery.list(photos)
        running.until(lambda found: list(found) == list(photos))

    gallery.list({"Photo": "0.jpg"})
    running = watched_at(gallery)
    for turn in range(10):
        build(turn)
    before = running.memory()
    for turn in range(10, 40):
        build(turn)
    # The content of all pages would take ten megabytes.
    assert running.memory() - before < 4_000_000


@pytest.mark.alone
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
def test_a_signal_ends_it_within_two_seconds(watched, number):
    running = watched()
    start = time.monotonic()
    code, _ = running.end(number)
    assert time.monotonic() - start <= 2
    assert code == 128 + number


def test_wrong_settings_at_the_start_end_it_at_once(three_photos):
    three_photos.build("--watch", "--filter", "blur(3px)", expect=64)
    (three_photos.folder / "gallerygen.yaml").write_text("no-such: setting\n")
    three_photos.build("--watch", expect=78)
