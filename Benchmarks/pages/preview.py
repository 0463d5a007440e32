"""Measures the pages of `gallerygen serve`: what is on the screen, and what becomes of edits."""

import json
import os
import plistlib
import re
import shutil
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from measuring.workplace import SCRATCH

from .chromium import DESKTOP

DELAY = 0.05
SCREENS = 10
#: The pixels of a wheel event, and the events per second.
NOTCH = 100
NOTCHES = 40

#: Records when the first picture on the screen, and when all of them are there. Times are in milliseconds since 1970.
WATCH = """
window.reported = [];
const { send } = WebSocket.prototype;
WebSocket.prototype.send = function (text) {
    reported.push([(performance.timeOrigin + performance.now()) / 1000, JSON.parse(text)]);
    return send.call(this, text);
};
window.screenState = () => {
    const cards = [...document.querySelectorAll('main > .photos > .card')].filter(card => {
        const { top, bottom } = card.getBoundingClientRect();
        return bottom > 0 && top < innerHeight;
    });
    const loaded = cards.filter(card => {
        const image = card.querySelector('.picture img');
        return image && image.complete && image.naturalWidth;
    });
    const photos = cards.map(card => Number(card.id.match(/\\d+$/)[0]));
    return { photos, count: loaded.length, isComplete: !!cards.length && loaded.length === cards.length };
};
window.watchScreen = () => new Promise(resolve => {
    let first = null;
    const look = () => {
        const state = screenState();
        if (state.count) first ??= performance.timeOrigin + performance.now();
        if (!state.isComplete) return setTimeout(look, 25);
        resolve({ first, complete: performance.timeOrigin + performance.now(), photos: state.photos });
    };
    look();
});
"""


@contextmanager
def slow_photos(picture: Path) -> Iterator[str]:
    """The address of a server of photos."""
    script = Path(__file__).parent.parent / "measuring" / "slow_photos.py"
    process = subprocess.Popen([sys.executable, script, picture, str(DELAY)], stdout=subprocess.PIPE, text=True)
    try:
        yield f"http://127.0.0.1:{process.stdout.readline().strip()}"
    finally:
        process.kill()
        process.wait()


def log(server: str) -> dict[str, list]:
    with urllib.request.urlopen(server + "/log") as answer:
        return json.load(answer)


@contextmanager
def served(binary: Path, folder: Path, photos: list, *options: str) -> Iterator[tuple[str, float]]:
    """A preview of a list of photos: its address, and the seconds until it was there."""
    (folder / "photos.plist").write_bytes(plistlib.dumps(photos))
    start = time.monotonic()
    process = subprocess.Popen(
        [binary, "serve", "--port", "0", *options], cwd=folder, stderr=subprocess.PIPE, text=True)
    try:
        address, lines = None, []
        while not address:
            lines.append(process.stderr.readline())
            if not lines[-1]:
                raise RuntimeError(f"the preview ended before it could be reached: {''.join(lines)}")
            address = re.search(r"http://127\.0\.0\.1:\d+/", lines[-1])
        took = time.monotonic() - start
        # A full pipe would stop the preview.
        threading.Thread(target=process.stderr.read, daemon=True).start()
        yield address[0], took
    finally:
        process.terminate()
        process.wait()


def empty_folder(name: str) -> Path:
    folder = SCRATCH / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def open_page(browser, address: str):
    context = browser.new_context(**DESKTOP)
    context.add_init_script(WATCH)
    page = context.new_page()
    start = time.time()
    page.goto(address, wait_until="commit")
    page.wait_for_function("() => document.querySelector('main > .photos > .card')")
    return page, start


def opened_and_scrolled(browser, binary: Path, picture: Path, count: int, per_page: int) -> dict:
    """Times in seconds: of the first screen, and of the screen on which ten screens of scrolling end."""
    with slow_photos(picture) as server:
        photos = [{"name": f"Photo {number}", "url": f"{server}/{number}.jpg"} for number in range(1, count + 1)]
        with served(binary, empty_folder("serve"), photos, "--per-page", str(per_page)) as (address, started):
            page, start = open_page(browser, address)
            first = page.evaluate("watchScreen()")
            figures = {
                "started": started,
                "first picture": first["first"] / 1000 - start,
                "first screen": first["complete"] / 1000 - start,
            }
            if page.evaluate("document.documentElement.scrollHeight / innerHeight") > SCREENS + 1:
                figures |= scrolled(page, server)
            page.context.close()
    return figures


def scrolled(page, server: str) -> dict:
    session = page.context.new_cdp_session(page)
    size = page.viewport_size
    at = {"x": size["width"] / 2, "y": size["height"] / 2}
    session.send("Input.dispatchMouseEvent", {"type": "mouseMoved", **at})
    begin = time.time()
    for number in range(SCREENS * size["height"] // NOTCH):
        session.send("Input.dispatchMouseEvent", {"type": "mouseWheel", **at, "deltaX": 0, "deltaY": NOTCH})
        time.sleep(max(0, begin + (number + 1) / NOTCHES - time.time()))
    end = time.time()
    screen = page.evaluate("watchScreen()")
    seen = log(server)
    complete = screen["complete"] / 1000
    reports = [(at, report) for at, report in page.evaluate("reported") if begin < at < complete]
    shown = {int(slug.split("-")[1]) for _, report in reports for slug in report.get("photos", [])}
    stopped = min(at for at, report in reports if report.get("photos"))
    between = [(at, number) for at, number in seen["requests"] if begin < at < complete]
    return {
        "reports": [[at - begin, report["scrolling"]] for at, report in reports],
        "scrolling": end - begin,
        "last screen": complete - end,
        "end of scrolling": stopped - end,
        "requests": [[at - begin, number, number in shown] for at, number in between],
        "closed": len(seen["closed"]),
    }


# Edits

IS_READY = "() => typeof preview === 'object' && preview.isIncomplete === false && !previewPage.renewal"
IS_EDITED = """() => new Promise((resolve, reject) => {
    setTimeout(reject, 60_000);
    const look = () => (%s) ? resolve(performance.timeOrigin + performance.now()) : requestAnimationFrame(look);
    look();
})"""


def edited(browser, binary: Path, templates: Path, picture: Path, other: Path, count: int) -> dict[str, float]:
    """The seconds from each edit until the open page shows it."""
    folder = empty_folder("edits")
    shutil.copy(picture, folder / "own.jpg")
    shutil.copy(picture, folder / "common.jpg")
    (folder / "templates" / "strings").mkdir(parents=True)
    (folder / "templates" / "assets").mkdir()
    photos = [{"name": "Photo 1", "url": "own.jpg"}]
    photos += [{"name": f"Photo {number}", "url": "common.jpg"} for number in range(2, count + 1)]
    card = (templates / "card.mustache").read_text()
    style = (templates / "assets" / "gallery.css").read_text()

    def replace(name: str, content: bytes) -> None:
        part = folder / (name + ".part")
        part.write_bytes(content)
        os.replace(part, folder / name)

    photos[2] = photos[2] | {"name": "Edited"}
    edits = {
        "list": (
            "photos.plist", plistlib.dumps(photos),
            "document.querySelectorAll('.card h2')[2].innerText === 'Edited'"),
        "template": (
            "templates/card.mustache", card.replace("<bdi>{{name}}</bdi>", "<bdi>«{{name}}»</bdi>").encode(),
            "document.querySelector('.card h2').innerText === '«Photo 1»'"),
        "words": (
            "templates/strings/en.txt", b"feed = All news\n",
            "document.querySelector('footer').innerText.includes('All news')"),
        "style sheet": (
            "templates/assets/gallery.css", (style + "\nbody { background: rgb(1, 2, 3) }").encode(),
            "getComputedStyle(document.body).backgroundColor === 'rgb(1, 2, 3)'"),
        "picture": ("own.jpg", other.read_bytes(), "document.querySelector('.card img').src !== window.before"),
    }
    photos[2] = photos[2] | {"name": "Photo 3"}
    figures = {}
    with served(binary, folder, photos, "--templates", "templates") as (address, _):
        page, _ = open_page(browser, address)
        # The page renews itself once more when everything is ready.
        page.wait_for_function(IS_READY, timeout=300_000)
        page.evaluate("window.before = document.querySelector('.card img').src")
        for kind, (name, content, condition) in edits.items():
            start = time.time()
            replace(name, content)
            figures[kind] = page.evaluate(IS_EDITED % condition) / 1000 - start
        page.context.close()
    return figures
