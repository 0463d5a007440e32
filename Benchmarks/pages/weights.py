"""Measures the files that a page loads, compressed as a web server would."""

import gzip
from pathlib import Path
from urllib.parse import unquote, urlsplit

#: Pictures do not count, because their size depends on the gallery and not on the pages.
PICTURES = (".jpg", ".png", ".webp")


class Loads:
    """Collects the files that a page has requested since the last call."""

    def __init__(self, page, site: Path):
        self.files: dict[str, int] = {}
        self.told: set[str] = set()
        self.site = site
        page.on("request", lambda request: self.note(request.url))

    def note(self, url: str) -> None:
        file = Path(unquote(urlsplit(url).path))
        if file.suffix not in PICTURES and file.is_file():
            self.files.setdefault(str(file.relative_to(self.site)), len(gzip.compress(file.read_bytes(), 9)))

    def new(self) -> dict[str, int]:
        new = {name: size for name, size in self.files.items() if name not in self.told}
        self.told.update(new)
        return new


def visit(browser, site: Path, screen: dict) -> dict[str, dict[str, int]]:
    """Opens the first page, then a photo, and then searches, and measures each step."""
    page = browser.new_context(**screen).new_page()
    loads = Loads(page, site)
    page.goto((site / "index.html").as_uri())
    page.wait_for_load_state("networkidle")
    figures = {"the first page": loads.new()}
    page.locator("a[data-viewer]").first.click()
    page.wait_for_selector("#viewer[open] .current img.after")
    page.wait_for_load_state("networkidle")
    figures["opening a photo"] = loads.new()
    page.keyboard.press("Escape")
    page.wait_for_function("() => !document.querySelector('#viewer').open")
    page.locator("form [name=q]").press_sequentially("lake")
    page.wait_for_selector(".results:not([hidden]) .card")
    page.wait_for_load_state("networkidle")
    figures["the first search"] = loads.new()
    page.context.close()
    return figures


def file_sizes(site: Path, *patterns: str) -> int:
    files = [file for pattern in patterns for file in site.glob(pattern)]
    return sum(len(gzip.compress(file.read_bytes(), 9)) for file in files)
