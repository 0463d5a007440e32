"""A gallery in a folder of its own: manifest, site, state folder, and the program that builds it."""

import hashlib
import json
import plistlib
import shutil
from pathlib import Path

import jsonschema_rs
from pages import Page
from program import ROOT

STATUS_SCHEMA = jsonschema_rs.validator_for(
    json.loads((ROOT / "docs/status.schema.json").read_text(encoding="utf-8")), validate_formats=True)


class Gallery:
    def __init__(self, folder, program):
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.program = program
        self.manifest = self.folder / "photos.plist"
        self.site = self.folder / "public"
        self.state = self.folder / ".gallerygen"

    # Manifest

    def list(self, photos):
        """Writes the manifest: a dict of name → address, or an array of dicts, in the order given."""
        self.manifest.write_bytes(plistlib.dumps(photos, sort_keys=False))
        return self

    def line_of(self, text):
        """The number of the manifest's first line that contains `text`, counted from 1."""
        lines = self.manifest.read_text(encoding="utf-8").splitlines()
        return next(number for number, line in enumerate(lines, 1) if text in line)

    # Runs

    def run(self, *arguments, **options):
        return self.program.run(*arguments, cwd=self.folder, **options)

    def terminal(self, *arguments, **options):
        """The output of a run on a terminal."""
        return self.program.run_on_terminal(*arguments, cwd=self.folder, **options)

    def build(self, *arguments, expect=0, **options):
        run = self.run("build", *arguments, **options)
        assert run.code == expect, f"exit {run.code}, expected {expect}:\n{run.output}"
        # There is no status.json here after --output or --dry-run, and after exit code 73 it may be a foreign file.
        if expect in (0, 1) and (self.site / "status.json").exists():
            STATUS_SCHEMA.validate(self.status())
        return run

    def build_unaffected_by(self, *arguments):
        """Builds with arguments that may not affect the site, and then from nothing without them. Both runs must
        succeed and make the same site. Returns the first one."""
        clock = {"SOURCE_DATE_EPOCH": "1700000000"}
        run = self.build(*arguments, env=clock)
        site = self.contents()
        shutil.rmtree(self.site)
        shutil.rmtree(self.state)
        self.build(env=clock)
        assert self.contents() == site
        return run

    # Site

    def status(self):
        return json.loads((self.site / "status.json").read_bytes())

    def live_status(self):
        """The contents of status.js; None if the file does not exist."""
        try:
            text = (self.site / "status.js").read_text(encoding="utf-8")
        except FileNotFoundError:
            return None
        return json.loads(text.removeprefix("window.galleryLive = ").removesuffix(";\n"))

    def photos(self):
        return {photo["name"]: photo for photo in self.status()["photos"]}

    def reasons(self):
        """Name → reason code of each failed photo."""
        return {
            photo["name"]: photo["reason"]["code"] for photo in self.status()["photos"] if photo["state"] == "failed"}

    def files(self):
        return {str(path.relative_to(self.site)) for path in self.site.rglob("*") if not path.is_dir()}

    def contents(self):
        return contents_of(self.site)

    def identities(self):
        """Path → inode, modification time and size. They change when a file is rewritten, even with the same bytes."""
        identities = {}
        for path in [self.site, *self.site.rglob("*")]:
            stat = path.lstat()
            identities[str(path.relative_to(self.site))] = (stat.st_ino, stat.st_mtime_ns, stat.st_size)
        return identities

    def accounted_for(self):
        """All files that the site should have: those in status.json and photos.js, and those reachable from
        index.html. The pages of the first hundred photos are followed; the others are made from the same template."""
        named = {"index.html", "status.json", "feed.xml", "photos.js"}
        text = (self.site / "photos.js").read_text()
        index = json.loads(text.removeprefix("window.galleryIndex = ").removesuffix(";\n"))
        named.add(index["search"])
        named.update(f"assets/photos.{name}.js" for name, _ in index["shards"])
        photos = self.status()["photos"]
        not_followed = {photo["page"] for photo in photos[100:]}
        for photo in photos:
            named.add(photo["page"])
            named.update(image["path"] for image in photo["images"])
            if photo["original"]:
                named.add(photo["original"]["path"])
            shown = [version["image"] for version in photo.get("versions", []) if version["image"]]
            named.update(image["path"] for image in shown)
        reached, waiting = set(), ["index.html"]
        while waiting:
            path = waiting.pop()
            if path in reached:
                continue
            reached.add(path)
            if path.endswith(".html") and path not in not_followed and (self.site / path).is_file():
                waiting += self.page(path).local_targets()
        return named | reached

    def page(self, path):
        return Page(path, (self.site / path).read_text(encoding="utf-8"))

    def pages(self):
        return [self.page(path) for path in sorted(self.files()) if path.endswith(".html")]


def contents_of(folder):
    """Path → SHA-256 of every file below a folder."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in Path(folder).rglob("*") if path.is_file()}


def text_of(folder):
    """The contents and names of all files below a folder, as bytes to search in."""
    pieces = [
        str(path.relative_to(folder)).encode() + b"\n" + path.read_bytes()
        for path in sorted(Path(folder).rglob("*")) if path.is_file()]
    return b"\n".join(pieces)
