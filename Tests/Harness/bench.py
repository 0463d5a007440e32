"""A small gallery on which one build after another is broken: half of its photos come from a server that counts, and
its folders go back to what they were before each try."""

import hashlib
import io
import re
import shutil
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

from PIL import Image

from gallery import Gallery, contents_of
from pictures import encoded, jpeg
from scripted_server import ScriptedServer, picture
from traced import read_calls

TRACER = Path(__file__).with_name("disk_tracer.py")
OPTIONS = ("--widths", "16,32", "--per-page", "3")

# The clocks of the build before, the broken one, and a next one that comes later.
BEFORE, BROKEN, NEXT = 1_900_000_000, 1_900_000_600, 1_900_001_200
TIMES = {b"2030-03-17T17:56:40Z": b"2030-03-17T18:06:40Z", b" 17:56 UTC": b" 18:06 UTC"}


def at_one_time(data):
    """The content of a file, with the times of the broken build and of a later one as one."""
    for shown, same in TIMES.items():
        data = data.replace(shown, same)
    return data


class Bench:
    """The site is built from `first` before each try, unless the try is of a first build."""

    def __init__(self, program, folder):
        self.folder = Path(folder)
        self.gallery = Gallery(self.folder / "gallery", program)
        self.state = self.gallery.folder / ".gallerygen"
        self.saved = self.folder / "saved"
        self.server = ScriptedServer().__enter__()
        self.bodies = {}
        self.undisturbed = {}
        self.lengths = {}
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
        self.server.on("/held.jpg", lambda *arguments: self.gate.wait(30) and picture(body)(*arguments))
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
        """Puts the folders back, and the list as the scenario has it."""
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

    def broken_arguments(self, scenario):
        """The calls of the build that is broken."""
        return (*self.arguments(scenario), *(["--live"] if scenario == "live" else []))

    def build(self, scenario, now):
        return self.gallery.run("build", *self.arguments(scenario), env=clock(now))

    def traced(self, scenario, *options):
        """The broken build: what it left, and the calls that it made."""
        log = self.folder / "calls.log"
        tracer = (sys.executable, "-S", TRACER, self.gallery.folder, log, *options, "--")
        run = self.gallery.run("build", *self.broken_arguments(scenario), env=clock(BROKEN), before=tracer)
        return run, read_calls(log)

    def recording(self, scenario):
        """The calls of one undisturbed build, with what it wrote."""
        if scenario not in self._recordings:
            self.whole_site(scenario)
            self.start(scenario)
            run, calls = self.traced(scenario, "--data")
            assert run.code == 0, run.said
            self._recordings[scenario] = calls
        return self._recordings[scenario]

    # What must hold

    def whole_site(self, scenario):
        """Makes the site of an undisturbed build, with which the others are compared."""
        if scenario not in self.undisturbed:
            self.start(scenario)
            run = self.build(scenario, BROKEN)
            assert run.code == 0, run.said
            self.undisturbed[scenario] = {later: self.site(later) for later in (False, True)}

    def seconds(self, scenario):
        """How long the build takes if it is not broken."""
        if scenario not in self.lengths:
            self.start(scenario)
            run = self.gallery.run("build", *self.broken_arguments(scenario), env=clock(BROKEN))
            assert run.code == 0, run.said
            self.lengths[scenario] = run.seconds
        return self.lengths[scenario]

    def site(self, later=False):
        """Path → digest of each file. `later`: what was done at the broken build and what at a later one looks the
        same."""
        digests = {}
        names = {}
        if later:
            # The names of these come from their content, times included.
            for path in self.gallery.site.glob("assets/photos.*.js"):
                name = hashlib.sha256(at_one_time(path.read_bytes())).hexdigest()[:16]
                names[path.name.split(".")[1]] = name
        for path in sorted(self.gallery.site.rglob("*")):
            shown = str(path.relative_to(self.gallery.site))
            for found, same in names.items():
                shown = shown.replace(found, same)
            if path.is_dir():
                digests[shown] = "folder"
                continue
            data = path.read_bytes()
            if later:
                data = at_one_time(data)
            if path.name == "photos.js":
                for found, same in names.items():
                    data = data.replace(found.encode(), same.encode())
            if later and path.name == "feed.xml":
                # Its entries go by time, and so do their names.
                data = b"\n".join(sorted(line for line in data.splitlines() if b"urn:uuid:" not in line))
            digests[shown] = hashlib.sha256(data).hexdigest()
        return digests

    def exact_site(self):
        return contents_of(self.gallery.site)

    def dead_links(self):
        """What a visitor who comes by the index, the feed, status.json, status.js or a page of the old site cannot
        reach."""
        site, dead = self.gallery.site, []
        if not (site / "index.html").exists():
            return dead
        waiting = ["index.html"]
        waiting += [path for path in self.old_pages() if (site / path).exists()]
        if (site / "status.json").exists():
            for photo in self.gallery.status()["photos"]:
                pictures = [*photo["images"], *filter(None, [photo["original"]])]
                waiting += [photo["page"], *(image["path"] for image in pictures)]
        for card in (self.gallery.live_status() or {"cards": []})["cards"]:
            targets = re.findall(r'\U0010fffd((?:images|photo)/[^"\s]+)', card)
            dead += [] if targets else ["a card that leads nowhere"]
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
                page = self.gallery.page(path)
                dead += [f"{target}, from {path}" for target in page.local_targets() if not (site / target).is_file()]
                waiting += [target for target in page.local_targets() if (site / target).is_file()]
        return sorted(set(dead))

    def old_pages(self):
        saved = self.saved / "public"
        return [str(path.relative_to(saved)) for path in saved.rglob("*.html")]

    def remembered_downloads(self):
        """Paths at the server of the photos whose digests the ledger knows."""
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
        """Paths at the server of the photos whose bytes the state folder holds under a lasting name."""
        digests = {hashlib.sha256(body).hexdigest(): path for path, body in self.bodies.items()}
        return {digests[name] for path in (self.state / "originals").glob("??/*")
                if (name := path.parent.name + path.name) in digests}

    def temporaries(self):
        """The files that only a running build may have."""
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
        """Builds again, undisturbed; what is not as if nothing had ever been wrong, to the last byte."""
        expected, faults = self.undisturbed[scenario][later], []
        run = self.build(scenario, NEXT if later else BROKEN)
        if run.code != 0:
            return [f"the next build ends with {run.code}: {run.said}"]
        found = self.site(later)
        if found != expected:
            changed = sorted(path for path in found.keys() | expected.keys() if found.get(path) != expected.get(path))
            faults.append(f"the next build makes another site, different in {changed}")
        faults += [f"the next build leaves {path}" for path in self.temporaries()]
        return faults

    def idle_build_faults(self, scenario, now=NEXT):
        """Builds once more, with nothing to do; what it touches all the same."""
        before = self.gallery.identities()
        run = self.build(scenario, now)
        touched = self.gallery.identities() != before
        return [f"a build with nothing to do writes: {run.said}"] if run.code != 0 or touched else []

    def requests(self):
        """Path → how often it was asked for since the last call."""
        with self.server.lock:
            counts = {}
            for request in self.server.requests:
                counts[request.path] = counts.get(request.path, 0) + 1
            self.server.requests.clear()
        return counts


def clock(now):
    return {"SOURCE_DATE_EPOCH": str(now)}
