"""Current folders and paths that the program can't use, so that it does not use others in their place."""

import hashlib
import os
import subprocess

import pytest
from gallery import Gallery
from pictures import jpeg
from waiting import TIMEOUT, until

COMMANDS = [
    ["init"], ["init", "--from", "photos"], ["build"], ["build", "http://127.0.0.1:9/photos.plist"], ["check"],
    ["status"], ["clean"], ["publish", "www"], ["serve"]]


def run(program, command, folder, preexec_fn=None):
    run = subprocess.run(
        [os.fsencode(program.path), *map(os.fsencode, command)], cwd=folder, env=program.environment(), timeout=TIMEOUT,
        stdin=subprocess.DEVNULL, capture_output=True, preexec_fn=preexec_fn)
    return run.returncode, run.stderr.decode()


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_current_folder_that_does_not_exist_any_more_is_an_error(program, tmp_path, command):
    folder = tmp_path / "gone"
    folder.mkdir()
    code, err = run(program, command, folder, preexec_fn=lambda: os.rmdir(folder))
    assert (code, err) == (66, "gallerygen: the current folder can't be used: it does not exist any more\n")


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_current_folder_whose_path_is_not_utf_8_is_an_error(program, tmp_path, command):
    folder = os.fsencode(tmp_path) + b"/caf\xe9"
    os.mkdir(folder)
    code, err = run(program, command, folder)
    assert (code, err) == (66, "gallerygen: the path of the current folder is not UTF-8\n")
    assert os.listdir(os.fsencode(tmp_path)) == [b"caf\xe9"] and os.listdir(folder) == []


@pytest.mark.parametrize(
    "arguments", [["build", "-o", b"caf\xe9"], ["init", b"caf\xe9"], ["check", b"caf\xe9"]], ids=str)
def test_an_argument_that_is_not_utf_8_is_refused(program, tmp_path, arguments):
    code, err = run(program, arguments, tmp_path)
    assert (code, err) == (64, "gallerygen: 'caf\ufffd' is not UTF-8; if it names a file, rename it\n")
    assert list(tmp_path.iterdir()) == []


def test_a_variable_that_is_not_utf_8_is_refused(three_photos):
    run = three_photos.run("build", env={"GALLERYGEN_OUTPUT": os.fsdecode(b"caf\xe9")})
    assert (run.code, run.err) == (78, "gallerygen: environment variable GALLERYGEN_OUTPUT is not UTF-8\n")


def test_a_watched_gallery_outlives_the_folder_in_which_the_program_was_started(three_photos, tmp_path):
    folder = tmp_path / "gone"
    folder.mkdir()
    process = three_photos.program.start(
        "build", "--watch", three_photos.manifest, "--state", three_photos.folder / "st", "-o", three_photos.site,
        cwd=folder)
    try:
        until(lambda: (three_photos.site / "index.html").exists(), process)
        folder.rmdir()
        three_photos.list({"Other": "1.jpg"})
        until(lambda: (three_photos.site / "photo/other.html").exists(), process)
    finally:
        process.kill()
        process.communicate()


def test_a_replacement_character_may_be_a_part_of_a_name(three_photos):
    assert three_photos.run("build", "-o", "caf\ufffd").code == 0
    assert (three_photos.folder / "caf\ufffd/index.html").exists()


#: The same name for a person, in two spellings of Unicode.
SPELLINGS = ["Caf\u00e9", "Cafe\u0301"]


def test_two_files_whose_names_differ_only_in_normalisation_are_two_pictures(gallery):
    pictures = {f"{name}.jpg": jpeg(number) for number, name in enumerate(SPELLINGS)}
    for name, picture in pictures.items():
        (gallery.folder / name).write_bytes(picture)
    gallery.manifest.unlink(missing_ok=True)
    assert gallery.run("init", "--from", ".").code == 0
    gallery.build()
    assert {photo["source"]: photo["sha256"] for photo in gallery.status()["photos"]} == {
        name: hashlib.sha256(picture).hexdigest() for name, picture in pictures.items()}
    (gallery.folder / f"{SPELLINGS[1]}.jpg").write_bytes(jpeg(7))
    gallery.build()
    assert {photo["sha256"] for photo in gallery.status()["photos"]} == {
        hashlib.sha256(picture).hexdigest() for picture in (jpeg(0), jpeg(7))}


def test_two_galleries_whose_folders_differ_only_in_normalisation_share_a_state_folder(program, tmp_path):
    galleries = [Gallery(tmp_path / name, program).list({"One": "1.jpg"}) for name in SPELLINGS]
    for number, gallery in enumerate(galleries):
        (gallery.folder / "1.jpg").write_bytes(jpeg(number))
    for turn in range(3):
        for gallery in galleries:
            run = gallery.build("--state", tmp_path / "state")
            assert "ledger" not in run.err and ("Nothing to do" in run.err) == (turn > 0)
    for number, gallery in enumerate(galleries):
        assert gallery.photos()["One"]["sha256"] == hashlib.sha256(jpeg(number)).hexdigest()


def test_a_gallery_whose_folder_gets_another_normalisation_is_known_again(program, tmp_path):
    gallery = Gallery(tmp_path / SPELLINGS[1], program).list({"One": "1.jpg"})
    (gallery.folder / "1.jpg").write_bytes(jpeg(1))
    gallery.build("--state", tmp_path / "state")
    gallery.folder.rename(tmp_path / SPELLINGS[0])
    moved = Gallery(tmp_path / SPELLINGS[0], program)
    for _ in range(2):
        run = moved.build("--state", tmp_path / "state")
        assert "ledger" not in run.err
    assert "Nothing to do" in run.err
