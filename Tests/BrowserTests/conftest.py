"""A built gallery, opened in Chromium from the disk and from a subfolder of a web server."""

import os
import shutil

import known_files
import pytest
from gallery import Gallery
from page_kinds import PHOTOS
from playwright.sync_api import expect, sync_playwright
from preview import PreviewVisit, numbered
from preview_stand_in import PreviewStandIn
from program import ROOT
from screens import DESKTOP
from served_preview import ServedPreview
from viewer import Viewer
from visit import Visit
from waiting import TIMEOUT
from web_server import WebServer

expect.set_options(timeout=1000 * TIMEOUT)

PREVIEW_OPTIONS = ("--widths", "160,320,1600", "--templates", "templates")


@pytest.fixture(scope="session")
def site(program, tmp_path_factory):
    """A gallery of several pages, with albums, details, portrait and landscape photos, and failures."""
    gallery = Gallery(tmp_path_factory.mktemp("browser") / "gallery", program)
    shutil.copytree(
        known_files.SAMPLES, gallery.folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".gallerygen")
    )
    gallery.list(PHOTOS).build("--per-page", "6", "--title", "Sample Photos")
    return gallery


@pytest.fixture(scope="session")
def web_address(site, tmp_path_factory):
    """The address of the site in a subfolder of a web server."""
    www = tmp_path_factory.mktemp("www")
    (www / "some/where").mkdir(parents=True)
    shutil.copytree(site.site, www / "some/where/gallery")
    with WebServer(www, tmp_path_factory.mktemp("nginx")) as server:
        yield server.url("some/where/gallery/")


@pytest.fixture(scope="session")
def chromium():
    options = ["--force-color-profile=srgb"]
    if os.geteuid() == 0:
        options.append("--no-sandbox")  # Chromium's sandbox refuses to run as root
    path = os.environ.get("GALLERYGEN_CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=options, timeout=1000 * TIMEOUT)
        yield browser
        browser.close()


@pytest.fixture
def visit_at(chromium):
    """A function that opens a page of a site at an address, in a context of its own. When the test ends, all contexts
    are closed, and the test fails if there were unexpected problems."""
    visits = []

    def visit_at(address, path, **context):
        visit = Visit(chromium, address, **context)
        visits.append(visit)
        visit.open(path)
        return visit

    yield visit_at
    for visit in visits:
        visit.close()
    assert [problem for visit in visits for problem in visit.unexpected_problems()] == []


@pytest.fixture
def open_page(visit_at, site, web_address):
    """A function that opens a page of the site, from the web server or from the disk."""

    def open_page(path, origin="web", **context):
        return visit_at(web_address if origin == "web" else site.site.as_uri() + "/", path, **context)

    return open_page


@pytest.fixture(scope="session")
def screenshots():
    folder = ROOT / ".build/screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def names(site):
    return [photo["name"] for photo in site.status()["photos"]]


@pytest.fixture
def opened(open_page, names):
    """A function that opens the viewer at a photo of the first page."""

    def opened(name=None, origin="web", path="index.html", **context):
        return Viewer(open_page(path, origin, **(context or DESKTOP))).open(name or names[0])

    return opened


@pytest.fixture
def preview_gallery(program, tmp_path):
    """A gallery for previews, in which few pictures have to be made."""
    gallery = Gallery(tmp_path / "gallery", program)
    for name in ("nuthatch.jpg", "cut-fig-adobergb.jpg"):
        shutil.copy(known_files.SAMPLES / name, gallery.folder)
    (gallery.folder / "templates").mkdir()
    return gallery.list(numbered())


@pytest.fixture
def preview(preview_gallery):
    """A running preview."""
    with ServedPreview(preview_gallery, *PREVIEW_OPTIONS) as server:
        yield server


@pytest.fixture
def stand_in(preview_gallery):
    """A server that sends the messages of a preview on demand."""
    with PreviewStandIn(preview_gallery, *PREVIEW_OPTIONS) as server:
        yield server


@pytest.fixture
def open_preview(request, chromium):
    """A function that opens a page of the test's preview or stand-in in a context of its own."""
    visits = []

    def open_preview(path="index.html", **context):
        fixture = "stand_in" if "stand_in" in request.fixturenames else "preview"
        address = request.getfixturevalue(fixture).address
        visits.append(PreviewVisit(chromium, address, path, **(context or DESKTOP)))
        visits[-1].mark()
        return visits[-1]

    yield open_preview
    for visit in visits:
        visit.close()
    assert [problem for visit in visits for problem in visit.unexpected_problems()] == []
