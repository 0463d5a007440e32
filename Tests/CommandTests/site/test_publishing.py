"""The order in which a publication changes the disk, and the site as visitors see it meanwhile."""

import re
import shutil
import signal
import threading
import urllib.error
import urllib.request

import pytest
from pages import Page
from pictures import jpeg
from program import ROOT
from waiting import TIMEOUT
from web_server import WebServer

CALL = re.compile(r"^\d+\s+(?P<name>\w+)\((?P<arguments>.*)\)\s+= (?P<result>\d+)")
BEGIN = re.compile(r"^(?P<thread>\d+)\s+(?P<text>.*) <unfinished \.\.\.>$")
END = re.compile(r"^(?P<thread>\d+)\s+<\.\.\. \w+ resumed>(?P<text>.*)$")


@pytest.fixture
def dozen(gallery):
    """A gallery of twelve local photos that has not been built."""
    for number in range(12):
        (gallery.folder / f"{number}.jpg").write_bytes(jpeg(number, width=400, height=300))
    return gallery.list({f"Photo {number}": f"{number}.jpg" for number in range(12)})


def without(gallery, *gone):
    return gallery.list({f"Photo {number}": f"{number}.jpg" for number in range(12) if number not in gone})


def whole_calls(lines):
    """The lines of a log of strace, in the order in which the calls ended. If another thread makes a call meanwhile,
    strace writes the beginning and the end of a call in two lines, which are joined here."""
    begun = {}
    for line in lines:
        if begin := BEGIN.match(line):
            begun[begin["thread"]] = begin["text"]
        elif (end := END.match(line)) and end["thread"] in begun:
            yield f"{end['thread']} {begun.pop(end['thread'])}{end['text']}"
        else:
            yield line


class Trace:
    """The system calls with which a build changed the disk, in their order: (call, path)."""

    def __init__(self, gallery, *arguments):
        log = gallery.folder.parent / "trace"
        gallery.build(*arguments, prefix=[
            "strace", "-f", "-y", "-s", "4096", "-o", log, "-e",
            "trace=rename,renameat,renameat2,unlink,unlinkat,fsync,fdatasync,sync,syncfs"])
        self.site = str(gallery.site)
        self.steps = []
        for line in whole_calls(log.read_text().splitlines()):
            call = CALL.match(line)
            if call:
                self.steps.append((call["name"], self.path(call["name"], call["arguments"])))

    def path(self, name, arguments):
        """The last path among the arguments: a folder's descriptor and a name, or a descriptor alone."""
        folders, names = re.findall(r"<([^>]*)>", arguments), re.findall(r'"([^"]*)"', arguments)
        if name in ("fsync", "fdatasync"):
            return folders[-1]
        if not names:
            return ""
        return names[-1] if names[-1].startswith("/") else f"{folders[-1]}/{names[-1]}"

    def places(self, wanted):
        return [place for place, step in enumerate(self.steps) if wanted(*step)]

    def renamed_into(self, *folders):
        return self.places(lambda name, path: name.startswith("rename") and any(
            path.startswith(f"{self.site}/{folder}/") for folder in folders))

    def synced(self, path):
        return self.places(lambda name, synced: name == "fsync" and synced == path)

    def index_renamed(self):
        return self.places(lambda name, path: name.startswith("rename") and path == f"{self.site}/index.html")

    def removed(self):
        """The first step of a removal is to rename the file out of the site's folders: see Removal.swift."""
        return self.places(lambda name, path: name.startswith("rename")
                           and re.fullmatch(re.escape(self.site) + r"/\.gallerygen-[0-9a-f]{16}\.tmp/old", path))


def test_pictures_are_synchronised_before_pages_and_pages_before_removals(dozen):
    dozen.build()
    without(dozen, 3, 4).list(
        {**{f"Photo {number}": f"{number}.jpg" for number in range(12) if number != 3}, "New": "3.jpg"}
    )
    trace = Trace(dozen, "--filter", "grayscale(1)")
    images, pages = trace.renamed_into("images"), trace.renamed_into("photo")
    [index], removed = trace.index_renamed(), trace.removed()
    assert images and pages and removed
    assert max(images) < min(pages) and max(pages) < index < min(removed)
    assert [place for place in trace.synced(f"{trace.site}/images") if max(images) < place < min(pages)]
    for folder in (trace.site, f"{trace.site}/photo"):
        assert [place for place in trace.synced(folder) if index < place < min(removed)], folder
        assert [place for place in trace.synced(folder) if max(removed) < place] or folder == trace.site
    contents = trace.places(lambda name, path: name in ("sync", "syncfs") or (name == "fsync" and ".tmp/" in path))
    assert min(contents) < min(images), "contents are synchronised before the renames"


def test_a_new_page_is_synchronised_before_the_pages_that_link_to_it(dozen):
    without(dozen, 5).build()
    dozen.list({f"Photo {number}": f"{number}.jpg" for number in range(12)})
    trace = Trace(dozen)
    new = trace.places(lambda name, path: name.startswith("rename") and path.endswith("/photo/photo-5.html"))
    others = [place for place in trace.renamed_into("photo") if place not in new]
    assert len(new) == 1 and others
    assert new[0] < min(others) < trace.index_renamed()[0]
    assert [place for place in trace.synced(f"{trace.site}/photo") if new[0] < place < min(others)]


class Reader(threading.Thread):
    """Follows every link of the site from its first page, again and again, and collects dead links.

    The page with a link may have been replaced since it was read, so a link is suspected only if its page is the same
    when it is read again. Pages that a publication removes link to one another, so that the first removal leaves dead
    links in the others. A suspected link therefore counts as dead only if its page still exists after the publication.
    """

    def __init__(self, read):
        super().__init__(daemon=True)
        self.read = read
        self.ended = threading.Event()
        self.dead = []
        self.links = 0
        self.rounds = 0
        # Held while a link is checked a second time, so that `judge` waits for the check.
        self.judging = threading.Lock()
        self.suspected = set()

    def run(self):
        while not self.dead and not self.ended.is_set():
            self.crawl()
            self.rounds += 1

    def check_again(self, path, content, target):
        with self.judging:
            if self.read(target) is None and self.read(path) == content and self.read(target) is None:
                self.suspected.add((path, target))

    def judge(self):
        """Judges the suspected links. A test calls it after each publication, before the next one starts."""
        with self.judging:
            staying = [link for link in sorted(self.suspected) if self.read(link[0]) is not None]
            self.dead += [f"{path} → {target}" for path, target in staying]
            self.suspected.clear()

    def crawl(self):
        seen, waiting = {"index.html"}, ["index.html"]
        while waiting and not self.dead and not self.ended.is_set():
            path = waiting.pop()
            content = self.read(path)
            if content is None or not path.endswith(".html"):
                continue
            for target in Page(path, content.decode()).local_targets():
                self.links += 1
                if self.read(target) is None:
                    self.check_again(path, content, target)
                if target not in seen:
                    seen.add(target)
                    waiting.append(target)


@pytest.fixture(params=["disk", "nginx"])
def reader(request, dozen, tmp_path):
    dozen.build("--per-page", "5")
    if request.param == "disk":
        yield Reader(lambda path: from_disk(dozen.site / path))
    else:
        with WebServer(dozen.site, tmp_path / "nginx") as server:
            yield Reader(lambda path: from_server(server.url(path)))


def from_disk(path):
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def from_server(url):
    try:
        with urllib.request.urlopen(url, timeout=TIMEOUT) as answer:
            return answer.read()
    except urllib.error.HTTPError as error:
        assert error.code == 404
        return None


@pytest.mark.alone
def test_a_visitor_finds_no_dead_link_while_the_site_changes(dozen, reader):
    templates = dozen.folder / "templates"
    templates.mkdir()
    shutil.copy(ROOT / "Templates/photo.mustache", templates)
    def build(*arguments):
        dozen.build(*arguments)
        reader.judge()

    reader.start()
    try:
        for number in range(2):
            filter = ["--filter", f"grayscale(0.{number + 1})"]
            build("--per-page", "5", *filter)
            without(dozen, number, number + 5, 11)
            build("--per-page", "5", *filter)
            template = (ROOT / "Templates/photo.mustache").read_text()
            (templates / "photo.mustache").write_text(template + f"<!-- {number} -->")
            build("--per-page", "4", "--templates", templates)
            without(dozen)
            build("--per-page", "5")
        finished = reader.rounds
    finally:
        reader.ended.set()
        reader.join(TIMEOUT)
    assert not reader.is_alive()
    reader.judge()
    assert reader.dead == []
    assert finished > 0 and reader.links > 100


def test_the_reader_of_these_tests_finds_a_dead_link(dozen, reader):
    page = dozen.photos()["Photo 5"]["page"]
    (dozen.site / page).unlink()
    reader.crawl()
    reader.judge()
    assert reader.dead and all(link.endswith(page) for link in reader.dead)


def test_the_reader_of_these_tests_ignores_dead_links_of_pages_that_are_removed(dozen, reader):
    """The build is killed when it has removed the last page of the list, but not yet a photo page that links to it."""
    page, gone = dozen.photos()["Photo 11"]["page"], "page/3.html"
    content = reader.read(page)
    assert gone in Page(page, content.decode()).local_targets()
    without(dozen, 0, 5, 11)
    at_first_photo = [
        "strace", "-f", "-o", "/dev/null", "-e", "trace=renameat", "-P", dozen.site / "photo", "-e",
        "inject=renameat:signal=KILL:when=1"]
    dozen.build("--per-page", "5", prefix=at_first_photo, expect=-signal.SIGKILL)
    assert (dozen.site / page).exists() and not (dozen.site / gone).exists()
    reader.crawl()
    assert not reader.suspected, "no page that can be reached from the first one has a dead link"
    reader.check_again(page, content, gone)
    assert reader.suspected == {(page, gone)}
    suspected = set(reader.suspected)
    dozen.build("--per-page", "5")
    reader.judge()
    assert reader.dead == []
    # The same link counts as dead if its page stays.
    (dozen.site / page).write_bytes(content)
    reader.suspected = suspected
    reader.judge()
    assert reader.dead == [f"{page} → {gone}"]
