"""The size of pages, scripts and styles with gzip, and how the demo loads."""

import gzip
import shutil

import known_files
import pytest
from program import ROOT
from screens import DESKTOP, PHONE
from web_server import WebServer


def weight(site, *paths):
    return sum(len(gzip.compress((site.site / path).read_bytes(), 9)) for path in paths)


def test_scripts_styles_and_the_first_page_are_small(site):
    page = site.page("index.html")
    scripts = [attributes["src"] for tag, attributes in page.elements if tag == "script"]
    styles = [attributes["href"] for tag, attributes in page.elements if attributes.get("rel") == "stylesheet"]
    assert scripts and styles
    print(
        f"scripts {weight(site, *scripts)}, styles {weight(site, *styles)}, "
        f"index.html {weight(site, 'index.html')} bytes"
    )
    assert weight(site, *scripts) <= 14_336
    assert weight(site, *styles) <= 10_240
    assert weight(site, "index.html") <= 100_000


PAINT = """
window.painted = 0;
new PerformanceObserver(list => {
    for (const entry of list.getEntries()) window.painted = entry.startTime;
}).observe({ type: 'largest-contentful-paint', buffered: true });
"""


@pytest.fixture(scope="module")
def demo(program, tmp_path_factory):
    """The address of the site that `make demo` builds."""
    folder = tmp_path_factory.mktemp("demo")
    shutil.copytree(known_files.SAMPLES, folder / "Samples", ignore=shutil.ignore_patterns(".gallerygen"))
    assert program.run("build", "Samples/classic-photos.plist", cwd=folder).code == 0
    with WebServer(folder, tmp_path_factory.mktemp("nginx")) as server:
        yield server.url("Samples/public/")


@pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_nothing_in_the_demo_moves_on_a_slow_device_and_its_largest_paint_is_printed(demo, open_page, screen):
    visit = open_page("about:blank", **screen)
    visit.address = demo
    visit.context.add_init_script(PAINT)
    visit.context.new_cdp_session(visit.page).send("Emulation.setCPUThrottlingRate", {"rate": 4})
    visit.open("index.html")
    visit.wait_for_requests()
    painted = visit.page.wait_for_function("() => window.painted").json_value()
    print(f"largest paint after {painted:.0f} ms with the processor 4 times slower")
    assert visit.observed()["moved"] == []


def test_only_the_first_picture_has_high_priority_and_is_loaded_eagerly(open_page):
    visit = open_page("index.html", **DESKTOP)
    assert visit.page.locator("img[fetchpriority=high]").count() == 1
    first = visit.page.locator(".card img").first
    assert first.get_attribute("fetchpriority") == "high"
    assert first.get_attribute("loading") == "eager"


def test_scripts_are_minified_without_changes_to_strings(site):
    files = [next((site.site / "assets").glob(f"{name}.*.js")) for name in ("gallery", "viewer")]
    script = "".join(file.read_text().partition("'use strict'")[2] for file in files)
    source = "".join(path.read_text() for path in (ROOT / "Templates/scripts").glob("*.js"))
    assert "/**" not in script and "// " not in script and "  " not in script
    for kept in ("' / '", "' > *'", "/^( |Enter)$/", "`translate(${x}px, ${y}px) scale(${scale})`"):
        assert (kept in script) == (kept in source)
    assert "/^( |Enter)$/" in script
