"""What a visitor loads: the files that a page asks for, compressed as by a web server."""

import gzip
from pathlib import Path
from urllib.parse import unquote, urlsplit

#: Pictures are what a gallery is for, and are not counted.
PICTURES = (".jpg", ".png", ".webp")


class Loads:
    """The files that a page has asked for since it was last told."""

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
    """A visitor sees the first page, opens a photo and then searches."""
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
