"""Pages whose pictures stay in a store: they are loaded from there, in the page and in the viewer."""

import pytest
from pictures import jpeg
from screens import DESKTOP
from viewer import Viewer
from web_server import WebServer
from workers import Workers


@pytest.fixture
def stored(gallery, tmp_path):
    """The site of a gallery of eight photos, the names of these, and the server of the store."""
    for number in range(8):
        (gallery.folder / f"{number}.jpg").write_bytes(jpeg(number, width=900, height=600))
    names = [f"Photo {number}" for number in range(8)]
    gallery.list({name: f"{number}.jpg" for number, name in enumerate(names)})
    workers = Workers(gallery, 1)
    workers.work()
    with WebServer(workers.store, tmp_path / "nginx") as server:
        workers.publish("--images-at", server.url("images/"))
        yield workers.site, names, server


def test_pictures_are_loaded_from_the_store(stored, visit_at):
    site, names, server = stored
    visit = visit_at(site.as_uri() + "/", "index.html", **DESKTOP)
    # No other page requests anything elsewhere.
    visit.ignore(f"external request: {server.url('images/')}")
    pictures = visit.pictures()
    assert len(pictures) == len(names)
    assert all(picture["width"] > 0 and picture["source"].startswith(server.url("images/")) for picture in pictures)
    viewer = Viewer(visit).open(names[0])
    viewer.press("ArrowRight")
    viewer.shows(names[1])
    assert not (site / "images").exists()
