"""Workers that are killed, photos that fail, and stores that are damaged or can't be reached: nothing is lost, and only
what is left is done again."""

import os
import shutil
import signal

import pytest
from gallery import contents_of
from pictures import jpeg
from program import exit_code
from scripted_server import held
from waiting import TIMEOUT, until
from workers import Workers


def photos_at(web):
    """The list of the gallery `dozen`."""
    return {f"Photo {number}": web.url(f"{number}.jpg") for number in range(12)}


@pytest.fixture
def dozen(gallery, web):
    """A gallery of twelve photos in one shard."""
    for number in range(12):
        (web.root / f"{number}.jpg").write_bytes(jpeg(number))
    gallery.list(photos_at(web))
    return Workers(gallery, 1)


@pytest.fixture
def interrupted(dozen, web, scripted):
    """A gallery of 24 photos whose worker has done all but the last two when its server holds an answer back."""
    photos = photos_at(web)
    photos |= {f"Fresh {number}": web.url(f"fresh/{number}.jpg") for number in range(10)}
    photos |= {"Slow": scripted.on("/slow.jpg", held(scripted, jpeg(50)))}
    photos |= {"Last": scripted.on("/last.jpg", held(scripted, jpeg(51)))}
    dozen.gallery.list(photos)
    return dozen


@pytest.mark.parametrize("machine", ["1", "another"], ids=["same machine", "another machine"])
def test_a_killed_worker_loses_nothing_and_the_next_run_requests_only_what_is_left(
        interrupted, web, scripted, machine):
    process = interrupted.start(1)
    try:
        until(lambda: len(interrupted.records()) == 22, process)
    finally:
        process.kill()
        process.communicate()
    assert len(web.new_requests()) == 22
    assert interrupted.shards(form="array", expect=1).out == "1\n"
    interrupted.publish()
    assert {name for name, state in interrupted.states().items() if state == "new"} == {"Slow", "Last"}

    scripted.release.set()
    run = interrupted.work(1, machine=machine)
    assert web.new_requests() == []
    assert scripted.counts() == {"/slow.jpg": 2, "/last.jpg": 2}
    assert "2 done now" in run.err
    interrupted.publish()
    assert contents_of(interrupted.site) == interrupted.alone()


def test_an_interrupted_worker_says_so_and_its_shard_stays_missing(interrupted, web, scripted):
    process = interrupted.start(1)
    try:
        until(lambda: len(interrupted.records()) == 22, process)
        process.terminate()
        _, err = process.communicate(timeout=TIMEOUT)
    finally:
        process.kill()
        process.communicate()
    assert exit_code(process.returncode) == 143
    assert len(err.splitlines()) == 1 and "interrupted" in err and "without waiting" not in err
    assert interrupted.shards(form="array", expect=1).out == "1\n"
    web.new_requests()
    scripted.release.set()
    interrupted.work(1)
    assert web.new_requests() == []


def test_failed_photos_alone_are_tried_again(dozen, web):
    for number in (3, 5, 8):
        (web.root / f"{number}.jpg").rename(web.root / f"{number}.away")
    assert "3 failed" in dozen.work().err
    assert dozen.shards().err == "The only shard is complete.\n"
    assert dozen.shards().out.endswith("12 photos, 3 failed\n")
    web.new_requests()
    (web.root / "3.away").rename(web.root / "3.jpg")
    dozen.work()
    assert sorted(request.path for request in web.new_requests()) == ["/3.jpg", "/5.jpg", "/8.jpg"]
    assert dozen.shards().out.endswith("12 photos, 2 failed\n")
    dozen.publish()
    assert [name for name, state in dozen.states().items() if state == "failed"] == ["Photo 5", "Photo 8"]
    assert contents_of(dozen.site) == dozen.alone()


def test_finished_photos_are_requested_again_with_max_age_alone(dozen, web):
    dozen.work()
    (web.root / "4.jpg").write_bytes(jpeg(40))
    web.new_requests()
    later = {"SOURCE_DATE_EPOCH": "1700003600"}
    dozen.work(options=("--max-age", "2h"), env=later)
    assert web.new_requests() == []
    dozen.work(options=("--max-age", "1h"), env=later)
    assert len(web.new_requests()) == 12
    # Nothing in the store has been changed.
    assert sorted(path.name[64:] for path in dozen.records()) == 12 * [""] + [".2"]
    dozen.publish(env=later)
    changed = next(photo for photo in dozen.status()["photos"] if photo["name"] == "Photo 4")
    single = dozen.gallery
    single.build(env=later)
    assert single.photos()["Photo 4"]["sha256"] == changed["sha256"]
    assert contents_of(dozen.site / "images") == contents_of(single.site / "images")


def test_two_workers_on_one_shard_at_the_same_time_do_no_harm(dozen, web, scripted):
    photos = photos_at(web)
    dozen.gallery.list({"Held": scripted.on("/held.jpg", held(scripted, jpeg(50)))} | photos)
    workers = [dozen.start(1, machine=machine) for machine in ("one", "two")]
    try:
        until(lambda: scripted.counts()["/held.jpg"] == 2, workers[0])
        scripted.release.set()
        for worker in workers:
            _, err = worker.communicate(timeout=TIMEOUT)
            assert worker.returncode == 0, err
            assert "Shard 1/1 is complete" in err
    finally:
        for worker in workers:
            worker.kill()
            worker.communicate()
    assert sorted(path.name[64:] for path in dozen.records()) == 13 * [""], "one result of each photo is enough"
    dozen.publish()
    assert contents_of(dozen.site) == dozen.alone()
    assert not list((dozen.store / ".tmp").iterdir())


def test_two_workers_with_one_state_folder_exclude_each_other(interrupted, scripted):
    process = interrupted.start(1)
    try:
        scripted.wait_for("/slow.jpg")
        run = interrupted.work(1, expect=75)
        assert "another build is using" in run.err
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("damage", [os.unlink, lambda path: os.truncate(path, 100)], ids=["missing", "cut off"])
def test_a_damaged_picture_of_the_store_is_named_and_its_photo_counts_as_not_done(dozen, web, damage):
    dozen.work()
    broken = dozen.pictures()[0]
    damage(broken)
    web.new_requests()
    run = dozen.publish()
    assert f"images/{broken.name}" in run.err
    assert list(dozen.states().values()).count("new") == 1
    assert web.new_requests() == []


def test_a_missing_picture_is_put_back_with_force(dozen):
    dozen.work()
    dozen.pictures()[0].unlink()
    dozen.work(options=("--force",))
    dozen.publish()
    assert contents_of(dozen.site) == dozen.alone()


@pytest.mark.parametrize("damage", [
    lambda path: path.write_bytes(b"{"), lambda path: path.write_bytes(b""), os.unlink],
    ids=["broken", "empty", "gone"])
def test_a_damaged_record_of_a_shard_is_not_trusted(dozen, web, damage):
    dozen.work()
    record, = (dozen.store / "shards").glob("*/*")
    damage(record)
    dozen.publish()
    assert set(dozen.states().values()) == {"filtered"}, "the photos have records of their own"


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff" * 50])
def test_a_photo_with_a_damaged_record_is_done_again(dozen, web, content):
    dozen.work()
    record, = (dozen.store / "shards").glob("*/*")
    record.unlink()
    dozen.records()[0].write_bytes(content)
    web.new_requests()
    dozen.work(machine="another")
    assert len(web.new_requests()) == 1
    dozen.publish()
    assert contents_of(dozen.site) == dozen.alone()


def test_a_store_that_is_a_file_exits_with_74_and_is_named(dozen):
    dozen.store.write_text("mine")
    for run in (dozen.work(1, expect=74), dozen.publish(expect=74), dozen.shards(expect=74)):
        assert str(dozen.store) in run.err and len(run.lines()) == 1
    assert dozen.store.read_text() == "mine"
    assert not dozen.site.exists()


def test_a_store_that_does_not_exist_is_created_by_workers_alone(dozen):
    assert str(dozen.store) in dozen.publish(expect=74).err
    assert dozen.shards(form="array", expect=1).out == "1\n", "before the first worker, all shards are missing"
    assert not dozen.store.exists(), "a mistyped address would be taken for an empty store"
    assert not dozen.site.exists()
    dozen.work(1)
    assert dozen.store.is_dir()


def test_a_store_that_cannot_be_written_exits_with_74_and_is_named(dozen, web):
    dozen.store = "/proc/gallerygen"
    run = dozen.work(1, expect=74)
    assert "/proc/gallerygen" in run.err and len(run.lines()) == 1
    assert web.new_requests() == []


def test_a_store_that_cannot_be_reached_exits_with_74_and_is_named(dozen, web):
    dozen.store = "s3://example-photos/work"
    keys = {"AWS_ACCESS_KEY_ID": "AKIDTEST", "AWS_SECRET_ACCESS_KEY": "SECRET", "AWS_REGION": "us-east-1"}
    run = dozen.work(1, options=("--s3-endpoint", "http://127.0.0.1:1/", "--retries", "0"), env=keys, expect=74)
    assert "s3://example-photos/work" in run.err and "SECRET" not in run.output
    assert web.new_requests() == []


def test_a_site_stays_as_it_was_if_the_store_fails(dozen):
    dozen.work()
    dozen.publish()
    before = contents_of(dozen.site)
    dozen.store.rename(dozen.store.with_name("away"))
    dozen.store.write_text("")
    dozen.publish(expect=74)
    assert contents_of(dozen.site) == before


def test_a_store_without_results_does_not_empty_a_site(dozen):
    dozen.work()
    dozen.publish()
    before = contents_of(dozen.site)
    other = Workers(dozen.gallery, 1)
    other.store = dozen.gallery.folder / "empty"
    other.store.mkdir()
    assert "has no result for any photo of the list" in other.publish(expect=74).err
    assert contents_of(dozen.site) == before
    other.publish("--allow-empty")
    assert set(other.states().values()) == {"new"}


def test_a_worker_that_completes_a_shard_last_does_not_hide_a_better_result(dozen, web, scripted):
    """The first worker gets 404 for a photo and waits for another one. Meanwhile the second one does all."""
    photos = photos_at(web)
    held_back = scripted.on("/held.jpg", held(scripted, jpeg(50)))
    dozen.gallery.list(photos | {"Late": web.url("late.jpg"), "Held": held_back})
    first = dozen.start(1, machine="one")
    try:
        until(lambda: len(dozen.records()) == 13, first)
        (web.root / "late.jpg").write_bytes(jpeg(60))
        first.send_signal(signal.SIGSTOP)
        scripted.release.set()
        dozen.work(1, machine="two")
        first.send_signal(signal.SIGCONT)
        _, err = first.communicate(timeout=TIMEOUT)
        assert first.returncode == 0, err
    finally:
        first.kill()
        first.communicate()
    assert len(list((dozen.store / "shards").rglob("1-of-1*"))) == 2
    dozen.publish()
    assert dozen.states()["Late"] == "filtered"


def test_a_site_with_its_own_permissions_leaves_those_of_the_store(dozen):
    dozen.work()
    before = {path.name: path.stat().st_mode for path in dozen.pictures()}
    dozen.publish("--mode", "600")
    assert {path.name: path.stat().st_mode for path in dozen.pictures()} == before
    assert {path.stat().st_mode & 0o777 for path in (dozen.site / "images").iterdir()} == {0o600}


def test_a_picture_that_the_site_has_lost_comes_from_the_store_again(dozen):
    dozen.work()
    dozen.publish()
    before = contents_of(dozen.site)
    lost = next((dozen.site / "images").iterdir())
    lost.unlink()
    (dozen.gallery.folder / "state-of-site/derivatives" / lost.name).unlink()
    dozen.publish()
    assert contents_of(dozen.site) == before
    assert "Nothing to do" in dozen.publish().err


def test_pictures_in_the_output_folder_of_which_no_record_is_left_come_from_the_store_again(dozen):
    dozen.work(1)
    dozen.publish()
    before = contents_of(dozen.site)
    shutil.rmtree(dozen.gallery.folder / "state-of-site")
    for name in ("index.html", "status.json"):
        (dozen.site / name).unlink()
    for path in dozen.site.iterdir():
        if path.name != "images":
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    dozen.publish()
    assert contents_of(dozen.site) == before


def test_a_change_of_settings_does_not_empty_a_site_before_the_shards_have_run(dozen):
    dozen.work()
    dozen.publish()
    before = contents_of(dozen.site)
    assert "with these settings of pictures" in dozen.publish("--filter", "grayscale(1)", expect=74).err
    assert contents_of(dozen.site) == before
    dozen.work(options=("--filter", "grayscale(1)"))
    dozen.publish("--filter", "grayscale(1)")
    assert set(dozen.states().values()) == {"filtered"}


def test_a_source_that_is_gone_leaves_a_shard_with_originals_complete(dozen, web):
    """The picture stays, but the original is neither here nor in the store."""
    dozen.work()
    (web.root / "3.jpg").unlink()
    dozen.work(options=("--max-age", "0s", "--store-originals", "--retries", "0"))
    dozen.publish()
    assert [photo["name"] for photo in dozen.status()["photos"] if photo["stale"]] == ["Photo 3"]


@pytest.mark.parametrize("address", ["missing.jpg", "gopher://localhost/3.jpg", 7], ids=["missing", "unusable", "none"])
def test_a_photo_whose_new_address_fails_keeps_its_picture(dozen, web, address):
    """Its picture is that of the earlier address, but the result is that of the list as it is now."""
    dozen.work()
    dozen.publish()
    before = contents_of(dozen.site / "images")
    photos = photos_at(web)
    dozen.gallery.list(photos | {"Photo 3": web.url(address) if address == "missing.jpg" else address})
    dozen.work()
    dozen.publish()
    assert [photo["name"] for photo in dozen.status()["photos"] if photo["stale"]] == ["Photo 3"]
    assert contents_of(dozen.site / "images") == before
    assert "Nothing to do" in dozen.publish().err


def test_a_mirror_that_no_worker_has_tried_loses_no_picture(dozen, web):
    dozen.work()
    photos = photos_at(web)
    dozen.gallery.list(photos | {"Photo 3": web.url("missing.jpg")})
    dozen.work()
    dozen.publish()
    before = contents_of(dozen.site / "images")
    dozen.gallery.list(photos | {"Photo 3": {"url": [web.url("missing.jpg"), web.url("4.jpg")]}})
    dozen.publish()
    assert contents_of(dozen.site / "images") == before
