"""A small gallery for builds with an injected fault, such as a kill or a disk error. Half of its photos come from a
server that counts requests, and its folders are restored before each build."""

import hashlib
import io
import re
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

from PIL import Image

from disk_calls import read_calls
from gallery import Gallery, contents_of
from pictures import encoded, jpeg
from scripted_server import ScriptedServer, picture
from waiting import TIMEOUT

TRACER = Path(__file__).with_name("disk_tracer.py")
OPTIONS = ("--widths", "16,32", "--per-page", "3")

# SOURCE_DATE_EPOCH of the build before the fault, of the one with the fault, and of the one after it.
BEFORE, FAULTED, NEXT = 1_900_000_000, 1_900_000_600, 1_900_001_200

# How a site shows the time FAULTED, and how it shows NEXT.
TIMES = {b"2030-03-17T17:56:40Z": b"2030-03-17T18:06:40Z", b" 17:56 UTC": b" 18:06 UTC"}


def with_one_time(data):
    """The content of a file, with the time FAULTED replaced by NEXT."""
    for faulted, later in TIMES.items():
        data = data.replace(faulted, later)
    return data


class Testbed:
    """A gallery that can be built in these scenarios:

    first   there is neither a site nor a state folder
    site    the same; it makes the site that all other scenarios start from
    filter  the filter has changed
    list    photos were added and removed
    both    the list and the filter have changed
    live    the same, with --live
    keep    the filter has changed, with --keep-old
    held    the list has one more photo, which its server holds back until `gate` is set
    """

    def __init__(self, program, folder):
        self.folder = Path(folder)
        self.gallery = Gallery(self.folder / "gallery", program)
        self.state = self.gallery.folder / ".gallerygen"
        self.saved = self.folder / "saved"
        self.server = ScriptedServer().__enter__()
        #: Path at the server → photo.
        self.bodies = {}
        #: Scenario → the site of a build without a fault, by whether its times are unified; see `site`.
        self.references = {}
        self._durations = {}
        self._recordings = {}
        self.gate = threading.Event()
        self.gate.set()
        self._make_photos()
        self.start("site")
        self.gallery.build(*OPTIONS, env=clock(BEFORE))
        self.saved.mkdir()
        subprocess.run(["cp", "-a", "--", str(self.gallery.site), str(self.state), str(self.saved)], check=True)

    def close(self):
        self.server.__exit__()

    def _make_photos(self):
        for seed, name in enumerate(("alder", "birch", "fir", "ivy")):
            body = jpeg(seed, 40, 30)
            path = f"/{name}.jpg"
            self.bodies[path] = body
            self.server.on(path, picture(body, headers=(f'ETag: "{name}"', "Cache-Control: max-age=864000")))
        body = jpeg(9, 40, 30)
        self.server.on("/held.jpg", lambda *arguments: self.gate.wait(TIMEOUT) and picture(body)(*arguments))
        for seed, name in enumerate(("elm", "gum", "juniper"), 10):
            (self.gallery.folder / f"{name}.jpg").write_bytes(jpeg(seed, 40, 30))
        chequered = Image.open(io.BytesIO(jpeg(20, 40, 30)))
        (self.gallery.folder / "cedar.png").write_bytes(encoded(chequered, "PNG"))

    def _list(self, *, changed, held):
        url = self.server.url
        photos = {
            "Alder": url("/alder.jpg"), "Birch": url("/birch.jpg"), "Cedar": "cedar.png", "Elm": "elm.jpg",
            "Hazel": url("/hazel.jpg"), "Wood": {"Fir": url("/fir.jpg"), "Gum": "gum.jpg"}}
        if changed:
            del photos["Birch"], photos["Elm"]
            photos |= {"Ivy": url("/ivy.jpg"), "Juniper": "juniper.jpg"}
        if held:
            photos["Held"] = url("/held.jpg")
        self.gallery.list(photos)

    # Scenarios

    def start(self, scenario):
        """Restores the folders, and writes the scenario's list."""
        for folder in (self.gallery.site, self.state):
            if folder.exists():
                shutil.rmtree(folder)
        if scenario not in ("first", "site"):
            subprocess.run(
                ["cp", "-a", "--", *map(str, self.saved.iterdir()), str(self.gallery.folder)], check=True)
        self._list(changed=scenario in ("list", "both", "live"), held=scenario == "held")
        return self

    def arguments(self, scenario):
        if scenario not in ("filter", "both", "live", "keep"):
            return OPTIONS
        kept = ("--keep-old", "1d") if scenario == "keep" else ()
        return (*OPTIONS, "--filter", "grayscale(1)", *kept)

    def faulted_arguments(self, scenario):
        """The arguments of the build with the fault."""
        return (*self.arguments(scenario), *(["--live"] if scenario == "live" else []))

    def build(self, scenario, now):
        return self.gallery.run("build", *self.arguments(scenario), env=clock(now))

    def traced(self, scenario, *options):
        """Runs the scenario's build under disk_tracer.py with these options, and returns the run and its calls."""
        return self.traced_command(options, "build", *self.faulted_arguments(scenario))

    def traced_command(self, options, *arguments):
        """Runs a command of the program under disk_tracer.py with these options, and returns the run and its calls."""
        log = self.folder / "calls.log"
        tracer = (sys.executable, "-S", TRACER, self.gallery.folder, log, *options, "--")
        run = self.gallery.run(*arguments, env=clock(FAULTED), prefix=tracer)
        return run, read_calls(log)

    def recording(self, scenario):
        """The calls of a build without a fault, with the data that it wrote."""
        if scenario not in self._recordings:
            self.make_reference(scenario)
            self.start(scenario)
            run, calls = self.traced(scenario, "--data")
            assert run.code == 0, run.output
            self._recordings[scenario] = calls
        return self._recordings[scenario]

    # What the site must be

    def make_reference(self, scenario):
        """Makes the site of a build without a fault, with which the others are compared."""
        if scenario not in self.references:
            self.start(scenario)
            run = self.build(scenario, FAULTED)
            assert run.code == 0, run.output
            self.references[scenario] = {later: self.site(later) for later in (False, True)}

    def seconds(self, scenario):
        """The duration of the scenario's build without a fault."""
        if scenario not in self._durations:
            self.start(scenario)
            run = self.gallery.run("build", *self.faulted_arguments(scenario), env=clock(FAULTED))
            assert run.code == 0, run.output
            self._durations[scenario] = run.seconds
        return self._durations[scenario]

    def site(self, later=False):
        """Path → digest of each file. With `later`, a site that was completed by a later build has the same digests as
        one that was built at once."""
        digests = {}
        unified = {}
        if later:
            # The names of these files are hashes of their contents, which include times.
            for path in self.gallery.site.glob("assets/photos.*.js"):
                name = hashlib.sha256(with_one_time(path.read_bytes())).hexdigest()[:16]
                unified[path.name.split(".")[1]] = name
        for path in sorted(self.gallery.site.rglob("*")):
            name = str(path.relative_to(self.gallery.site))
            for old, new in unified.items():
                name = name.replace(old, new)
            if path.is_dir():
                digests[name] = "folder"
                continue
            data = path.read_bytes()
            if later:
                data = with_one_time(data)
            if path.name == "photos.js":
                for old, new in unified.items():
                    data = data.replace(old.encode(), new.encode())
            if later and path.name == "feed.xml":
                # The order and the ids of the entries depend on times.
                data = b"\n".join(sorted(line for line in data.splitlines() if b"urn:uuid:" not in line))
            digests[name] = hashlib.sha256(data).hexdigest()
        return digests

    def exact_site(self):
        return contents_of(self.gallery.site)

    def dead_links(self, gallery=None):
        """The targets that do not exist of links from the index, status.json, status.js, pages of the old site, and all
        pages reachable from these. `gallery` is one with another folder as its site."""
        gallery = gallery or self.gallery
        site, dead = gallery.site, []
        if not (site / "index.html").exists():
            return dead
        waiting = ["index.html"]
        waiting += [path for path in self.old_pages() if (site / path).exists()]
        if (site / "status.json").exists():
            for photo in gallery.status()["photos"]:
                pictures = [*photo["images"], *filter(None, [photo["original"]])]
                waiting += [photo["page"], *(image["path"] for image in pictures)]
        for card in (gallery.live_status() or {"cards": []})["cards"]:
            targets = re.findall(r'\U0010fffd((?:images|photo)/[^"\s]+)', card)
            dead += [] if targets else ["a card without a link"]
            waiting += targets
        seen = set()
        while waiting:
            path = waiting.pop()
            if path in seen:
                continue
            seen.add(path)
            if not (site / path).is_file():
                dead.append(path)
            elif path.endswith(".html"):
                page = gallery.page(path)
                dead += [f"{target}, from {path}" for target in page.local_targets() if not (site / target).is_file()]
                waiting += [target for target in page.local_targets() if (site / target).is_file()]
        return sorted(set(dead))

    def old_pages(self):
        saved = self.saved / "public"
        return [str(path.relative_to(saved)) for path in saved.rglob("*.html")]

    def recorded_downloads(self):
        """The server's paths of the photos whose digests the ledger contains."""
        copy = self.folder / "ledger-copy"
        shutil.rmtree(copy, ignore_errors=True)
        copy.mkdir()
        if not (self.state / "ledger.sqlite").exists():
            return set()
        for name in ("ledger.sqlite", "ledger.sqlite-wal", "ledger.sqlite-journal"):
            if (self.state / name).exists():
                shutil.copyfile(self.state / name, copy / name)
        database = sqlite3.connect(copy / "ledger.sqlite")
        try:
            tables = [name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
            known = {value for table in tables for row in database.execute(f'SELECT * FROM "{table}"') for value in row}
        finally:
            database.close()
        digests = {path: hashlib.sha256(body) for path, body in self.bodies.items()}
        return {path for path, digest in digests.items() if {digest.hexdigest(), digest.digest()} & known}

    def stored_downloads(self):
        """The server's paths of the photos that the state folder has as originals, not as temporary files."""
        digests = {hashlib.sha256(body).hexdigest(): path for path, body in self.bodies.items()}
        return {digests[name] for path in (self.state / "originals").glob("??/*")
                if (name := path.parent.name + path.name) in digests}

    def temporary_files(self):
        """The files that may exist only while a build runs."""
        return sorted(
            str(path.relative_to(self.gallery.folder))
            for pattern in (
                ".gallerygen/**/*.part",
                ".gallerygen/**/*.tmp",
                "public/**/.gallerygen-*",
                "public/.gallerygen-*",
            )
            for path in self.gallery.folder.glob(pattern)
        )

    def next_build_faults(self, scenario, later=False):
        """Builds again without a fault, and lists the differences from a site that never had one."""
        expected, faults = self.references[scenario][later], []
        run = self.build(scenario, NEXT if later else FAULTED)
        if run.code != 0:
            return [f"the next build ends with {run.code}: {run.output}"]
        found = self.site(later)
        if found != expected:
            faults.append(f"the next build makes a site with other files: {differences(found, expected)}")
        faults += [f"the next build leaves {path}" for path in self.temporary_files()]
        return faults

    def idle_build_faults(self, scenario, now=NEXT):
        """Builds once more, with nothing to do, and reports if files were written all the same."""
        before = self.gallery.identities()
        run = self.build(scenario, now)
        touched = self.gallery.identities() != before
        return [f"a build with nothing to do fails or writes: {run.output}"] if run.code != 0 or touched else []

    def requests(self):
        """Path → number of requests since the last call."""
        with self.server.lock:
            counts = Counter(request.path for request in self.server.requests)
            self.server.requests.clear()
        return counts


def clock(now):
    return {"SOURCE_DATE_EPOCH": str(now)}


def differences(found, expected):
    """The paths that only one of two sites has, or that have another digest."""
    return sorted(path for path in found.keys() | expected.keys() if found.get(path) != expected.get(path))
