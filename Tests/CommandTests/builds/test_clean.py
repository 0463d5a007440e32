"""`clean` removes what gallerygen wrote and nothing else."""

import contextlib
import os
import shutil
import signal

import pytest
from gallery import contents_of
from pictures import jpeg
from program import exit_code
from scripted_server import held
from waiting import TIMEOUT, until


@pytest.fixture
def built(three_photos):
    three_photos.build()
    return three_photos


def foreign_files(gallery):
    """Adds foreign files to every folder of the site, some with names like those of gallerygen's files."""
    (gallery.site / "photo/deep").mkdir(exist_ok=True)
    (gallery.folder / "elsewhere").mkdir(exist_ok=True)
    (gallery.folder / "elsewhere/index.html").write_text("elsewhere")
    for path in ("CNAME", "Index.html", "photo/mine.html", "photo/deep/index.html", "images/holiday.jpg",
                 "assets/logo.0123456789abcdef.png", "page/1.html", "robots.txt"):
        (gallery.site / path).parent.mkdir(exist_ok=True)
        (gallery.site / path).write_text("theirs")
    (gallery.site / "album").mkdir(exist_ok=True)
    (gallery.site / "album/link.html").symlink_to("../../elsewhere/index.html")
    return {path: gallery.site / path for path in gallery.files()}


def test_clean_removes_the_files_and_folders_of_a_build_and_reports_their_number(built):
    count = len(built.files())
    run = built.run("clean")
    assert (run.code, run.out) == (0, "")
    assert f"{count} files removed" in run.err
    assert built.site.is_dir() and list(built.site.iterdir()) == []


@pytest.mark.parametrize("options", [(), ("--dry-run",), ("--unused",)])
@pytest.mark.parametrize(("name", "advice"), [
    ("phtos.plist", "no such manifest; if it was deleted, name its site with --output"),
    ("holidays", "its list is holidays/photos.plist")])
def test_clean_with_the_name_of_no_list_removes_nothing(built, options, name, advice):
    (built.folder / "holidays").mkdir()
    shutil.copy(built.manifest, built.folder / "holidays")
    before = built.contents()
    run = built.run("clean", name, *options)
    assert run.code == 66 and advice in run.err
    assert built.contents() == before


def test_clean_needs_no_list(built):
    built.manifest.unlink()
    assert built.run("clean").code == 0
    assert built.files() == set()


@pytest.mark.parametrize("lost", ["nothing", "the ledger", "the state folder"])
def test_clean_leaves_foreign_files(built, lost):
    ours = built.files()
    theirs = set(foreign_files(built)) - ours
    if lost == "the ledger":
        for path in built.state.glob("ledger*"):
            path.unlink()
    elif lost == "the state folder":
        shutil.rmtree(built.state)
    before = {path: (built.site / path).read_bytes() for path in theirs}
    assert built.run("clean").code == 0
    assert built.files() == theirs
    assert {path: (built.site / path).read_bytes() for path in theirs} == before
    assert (built.folder / "elsewhere/index.html").read_text() == "elsewhere"
    assert lost != "the state folder" or not built.state.exists()


def test_clean_keeps_the_state_folder_so_that_the_next_build_downloads_nothing(gallery, web):
    for number in range(3):
        (web.root / f"{number}.jpg").write_bytes(jpeg(number))
    gallery.list({f"Photo {number}": web.url(f"fresh/{number}.jpg") for number in range(3)}).build()
    site, kept = gallery.contents(), set(contents_of(gallery.state / "originals"))
    web.new_requests()
    assert gallery.run("clean").code == 0
    assert set(contents_of(gallery.state / "originals")) == kept
    gallery.build()
    assert web.new_requests() == []
    after = gallery.contents()
    assert after.keys() == site.keys()
    assert [path for path in site if path.startswith(("images/", "photo/")) and after[path] != site[path]] == []


@pytest.mark.parametrize("longer", [False, True], ids=["same size", "other size"])
def test_a_page_that_somebody_changed_stays_and_is_named(built, longer):
    page = built.site / "index.html"
    text = page.read_text()
    page.write_text(text + "<!-- mine -->" if longer else text.replace("<p", "<b", 1))
    run = built.run("clean")
    assert run.code == 0
    assert "index.html" in run.err and "changed" in run.err
    assert built.files() == {"index.html"}
    assert "index.html" in built.build(expect=73).err, "a build does not overwrite a page that somebody changed"


def test_clean_leaves_symbolic_links_and_does_not_follow_them(built):
    target = built.folder / "mine.html"
    target.write_text("mine")
    (built.site / "index.html").unlink()
    (built.site / "index.html").symlink_to(target)
    shutil.rmtree(built.site / "assets")
    outside = built.folder / "outside"
    outside.mkdir()
    (outside / "file.txt").write_text("outside")
    (built.site / "assets").symlink_to(outside)
    assert built.run("clean").code == 0
    assert (built.site / "index.html").is_symlink() and target.read_text() == "mine"
    assert (built.site / "assets").is_symlink() and (outside / "file.txt").read_text() == "outside"


def test_a_dry_run_of_clean_lists_the_files_and_removes_nothing(built):
    before = built.identities()
    run = built.run("clean", "--dry-run")
    assert run.code == 0
    assert set(run.out.splitlines()) == built.files()
    assert built.identities() == before
    assert built.run("clean", "--dry-run").out == run.out


def test_clean_removes_status_json_last_so_that_it_can_be_repeated_without_a_ledger_when_killed(built):
    shutil.rmtree(built.state)
    assert built.run("clean", "--dry-run").out.splitlines()[-1] == "status.json"
    # A killed `clean` may have removed some of the pages and none of the folders.
    for page in (built.site / "photo").iterdir():
        page.unlink()
    (built.site / "index.html").unlink()
    assert built.run("clean").code == 0
    assert list(built.site.iterdir()) == []


def test_clean_without_a_site_succeeds_and_makes_nothing(gallery):
    before = list(gallery.folder.iterdir())
    run = gallery.run("clean")
    assert run.code == 0
    assert list(gallery.folder.iterdir()) == before
    assert gallery.run("clean", "--unused").code == 0
    assert list(gallery.folder.iterdir()) == before


def test_clean_of_an_output_path_that_is_a_file_exits_with_73(gallery):
    gallery.site.write_text("a file")
    assert gallery.run("clean").code == 73
    assert gallery.site.read_text() == "a file"


def test_clean_uses_the_folders_of_the_settings_file(three_photos):
    (three_photos.folder / "gallerygen.yaml").write_text("output: www\nstate: memory\n")
    three_photos.site = three_photos.folder / "www"
    three_photos.build()
    assert three_photos.run("clean").code == 0
    assert three_photos.files() == set()


@contextlib.contextmanager
def build_that_waits(gallery, scripted, photos):
    """A build that waits for a photo during the body of the `with` statement, and then completes the site."""
    gallery.list(photos | {"Slow": scripted.on("/slow.jpg", held(scripted, jpeg(8)))})
    build = gallery.program.start("build", cwd=gallery.folder)
    try:
        scripted.wait_for("/slow.jpg")
        yield
        scripted.release.set()
        assert build.wait(TIMEOUT) == 0
    finally:
        build.kill()
        build.communicate()
    assert gallery.files() == gallery.accounted_for()


@pytest.mark.parametrize("arguments", [("clean",), ("clean", "--unused"), ("clean", "--state", "other")])
def test_clean_during_a_build_exits_with_75_and_removes_nothing(built, scripted, arguments):
    before = built.contents()
    with build_that_waits(built, scripted, {"One": "1.jpg"}):
        run = built.run(*arguments)
        assert run.code == 75, run.output
        assert built.contents() == before


@pytest.mark.parametrize("arguments", [("clean",), ("clean", "--unused"), ("clean", "-o", "link/../public")])
def test_clean_during_a_first_build_exits_with_75(gallery, scripted, arguments):
    (gallery.folder / "link").mkdir()
    with build_that_waits(gallery, scripted, {}):
        run = gallery.run(*arguments)
        assert run.code == 75, run.output


@pytest.mark.parametrize("output", ["public", "other name"])
def test_clean_with_another_state_folder_exits_with_75_during_a_first_build(gallery, scripted, output):
    (gallery.folder / "other name").symlink_to("public")
    with build_that_waits(gallery, scripted, {}):
        run = gallery.run("clean", "--state", "elsewhere", "-o", output)
        assert run.code == 75, run.output
        assert not (gallery.folder / "elsewhere").exists()


def test_an_interrupted_clean_can_be_repeated(built):
    process = built.program.start("clean", cwd=built.folder)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=TIMEOUT)
    assert exit_code(process.returncode) in (0, 130)
    assert built.run("clean").code == 0
    assert built.files() == set()


def test_clean_removes_the_temporary_files_of_a_killed_build(built):
    left = built.site / ".gallerygen-0123456789abcdef.tmp"
    left.mkdir()
    (left / "1").write_text("half a page")
    assert built.run("clean").code == 0
    assert os.listdir(built.site) == []


@pytest.mark.parametrize("happened", ["nothing", "another build was killed", "the ledger was lost"])
def test_clean_removes_the_files_that_a_killed_build_was_about_to_replace(built, happened):
    """The ledger then records new files, but the old ones are still in their places."""
    def build_killed_at(title, *calls):
        killing = ["strace", "-f", "-qq", "-o", "/dev/null", *calls]
        killed = built.run("build", "--title", title, prefix=killing)
        assert exit_code(killed.code) == 128 + signal.SIGKILL

    if happened == "another build was killed":
        # All files but index.html are in place, but not recorded as published.
        build_killed_at("Another one", "-P", "index.html", "-e", "inject=renameat2:signal=KILL")
        assert "Another one" in (built.site / "photo/one.html").read_text()
    if happened == "the ledger was lost":
        for path in built.state.glob("ledger.sqlite*"):
            path.unlink()
    build_killed_at("Killed in the middle", "-e", "inject=renameat2:signal=KILL:when=1")
    assert built.files()
    run = built.run("clean")
    assert run.code == 0 and "changed" not in run.output, run.output
    assert built.files() == set()
    built.build()
    assert built.files() == built.accounted_for()


def test_clean_leaves_changed_files_in_the_site_of_an_interrupted_live_build(built, scripted):
    built.list({"One": "1.jpg", "Two": "2.jpg", "Slow": scripted.on("/slow.jpg", held(scripted, jpeg(9)))})
    process = built.program.start("build", "--live", cwd=built.folder)
    try:
        until(lambda: (built.live_status() or {"ready": 0})["ready"] >= 2, process)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=TIMEOUT)
    finally:
        process.kill()
        process.communicate()
    index = built.site / "index.html"
    index.write_text(index.read_text() + "<p>Mine</p>")
    (built.site / "photo/one.html").write_text("all mine")
    run = built.run("clean")
    assert "index.html was changed" in run.output and "one.html was changed" in run.output
    assert built.files() == {"index.html", "photo/one.html"}
