"""Sources that fail, recover and change between the runs of workers: each is requested when it has to be, and the site
shows the latest result of the list as it is."""

import hashlib
import re

import pytest
from pictures import jpeg
from scripted_server import held, picture, response, status
from waiting import until
from workers import Workers

DAY = 86_400
NO_RETRIES = ("--retries", "0")


@pytest.fixture
def worker(gallery, scripted):
    """A gallery in one shard. Its lists have a photo that is always there."""
    worker = Workers(gallery, 1)
    worker.other = {"Other": {"url": scripted.on("/other.jpg", picture(jpeg(90))), "expect-change": "never"}}
    return worker


def run(worker, photos, days=0, options=NO_RETRIES, machine=None):
    """Does what is left of a list at a time, makes the site, and returns the last line of the worker."""
    worker.gallery.list(worker.other | photos)
    done = worker.work(options=options, machine=machine, env=at(days))
    worker.publish(*options, env=at(days))
    return done.err


def at(days):
    return {"SOURCE_DATE_EPOCH": str(1_700_000_000 + round(days * DAY))}


def shown(worker, name="Photo"):
    """The SHA-256 of a photo's picture on the site, or the code of its failure, or its state."""
    photo = next(photo for photo in worker.status()["photos"] if photo["name"] == name)
    return photo["sha256"] or (photo["reason"] or {}).get("code") or photo["state"]


def pictures(worker, name="Photo"):
    """The names of a photo's pictures on the site."""
    photo = next(photo for photo in worker.status()["photos"] if photo["name"] == name)
    return [image["path"] for image in photo["images"]]


def marks(worker):
    return [mark["code"] for photo in worker.status()["photos"] for mark in photo["marks"]]


def sha256(content):
    return hashlib.sha256(content).hexdigest()


def requests(scripted):
    """The paths requested since the last call, with a `?` after each conditional request. Without that of `Other`."""
    with scripted.lock:
        paths = [request.path + "?" * ("if-none-match" in request.headers) for request in scripted.requests]
        scripted.requests.clear()
    return [path for path in paths if path != "/other.jpg"]


def tagged(body):
    """A picture with an ETag, which is confirmed to a client that has it."""
    tag = f'"{sha256(body)}"'

    def script(connection, request):
        if request.headers.get("if-none-match") == tag:
            connection.sendall(
                f"HTTP/1.1 304 Not Modified\r\nETag: {tag}\r\nConnection: close\r\n\r\n".encode())
        else:
            connection.sendall(response(body, headers=(f"ETag: {tag}",)))

    return script


def test_the_result_of_a_killed_worker_is_shown_after_the_next_run(worker, scripted):
    """The shard is complete already, and its record says that both photos have failed."""
    photos = {"Photo": scripted.on("/photo.jpg", status(404)), "Slow": scripted.on("/slow.jpg", status(404))}
    run(worker, photos)
    scripted.on("/photo.jpg", picture(jpeg(1)))
    scripted.on("/slow.jpg", held(scripted, jpeg(2)))
    process = worker.start(1, *NO_RETRIES)
    try:
        until(lambda: len(worker.records()) == 4, process)
    finally:
        process.kill()
        process.communicate()
    scripted.on("/slow.jpg", status(404))
    requests(scripted)
    run(worker, photos)
    assert requests(scripted) == ["/slow.jpg"]
    assert (shown(worker), shown(worker, "Slow")) == (sha256(jpeg(1)), "not-found")
    assert worker.shards().out.endswith("3 photos, 1 failed\n")


def test_what_a_worker_found_out_with_another_list_is_shown(worker, scripted):
    photos = {"Photo": scripted.on("/photo.jpg", status(404))}
    run(worker, photos)
    scripted.on("/photo.jpg", picture(jpeg(1)))
    run(worker, photos | {"Extra": scripted.on("/extra.jpg", picture(jpeg(2)))})
    assert shown(worker) == sha256(jpeg(1))
    requests(scripted)
    run(worker, photos)
    assert requests(scripted) == []
    assert shown(worker) == sha256(jpeg(1))
    stored = sorted(path.name for path in worker.store.rglob("*"))
    assert "nothing was left to do" in run(worker, photos)
    assert sorted(path.name for path in worker.store.rglob("*")) == stored


def test_a_pause_that_the_first_address_asks_for_is_kept_while_the_picture_comes_from_a_mirror(worker, scripted):
    photos = {"Photo": {"url": [scripted.on("/a.jpg", status(404)), scripted.on("/b.jpg", picture(jpeg(2)))]}}
    run(worker, photos)
    scripted.on("/a.jpg", status(429, "Retry-After: 36000"))
    requests(scripted)
    run(worker, photos)
    assert requests(scripted) == ["/a.jpg"]
    run(worker, photos)
    assert requests(scripted) == []
    assert shown(worker) == sha256(jpeg(2))


def test_a_page_at_the_first_address_is_downloaded_once_while_the_picture_comes_from_a_mirror(worker, scripted):
    photos = {"Photo": {"url": [scripted.on("/a.jpg", status(404)), scripted.on("/b.jpg", picture(jpeg(2)))]}}
    run(worker, photos)
    scripted.on("/a.jpg", tagged(b"<!doctype html><html><body>Gone</body></html>"))
    requests(scripted)
    run(worker, photos)
    assert requests(scripted) == ["/a.jpg"]
    run(worker, photos)
    assert requests(scripted) == ["/a.jpg?"]
    assert shown(worker) == sha256(jpeg(2))


def test_the_picture_of_a_mirror_in_a_store_of_an_earlier_version_is_shown(worker, scripted):
    photos = {"Photo": {"url": [scripted.on("/a.jpg", status(404)), scripted.on("/b.jpg", picture(jpeg(2)))]}}
    run(worker, photos)
    for path in worker.store.rglob("*"):
        if path.is_file() and b'"listed":' in path.read_bytes():
            path.write_bytes(re.sub(rb'"listed":"[0-9a-f]*",', b"", path.read_bytes()))
    worker.publish(*NO_RETRIES, env=at(0))
    assert shown(worker) == sha256(jpeg(2))


def test_a_first_address_is_requested_in_each_run_while_the_picture_comes_from_a_mirror(worker, scripted):
    photos = {"Photo": {"url": [scripted.on("/a.jpg", status(404)), scripted.on("/b.jpg", picture(jpeg(2)))]}}
    run(worker, photos)
    assert requests(scripted) == ["/a.jpg", "/b.jpg"]
    records = len(worker.records())
    for machine in ("1", "another"):
        run(worker, photos, machine=machine)
        assert requests(scripted) == ["/a.jpg"], "a worker has no original, so a mirror would send the whole picture"
        assert shown(worker) == sha256(jpeg(2))
    assert len(worker.records()) == records
    scripted.on("/a.jpg", picture(jpeg(1)))
    run(worker, photos)
    assert requests(scripted) == ["/a.jpg"]
    assert shown(worker) == sha256(jpeg(1))
    assert "nothing was left to do" in run(worker, photos)
    assert requests(scripted) == []


def test_an_address_that_is_put_before_the_others_is_requested(worker, scripted):
    first, second = scripted.on("/a.jpg", status(404)), scripted.on("/b.jpg", picture(jpeg(2)))
    run(worker, {"Photo": second})
    requests(scripted)
    photos = {"Photo": {"url": [first, second]}}
    for expected in (["/a.jpg", "/b.jpg"], ["/a.jpg"]):
        run(worker, photos)
        assert requests(scripted) == expected
        assert shown(worker) == sha256(jpeg(2))
    scripted.on("/a.jpg", picture(jpeg(1)))
    run(worker, photos)
    assert shown(worker) == sha256(jpeg(1))


def test_a_pinned_picture_of_a_mirror_needs_no_request(worker, scripted):
    urls = [scripted.on("/a.jpg", picture(jpeg(1))), scripted.on("/b.jpg", picture(jpeg(2)))]
    photos = {"Photo": {"url": urls, "sha256": sha256(jpeg(2))}}
    run(worker, photos)
    requests(scripted)
    assert "nothing was left to do" in run(worker, photos)
    assert requests(scripted) == []


def test_a_frozen_photo_is_requested_once_in_each_period(worker, scripted):
    photos = {"Photo": {"url": scripted.on("/photo.jpg", tagged(jpeg(1))), "expect-change": "1d"}}
    requested = []
    for days in (0, 0.5, 1.5, 1.6, 2.6, 2.61, 2.7, 3.5, 3.7):
        run(worker, photos, days, machine=f"of-day-{days}")
        if requests(scripted):
            requested.append(days)
    assert requested == [0, 1.5, 2.6, 3.7]
    assert marks(worker) == ["frozen"]


def test_a_frozen_photo_whose_source_is_gone_adds_one_record_in_each_period(worker, scripted):
    photos = {"Photo": {"url": scripted.on("/photo.jpg", tagged(jpeg(1))), "expect-change": "1d"}}
    run(worker, photos)
    scripted.on("/photo.jpg", status(404))
    run(worker, photos, 1.5)
    records = len(worker.records())
    for days in (1.6, 1.7, 1.8):
        run(worker, photos, days)
    assert len(worker.records()) == records
    run(worker, photos, 2.6)
    assert len(worker.records()) == records + 1


def test_no_photo_is_marked_as_frozen_before_a_worker_has_requested_it(worker, scripted):
    photos = {"Photo": {"url": scripted.on("/photo.jpg", tagged(jpeg(1))), "expect-change": "1d"}}
    run(worker, photos)
    scripted.on("/photo.jpg", tagged(jpeg(2)))
    site = worker.publish(env=at(1.1))
    assert "frozen" not in site.err
    assert marks(worker) == []
    run(worker, photos, 1.2)
    assert (shown(worker), marks(worker)) == (sha256(jpeg(2)), [])
    run(worker, photos, 2.3)
    assert marks(worker) == ["frozen"]
    worker.publish(env=at(2.4))
    assert marks(worker) == ["frozen"]


def test_a_damaged_picture_is_downloaded_four_times_and_then_confirmed(worker, scripted):
    photos = {"Photo": scripted.on("/photo.jpg", tagged(jpeg(1)[:1500]))}
    requested = []
    for _ in range(7):
        run(worker, photos)
        requested += requests(scripted)
    assert requested == 4 * ["/photo.jpg"] + 3 * ["/photo.jpg?"]
    assert shown(worker) == "truncated"


def test_the_number_of_attempts_is_no_news_of_a_source_that_is_gone(worker, scripted):
    photos = {"Photo": scripted.on("/photo.jpg", status(404))}
    run(worker, photos)
    stored = sorted(path.name for path in worker.store.rglob("*"))
    for _ in range(3):
        run(worker, photos)
    assert sorted(path.name for path in worker.store.rglob("*")) == stored


def test_a_pause_that_a_server_asked_another_machine_for_is_kept(worker, scripted):
    photos = {"Photo": scripted.on("/photo.jpg", tagged(jpeg(1)))}
    options = (*NO_RETRIES, "--max-age", "0s")
    run(worker, photos, options=options, machine="one")
    scripted.on("/photo.jpg", status(429, "Retry-After: 3600"))
    run(worker, photos, options=options, machine="two")
    requests(scripted)
    for machine in ("three", "one", "two"):
        run(worker, photos, options=options, machine=machine)
        assert requests(scripted) == [], machine


def test_a_result_for_another_pinned_picture_does_not_hide_the_latest_one(worker, scripted):
    """The record of an earlier number of shards has a picture, but not the one that the list pins now."""
    url = scripted.on("/photo.jpg", picture(jpeg(1)))
    run(worker, {"Photo": url})
    worker.of = 2
    run(worker, {"Photo": {"url": url, "sha256": sha256(jpeg(7))}}, 0.1)
    assert shown(worker) == "changed"
    assert worker.shards().err == "All 2 shards are complete.\n"


def test_a_mirror_that_leaves_the_list_takes_no_picture_along(worker, scripted):
    first, mirror = scripted.on("/a.jpg", status(404)), scripted.on("/b.jpg", picture(jpeg(2)))
    run(worker, {"Photo": {"url": [first, mirror]}})
    worker.gallery.list(worker.other | {"Photo": first})
    worker.publish()
    assert shown(worker) == sha256(jpeg(2))
    worker.shards()


def test_a_photo_is_new_until_a_worker_has_tried_its_first_address(worker, scripted):
    first, failed = scripted.on("/a.jpg", picture(jpeg(1))), scripted.on("/b.jpg", status(404))
    run(worker, {"Photo": failed})
    assert shown(worker) == "not-found"
    worker.gallery.list(worker.other | {"Photo": {"url": [first, failed]}})
    worker.publish()
    assert shown(worker) == "new"
    worker.shards(expect=1)


def test_the_picture_of_a_mirror_that_becomes_the_first_address_stays(worker, scripted):
    first, mirror = scripted.on("/a.jpg", status(404)), scripted.on("/b.jpg", picture(jpeg(2)))
    run(worker, {"Photo": {"url": [first, mirror]}})
    requests(scripted)
    worker.gallery.list(worker.other | {"Photo": mirror})
    worker.publish(*NO_RETRIES, env=at(0))
    assert shown(worker) == sha256(jpeg(2))
    assert "nothing was left to do" in run(worker, {"Photo": mirror})
    assert requests(scripted) == []
    assert shown(worker) == sha256(jpeg(2))


def test_a_changed_local_file_that_is_a_mirror_is_read_again(worker, scripted):
    photo = {"Photo": {"url": [scripted.on("/a.jpg", status(404)), "mirror.jpg"]}}
    for content in (jpeg(1), jpeg(2)):
        (worker.gallery.folder / "mirror.jpg").write_bytes(content)
        run(worker, photo)
        assert shown(worker) == sha256(content)
    requests(scripted)
    run(worker, photo)
    assert requests(scripted) == ["/a.jpg"]


def test_a_complete_shard_keeps_its_pictures_when_another_list_uses_the_store(worker, scripted):
    one, other = scripted.on("/a.jpg", tagged(jpeg(1))), scripted.on("/b.jpg", tagged(jpeg(2)))
    run(worker, {"Photo": one})
    run(worker, {"Photo": other})
    requests(scripted)
    assert "nothing was left to do" in run(worker, {"Photo": one})
    assert requests(scripted) == []
    run(worker, {"Photo": other})
    scripted.on("/a.jpg", status(404))
    run(worker, {"Photo": one}, options=(*NO_RETRIES, "--max-age", "0s"))
    assert shown(worker) == sha256(jpeg(1))


def test_a_complete_shard_keeps_its_pictures_when_another_filter_uses_the_store(worker, scripted):
    photo = {"Photo": scripted.on("/a.jpg", tagged(jpeg(1)))}
    run(worker, photo)
    before = pictures(worker)
    run(worker, photo, options=(*NO_RETRIES, "--filter", "none"))
    scripted.on("/a.jpg", status(404))
    run(worker, photo, options=(*NO_RETRIES, "--max-age", "0s"))
    assert pictures(worker) == before


def test_a_failure_is_not_replaced_by_the_picture_of_another_filter(worker, scripted):
    photo = {"Photo": scripted.on("/a.jpg", status(404))}
    run(worker, photo)
    scripted.on("/a.jpg", picture(jpeg(1)))
    run(worker, photo, options=(*NO_RETRIES, "--filter", "none"))
    scripted.on("/a.jpg", picture(b"no picture"))
    run(worker, photo)
    assert shown(worker) == "not-an-image"
    run(worker, photo)
    assert shown(worker) == "not-an-image"
