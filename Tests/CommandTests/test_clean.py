"""`clean` removes what gallerygen wrote and nothing else."""

import os
import shutil
import signal

import pytest
from gallery import contents_of
from pictures import jpeg
from program import exit_code
from scripted_server import held
from waiting import until


@pytest.fixture
def built(three_photos):
    three_photos.build()
    return three_photos


def foreign_files(gallery):
    """Files of somebody else's in every folder of the site, some with names that look like ours."""
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


def test_clean_removes_what_a_build_wrote_with_its_folders_and_says_so(built):
    count = len(built.files())
    run = built.run("clean")
    assert (run.code, run.out) == (0, "")
    assert f"{count} files removed" in run.err
    assert built.site.is_dir() and list(built.site.iterdir()) == []


@pytest.mark.parametrize("lost", ["nothing", "the ledger", "the state folder"])
def test_clean_leaves_every_file_that_is_not_gallerygens(built, lost):
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


def test_clean_leaves_the_state_folder_so_that_the_next_build_downloads_nothing(gallery, web):
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
    assert "index.html" in built.build(expect=73).err, "it is not ours any more, and nobody writes over it"


def test_a_symbolic_link_in_the_place_of_our_file_is_not_followed_and_stays(built):
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


def test_a_dry_run_prints_what_would_go_and_changes_nothing(built):
    before = built.identities()
    run = built.run("clean", "--dry-run")
    assert run.code == 0
    assert set(run.out.splitlines()) == built.files()
    assert built.identities() == before
    assert built.run("clean", "--dry-run").out == run.out


def test_status_json_goes_last_so_that_a_killed_clean_can_be_repeated_without_a_ledger(built):
    shutil.rmtree(built.state)
    assert built.run("clean", "--dry-run").out.splitlines()[-1] == "status.json"
    # The folder is left as by a kill: some of the pages are gone, and the folders are not.
    for page in (built.site / "photo").iterdir():
        page.unlink()
    (built.site / "index.html").unlink()
    assert built.run("clean").code == 0
    assert list(built.site.iterdir()) == []


def test_clean_with_nothing_there_is_fine_and_makes_nothing(gallery):
    before = list(gallery.folder.iterdir())
    run = gallery.run("clean")
    assert run.code == 0
    assert list(gallery.folder.iterdir()) == before
    assert gallery.run("clean", "--unused").code == 0
    assert list(gallery.folder.iterdir()) == before


def test_clean_of_an_output_path_that_is_a_file_is_73(gallery):
    gallery.site.write_text("a file")
    assert gallery.run("clean").code == 73
    assert gallery.site.read_text() == "a file"


def test_clean_takes_the_folders_of_the_settings_file(three_photos):
    (three_photos.folder / "gallerygen.yaml").write_text("output: www\nstate: memory\n")
    three_photos.site = three_photos.folder / "www"
    three_photos.build()
    assert three_photos.run("clean").code == 0
    assert three_photos.files() == set()


@pytest.mark.parametrize("arguments", [("clean",), ("clean", "--unused"), ("clean", "--state", "other")])
def test_clean_during_a_build_is_75_and_removes_nothing(built, scripted, arguments):
    address = scripted.on("/slow.jpg", held(scripted, jpeg(8)))
    built.list({"One": "1.jpg", "Slow": address})
    before = built.contents()
    build = built.program.start("build", cwd=built.folder)
    try:
        scripted.wait_for("/slow.jpg")
        run = built.run(*arguments)
        assert run.code == 75, run.output
        assert built.contents() == before
        scripted.release.set()
        assert build.wait(30) == 0
    finally:
        build.kill()
        build.communicate()
    assert built.files() == built.accounted_for()


@pytest.mark.parametrize("arguments", [("clean",), ("clean", "--unused"), ("clean", "-o", "link/../public")])
def test_clean_during_a_first_build_is_75_though_there_is_no_site_yet(gallery, scripted, arguments):
    (gallery.folder / "link").mkdir()
    gallery.list({"Slow": scripted.on("/slow.jpg", held(scripted, jpeg(8)))})
    build = gallery.program.start("build", cwd=gallery.folder)
    try:
        scripted.wait_for("/slow.jpg")
        run = gallery.run(*arguments)
        assert run.code == 75, run.output
        scripted.release.set()
        assert build.wait(30) == 0
    finally:
        build.kill()
        build.communicate()
    assert gallery.files() == gallery.accounted_for()


@pytest.mark.parametrize("output", ["public", "other name"])
def test_clean_with_another_state_folder_is_75_while_a_first_build_makes_the_site(gallery, scripted, output):
    (gallery.folder / "other name").symlink_to("public")
    gallery.list({"Slow": scripted.on("/slow.jpg", held(scripted, jpeg(8)))})
    build = gallery.program.start("build", cwd=gallery.folder)
    try:
        scripted.wait_for("/slow.jpg")
        run = gallery.run("clean", "--state", "elsewhere", "-o", output)
        assert run.code == 75, run.output
        assert not (gallery.folder / "elsewhere").exists()
        scripted.release.set()
        assert build.wait(30) == 0
    finally:
        build.kill()
        build.communicate()
    assert gallery.files() == gallery.accounted_for()


def test_an_interrupted_clean_can_be_repeated(built):
    process = built.program.start("clean", cwd=built.folder)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=20)
    assert exit_code(process.returncode) in (0, 130)
    assert built.run("clean").code == 0
    assert built.files() == set()


def test_what_a_killed_build_left_on_its_way_goes_too(built):
    left = built.site / ".gallerygen-0123456789abcdef.tmp"
    left.mkdir()
    (left / "1").write_text("half a page")
    assert built.run("clean").code == 0
    assert os.listdir(built.site) == []


@pytest.mark.parametrize("happened", ["nothing", "another was broken off", "the ledger was lost"])
def test_what_a_killed_build_was_about_to_replace_goes_too(built, tmp_path, happened):
    """The ledger then tells of files that are not there yet, in whose places the older ones stand."""
    trace = tmp_path / "trace"
    killing = ["strace", "-f", "-qq", "-o", trace, "-e"]
    if happened == "another was broken off":
        built.build("--title", "Counted", prefix=[*killing, "trace=renameat2"])
        last = len(trace.read_text().splitlines())
        # All but index.html is in place, and not recorded.
        killed = built.run(
            "build", "--title", "Another one", prefix=[*killing, f"inject=renameat2:signal=KILL:when={last}"]
        )
        assert exit_code(killed.code) == 128 + signal.SIGKILL
        assert "Another one" in (built.site / "photo/one.html").read_text()
    if happened == "the ledger was lost":
        for path in built.state.glob("ledger.sqlite*"):
            path.unlink()
    killed = built.run(
        "build", "--title", "Killed in the middle", prefix=[*killing, "inject=renameat2:signal=KILL:when=1"]
    )
    assert exit_code(killed.code) == 128 + signal.SIGKILL
    assert built.files()
    run = built.run("clean")
    assert run.code == 0 and "changed" not in run.output, run.output
    assert built.files() == set()
    built.build()
    assert built.files() == built.accounted_for()


def test_what_somebody_changed_in_a_site_whose_build_was_interrupted_stays(built, scripted):
    built.list({"One": "1.jpg", "Two": "2.jpg", "Slow": scripted.on("/slow.jpg", held(scripted, jpeg(9)))})
    process = built.program.start("build", "--live", cwd=built.folder)
    try:
        until(lambda: (built.live_status() or {"ready": 0})["ready"] >= 2, process)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
    finally:
        process.kill()
        process.communicate()
    index = built.site / "index.html"
    index.write_text(index.read_text() + "<p>Mine</p>")
    (built.site / "photo/one.html").write_text("all mine")
    run = built.run("clean")
    assert "index.html was changed" in run.output and "one.html was changed" in run.output
    assert built.files() == {"index.html", "photo/one.html"}
