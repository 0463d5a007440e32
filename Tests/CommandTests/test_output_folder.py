"""The output folder: where it may be, and which files there are never touched."""

import os
import pwd
import shutil
from pathlib import Path

import pytest
from gallery import contents_of
from pictures import jpeg
from scripted_server import picture


@pytest.fixture
def remote(three_photos, scripted):
    """A gallery with a photo on a server, so that it shows whether anything was downloaded."""
    three_photos.list({"One": "1.jpg", "Far": scripted.on("/far.jpg", picture(jpeg(9)))})
    three_photos.server = scripted
    return three_photos


def refused(gallery, *arguments, **options):
    run = gallery.build(*arguments, expect=73, **options)
    assert gallery.server.counts() == {}, "nothing is downloaded for a site that can't be"
    return run.err


@pytest.mark.parametrize("link", [False, True], ids=["itself", "by a symbolic link"])
@pytest.mark.parametrize("place", ["/", "home", "state", "inside the state"])
def test_a_folder_where_no_site_may_be_is_refused_by_name(remote, place, link):
    home = remote.folder / "home"
    path = {"/": Path("/"), "home": home, "state": remote.folder / ".gallerygen",
            "inside the state": remote.folder / ".gallerygen/originals"}[place]
    if place == "/":
        # Were it not refused, the list would be: nothing is ever written there.
        remote.manifest.write_text("no list")
    else:
        path.mkdir(parents=True)
    output = path
    if link:
        output = remote.folder / "link"
        output.symlink_to(path)
    before = sorted(os.listdir(path))
    said = refused(remote, "-o", output, env={"HOME": str(home)})
    assert str(output) in said and "--output" in said
    assert sorted(set(os.listdir(path)) - {"lock"}) == before


@pytest.mark.parametrize("told", [None, "", "/nowhere"], ids=["not told", "empty", "wrong"])
def test_the_home_folder_is_refused_whatever_the_environment_says_of_it(remote, told):
    """cron, sudo and systemd start the program like this."""
    home = pwd.getpwuid(os.geteuid()).pw_dir
    # Were it not refused, the list would be: nothing is ever written there.
    remote.manifest.write_text("no list")
    if told is None:
        run = remote.run("build", "-o", home, prefix=("env", "-u", "HOME"))
        assert run.code == 73 and "home folder" in run.err
    else:
        assert "home folder" in refused(remote, "-o", home, env={"HOME": told})


def test_an_output_folder_that_is_not_there_yet_is_refused_inside_the_state_folder_too(remote):
    assert "state folder" in refused(remote, "-o", ".gallerygen/site")


@pytest.mark.parametrize("state", ["public/images", "public/photo/state", "public/index.html"])
def test_a_state_folder_where_files_of_the_site_must_go_is_refused(remote, state):
    said = refused(remote, "--state", state)
    assert state in said and "--state" in said


def test_the_site_may_be_beside_its_manifest(three_photos):
    three_photos.site = three_photos.folder
    three_photos.build("-o", ".")
    mine = {path for path in three_photos.files() if not path.startswith(".gallerygen/")} - three_photos.accounted_for()
    assert mine == {"photos.plist", "1.jpg", "2.jpg", "3.jpg"}
    assert "Nothing to do" in three_photos.build("-o", ".").err
    assert three_photos.run("clean", "-o", ".").code == 0
    assert {path.name for path in three_photos.folder.iterdir()} == mine | {".gallerygen"}


def test_the_first_build_says_that_the_state_folder_lies_in_the_site(three_photos):
    assert ".gallerygen" in three_photos.build("-o", ".").err.split("Open")[0]
    assert "state" not in three_photos.build("-o", ".", "--filter", "none").err


@pytest.mark.parametrize(("name", "kind"), [
    ("index.html", "file"), ("images", "file"), ("index.html", "folder"), ("status.json", "folder"),
    *((name, kind) for name in ("index.html", "status.json", "feed.xml", "images")
      for kind in ("symbolic link", "dangling link", "pipe"))])
def test_somebody_elses_site_is_refused_before_anything_is_downloaded(remote, name, kind):
    remote.site.mkdir()
    make(remote.site / name, kind, remote.folder)
    assert str(remote.site / name) in refused(remote)
    assert os.listdir(remote.site) == [name]


@pytest.mark.parametrize("kind", ["file", "folder", "symbolic link", "dangling link", "pipe"])
@pytest.mark.parametrize("what", ["photo page", "picture", "script", "status", "feed"])
def test_whatever_stands_where_a_file_of_ours_must_go_is_named_and_stays(three_photos, what, kind):
    three_photos.build()
    photo = three_photos.photos()["Two"]
    path = {"photo page": photo["page"], "picture": photo["images"][0]["path"], "status": "status.json",
            "feed": "feed.xml",
            "script": next(path for path in sorted(three_photos.files()) if path.endswith(".js"))}[what]
    three_photos.run("clean")
    target = three_photos.site / path
    target.parent.mkdir(exist_ok=True)
    make(target, kind, three_photos.folder)
    before = three_photos.identities()
    run = three_photos.build(expect=73)
    assert str(target) in run.err
    after = three_photos.identities()
    assert after.keys() == before.keys()
    assert after[path] == before[path]
    elsewhere = three_photos.folder / "elsewhere"
    assert not elsewhere.exists() or elsewhere.read_text() == "elsewhere"


def make(path, kind, folder):
    if kind == "file":
        path.write_text("<p>by hand</p>")
    elif kind == "folder":
        path.mkdir()
    elif kind == "symbolic link":
        (folder / "elsewhere").write_text("elsewhere")
        path.symlink_to(folder / "elsewhere")
    elif kind == "dangling link":
        path.symlink_to("nowhere")
    else:
        os.mkfifo(path)


def test_names_that_differ_only_in_case_are_two_files_where_the_disk_tells_them_apart(three_photos):
    three_photos.site.mkdir()
    (three_photos.site / "Index.html").write_text("mine")
    if (three_photos.site / "index.html").exists():
        assert "index.html" in three_photos.build(expect=73).err.lower()
    else:
        three_photos.build()
    assert (three_photos.site / "Index.html").read_text() == "mine"


def test_a_page_that_was_edited_by_hand_comes_back_as_it_was(three_photos):
    """Also when neither its size nor anything else tells of it but its content."""
    three_photos.build()
    before = three_photos.contents()
    index = three_photos.site / "index.html"
    index.write_text(index.read_text().replace("<p", "<b", 1))
    three_photos.build()
    assert three_photos.contents() == before


def test_a_site_that_was_put_back_from_an_older_copy_is_brought_up_to_date(three_photos):
    """The ledger is then right about the files' names and sizes, and wrong about what is in them."""
    clock = {"SOURCE_DATE_EPOCH": "1700000000"}
    captions = [
        {"name": name, "url": f"{number}.jpg", "caption": "before"} for number, name in enumerate(("A", "B"), 1)
    ]
    three_photos.list(captions).build(env=clock)
    shutil.copytree(three_photos.site, three_photos.folder / "old")
    captions[1]["caption"] = "behind"
    three_photos.list(captions).build(env=clock)
    after = three_photos.contents()
    # Files whose names tell their content are nobody's, to a ledger that never saw them go.
    old = {
        path: content
        for path, content in contents_of(three_photos.folder / "old").items()
        if path.startswith(("assets/photos.", "assets/search.")) and path.endswith(".js")
    }
    shutil.rmtree(three_photos.site)
    (three_photos.folder / "old").rename(three_photos.site)
    three_photos.build(env=clock)
    assert three_photos.contents() == after | old


def test_two_sites_from_one_state_folder_do_not_disturb_each_other(three_photos):
    def build(site, *options):
        three_photos.site = three_photos.folder / site
        return three_photos.build("-o", site, *options)

    build("a")
    first = three_photos.identities()
    build("b", "--filter", "grayscale(1)", "--per-page", "2")
    second = three_photos.identities()
    # The photos are filtered again, as a gallery remembers what its last build made.
    assert "the site has not changed" in build("a").err
    assert three_photos.identities() == first
    assert "the site has not changed" in build("b", "--filter", "grayscale(1)", "--per-page", "2").err
    assert three_photos.identities() == second


@pytest.mark.quick
def test_the_site_is_beside_the_first_manifest(three_photos):
    folder = three_photos.folder / "elsewhere"
    folder.mkdir()
    three_photos.program.run("build", "../photos.plist", cwd=folder)
    assert (three_photos.site / "index.html").is_file()
    assert list(folder.iterdir()) == []
    assert "filtered    Three" in three_photos.program.run("status", "../photos.plist", cwd=folder).out
    three_photos.program.run("clean", "../photos.plist", cwd=folder)
    assert list(three_photos.site.iterdir()) == []


def test_the_site_of_a_list_from_standard_input_is_in_the_current_folder(three_photos):
    folder = three_photos.folder / "elsewhere"
    folder.mkdir()
    three_photos.list({"One": "../1.jpg"})
    three_photos.program.run("build", "-", cwd=folder, stdin=three_photos.manifest.read_bytes())
    assert sorted(path.name for path in folder.iterdir()) == [".gallerygen", "public"]
    assert not three_photos.site.exists()
