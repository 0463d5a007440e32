"""--archive wayback: copies of pictures whose sources are gone. A server on this machine stands in for the archive."""

import hashlib
import json
from urllib.parse import unquote

import pytest
from pictures import jpeg
from scripted_server import picture, response, status

START = 1_800_000_000
COPY = jpeg(5)
STAMP = "20190503120000"


def sha256(content):
    return hashlib.sha256(content).hexdigest()


@pytest.fixture
def archive(gallery, scripted):
    """The scripted server, which answers like the archive: it has a copy of /gone.jpg."""
    def answer(connection, request):
        url = unquote(request.path.partition("?url=")[2])
        closest = {"status": "200", "available": True, "url": f"http://web.archive.org/web/{STAMP}/{url}",
                   "timestamp": STAMP}
        snapshots = {"closest": closest} if url.endswith("/gone.jpg") else {}
        body = json.dumps({"url": url, "archived_snapshots": snapshots}).encode()
        connection.sendall(response(body, kind="application/json"))

    scripted.on("/wayback/available", answer)
    scripted.on(f"/web/{STAMP}id_/{scripted.url('/gone.jpg')}", picture(COPY))
    gallery.list({"Lake": scripted.url("/gone.jpg")})
    return scripted


def build(gallery, archive, *arguments, hour=0, **options):
    environment = {"WAYBACK_SERVER": archive.url(""), "SOURCE_DATE_EPOCH": str(START + hour * 3600)}
    return gallery.build(*arguments, env=environment, **options)


def asked(archive):
    """The addresses that the archive was asked about since the last call, and the copies that were requested."""
    with archive.lock:
        paths = [request.path for request in archive.requests if request.path.startswith(("/wayback", "/web"))]
        archive.requests.clear()
    return paths


def test_a_copy_of_the_archive_is_shown_with_its_date_while_the_source_is_gone(gallery, archive):
    run = build(gallery, archive, "--archive", "wayback")
    photo = gallery.photos()["Lake"]
    message = "The source is gone. The picture is a copy of 2019-05-03 from the Internet Archive."
    assert photo["marks"] == [{"code": "archived", "since": "2027-01-15T08:00:00Z", "message": message}]
    assert (photo["state"], photo["sha256"], photo["stale"]) == ("filtered", sha256(COPY), None)
    assert f"  archived Lake: since 2027-01-15T08:00:00Z: {message}" in run.err
    assert message in gallery.page("photo/lake.html").text and message in (gallery.site / "feed.xml").read_text()
    assert asked(archive) == [
        "/wayback/available?url=" + "".join(c if c.isalnum() else f"%{ord(c):02X}" for c in archive.url("/gone.jpg")),
        f"/web/{STAMP}id_/{archive.url('/gone.jpg')}"]
    assert {path.parent.name + path.name for path in (gallery.state / "originals").rglob("*") if path.is_file()} == {
        sha256(COPY)}, (
        "the answer of the archive is no original")
    site = gallery.identities()
    for arguments in (["--archive", "wayback"], []):
        assert "Nothing to do" in build(gallery, archive, *arguments, hour=1).err
        assert gallery.identities() == site
    assert asked(archive) == [], "the archive is asked once"
    plan = gallery.run("build", "--dry-run", "--explain").out
    assert "Lake" in plan and "came from an archive, trying its address again" in plan
    archive.on("/gone.jpg", picture(jpeg(1)))
    build(gallery, archive, hour=2)
    photo = gallery.photos()["Lake"]
    assert photo["marks"] == [] and photo["sha256"] == sha256(jpeg(1))
    assert "Back again" in (gallery.site / "feed.xml").read_text()


def test_the_archive_is_asked_only_if_that_is_wanted_and_the_source_is_gone(gallery, archive):
    build(gallery, archive)
    assert gallery.reasons() == {"Lake": "not-found"} and asked(archive) == []
    for answer in (status(403), status(500), picture(b"<!doctype html>", kind="text/html")):
        archive.on("/gone.jpg", answer)
        build(gallery, archive, "--archive", "wayback", "--retries", "0")
        assert gallery.photos()["Lake"]["state"] == "failed" and asked(archive) == []


def test_a_photo_with_a_picture_of_its_own_becomes_stale_and_the_archive_is_not_asked(gallery, archive):
    archive.on("/gone.jpg", picture(jpeg(1)))
    build(gallery, archive, "--archive", "wayback")
    archive.on("/gone.jpg", status(410))
    build(gallery, archive, "--archive", "wayback", hour=1)
    photo = gallery.photos()["Lake"]
    assert photo["stale"]["code"] == "not-found" and photo["sha256"] == sha256(jpeg(1)) and photo["marks"] == []
    assert asked(archive) == []


@pytest.mark.parametrize("answer", [
    picture(b'{"archived_snapshots":{}}', kind="application/json"), picture(b"no JSON", kind="text/plain"),
    picture(b'{"archived_snapshots":{"closest":{"available":true,"timestamp":"20190503120000","status":"404"}}}'),
    picture(b'{"archived_snapshots":{"closest":{"available":true,"timestamp":"../../20190503","status":"200"}}}'),
    status(503)], ids=["no copy", "no JSON", "copy of an error", "no time", "broken"])
def test_without_a_copy_the_photo_has_the_reason_of_its_source(gallery, archive, answer):
    archive.on("/wayback/available", answer)
    build(gallery, archive, "--archive", "wayback", "--retries", "0")
    assert gallery.reasons() == {"Lake": "not-found"}
    assert [path for path in asked(archive) if path.startswith("/web")] == []


def test_a_copy_that_is_no_picture_is_not_shown(gallery, archive):
    archive.on(f"/web/{STAMP}id_/{archive.url('/gone.jpg')}", picture(b"<!doctype html>", kind="text/html"))
    build(gallery, archive, "--archive", "wayback")
    assert gallery.reasons() == {"Lake": "not-found"}


def test_addresses_with_secrets_are_never_sent_to_the_archive(gallery, archive):
    secret = archive.url("/gone.jpg").replace("http://", "http://me:SECRET@")
    gallery.list({"Query": archive.url("/gone.jpg?key=SECRET"), "User": secret})
    build(gallery, archive, "--archive", "wayback")
    assert set(gallery.reasons().values()) == {"not-found"}
    assert asked(archive) == []


def test_photos_with_the_same_address_share_a_copy(gallery, archive):
    gallery.list({"Lake": archive.url("/gone.jpg"), "Lake again": archive.url("/gone.jpg")})
    build(gallery, archive, "--archive", "wayback")
    assert [photo["sha256"] for photo in gallery.photos().values()] == [sha256(COPY)] * 2
    assert len(asked(archive)) == 2


def test_a_pinned_photo_shows_only_a_copy_with_the_pinned_bytes(gallery, archive):
    gallery.list({"Lake": {"url": archive.url("/gone.jpg"), "sha256": sha256(jpeg(1))}})
    build(gallery, archive, "--archive", "wayback")
    assert gallery.reasons() == {"Lake": "not-found"}
    site = gallery.identities()
    asked(archive)
    assert "Nothing" in build(gallery, archive, "--archive", "wayback", hour=1).err
    assert gallery.identities() == site and asked(archive) == []


def test_a_copy_with_the_pinned_bytes_is_shown(gallery, archive):
    gallery.list({"Lake": {"url": archive.url("/gone.jpg"), "sha256": sha256(COPY)}})
    build(gallery, archive, "--archive", "wayback")
    photo = gallery.photos()["Lake"]
    assert photo["sha256"] == sha256(COPY) and [mark["code"] for mark in photo["marks"]] == ["archived"]


def test_an_archive_without_a_copy_is_asked_again_after_a_day_or_by_force(gallery, archive):
    archive.on("/wayback/available", picture(b'{"archived_snapshots":{}}', kind="application/json"))
    for hour, arguments, requests in ((0, [], 1), (1, [], 0), (23, [], 0), (24, [], 1), (25, ["--force"], 1)):
        build(gallery, archive, "--archive", "wayback", *arguments, hour=hour)
        assert len(asked(archive)) == requests, hour
        assert gallery.reasons() == {"Lake": "not-found"}


def test_a_damaged_copy_does_not_hide_the_reason_and_is_not_requested_again(gallery, archive):
    archive.on(f"/web/{STAMP}id_/{archive.url('/gone.jpg')}", picture(COPY[:len(COPY) // 2]))
    for hour, requests in ((0, 2), (1, 0)):
        build(gallery, archive, "--archive", "wayback", hour=hour)
        assert gallery.reasons() == {"Lake": "not-found"}
        assert gallery.photos()["Lake"]["marks"] == []
        assert len(asked(archive)) == requests


def test_a_long_answer_of_the_archive_is_not_read_and_no_answer_stays_in_the_store(gallery, archive):
    names = {f"Lake {number}": archive.url(f"/{number}.jpg") for number in range(3)}
    gallery.list(names)
    for hour, answer in ((0, b'{"archived_snapshots":{}}'), (25, b'{"archived_snapshots":{}}' + b" " * 100_000)):
        archive.on("/wayback/available", picture(answer, kind="application/json"))
        build(gallery, archive, "--archive", "wayback", hour=hour)
        assert set(gallery.reasons().values()) == {"not-found"}
        assert [path for path in (gallery.state / "originals").rglob("*") if path.is_file()] == []
    closest = {"status": "200", "available": True, "timestamp": STAMP}
    long = json.dumps({"archived_snapshots": {"closest": closest}}).encode() + b" " * 100_000
    archive.on("/wayback/available", picture(long, kind="application/json"))
    build(gallery, archive, "--archive", "wayback", hour=50)
    assert [path for path in asked(archive) if path.startswith("/web/")] == []


def test_an_unknown_host_is_not_told_to_the_archive(gallery, archive):
    gallery.list({"Lake": "http://no-such-host.invalid/gone.jpg"})
    build(gallery, archive, "--archive", "wayback", "--retries", "0")
    assert gallery.reasons() == {"Lake": "dns"} and asked(archive) == []


def test_another_server_is_not_told_of_private_hosts_either(gallery, archive):
    archive.on("/gone.jpg", status(404))
    gallery.list({"Lake": archive.url("/gone.jpg").replace("127.0.0.1", "localhost")})
    build(gallery, archive, "--archive", "wayback")
    assert gallery.reasons() == {"Lake": "not-found"} and asked(archive) == []


def test_a_far_smaller_picture_of_the_source_does_not_replace_a_copy_of_the_archive(gallery, archive):
    """In the summary, the hint how to accept pictures follows the suspicious photos, before the archived ones."""
    build(gallery, archive, "--archive", "wayback")
    copy = gallery.photos()["Lake"]
    pixel = jpeg(2, width=1, height=1)
    archive.on("/gone.jpg", picture(pixel))
    lines = build(gallery, archive, hour=1).err.splitlines()
    photo = gallery.photos()["Lake"]
    assert photo["sha256"] == copy["sha256"]
    assert [mark["code"] for mark in photo["marks"]] == ["archived", "suspicious"]
    place = next(index for index, line in enumerate(lines) if line.startswith("  suspicious Lake"))
    assert lines[place + 1].startswith("  look at their sources") and lines[place + 2].startswith("  archived Lake")
    site = gallery.identities()
    assert "Nothing to do" in build(gallery, archive, hour=2).err and gallery.identities() == site
    archive.on("/gone.jpg", status(404))
    build(gallery, archive, hour=3)
    assert gallery.identities() == site, "the source says nothing new"
    archive.on("/gone.jpg", picture(pixel))
    build(gallery, archive, "--accept", "Lake", hour=4)
    photo = gallery.photos()["Lake"]
    assert photo["marks"] == [] and photo["sha256"] == sha256(pixel)


@pytest.mark.parametrize("answer", ["damaged", "unusable address"])
def test_a_copy_is_marked_as_long_as_it_is_shown(gallery, archive, answer):
    build(gallery, archive, "--archive", "wayback")
    if answer == "damaged":
        archive.on("/gone.jpg", picture(jpeg(1)[:400]))
    else:
        gallery.list({"Lake": "htp://example.org/gone.jpg"})
    build(gallery, archive, hour=1)
    photo = gallery.photos()["Lake"]
    assert photo["sha256"] == sha256(COPY) and photo["stale"]
    assert [mark["code"] for mark in photo["marks"]] == ["archived"]
    gallery.list({"Lake": archive.url("/gone.jpg")})
    archive.on("/gone.jpg", status(404))
    build(gallery, archive, hour=2)
    assert [mark["code"] for mark in gallery.photos()["Lake"]["marks"]] == ["archived"]
    archive.on("/gone.jpg", picture(jpeg(1)))
    build(gallery, archive, hour=3)
    assert gallery.photos()["Lake"]["marks"] == [] and gallery.photos()["Lake"]["sha256"] == sha256(jpeg(1))


def test_a_source_that_has_the_bytes_of_the_copy_is_back(gallery, archive):
    build(gallery, archive, "--archive", "wayback")
    archive.on("/gone.jpg", picture(COPY))
    build(gallery, archive, hour=1)
    assert gallery.photos()["Lake"]["marks"] == [] and gallery.photos()["Lake"]["sha256"] == sha256(COPY)


def test_the_failure_of_a_new_address_is_not_hidden_by_the_copy_of_the_old_one(gallery, archive):
    build(gallery, archive, "--archive", "wayback")
    gallery.list({"Lake": archive.on("/new.jpg", status(403))})
    for hour in (1, 2):
        build(gallery, archive, "--archive", "wayback", "--strict-stale", hour=hour, expect=1)
        assert gallery.photos()["Lake"]["stale"]["code"] == "forbidden"


def test_an_accepted_picture_is_not_called_a_copy_while_its_source_fails(gallery, archive):
    build(gallery, archive, "--archive", "wayback")
    archive.on("/gone.jpg", picture(jpeg(3, width=1, height=1)))
    build(gallery, archive, hour=1)
    assert sorted(mark["code"] for mark in gallery.photos()["Lake"]["marks"]) == ["archived", "suspicious"]
    archive.on("/gone.jpg", status(404))
    build(gallery, archive, "--accept", "Lake", hour=2)
    photo = gallery.photos()["Lake"]
    assert photo["sha256"] == sha256(jpeg(3, width=1, height=1)) and photo["stale"]["code"] == "not-found"
    assert photo["marks"] == []


def test_a_copy_does_not_become_stale_if_the_accepted_picture_is_not_known(gallery, archive):
    build(gallery, archive, "--archive", "wayback")
    archive.on("/gone.jpg", picture(jpeg(3, width=1, height=1)))
    build(gallery, archive, hour=1)
    for path in gallery.state.glob("ledger*"):
        path.unlink()
    archive.on("/gone.jpg", status(404))
    build(gallery, archive, "--accept", "Lake", hour=2)
    photo = gallery.photos()["Lake"]
    assert (photo["sha256"], photo["stale"]) == (sha256(COPY), None)
    assert "archived" in [mark["code"] for mark in photo["marks"]]
