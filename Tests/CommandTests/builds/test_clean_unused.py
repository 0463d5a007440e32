"""`clean --unused` removes files from the state folder that no gallery needs."""

import shutil

import pytest
from gallery import contents_of
from pictures import jpeg
from scripted_server import picture, response


@pytest.fixture
def built(three_photos):
    three_photos.build()
    return three_photos


def test_unused_originals_are_removed_and_those_of_every_gallery_stay(built):
    other = built.folder / "other.plist"
    (built.folder / "4.jpg").write_bytes(jpeg(4))
    built.list({"Four": "4.jpg"})
    built.manifest.rename(other)
    built.list({"One": "1.jpg"})
    assert built.run("build", "other.plist", "-o", "other").code == 0
    built.build()
    originals = built.state / "originals"
    stored = sum(path.stat().st_size for path in originals.rglob("*") if path.is_file())
    needed = sum((built.folder / f"{number}.jpg").stat().st_size for number in (1, 4))
    assert stored > needed

    planned = built.run("clean", "--unused", "--dry-run")
    assert len([line for line in planned.out.splitlines() if line.startswith("originals/")]) == 2
    site = built.identities()
    run = built.run("clean", "--unused")
    assert run.code == 0
    assert "2 files" in run.err and f"{stored - needed} bytes" in run.err
    assert sum(path.stat().st_size for path in originals.rglob("*") if path.is_file()) == needed
    assert built.identities() == site

    assert "Nothing to do" in built.build().err
    assert "Nothing to remove" in built.run("clean", "--unused").err
    built.list({"One": "1.jpg", "Two": "2.jpg"}).build()
    assert built.reasons() == {}


def test_a_dry_run_of_clean_unused_makes_no_folder(built):
    shutil.rmtree(built.state / "originals/tmp")
    before = sorted(built.state.rglob("*"))
    assert built.run("clean", "--unused", "--dry-run").code == 0
    assert sorted(built.state.rglob("*")) == before


def test_a_large_unused_original_is_not_read_completely(built, tmp_path):
    """Its first bytes show that it is not the kept copy of a list."""
    (built.folder / "large.jpg").write_bytes(jpeg(5) + bytes(40_000_000))
    built.list({"Large": "large.jpg"}).build()
    built.list({"One": "1.jpg"}).build()
    trace = ["strace", "-f", "-e", "trace=read,pread64", "-o", tmp_path / "trace"]
    run = built.run("clean", "--unused", "-v", prefix=trace)
    assert run.code == 0 and run.err.count("removed originals/") == 3
    results = [line.rpartition("= ")[2] for line in (tmp_path / "trace").read_text().splitlines()]
    assert 0 < sum(int(result) for result in results if result.isdigit()) < 10_000_000


def test_derivatives_of_another_gallery_with_the_same_state_folder_stay(built):
    other = built.folder / "other.plist"
    built.list({"Four": "2.jpg"})
    built.manifest.rename(other)
    assert built.run("build", "other.plist", "-o", "other", "--no-originals").code == 0
    pictures = {path.name for path in (built.folder / "other/images").iterdir()}
    assert pictures
    built.list({"One": "1.jpg"}).build("--filter", "grayscale(1)")
    assert pictures <= {path.name for path in (built.state / "derivatives").iterdir()}
    # The next build of the other gallery removes the pictures that it no longer shows.
    assert built.run("build", "other.plist", "-o", "other", "--no-originals", "--filter", "invert(1)").code == 0
    assert not pictures & {path.name for path in (built.state / "derivatives").iterdir()}


def test_the_last_good_picture_of_a_stale_photo_stays(gallery, web):
    (web.root / "1.jpg").write_bytes(jpeg(1))
    gallery.list({"One": web.url("1.jpg")}).build()
    (web.root / "1.jpg").write_text("<html>moved</html>")
    gallery.build()
    assert gallery.photos()["One"]["stale"]
    assert gallery.run("clean", "--unused").code == 0
    gallery.build()
    assert gallery.photos()["One"]["stale"] and gallery.photos()["One"]["images"]


def test_a_partial_download_stays_while_its_photo_is_in_the_list(gallery, scripted):
    address = scripted.on("/1.jpg", lambda connection, request: cut_off_with_etag(connection))
    gallery.list({"One": address}).build("--retries", "0")
    partial = gallery.state / "originals/partial"
    assert len(list(partial.iterdir())) == 2
    assert gallery.run("clean", "--unused").code == 0
    assert len(list(partial.iterdir())) == 2
    gallery.list({"Two": scripted.on("/2.jpg", picture(jpeg(2)))}).build()
    assert gallery.run("clean", "--unused").code == 0
    assert list(partial.iterdir()) == []


def cut_off_with_etag(connection):
    body = jpeg(1, width=800, height=600)
    connection.sendall(response(body[: len(body) // 2], headers=['ETag: "one"'], length=len(body)))


def test_the_kept_copy_of_a_manifest_from_a_url_stays(gallery, web):
    (web.root / "1.jpg").write_bytes(jpeg(1))
    gallery.list({"One": web.url("1.jpg")})
    shutil.move(gallery.manifest, web.root / "list.plist")
    address = web.url("list.plist")
    gallery.build(address)
    assert gallery.run("clean", "--unused", "--state", ".gallerygen").code == 0
    (web.root / "list.plist").unlink()
    run = gallery.build(address)
    assert "last good copy" in run.err
    assert list(gallery.photos()) == ["One"]


@pytest.mark.parametrize("damage", ["gone", "no ledger", "empty"])
def test_without_a_ledger_clean_unused_removes_nothing_and_exits_with_74(built, damage):
    for path in built.state.glob("ledger*"):
        path.unlink()
    if damage != "gone":
        (built.state / "ledger.sqlite").write_bytes(b"" if damage == "empty" else b"no ledger" * 1000)
    before = contents_of(built.state)
    run = built.run("clean", "--unused")
    assert run.code == 74
    assert "ledger.sqlite" in run.err and "gallerygen build" in run.err
    assert contents_of(built.state / "originals") == {
        path.removeprefix("originals/"): digest for path, digest in before.items() if path.startswith("originals/")}
