"""A style sheet of the author."""

import re
import shutil

import known_files
import pytest
from axe_playwright_python.sync_playwright import Axe
from gallery import Gallery
from page_kinds import KINDS, PHOTOS, kinds
from program import ROOT
from screens import PHONE


def read(path):
    return (ROOT / path).read_text()


@pytest.fixture(scope="module")
def styled(program, tmp_path_factory):
    """A gallery with the example of the documentation."""
    gallery = Gallery(tmp_path_factory.mktemp("styled") / "gallery", program)
    shutil.copytree(
        known_files.SAMPLES, gallery.folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".gallerygen")
    )
    assets = gallery.folder / "mine/assets"
    assets.mkdir(parents=True)
    example = re.search("```css\n(.*?)```", read("docs/how-to/change-the-look.md"), re.DOTALL).group(1)
    (assets / "zz-mine.css").write_text(example)
    gallery.list(PHOTOS).build("--per-page", "6", "--templates", "mine")
    return gallery


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kind", KINDS)
def test_pages_with_the_colours_of_the_example_can_be_read(visit_at, styled, kind, scheme):
    visit = visit_at(styled.site.as_uri() + "/", kinds(styled)[kind], color_scheme=scheme, bypass_csp=True, **PHONE)
    assert visit.page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"
    results = Axe().run(visit.page, options={"preload": False})
    assert results.violations_count == 0, results.generate_report()


def test_the_documentation_lists_all_custom_properties_of_pages():
    styles = read("Templates/assets/gallery.css")
    root = "".join(re.findall(r":root \{(.*?)\}", styles, re.DOTALL))
    defined = set(re.findall(r"(--[\w-]+):", root))
    assert "--accent" in defined
    assert set(re.findall(r"^\| `(--[\w-]+)`", read("docs/reference/templates.md"), re.MULTILINE)) == defined
