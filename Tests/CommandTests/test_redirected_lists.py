"""A list that is found elsewhere than where it was asked for: its relative addresses are meant from there."""

import pytest
from pictures import jpeg
from scripted_server import ScriptedServer, picture, redirect, response, status

LIST = b"<plist><dict><key>A</key><string>a.jpg</string></dict></plist>"
#: What keeps the list fresh, lets it be asked for again, or does neither.
KINDS = {"fresh": ("Cache-Control: max-age=3600",), "asked again": ('ETag: "1"',), "failing": ()}


@pytest.fixture
def moved(gallery, scripted):
    """A list at /list.plist, found at /deep/er/list.plist, with its photo beside it there; yields its first address."""
    scripted.on("/deep/er/a.jpg", picture(jpeg(1)))
    return scripted.on("/list.plist", redirect("/deep/er/list.plist?token=s3cr3t"))


def answering(headers):
    def script(connection, request):
        is_known = "if-none-match" in request.headers
        connection.sendall(
            response(b"" if is_known else LIST, code="304 Not Modified" if is_known else "200 OK", headers=headers)
        )

    return script


@pytest.mark.parametrize("kind", KINDS)
def test_relative_addresses_are_meant_from_where_a_list_was_found(gallery, scripted, moved, kind):
    scripted.on("/deep/er/list.plist?token=s3cr3t", answering(KINDS[kind]))
    scripted.on("/deep/er/list.plist", answering(KINDS[kind]))
    assert "1 photo" in gallery.run("check", moved, "--allow-private").output
    for turn in range(3):
        if turn and kind == "failing":
            scripted.on("/list.plist", status(404))
        run = gallery.run("build", moved, "-o", "public", "--allow-private", "--retries", "0")
        assert run.code == 0, run.output
        assert gallery.reasons() == {}, turn
        assert gallery.photos()["A"]["source"].endswith("/deep/er/a.jpg")
        assert gallery.photos()["A"]["stale"] is None
        dry = gallery.run("build", moved, "-o", "public", "--allow-private", "--retries", "0", "--dry-run")
        assert dry.code == 0 and "not-found" not in dry.output
    said = gallery.run("status", moved, "-o", "public", "--json").output
    assert "/deep/er/a.jpg" in said
    assert "s3cr3t" not in said
    assert not any(request.path == "/a.jpg" for request in scripted.requests)
    state = b"".join(path.read_bytes() for path in gallery.folder.rglob("*") if path.is_file())
    assert b"s3cr3t" not in state


def test_a_named_server_leads_its_photos_to_no_other_port(gallery, scripted):
    """The list may use this server because the user named it, and no other server of this machine."""
    with ScriptedServer() as other:
        scripted.on("/list.plist", picture(LIST))
        scripted.on("/a.jpg", redirect(other.on("/inside.jpg", picture(jpeg(1)))))
        run = gallery.run("build", scripted.url("/list.plist"), "-o", "public", "--allow-private", "--retries", "0")
        assert run.code == 0, run.output
        assert gallery.reasons() == {"A": "blocked-address"}
        assert not other.requests


def test_a_list_that_moves_on_takes_its_photos_along(gallery, scripted, moved):
    for folder in ("/deep/er", "/else/where"):
        scripted.on(f"{folder}/list.plist", picture(LIST))
        scripted.on(f"{folder}/a.jpg", picture(jpeg(2)))
        scripted.on("/list.plist", redirect(f"{folder}/list.plist"))
        assert gallery.run("build", moved, "-o", "public", "--allow-private").code == 0
        assert gallery.photos()["A"]["source"].endswith(f"{folder}/a.jpg")


@pytest.mark.parametrize("answer", [
    b"HTTP/1.1 200 OK\r\n Folded: a\r\nContent-Length: 0\r\n\r\n",
    b"HTTP/1.1 103 Early Hints\r\n\tLink: a\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
    b"HTTP/1.1 302 Found\r\n X: a\r\nLocation: /deep/er/list.plist\r\nContent-Length: 0\r\n\r\n",
])
def test_an_odd_answer_for_a_list_leaves_its_last_good_copy_in_use(gallery, scripted, moved, answer):
    scripted.on("/deep/er/list.plist", picture(LIST))
    arguments = ("build", moved, "-o", "public", "--allow-private", "--retries", "0")
    assert gallery.run(*arguments).code == 0
    scripted.on("/list.plist", lambda connection, _: (connection.sendall(answer), connection.close()))
    run = gallery.run(*arguments)
    assert run.code == 0, run.output
    assert "Using the last good copy" in run.err or "Location" in answer.decode()
    assert gallery.reasons() == {}
