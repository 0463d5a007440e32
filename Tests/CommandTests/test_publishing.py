"""In what order a publication reaches the disk, and what somebody sees who reads the site meanwhile."""

import re
import shutil
import threading
import urllib.error
import urllib.request

import pytest
from pages import Page
from pictures import jpeg
from program import ROOT
from web_server import WebServer

CALL = re.compile(r"^\d+\s+(?P<name>\w+)\((?P<arguments>.*)\)\s+= (?P<result>\d+)")


@pytest.fixture
def dozen(gallery):
    for number in range(12):
        (gallery.folder / f"{number}.jpg").write_bytes(jpeg(number, width=400, height=300))
    return gallery.list({f"Photo {number}": f"{number}.jpg" for number in range(12)})


def without(gallery, *gone):
    return gallery.list({f"Photo {number}": f"{number}.jpg" for number in range(12) if number not in gone})


class Trace:
    """What a build did to the disk: (call, path) in order."""

    def __init__(self, gallery, *arguments):
        log = gallery.folder.parent / "trace"
        gallery.build(*arguments, before=[
            "strace", "-f", "-y", "-s", "4096", "-o", log, "-e",
            "trace=rename,renameat,renameat2,unlink,unlinkat,fsync,fdatasync,sync,syncfs"])
        self.site = str(gallery.site)
        self.steps = []
        self.sources = []
        for line in log.read_text().splitlines():
            call = CALL.match(line)
            if call:
                self.steps.append((call["name"], self.path(call["name"], call["arguments"])))
                self.sources.append(self.source(call["arguments"]))

    def path(self, name, arguments):
        """The path that the call ends at: a folder's descriptor and a name, or a descriptor alone."""
        folders, names = re.findall(r"<([^>]*)>", arguments), re.findall(r'"([^"]*)"', arguments)
        if name in ("fsync", "fdatasync"):
            return folders[-1]
        if not names:
            return ""
        return names[-1] if names[-1].startswith("/") else f"{folders[-1]}/{names[-1]}"

    @staticmethod
    def source(arguments):
        """The path that the call begins at."""
        folder, name = re.search(r"<([^>]*)>", arguments), re.search(r'"([^"]*)"', arguments)
        return f"{folder[1]}/{name[1]}" if folder and name else ""

    def places(self, wanted):
        return [place for place, step in enumerate(self.steps) if wanted(*step)]

    def renamed_into(self, *folders):
        return self.places(lambda name, path: name.startswith("rename") and any(
            path.startswith(f"{self.site}/{folder}/") for folder in folders))

    def synced(self, path):
        return self.places(lambda name, synced: name == "fsync" and synced == path)

    def entered(self):
        return self.places(lambda name, path: name.startswith("rename") and path == f"{self.site}/index.html")

    def removed(self):
        """What goes is renamed into a folder of ours first, to be looked at once more."""
        def is_removal(place, name, path):
            source = self.sources[place]
            return name.startswith("rename") and "/.gallerygen-" in path and "/.gallerygen-" not in source

        return [place for place, step in enumerate(self.steps) if is_removal(place, *step)]


def test_pictures_are_on_the_disk_before_pages_and_pages_before_anything_is_removed(dozen):
    dozen.build()
    without(dozen, 3, 4).list({**{f"Photo {number}": f"{number}.jpg" for number in range(12) if number != 3}, "New": "3.jpg"})
    trace = Trace(dozen, "--filter", "grayscale(1)")
    images, pages = trace.renamed_into("images"), trace.renamed_into("photo")
    [index], removed = trace.entered(), trace.removed()
    assert images and pages and removed
    assert max(images) < min(pages) and max(pages) < index < min(removed)
    assert [place for place in trace.synced(f"{trace.site}/images") if max(images) < place < min(pages)]
    for folder in (trace.site, f"{trace.site}/photo"):
        assert [place for place in trace.synced(folder) if index < place < min(removed)], folder
        assert [place for place in trace.synced(folder) if max(removed) < place] or folder == trace.site
    contents = trace.places(lambda name, path: name in ("sync", "syncfs") or (name == "fsync" and ".tmp/" in path))
    assert min(contents) < min(images), "content is on the disk before its name"


def test_a_new_page_is_there_before_the_pages_that_lead_to_it(dozen):
    without(dozen, 5).build()
    dozen.list({f"Photo {number}": f"{number}.jpg" for number in range(12)})
    trace = Trace(dozen)
    new = trace.places(lambda name, path: name.startswith("rename") and path.endswith("/photo/photo-5.html"))
    others = [place for place in trace.renamed_into("photo") if place not in new]
    assert len(new) == 1 and others
    assert new[0] < min(others) < trace.entered()[0]
    assert [place for place in trace.synced(f"{trace.site}/photo") if new[0] < place < min(others)]


class Reader(threading.Thread):
    """Follows every link of the site from its first page, again and again.

    A page that was read a moment ago may lead to what is no longer there: it was replaced meanwhile, and says so when it
    is read again. A page that stands there and leads to nothing is a dead link.
    """

    def __init__(self, read):
        super().__init__(daemon=True)
        self.read = read
        self.ended = threading.Event()
        self.dead = []
        self.links = 0
        self.rounds = 0

    def run(self):
        while not self.dead and not self.ended.is_set():
            self.crawl()
            self.rounds += 1

    def crawl(self):
        seen, waiting = {"index.html"}, ["index.html"]
        while waiting and not self.dead and not self.ended.is_set():
            path = waiting.pop()
            content = self.read(path)
            if content is None or not path.endswith(".html"):
                continue
            for target in Page(path, content.decode()).local_targets():
                self.links += 1
                if self.read(target) is None and self.read(path) == content and self.read(target) is None:
                    self.dead.append(f"{path} → {target}")
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
        with urllib.request.urlopen(url, timeout=20) as answer:
            return answer.read()
    except urllib.error.HTTPError as error:
        assert error.code == 404
        return None


@pytest.mark.alone
def test_somebody_who_reads_while_the_site_changes_never_meets_a_dead_link(dozen, reader):
    templates = dozen.folder / "templates"
    templates.mkdir()
    shutil.copy(ROOT / "Templates/photo.mustache", templates)
    reader.start()
    try:
        for number in range(2):
            dozen.build("--per-page", "5", "--filter", f"grayscale(0.{number + 1})")
            without(dozen, number, number + 5, 11).build("--per-page", "5", "--filter", f"grayscale(0.{number + 1})")
            (templates / "photo.mustache").write_text((ROOT / "Templates/photo.mustache").read_text() + f"<!-- {number} -->")
            dozen.build("--per-page", "4", "--templates", templates)
            without(dozen).build("--per-page", "5")
        finished = reader.rounds
    finally:
        reader.ended.set()
        reader.join(60)
    assert reader.dead == []
    assert finished > 0 and reader.links > 100


def test_a_reader_who_goes_on_sees_a_dead_link_where_there_is_one(dozen, reader):
    page = dozen.photos()["Photo 5"]["page"]
    (dozen.site / page).unlink()
    reader.start()
    reader.join(60)
    assert reader.dead and reader.dead[0].endswith(page)
