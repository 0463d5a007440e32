"""The output folder: where it may be, and what happens to foreign and changed files in it."""

import os
import pwd
import shutil
from pathlib import Path

import pytest
from gallery import Gallery, contents_of
from pictures import jpeg
from scripted_server import picture


@pytest.fixture
def remote(three_photos, scripted):
    """A gallery with a photo on a server that counts requests."""
    three_photos.list({"One": "1.jpg", "Far": scripted.on("/far.jpg", picture(jpeg(9)))})
    three_photos.server = scripted
    return three_photos


def refused(gallery, *arguments, **options):
    run = gallery.build(*arguments, expect=73, **options)
    assert gallery.server.counts() == {}, "the build must fail before it downloads anything"
    return run.err


@pytest.mark.parametrize("link", [False, True], ids=["itself", "by a symbolic link"])
@pytest.mark.parametrize("place", ["/", "home", "state", "inside the state"])
def test_an_output_folder_that_would_be_dangerous_is_refused_and_named(remote, place, link):
    home = remote.folder / "home"
    path = {"/": Path("/"), "home": home, "state": remote.folder / ".gallerygen",
            "inside the state": remote.folder / ".gallerygen/originals"}[place]
    if place == "/":
        # An invalid list makes the build fail even if the folder is not refused, so that nothing is written there.
        remote.manifest.write_text("no list")
    else:
        path.mkdir(parents=True)
    output = path
    if link:
        output = remote.folder / "link"
        output.symlink_to(path)
    before = sorted(os.listdir(path))
    err = refused(remote, "-o", output, env={"HOME": str(home)})
    assert str(output) in err and "--output" in err
    assert sorted(set(os.listdir(path)) - {"lock"}) == before


@pytest.mark.parametrize("variable", [None, "", "/nowhere"], ids=["not set", "empty", "wrong"])
def test_the_home_folder_is_refused_whatever_the_value_of_home(remote, variable):
    """cron, sudo and systemd may start the program without HOME, or with another one."""
    home = pwd.getpwuid(os.geteuid()).pw_dir
    # An invalid list makes the build fail even if the folder is not refused, so that nothing is written there.
    remote.manifest.write_text("no list")
    if variable is None:
        run = remote.run("build", "-o", home, prefix=("env", "-u", "HOME"))
        assert run.code == 73 and "home folder" in run.err
    else:
        assert "home folder" in refused(remote, "-o", home, env={"HOME": variable})


def test_a_new_output_folder_inside_the_state_folder_is_refused(remote):
    assert "state folder" in refused(remote, "-o", ".gallerygen/site")


@pytest.mark.parametrize("state", ["public/images", "public/photo/state", "public/index.html"])
def test_a_state_folder_at_a_path_of_the_site_is_refused(remote, state):
    err = refused(remote, "--state", state)
    assert state in err and "--state" in err


def test_the_site_may_be_in_the_folder_of_its_manifest(three_photos):
    three_photos.site = three_photos.folder
    three_photos.build("-o", ".")
    mine = {path for path in three_photos.files() if not path.startswith(".gallerygen/")} - three_photos.accounted_for()
    assert mine == {"photos.plist", "1.jpg", "2.jpg", "3.jpg"}
    assert "Nothing to do" in three_photos.build("-o", ".").err
    assert three_photos.run("clean", "-o", ".").code == 0
    assert {path.name for path in three_photos.folder.iterdir()} == mine | {".gallerygen"}


def test_the_first_build_warns_of_a_state_folder_inside_the_site(three_photos):
    assert ".gallerygen" in three_photos.build("-o", ".").err.split("Open")[0]
    assert "state" not in three_photos.build("-o", ".", "--filter", "none").err


@pytest.mark.parametrize(("name", "kind"), [
    ("index.html", "file"), ("images", "file"), ("index.html", "folder"), ("status.json", "folder"),
    *((name, kind) for name in ("index.html", "status.json", "feed.xml", "images")
      for kind in ("symbolic link", "dangling link", "pipe"))])
def test_a_foreign_site_is_refused_before_anything_is_downloaded(remote, name, kind):
    remote.site.mkdir()
    make(remote.site / name, kind, remote.folder)
    assert str(remote.site / name) in refused(remote)
    assert os.listdir(remote.site) == [name]


@pytest.mark.parametrize("kind", ["file", "folder", "symbolic link", "dangling link", "pipe"])
@pytest.mark.parametrize("what", ["photo page", "picture", "script", "status", "feed"])
def test_a_foreign_file_in_the_place_of_one_of_the_site_is_named_and_stays(three_photos, what, kind):
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


def test_a_foreign_file_whose_name_differs_only_in_case_stays(three_photos):
    three_photos.site.mkdir()
    (three_photos.site / "Index.html").write_text("mine")
    if (three_photos.site / "index.html").exists():
        assert "index.html" in three_photos.build(expect=73).err.lower()
    else:
        three_photos.build()
    assert (three_photos.site / "Index.html").read_text() == "mine"


def test_a_page_that_was_edited_by_hand_is_restored(three_photos):
    """The edited page has the same size."""
    three_photos.build()
    before = three_photos.contents()
    index = three_photos.site / "index.html"
    index.write_text(index.read_text().replace("<p", "<b", 1))
    three_photos.build()
    assert three_photos.contents() == before


def test_a_site_that_was_restored_from_an_older_copy_is_updated(three_photos):
    """The ledger then has the right names and sizes of the files, but not their contents."""
    clock = {"SOURCE_DATE_EPOCH": "1700000000"}
    captions = [
        {"name": name, "url": f"{number}.jpg", "caption": "before"} for number, name in enumerate(("A", "B"), 1)
    ]
    three_photos.list(captions).build(env=clock)
    shutil.copytree(three_photos.site, three_photos.folder / "old")
    captions[1]["caption"] = "behind"
    three_photos.list(captions).build(env=clock)
    after = three_photos.contents()
    # The ledger does not record these old files, whose names are hashes of their contents, so they stay.
    old = {
        path: content
        for path, content in contents_of(three_photos.folder / "old").items()
        if path.startswith(("assets/photos.", "assets/search.")) and path.endswith(".js")
    }
    shutil.rmtree(three_photos.site)
    (three_photos.folder / "old").rename(three_photos.site)
    three_photos.build(env=clock)
    assert three_photos.contents() == after | old


def test_two_sites_with_one_state_folder_do_not_change_each_other(three_photos):
    def build(site, *options):
        three_photos.site = three_photos.folder / site
        return three_photos.build("-o", site, *options)

    build("a")
    first = three_photos.identities()
    build("b", "--filter", "grayscale(1)", "--per-page", "2")
    second = three_photos.identities()
    # The photos are filtered again, because the ledger has only the recipe of a gallery's last build.
    assert "the site has not changed" in build("a").err
    assert three_photos.identities() == first
    assert "the site has not changed" in build("b", "--filter", "grayscale(1)", "--per-page", "2").err
    assert three_photos.identities() == second


def test_the_default_output_folder_is_in_the_folder_of_the_first_manifest(three_photos):
    folder = three_photos.folder / "elsewhere"
    folder.mkdir()
    three_photos.program.run("build", "../photos.plist", cwd=folder)
    assert (three_photos.site / "index.html").is_file()
    assert list(folder.iterdir()) == []
    assert "filtered    Three" in three_photos.program.run("status", "../photos.plist", cwd=folder).out
    three_photos.program.run("clean", "../photos.plist", cwd=folder)
    assert list(three_photos.site.iterdir()) == []


def test_the_default_output_folder_of_a_list_from_standard_input_is_in_the_current_folder(three_photos):
    folder = three_photos.folder / "elsewhere"
    folder.mkdir()
    three_photos.list({"One": "../1.jpg"})
    three_photos.program.run("build", "-", cwd=folder, stdin=three_photos.manifest.read_bytes())
    assert sorted(path.name for path in folder.iterdir()) == [".gallerygen", "public"]
    assert not three_photos.site.exists()


@pytest.mark.parametrize("options", [(), ("--live",)], ids=["", "live"])
def test_a_build_that_replaces_the_site_of_another_gallery_warns_each_time(three_photos, program, tmp_path, options):
    other = Gallery(tmp_path / "other", program)
    other.list({"Hut": "hut.jpg", "One": "hut.jpg", "Peak": "hut.jpg"})
    (other.folder / "hut.jpg").write_bytes(jpeg(9))
    assert "warning" not in other.build(*options).err
    assert three_photos.build("-o", other.site, *options).err.count(
        f"the site in {other.site} was another one, with 3 photos, of which this list has 1. It was replaced."
    ) == 1
    assert "of which this list has 1." in other.build(*options).err
    assert set(other.photos()) == {"Hut", "One", "Peak"}
    assert "of which this list has 1." in three_photos.build("-o", other.site, *options).err


def test_a_gallery_that_lost_its_state_replaces_its_site_without_a_warning(three_photos):
    three_photos.build()
    shutil.rmtree(three_photos.state)
    three_photos.list({"One": "1.jpg", "Two": "2.jpg", "New": "3.jpg", "Another": "3.jpg"})
    assert "warning" not in three_photos.build().err
    before = three_photos.folder / "before"
    shutil.copytree(three_photos.site, before)
    three_photos.list({"Other": "1.jpg"}).build()
    shutil.rmtree(three_photos.site)
    before.rename(three_photos.site)
    assert "another one" not in three_photos.list({"One": "1.jpg", "Two": "2.jpg"}).build().err
