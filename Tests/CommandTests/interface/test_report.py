"""--report new: the summary lists only photos whose problem is new since the last build."""

import hashlib

import pytest
from pictures import jpeg
from scripted_server import status


def listed(gallery, *arguments, **options):
    """What a quiet build prints: the lines without the positions in the list."""
    return [line.rpartition(" photos.plist:")[0].strip() for line in gallery.build(
        "--quiet", "--report", "new", *arguments, **options).lines()]


@pytest.mark.quick
def test_a_failure_is_listed_once(three_photos):
    three_photos.list({"One": "1.jpg", "Gone": "gone.jpg"})
    assert listed(three_photos) == ["failed Gone: File not found: gone.jpg. [missing-file]"]
    assert listed(three_photos) == []
    three_photos.list({"One": "1.jpg", "Gone": "gone.jpg", "Lost": "lost.jpg"})
    assert listed(three_photos) == ["failed Lost: File not found: lost.jpg. [missing-file]"]
    # A build that does something else does not list it either.
    assert listed(three_photos, "--title", "Other") == []
    assert listed(three_photos, "--force") == []


def test_a_failure_for_another_kind_of_reason_is_listed(three_photos):
    three_photos.list({"One": "1.jpg", "Two": "new.jpg"})
    assert len(listed(three_photos)) == 1
    (three_photos.folder / "new.jpg").write_text("this is no picture, but a text of some length")
    assert listed(three_photos) == ["failed Two: Expected a picture, found text. [not-an-image]"]
    assert listed(three_photos) == []


def test_a_failure_with_another_status_of_the_same_kind_is_not_listed_again(three_photos, scripted):
    three_photos.list({"One": "1.jpg", "Gone": scripted.on("/gone.jpg", status(404))})
    assert len(listed(three_photos, env={"SOURCE_DATE_EPOCH": "1700000000"})) == 1
    scripted.on("/gone.jpg", status(410))
    later = {"SOURCE_DATE_EPOCH": "1700086400"}
    assert listed(three_photos, "--max-age", "0", env=later) == []
    assert "410" in three_photos.photos()["Gone"]["reason"]["message"]
    assert listed(three_photos, "--max-age", "0", env=later) == []


def test_a_failure_that_comes_back_is_listed_again(three_photos):
    three_photos.list({"One": "1.jpg", "Two": "new.jpg"})
    assert len(listed(three_photos)) == 1
    (three_photos.folder / "new.jpg").write_bytes(jpeg(7))
    assert listed(three_photos) == []
    (three_photos.folder / "new.jpg").unlink()
    assert listed(three_photos) == ["stale Two: File not found: new.jpg. [missing-file]"]
    assert listed(three_photos) == []


def test_a_mark_is_listed_once(three_photos):
    pinned = hashlib.sha256((three_photos.folder / "2.jpg").read_bytes()).hexdigest()
    three_photos.list({"One": "1.jpg", "Two": {"url": "2.jpg", "sha256": pinned}})
    assert listed(three_photos) == []
    (three_photos.folder / "2.jpg").write_bytes(jpeg(8))
    line, = listed(three_photos)
    assert line.startswith("changed Two: since ")
    assert listed(three_photos) == []


@pytest.mark.parametrize("option", [[], ["--live"]])
def test_what_a_failed_build_found_is_listed_by_the_next_one(three_photos, option):
    def clock(day):
        return {"SOURCE_DATE_EPOCH": str(1_700_000_000 + 86_400 * day)}

    pinned = hashlib.sha256((three_photos.folder / "3.jpg").read_bytes()).hexdigest()
    photos = {"One": "1.jpg", "Two": "2.jpg", "Three": {"url": "3.jpg", "sha256": pinned}, "Gone": "gone.jpg"}
    three_photos.list(photos)
    three_photos.build(env=clock(0))
    three_photos.list(photos | {"Lost": "lost.jpg"})
    (three_photos.folder / "2.jpg").unlink()
    (three_photos.folder / "3.jpg").write_bytes(jpeg(8))
    (three_photos.site / "page").mkdir()
    (three_photos.site / "page/2.html").write_text("my own page")
    run = three_photos.build("--quiet", "--report", "new", "--per-page", "2", *option, env=clock(1), expect=73)
    assert "page/2.html" in run.err and "Lost" not in run.err
    (three_photos.site / "page/2.html").unlink()
    found = [line.split(":")[0].strip() for line in three_photos.build(
        "--quiet", "--report", "new", "--per-page", "2", *option, env=clock(2)).lines()]
    assert found == ["failed Lost", "stale Two", "changed Three"]
    assert listed(three_photos, "--per-page", "2", env=clock(3)) == []


def test_known_problems_are_counted(three_photos):
    three_photos.list({"One": "1.jpg", "Gone": "gone.jpg", "Lost": "lost.jpg"})
    assert "not listed" not in three_photos.build("--report", "new").err
    run = three_photos.build("--report", "new")
    assert "3 photos: 1 filtered, 2 failed" in run.err
    assert "2 known problems not listed; show all with: gallerygen status" in run.err
    assert "Gone" not in run.err
    # The failures still count.
    three_photos.build("--quiet", "--report", "new", "--strict", expect=1)
    # By default, each build lists them.
    assert "Gone" in three_photos.build("--quiet").err


def test_another_value_is_refused(three_photos):
    run = three_photos.build("--report", "none", expect=64)
    assert "--report" in run.err and "all or new" in run.err
    run = three_photos.build(env={"GALLERYGEN_REPORT": "none"}, expect=78)
    assert "GALLERYGEN_REPORT" in run.err
