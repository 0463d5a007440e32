"""A store is kept apart from sites and state folders, because nothing in it may ever be replaced or removed."""

import shutil

import pytest
from gallery import contents_of
from pictures import jpeg
from workers import Workers

LIST = ".gallerygen-published"


@pytest.fixture
def workers(gallery):
    """A gallery of three local photos in one shard, which is complete."""
    for number in range(1, 4):
        (gallery.folder / f"{number}.jpg").write_bytes(jpeg(number))
    gallery.list({"One": "1.jpg", "Two": "2.jpg", "Three": "3.jpg"})
    workers = Workers(gallery, 1)
    workers.work()
    return workers


def refused(workers, *arguments, store=None, env=None):
    """The message of a command that leaves the store as it is."""
    folder = store or workers.store
    before = contents_of(folder)
    run = workers.gallery.run(*arguments, env=env)
    assert run.code == 73, run.output
    assert contents_of(folder) == before
    return run.err


@pytest.mark.parametrize("options", [
    ["--store", "store", "-o", "store"], ["-o", "store"], ["-o", "link"], ["--dry-run", "-o", "store"],
    ["--store", "store", "-o", "store/site"], ["--store", "link", "-o", "store/site"]])
def test_a_store_is_no_output_folder_and_has_none_in_it(workers, options):
    (workers.gallery.folder / "link").symlink_to(workers.store)
    err = refused(workers, "build", *options)
    assert "store" in err and "use --" in err


@pytest.mark.parametrize("store", ["public", "public/store", ".gallerygen", ".gallerygen/store"])
@pytest.mark.parametrize("options", [["--shard", "1/1"], []], ids=["worker", "site"])
def test_an_output_folder_or_a_state_folder_is_no_store(workers, store, options):
    folder = workers.gallery.folder / store
    folder.mkdir(parents=True)
    err = refused(workers, "build", *options, "--store", store, store=folder)
    assert f"the store {folder} is" in err and "use --store to name a folder for the store only" in err


def test_a_worker_needs_no_place_for_a_site_outside_of_the_store(workers):
    """The list can be in the store. A worker puts no site beside it."""
    shutil.copy(workers.gallery.manifest, workers.store)
    run = workers.gallery.run("build", "store/photos.plist", "--shard", "1/1", "--store", "store", "--state", "state")
    assert run.code == 0, run.output


@pytest.mark.parametrize("left", ["the whole site", "its list of published files"])
def test_a_folder_with_a_site_is_no_store(workers, left):
    folder = workers.gallery.folder / "www"
    workers.gallery.build("--publish", folder)
    if left != "the whole site":
        (folder / "status.json").unlink()
    else:
        (folder / LIST).unlink()
    for options in (["--shard", "1/1"], []):
        assert f"the store {folder} has a site" in refused(workers, "build", *options, "--store", folder, store=folder)


def test_a_store_is_no_target_of_a_publication(workers):
    workers.gallery.build()
    for arguments in (["publish", "store"], ["publish", "--dry-run", "store"], ["publish", "--verify", "store"],
                      ["build", "--publish", "store"]):
        assert f"{workers.store} is the store of a shared build" in refused(workers, *arguments)
    assert not (workers.store / LIST).exists()


def test_a_store_in_which_an_earlier_version_has_published_loses_nothing(workers, tmp_path):
    workers.gallery.build()
    kept = shutil.copytree(workers.store / "photos", tmp_path / "kept")
    shutil.rmtree(workers.store / "photos")
    workers.gallery.run("publish", workers.store)
    shutil.copytree(kept, workers.store / "photos")
    workers.gallery.list({"One": "1.jpg"}).build()
    refused(workers, "publish", "--keep-old", "0", workers.store)


def test_a_site_that_an_earlier_version_has_built_in_a_store_is_not_cleaned(workers):
    output = workers.gallery.folder / "mixed"
    workers.gallery.build("-o", output)
    shutil.copytree(workers.store, output, dirs_exist_ok=True)
    for options in ([], ["--dry-run"]):
        err = refused(workers, "clean", *options, "-o", output, store=output)
        assert "is the store of a shared build" in err


def test_other_files_in_a_folder_photos_are_no_store(workers):
    site = workers.gallery.folder / "site"
    (site / "photos").mkdir(parents=True)
    (site / "photos" / f"{'0' * 64}.jpg").write_bytes(jpeg(1))
    workers.gallery.build("-o", site)
    target = workers.gallery.folder / "www"
    shutil.copytree(site / "photos", target / "photos")
    assert workers.gallery.run("publish", "-o", site, target).code == 0


def test_a_store_on_another_machine_is_no_target(workers, ssh):
    workers.gallery.build()
    err = refused(workers, "publish", f"web:{workers.store}", env=ssh.environment())
    assert "is the store of a shared build" in err


def test_a_bucket_is_either_a_store_or_a_target(workers, rclone):
    bucket = rclone.bucket("store-or-site")
    workers.store = "s3://store-or-site/work"
    workers.work(env=rclone.environment())
    workers.gallery.build()
    err = refused(workers, "publish", workers.store, store=bucket, env=rclone.environment())
    assert f"{workers.store} is the store of a shared build" in err
    site = "s3://store-or-site/site"
    assert workers.gallery.run("publish", site, env=rclone.environment()).code == 0
    err = refused(workers, "build", "--shard", "1/1", "--store", site, store=bucket, env=rclone.environment())
    assert f"the store {site} has a site" in err
