"""Publications to a folder in which something has happened since the last one, while the site has stayed the same."""

import os
import shutil

import pytest
from gallery import contents_of
from publishing import LIST, publish


@pytest.mark.parametrize("is_left", [False, True], ids=["gone", "empty"])
def test_a_folder_whose_disk_is_not_mounted_is_not_up_to_date(three_photos, target, is_left):
    three_photos.build("--publish", target)
    shutil.rmtree(target)
    if is_left:
        target.mkdir()
    for run in (publish(three_photos, target, expect=74), publish(three_photos, "--dry-run", target, expect=74),
                three_photos.build("--publish", target, expect=74)):
        assert f"{target}: the list of published files, {LIST}, is not there any more" in run.err
    assert target.exists() == is_left
    publish(three_photos, "--verify", target)
    assert {path for path in contents_of(target) if path != LIST} == three_photos.files()


def test_a_site_without_its_list_gets_it_again(three_photos, target):
    three_photos.build("--publish", target)
    before = contents_of(target)
    (target / LIST).unlink()
    assert "is up to date" in publish(three_photos, target).err
    assert contents_of(target) == before


def modes(folder):
    """Path → permission bits of everything in a folder, and of the folder itself, without the list."""
    paths = [folder, *(path for path in folder.rglob("*") if path.name != LIST)]
    return {str(path.relative_to(folder)): oct(path.stat().st_mode & 0o777) for path in paths}


@pytest.mark.parametrize("mine", [False, True], ids=["only the site", "with other files"])
def test_verify_corrects_permissions(three_photos, target, mine):
    three_photos.build("--publish", target, preexec_fn=lambda: os.umask(0o077))
    if mine:
        (target / "mine").write_text("mine")
        (target / "mine").chmod(0o600)
    (target / "photo").chmod(0o770)
    assert modes(target)["."] == "0o700" and modes(target)["index.html"] == "0o600"
    three_photos.build("--mode", "644")
    before = contents_of(target)
    assert "Published to" in (run := publish(three_photos, "--verify", target)).err
    assert "sent nothing; removed nothing; permissions corrected: " in run.err
    expected = modes(three_photos.site) | {"photo": "0o775"}
    if mine:
        expected |= {".": "0o700", "mine": "0o600"}
    assert modes(target) == expected
    assert contents_of(target) == before
    assert "is up to date" in publish(three_photos, "--verify", target).err
