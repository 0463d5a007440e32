"""`serve` with a list from a URL: it is requested again, and neither its server nor its mistakes end the preview."""

import plistlib
import signal

import pytest
from preview_process import slugs
from program import exit_code
from scripted_server import ScriptedServer, held, picture, status
from waiting import TIMEOUT, until


def listed(*names):
    return plistlib.dumps([{"name": name, "url": "none.jpg"} for name in names])


def plist(content, *headers):
    return picture(content, kind="application/xml", headers=headers)


INVALID = plist(b"<plist><array>")


def requested_again(server, path="/list.plist", times=2):
    """Waits for further requests of a list. When the last one arrives, the ones before it have been handled."""
    count = server.counts()[path] + times
    until(lambda: server.counts()[path] >= count, what="further requests of the list")


def test_list_that_does_not_arrive_holds_up_neither_pages_nor_edits_nor_the_end(remote, serve):
    server = remote.server
    address = server.on("/list.plist", plist(listed("First")))
    preview = serve(remote, "photos.plist", address, "--max-age", "1s")
    page = preview.open()
    page.view("first")
    server.on("/list.plist", held(server, b""))
    server.wait_for("/list.plist")
    page.send(type="filter", chain="invert(1)")
    page.until("filter")
    assert preview.open().message()["filter"] == "invert(1)"
    remote.list({"Edited": "missing.jpg"})
    page.until("changed", lambda message: "Edited" in preview.page())
    code, err = preview.end()
    assert code == 130
    assert "without waiting" not in err


def test_edits_of_a_local_list_beside_one_from_a_url_are_shown(three_photos, serve):
    with ScriptedServer() as server:
        preview = serve(three_photos, "photos.plist", server.on("/list.plist", plist(listed("First"))))
        page = preview.open()
        three_photos.list({"Edited": "1.jpg"})
        assert page.until("changed")["what"] == ["pages"]
        text = preview.page()
        assert "Edited" in text and "First" in text and "Three" not in text


def test_filter_that_is_tried_before_a_mistake_in_a_list_is_seen_ends_nothing(remote, serve):
    server = remote.server
    good = remote.manifest.read_bytes()
    preview = serve(remote, server.on("/list.plist", plist(good)), "--max-age", "0s", "--allow-private")
    page = preview.open()
    page.view(*slugs(1))
    page.photos(*slugs(1))
    server.on("/list.plist", INVALID)
    page.send(type="filter", chain="invert(1)")
    page.until("mistake")
    late = preview.open()
    late.view(*slugs(1))
    late.until("mistake")
    assert "/images/" in preview.page("/photo/photo-1.html")
    # The mistake is seen again and again, and stays.
    requested_again(server)
    page.send(type="filter", chain="invert(1")
    assert "mended" not in page.kinds_until("filter-refused")
    page.view(*slugs(9))
    page.photos(*slugs(9))
    server.on("/list.plist", plist(good))
    page.until("mended")


def test_mistake_in_a_list_from_a_url_stays_when_the_server_is_lost(remote, serve):
    server = remote.server
    preview = serve(remote, server.on("/list.plist", plist(listed("First"))), "--max-age", "1s")
    page = preview.open()
    page.view("first")
    server.on("/list.plist", INVALID)
    mistake = page.until("mistake")
    server.on("/list.plist", status(404))
    requested_again(server)
    (remote.folder / "gallerygen.yaml").write_text("title: Trips\n")
    page.until("changed")
    assert preview.open().until("mistake") == mistake
    server.on("/list.plist", plist(listed("First")))
    assert "mistake" not in page.kinds_until("mended")


def test_pause_that_the_server_of_a_list_asks_for_is_kept(remote, serve):
    server = remote.server
    # The first list, which is requested first each time, shows how often the second one could have been.
    first = server.on("/first.plist", plist(listed("First")))
    preview = serve(remote, first, server.on("/second.plist", plist(listed("Second"))), "--max-age", "1s")
    page = preview.open()
    page.view("first")
    server.on("/first.plist", INVALID)
    server.on("/second.plist", status(503, "Retry-After: 3600"))
    server.wait_for("/second.plist")
    count = server.counts()["/second.plist"]
    requested_again(server, "/first.plist", times=3)
    assert server.counts()["/second.plist"] == count


def test_list_that_comes_back_unchanged_begins_nothing_anew(remote, serve):
    server = remote.server
    address = server.on("/list.plist", plist(listed("First")))
    serve(remote, address).end()
    server.on("/list.plist", status(404))
    preview = serve(remote, address, "--max-age", "0s")
    page = preview.open()
    page.view("first")
    server.on("/list.plist", plist(listed("First")))
    requested_again(server, times=3)
    page.send(type="filter", chain="sepia(0.8")
    assert "changed" not in page.kinds_until("filter-refused")


def test_list_from_a_url_is_requested_again(remote, serve):
    server = remote.server
    tagged = {"kind": "application/xml", "headers": ("ETag: v1",)}
    address = server.on("/list.plist", picture(listed("First"), **tagged))
    preview = serve(remote, address, "--max-age", "1s")
    page = preview.open()
    page.view("first")
    until(lambda: server.counts()["/list.plist"] >= 3, what="two more requests of the list")
    assert [request.headers.get("if-none-match") for request in server.requests if "list" in request.path][2] == "v1"
    server.on("/list.plist", picture(listed("First", "Second"), kind="application/xml"))
    assert page.until("changed")["what"] == ["pages"]
    assert "Second" in preview.page()
    # A mistake in the list stays on the page until the list is mended.
    server.on("/list.plist", picture(b"<plist><array>", kind="application/xml"))
    page.until("mistake")
    assert "Second" in preview.page()
    server.on("/list.plist", picture(listed("Third"), kind="application/xml"))
    assert page.until("changed")["what"] == ["pages"]
    page.until("mended")
    assert "Third" in preview.page()
    # The loss of the server changes nothing.
    server.on("/list.plist", status(404))
    count = server.counts()["/list.plist"]
    until(lambda: server.counts()["/list.plist"] >= count + 2, what="further requests of the list")
    assert "Third" in preview.page()


def test_list_that_only_the_preview_has_is_planned_as_it_is_built(remote, serve):
    server = remote.server
    address = server.on("/list.plist", picture(remote.manifest.read_bytes(), kind="application/xml"))
    preview = serve(remote, address, "--allow-private")
    page = preview.open()
    page.view(*slugs(1))
    page.until("progress", lambda message: message["ready"] == 40)
    preview.end()
    server.on("/list.plist", status(404))
    plan = remote.run("build", "--dry-run", "--allow-private", address)
    assert (plan.code, "download" in plan.out) == (0, False)
    assert "Using the last good copy" in plan.err
    assert remote.run("build", "--allow-private", address).code == 0


@pytest.mark.parametrize("number, code", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_preview_ends_while_its_first_list_does_not_arrive(remote, number, code):
    address = remote.server.on("/list.plist", held(remote.server, b""))
    process = remote.program.start("serve", "--port", "0", address, cwd=remote.folder)
    remote.server.wait_for("/list.plist")
    process.send_signal(number)
    _, err = process.communicate(timeout=TIMEOUT)
    assert exit_code(process.returncode) == code
    assert "without waiting" not in err
