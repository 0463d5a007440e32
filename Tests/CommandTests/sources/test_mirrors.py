"""Photos with several addresses: the first that has the picture delivers it."""

import hashlib

import pytest
from pictures import jpeg
from scripted_server import picture, response, status


def sha256(content):
    return hashlib.sha256(content).hexdigest()


@pytest.fixture
def mirrored(gallery, scripted):
    """A photo with three addresses, none of which has a picture."""
    urls = [scripted.on(f"/{name}.jpg", status(404)) for name in "abc"]
    gallery.list({"Lake": {"url": urls}})
    return gallery


def shown(gallery):
    photo = gallery.photos()["Lake"]
    return photo["sha256"] or photo["reason"]["code"]


def requests(scripted):
    """The paths requested since the last call."""
    with scripted.lock:
        paths = [request.path for request in scripted.requests]
        scripted.requests.clear()
    return paths


def test_the_first_address_that_has_the_picture_delivers_it(mirrored, scripted):
    mirrored.build()
    assert shown(mirrored) == "not-found"
    assert requests(scripted) == ["/a.jpg", "/b.jpg", "/c.jpg"]
    scripted.on("/c.jpg", picture(jpeg(3)))
    mirrored.build()
    assert shown(mirrored) == sha256(jpeg(3))
    requests(scripted)
    scripted.on("/b.jpg", picture(jpeg(2)))
    mirrored.build()
    assert shown(mirrored) == sha256(jpeg(2))
    assert requests(scripted) == ["/a.jpg", "/b.jpg"], "no mirror is requested without need"
    scripted.on("/a.jpg", picture(jpeg(1)))
    run = mirrored.build("--explain")
    assert "Lake: came from a mirror, trying the first address again" in run.err
    assert shown(mirrored) == sha256(jpeg(1))
    assert requests(scripted) == ["/a.jpg"]
    mirrored.build()
    assert requests(scripted) == ["/a.jpg"]


@pytest.mark.parametrize("answer", [
    picture(b"<!doctype html><p>Gone", kind="text/html"), picture(b""), status(403), status(503, "Retry-After: 86400"),
    lambda connection, _: connection.sendall(response(jpeg(1), length=10**6)), picture(jpeg(1)[:400])],
    ids=["web page", "empty", "forbidden", "wait", "cut off", "damaged"])
def test_a_mirror_is_tried_after_any_answer_without_a_picture(mirrored, scripted, answer):
    # A server that asks for a pause is not requested for any of its pictures, so the mirror is another host.
    mirror = scripted.on("/b.jpg", picture(jpeg(2))).replace("127.0.0.1", "localhost")
    mirrored.list({"Lake": {"url": [scripted.on("/a.jpg", answer), mirror]}})
    for _ in range(2):
        mirrored.build("--retries", "0")
        assert shown(mirrored) == sha256(jpeg(2))
        assert mirrored.photos()["Lake"]["stale"] is None


def test_the_picture_of_a_mirror_is_revalidated_and_the_site_stays_the_same(mirrored, scripted):
    def answer(connection, request):
        if request.headers.get("if-none-match") == '"v1"':
            return status(304)(connection, request)
        return connection.sendall(response(jpeg(2), headers=['ETag: "v1"']))

    scripted.on("/b.jpg", answer)
    mirrored.build()
    site = mirrored.identities()
    assert "Nothing to do" in mirrored.build().err
    assert mirrored.identities() == site
    assert [request.headers.get("if-none-match") for request in scripted.requests if request.path == "/b.jpg"] == [
        None, '"v1"']


def test_a_photo_whose_mirrors_all_fail_stays_with_the_failure_of_the_first(mirrored, scripted):
    scripted.on("/b.jpg", picture(jpeg(2)))
    mirrored.build()
    scripted.on("/a.jpg", status(403))
    scripted.on("/b.jpg", status(410))
    mirrored.build()
    photo = mirrored.photos()["Lake"]
    assert photo["sha256"] == sha256(jpeg(2)) and photo["stale"]["code"] == "forbidden"
    scripted.on("/c.jpg", picture(jpeg(3)))
    mirrored.build()
    assert shown(mirrored) == sha256(jpeg(3))


def test_mirrors_are_tried_until_one_can_be_decoded(mirrored, scripted):
    damaged = jpeg(1)[:400]
    for name in "ab":
        scripted.on(f"/{name}.jpg", picture(damaged))
    mirrored.build()
    assert shown(mirrored) == "truncated", "the first address says why"
    scripted.on("/c.jpg", picture(jpeg(3)))
    for _ in range(2):
        mirrored.build()
        assert shown(mirrored) == sha256(jpeg(3))


def test_an_address_that_is_listed_twice_is_tried_once(gallery):
    (gallery.folder / "bad.jpg").write_bytes(jpeg(1)[:400])
    (gallery.folder / "good.jpg").write_bytes(jpeg(2))
    gallery.list({"Lake": {"url": ["bad.jpg", "./bad.jpg", (gallery.folder / "bad.jpg").as_uri(), "good.jpg"]}})
    gallery.build()
    assert shown(gallery) == sha256(jpeg(2))


def test_a_mirror_with_the_pinned_bytes_is_preferred_to_one_without(mirrored, scripted):
    urls = [scripted.url(f"/{name}.jpg") for name in "abc"]
    mirrored.list({"Lake": {"url": urls, "sha256": sha256(jpeg(2))}})
    scripted.on("/a.jpg", picture(jpeg(1)))
    scripted.on("/b.jpg", picture(jpeg(2)))
    mirrored.build()
    assert shown(mirrored) == sha256(jpeg(2)) and mirrored.photos()["Lake"]["marks"] == []
    scripted.on("/b.jpg", status(404))
    mirrored.build()
    assert shown(mirrored) == sha256(jpeg(2))
    assert [mark["code"] for mark in mirrored.photos()["Lake"]["marks"]] == ["changed"]


def test_an_address_that_cannot_be_used_is_reported_and_passed_over(gallery, scripted):
    (gallery.folder / "here.jpg").write_bytes(jpeg(4))
    url = scripted.on("/a.jpg", status(404))
    gallery.list({"Lake": {"url": ["ftp://example.org/a.jpg", 7, url, url, "here.jpg"]}, "Sea": {"url": ["ftp://x/y"]},
                  "Bay": {"url": []}})
    run = gallery.run("check")
    line = gallery.line_of("ftp://example")
    assert (f"photos.plist:{line}:4: address 1 of 'url' is ignored: Addresses that start with ftp: are not supported."
            in run.err)
    assert "address 2 of 'url' is ignored: Invalid address: it is a number (expected text)." in run.err
    gallery.build()
    assert shown(gallery) == sha256(jpeg(4))
    assert requests(scripted) == ["/a.jpg"]
    assert gallery.reasons() == {"Sea": "unsupported-scheme", "Bay": "bad-address"}


def test_an_update_of_the_list_keeps_the_keys_of_its_entries(gallery, scripted):
    url = scripted.on("/a.jpg", picture(jpeg(1)))
    gallery.list({"Lake": {
        "url": [url, "https://mirror.example/a.jpg"], "expect-change": "24h", "sha256": sha256(jpeg(1))}})
    before = gallery.manifest.read_text()
    (gallery.folder / "photos.csv").write_text(f"name,url\nLake,{url}\n")
    run = gallery.run("init", "--from", "photos.csv", "--update")
    assert run.code == 0, run.output
    after = gallery.manifest.read_text()
    assert after.count("<key>Lake</key>") == 1, after
    for line in before.splitlines():
        assert line in after


def test_check_reports_a_photo_only_if_none_of_its_addresses_can_have_a_picture(gallery):
    (gallery.folder / "here.jpg").write_bytes(jpeg(4))
    gallery.list({"File": {"url": ["gone.jpg", "here.jpg"]}, "Server": {"url": ["gone.jpg", "https://example.org/a"]}})
    run = gallery.run("check")
    assert run.code == 0 and "gone.jpg" not in run.output and "will fail" not in run.output
    gallery.list({"File": {"url": ["gone.jpg", "gone too.jpg"]}})
    run = gallery.run("check")
    assert "1 will fail" in run.output, run.output


def test_a_photo_from_a_mirror_keeps_its_page_while_another_photo_has_its_name(gallery, scripted):
    lake = {"name": "Lake", "url": [
        scripted.on("/gone.jpg", status(404)), scripted.on("/mirror.jpg", picture(jpeg(1)))]}
    other = {"name": "Lake", "url": scripted.on("/other.jpg", picture(jpeg(2)))}
    pages = []
    for photos in ([lake], [lake, other], [lake]):
        gallery.list(photos)
        gallery.build()
        pages.append(gallery.status()["photos"][0]["page"])
    assert pages == ["photo/lake.html"] * 3


def test_a_photo_keeps_its_page_although_another_of_its_name_lists_its_address_as_a_mirror(gallery, scripted):
    lake = {"name": "Lake", "url": scripted.on("/lake.jpg", picture(jpeg(1)))}
    gallery.list([lake])
    gallery.build()
    gallery.list([{"name": "Lake", "url": [scripted.on("/other.jpg", picture(jpeg(2))), lake["url"]]}, lake])
    gallery.build()
    first, second = gallery.status()["photos"]
    assert first["page"] != "photo/lake.html" and second["page"] == "photo/lake.html"


def test_the_first_address_is_requested_again_although_its_last_answer_is_fresh(mirrored, scripted):
    fresh = ("Cache-Control: max-age=31536000",)
    scripted.on("/b.jpg", picture(jpeg(2)))
    for answer in (picture(jpeg(1), headers=fresh), picture(jpeg(1)[:400], headers=fresh)):
        scripted.on("/a.jpg", answer)
        mirrored.build("--force")
        scripted.on("/a.jpg", status(404))
        mirrored.build("--force")
        assert shown(mirrored) == sha256(jpeg(2))
        requests(scripted)
        for _ in range(2):
            mirrored.build()
            assert shown(mirrored) == sha256(jpeg(2))
            assert requests(scripted)[0] == "/a.jpg"


def test_the_picture_of_a_mirror_is_no_earlier_version_after_a_suspicious_answer(mirrored, scripted):
    large = {"width": 400, "height": 300}
    scripted.on("/a.jpg", picture(jpeg(1, **large)))
    mirrored.build("--keep-versions", "3")
    scripted.on("/a.jpg", status(404))
    scripted.on("/b.jpg", picture(jpeg(2, **large)))
    mirrored.build("--keep-versions", "3", "--force")
    assert shown(mirrored) == sha256(jpeg(2, **large))
    scripted.on("/a.jpg", picture(jpeg(3, width=10, height=10)))
    mirrored.build("--keep-versions", "3")
    assert [mark["code"] for mark in mirrored.photos()["Lake"]["marks"]] == ["suspicious"]
    scripted.on("/a.jpg", picture(jpeg(4, **large)))
    mirrored.build("--keep-versions", "3")
    assert shown(mirrored) == sha256(jpeg(4, **large))
    assert "versions" not in mirrored.photos()["Lake"]


@pytest.mark.parametrize("is_fresh", [False, True], ids=["304", "fresh"])
def test_the_mark_of_a_mirrors_picture_goes_when_the_first_address_has_its_own(mirrored, scripted, is_fresh):
    large = {"width": 400, "height": 300}
    headers = ['ETag: "1"', *(["Cache-Control: max-age=31536000"] if is_fresh else [])]
    scripted.on("/a.jpg", picture(jpeg(1, **large), headers=headers))
    mirrored.build()
    scripted.on("/a.jpg", status(404))
    scripted.on("/b.jpg", picture(jpeg(2, width=1, height=1)))
    mirrored.build("--force")
    assert [mark["code"] for mark in mirrored.photos()["Lake"]["marks"]] == ["suspicious"]
    assert "Lake: came from a mirror, trying the first address again" in mirrored.build("--explain").err
    assert [mark["code"] for mark in mirrored.photos()["Lake"]["marks"]] == ["suspicious"]
    scripted.on("/a.jpg", status(304, 'ETag: "1"'))
    scripted.on("/b.jpg", status(404))
    mirrored.build()
    assert mirrored.photos()["Lake"]["marks"] == [] and shown(mirrored) == sha256(jpeg(1, **large))


def test_the_pictures_of_mirrors_are_no_earlier_versions_after_one_picture_at_all_first_addresses(gallery, scripted):
    photos = {str(n): [scripted.on(f"/{n}.jpg", status(404)), scripted.on(f"/m{n}.jpg", picture(jpeg(n)))]
              for n in range(3)}
    gallery.list({name: {"url": urls} for name, urls in photos.items()}).build("--keep-versions", "3")
    for number in range(3):
        scripted.on(f"/{number}.jpg", picture(jpeg(9)))
    gallery.build("--keep-versions", "3")
    assert [[mark["code"] for mark in photo["marks"]] for photo in gallery.photos().values()] == [["suspicious"]] * 3
    for number in range(3):
        scripted.on(f"/{number}.jpg", picture(jpeg(10 + number)))
    gallery.build("--keep-versions", "3")
    assert [photo["sha256"] for photo in gallery.photos().values()] == [sha256(jpeg(10 + n)) for n in range(3)]
    assert not any("versions" in photo for photo in gallery.photos().values())
