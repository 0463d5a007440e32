"""What the pages weigh, compressed as a web server does."""

import gzip


def weight(site, *paths):
    return sum(len(gzip.compress((site.site / path).read_bytes(), 9)) for path in paths)


def test_scripts_styles_and_the_first_page_are_light(site):
    page = site.page("index.html")
    scripts = [attributes["src"] for tag, attributes in page.elements if tag == "script"]
    styles = [attributes["href"] for tag, attributes in page.elements if attributes.get("rel") == "stylesheet"]
    assert scripts and styles
    print(f"scripts {weight(site, *scripts)}, styles {weight(site, *styles)}, index.html {weight(site, 'index.html')} bytes")
    assert weight(site, *scripts) <= 10_240
    assert weight(site, *styles) <= 8_192
    assert weight(site, "index.html") <= 100_000
