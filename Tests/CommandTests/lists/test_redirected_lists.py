"""A list whose URL redirects: its relative addresses are resolved against the URL where it was found."""

import pytest
from pictures import jpeg
from scripted_server import ScriptedServer, picture, redirect, response, status

LIST = b"<plist><dict><key>A</key><string>a.jpg</string></dict></plist>"
#: The list's headers: it stays fresh, it is revalidated, or it can't be fetched again.
KINDS = {"fresh": ("Cache-Control: max-age=3600",), "revalidated": ('ETag: "1"',), "failing": ()}


@pytest.fixture
def moved(gallery, scripted):
    """The URL of a list that redirects from /list.plist to the folder /deep/er, which also has its photo."""
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
def test_relative_addresses_are_resolved_against_the_target_of_the_redirect(gallery, scripted, moved, kind):
    scripted.on("/deep/er/list.plist?token=s3cr3t", answering(KINDS[kind]))
    scripted.on("/deep/er/list.plist", answering(KINDS[kind]))
    assert "1 photo" in gallery.run("check", moved, "--allow-private").output
    for number in range(3):
        if number and kind == "failing":
            scripted.on("/list.plist", status(404))
        run = gallery.run("build", moved, "-o", "public", "--allow-private", "--retries", "0")
        assert run.code == 0, run.output
        assert gallery.reasons() == {}, number
        assert gallery.photos()["A"]["source"].endswith("/deep/er/a.jpg")
        assert gallery.photos()["A"]["stale"] is None
        dry = gallery.run("build", moved, "-o", "public", "--allow-private", "--retries", "0", "--dry-run")
        assert dry.code == 0 and "not-found" not in dry.output
    status_report = gallery.run("status", moved, "-o", "public", "--json").output
    assert "/deep/er/a.jpg" in status_report
    assert "s3cr3t" not in status_report
    assert not any(request.path == "/a.jpg" for request in scripted.requests)
    state = b"".join(path.read_bytes() for path in gallery.folder.rglob("*") if path.is_file())
    assert b"s3cr3t" not in state


def test_a_photo_of_a_list_from_a_local_server_may_not_redirect_to_another_port(gallery, scripted):
    """The user named this server, but no other server of this machine."""
    with ScriptedServer() as other:
        scripted.on("/list.plist", picture(LIST))
        scripted.on("/a.jpg", redirect(other.on("/inside.jpg", picture(jpeg(1)))))
        run = gallery.run("build", scripted.url("/list.plist"), "-o", "public", "--allow-private", "--retries", "0")
        assert run.code == 0, run.output
        assert gallery.reasons() == {"A": "blocked-address"}
        assert not other.requests


def test_when_the_redirect_changes_photos_are_requested_at_the_new_place(gallery, scripted, moved):
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
def test_after_a_malformed_response_for_a_list_its_last_good_copy_is_used(gallery, scripted, moved, answer):
    scripted.on("/deep/er/list.plist", picture(LIST))
    arguments = ("build", moved, "-o", "public", "--allow-private", "--retries", "0")
    assert gallery.run(*arguments).code == 0
    scripted.on("/list.plist", lambda connection, _: (connection.sendall(answer), connection.close()))
    run = gallery.run(*arguments)
    assert run.code == 0, run.output
    assert "Using the last good copy" in run.err or "Location" in answer.decode()
    assert gallery.reasons() == {}
