"""The pages and the viewer are valid HTML."""

import json

from html_checker import errors_in


def test_every_page_is_valid_html(site, tmp_path):
    script = next((site.site / "assets").glob("viewer.*.js")).read_text()
    markup, _ = json.JSONDecoder().raw_decode(script.partition(" = ")[2])
    (tmp_path / "viewer.html").write_text(
        f'<!doctype html><html lang="en"><head><title>Viewer</title></head><body>{markup}</body></html>'
    )
    pages = [site.site / path for path in sorted(site.files()) if path.endswith(".html")]
    assert errors_in([*pages, tmp_path / "viewer.html"]) == []
