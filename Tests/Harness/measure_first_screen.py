"""Measures how much of the first screen of a gallery pictures cover, on three screens. Scripts/first-screen runs it."""

import os
import shutil
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright
from screens import DESKTOP, PHONE

LANDSCAPE = PHONE | {"viewport": {"width": 844, "height": 390}}

ARE_LOADED = """() => [...document.images].every(image => {
    const { top, bottom } = image.getBoundingClientRect();
    return bottom < 0 || top > innerHeight || image.complete;
})"""

MEASURE = """() => {
    // The part of the screen that pictures cover. Cards do not overlap.
    const covered = [...document.querySelectorAll('.card')].reduce((sum, card) => {
        const { left, right, top, bottom } = card.getBoundingClientRect();
        const width = Math.min(right, innerWidth) - Math.max(left, 0);
        const height = Math.min(bottom, innerHeight) - Math.max(top, 0);
        return sum + (card.querySelector('img') ? Math.max(width, 0) * Math.max(height, 0) : 0);
    }, 0);
    const share = Math.round(100 * covered / (innerWidth * innerHeight));
    const first = Math.round(document.querySelector('.card').getBoundingClientRect().top);
    return [`${share} %`, `${first} px`, `${document.documentElement.scrollHeight.toLocaleString('en')} px`];
}"""


def main():
    address = (Path(sys.argv[1]).resolve() / "index.html").as_uri()
    options = ["--hide-scrollbars"] + (["--no-sandbox"] if os.geteuid() == 0 else [])
    path = os.environ.get("GALLERYGEN_CHROMIUM") or shutil.which("chromium")
    print("| screen | share of pictures | first photo at | height of the page |\n|---|---|---|---|")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=options)
        for name, screen in {"desktop": DESKTOP, "phone": PHONE, "phone in landscape": LANDSCAPE}.items():
            page = browser.new_context(**screen).new_page()
            page.goto(address)
            page.wait_for_function(ARE_LOADED)
            size = page.viewport_size
            print(f"| {name}, {size['width']} × {size['height']} | {' | '.join(page.evaluate(MEASURE))} |")
        browser.close()


main()
