"""`gallerygen init`: an example gallery, and templates to edit."""

import plistlib
import re
import resource

import pytest
from gallery import Gallery
from pictures import jpeg

CLOCK = {"SOURCE_DATE_EPOCH": "1700000000"}


@pytest.mark.quick
def test_init_makes_a_gallery_that_can_be_built(gallery):
    gallery.manifest.unlink(missing_ok=True)
    run = gallery.run("init")
    assert run.code == 0, run.output
    assert run.out == ""
    assert "gallerygen build" in run.err and "photos.plist" in run.err
    assert plistlib.loads(gallery.manifest.read_bytes()) == {"My First Photo": "first.jpg"}
    assert gallery.run("check").code == 0
    gallery.build()
    assert gallery.reasons() == {"My First Photo": "missing-file"}


def test_init_in_a_new_folder_makes_it_and_prints_the_next_command(gallery):
    run = gallery.run("init", "my photos")
    assert run.code == 0, run.output
    assert "cd 'my photos' && gallerygen build" in run.err
    assert {path.name for path in (gallery.folder / "my photos").iterdir()} == {"photos.plist", "gallerygen.yaml"}


@pytest.mark.parametrize("arguments", [("",), ("--templates", ""), ("--from", "", "new")])
def test_an_empty_name_is_refused_because_a_variable_may_not_be_set(gallery, arguments):
    before = set(gallery.folder.iterdir())
    run = gallery.run("init", *arguments)
    assert run.code == 64 and " is empty" in run.err
    assert set(gallery.folder.iterdir()) == before


@pytest.mark.parametrize("options", [(), ("--from", "source")])
def test_a_tilde_means_the_home_folder(gallery, options):
    for name in ("home", "source"):
        (gallery.folder / name).mkdir()
    (gallery.folder / "source/1.jpg").write_bytes(jpeg(1))
    assert gallery.run("init", *options, "~/new", env={"HOME": str(gallery.folder / "home")}).code == 0
    assert (gallery.folder / "home/new/photos.plist").is_file() and not (gallery.folder / "~").exists()


def test_the_settings_of_the_example_are_the_defaults(gallery):
    gallery.run("init", "plain")
    gallery.run("init", "set")
    file = gallery.folder / "set/gallerygen.yaml"
    lines = file.read_text().splitlines()
    settings = [line.removeprefix("# ") for line in lines if re.match("# [a-z-]+: ", line)]
    assert len(settings) >= 10
    shown = [line for line in settings if not line.startswith(("base-url", "templates", "title"))]
    file.write_text("\n".join(shown))
    for name in ("plain", "set"):
        run = gallery.program.run("build", cwd=gallery.folder / name, env=CLOCK)
        assert run.code == 0, run.output

    def site(name):
        return {path.name: path.read_bytes() for path in (gallery.folder / name / "public").rglob("*.html")}
    assert site("plain") == site("set")
    file.write_text("\n".join(settings))
    assert "unknown setting" not in gallery.program.run("check", cwd=gallery.folder / "set").err


def test_a_list_that_can_not_be_written_as_a_whole_is_not_there(gallery):
    gallery.manifest.unlink(missing_ok=True)
    rows = "".join(f"https://example.org/{number}.jpg,Photo {number}\n" for number in range(1_000))
    (gallery.folder / "s.csv").write_text("url,name\n" + rows)
    run = gallery.run(
        "init", "--from", "s.csv", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4_096, 4_096)))
    assert run.code == 74
    assert "photos.plist can't be written: File too large" in run.err
    assert {path.name for path in gallery.folder.iterdir()} == {"s.csv"}
    run = gallery.run("init", "--from", "s.csv")
    assert run.code == 0, run.output
    assert {path.name for path in gallery.folder.iterdir()} == {"s.csv", "photos.plist", "gallerygen.yaml"}


@pytest.mark.parametrize("name", ["photos.plist", "gallerygen.yaml"])
@pytest.mark.parametrize("kind", ["file", "link"])
def test_init_overwrites_nothing(gallery, name, kind):
    for path in gallery.folder.iterdir():
        path.unlink()
    path = gallery.folder / name
    if kind == "file":
        path.write_text("mine")
    else:
        path.symlink_to("nowhere")
    run = gallery.run("init")
    assert run.code == 73
    assert name in run.err
    assert [found.name for found in gallery.folder.iterdir()] == [name]
    assert kind == "link" or path.read_text() == "mine"


def test_if_a_template_exists_already_none_is_copied(gallery):
    assert gallery.run("init").code in (0, 73)
    (gallery.folder / "templates").mkdir()
    (gallery.folder / "templates/index.mustache").write_text("mine")
    run = gallery.run("init", "--templates")
    assert run.code == 73
    assert "templates/index.mustache" in run.err
    assert [path.name for path in (gallery.folder / "templates").iterdir()] == ["index.mustache"]


def test_a_folder_that_cannot_be_made_exits_with_73(gallery):
    (gallery.folder / "taken").write_text("a file")
    run = gallery.run("init", "taken/inside")
    assert run.code == 73
    assert "taken/inside/gallerygen.yaml can't be created: Not a directory" in run.err


def test_the_copied_templates_make_the_same_site(three_photos, program, tmp_path):
    three_photos.build(env=CLOCK)
    other = Gallery(tmp_path / "other", program)
    for path in three_photos.folder.glob("*.jpg"):
        (other.folder / path.name).write_bytes(path.read_bytes())
    other.manifest.write_bytes(three_photos.manifest.read_bytes())
    run = other.run("init", "--templates")
    assert run.code == 0, run.output
    assert "--templates templates" in run.err
    assert (other.folder / "templates/strings/ar.txt").is_file()
    other.build("--templates", "templates", env=CLOCK)
    assert other.contents() == three_photos.contents()


@pytest.mark.parametrize("name, text, position", [
    ("card.mustache", "{{name}}\n{{nmae}}\n", "card.mustache:2"),
    ("index.mustache", "{{>crad}}", "index.mustache:1"),
    ("strings/en.txt", "# mine\nno-potos = None", "strings/en.txt:2"),
    ("strings/en.txt", "no-photos = {nothing}", "strings/en.txt:1"),
])
def test_a_mistake_in_a_template_exits_with_78_and_names_file_and_line(three_photos, name, text, position):
    path = three_photos.folder / "templates" / name
    path.parent.mkdir(parents=True)
    path.write_text(text)
    run = three_photos.build("--templates", "templates", expect=78)
    assert position in run.err
    assert not three_photos.site.exists()
