"""A reader who follows every link without a pause meets no missing file while a site is published again and again."""

import contextlib
import re
import threading
import urllib.error
import urllib.request
from urllib.parse import urljoin

import pytest
from pictures import jpeg
from waiting import TIMEOUT
from web_server import WebServer

PUBLICATIONS = 10
LINKS = re.compile(r'(?:src|href|srcset)="([^"#]+)')


class Reader(threading.Thread):
    """Reads the site from its first page to all that can be reached, over and over."""

    def __init__(self, address):
        super().__init__(daemon=True)
        self.address = address
        self.missing = []
        self.rounds = 0
        self.read = 0
        self.ends = threading.Event()

    def run(self):
        while not self.ends.is_set():
            self.read_all()
            self.rounds += 1

    def read_all(self):
        waiting, seen = [("index.html", "nowhere")], set()
        while waiting and not self.ends.is_set():
            path, source = waiting.pop()
            if path in seen:
                continue
            seen.add(path)
            try:
                with urllib.request.urlopen(self.address + path, timeout=TIMEOUT) as response:
                    text = response.read().decode("utf-8", "replace")
            except urllib.error.HTTPError as error:
                self.missing.append((error.code, path, source))
                continue
            self.read += 1
            if path == "photos.js":
                links = [f"assets/photos.{name}.js" for name in re.findall(r'\["([0-9a-f]{16})"', text)]
                links += re.findall(r'"search":"([^"]+)"', text)
            elif path.endswith(".html"):
                links = [part.split()[0] for link in LINKS.findall(text) for part in link.split(", ")]
            else:
                continue
            for link in links:
                target = urljoin(self.address + path, link)
                if target.startswith(self.address) and not target.endswith("/"):
                    waiting.append((target.removeprefix(self.address), path))


@pytest.mark.parametrize("kind", ["folder", "rsync", "s3"])
def test_a_reader_meets_no_missing_file_during_ten_publications(gallery, request, tmp_path, kind):
    www, target, env = tmp_path / "www", tmp_path / "www", {}
    if kind == "rsync":
        target, env = f"web:{www}", request.getfixturevalue("ssh").environment()
    elif kind == "s3":
        # rclone's store removes an object before it puts another in its place, unlike S3.
        store = request.getfixturevalue("moto")
        address, target, env = store.bucket("readers"), "s3://readers", store.environment()
    for number in range(8):
        (gallery.folder / f"{number}.jpg").write_bytes(jpeg(number, 64, 48))

    def publish(number):
        """Each time a photo goes, one comes, and one page, style and picture of all changes."""
        photos = {f"Photo {number + place}": f"{(number + place) % 8}.jpg" for place in range(6)}
        gallery.list(photos).build("--widths", "48", "--filter", f"sepia(0.{number + 10})", "--per-page", "4")
        run = gallery.run("publish", "--quiet", target, env=env)
        assert run.code == 0, run.output

    publish(0)
    with contextlib.ExitStack() as stack:
        if kind != "s3":
            address = stack.enter_context(WebServer(www, tmp_path / "nginx")).url()
        reader = Reader(address)
        reader.start()
        for number in range(1, PUBLICATIONS + 1):
            publish(number)
        reader.ends.set()
        reader.join()
    assert reader.missing == []
    assert reader.rounds >= 2 and reader.read > 100
