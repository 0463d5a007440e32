"""Each failing exit code comes with a helpful message, and the site stays as it was."""

import contextlib
import os
import re
import resource
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from pictures import jpeg, noise_jpeg
from program import exit_code
from scripted_server import held
from waiting import TIMEOUT


@pytest.mark.parametrize("options", [
    ("--no-such-option",), ("--quality", "101"), ("--quality", "good"), ("--widths", "0"), ("--widths", "wide"),
    ("--filter", "blur(3px)"), ("--filter", "sepia("), ("--jobs", "0"), ("--per-page", "-1"), ("--timeout", "soon"),
    ("--max-bytes", "lots"), ("--color", "sometimes"), ("--base-url", "not an address"), ("--formats", "avif")])
def test_a_wrong_option_exits_with_64_and_is_named(three_photos, options):
    run = three_photos.build(*options, expect=64)
    assert options[0] in run.err
    assert run.out == ""
    assert not three_photos.site.exists()


@pytest.mark.quick
@pytest.mark.parametrize("arguments", [["biuld"], ["help", "biuld"], ["biuld", "--quiet"]])
def test_an_unknown_command_exits_with_64_and_the_nearest_is_named(three_photos, arguments):
    run = three_photos.run(*arguments)
    assert (run.code, run.out) == (64, "")
    assert "there is no command 'biuld'; did you mean 'build'? The commands are help, build, " in run.err
    assert "reference" not in run.err
    assert three_photos.run("help", "build").code == 0


def test_a_list_in_place_of_a_command_exits_with_64_and_no_password_is_shown(three_photos):
    run = three_photos.run("https://me:SECRET@example.org/list.plist")
    assert run.code == 64
    assert "; the commands are help, build" in run.err and "SECRET" not in run.output


@pytest.mark.parametrize(("setting", "flag"), [
    ("strict: true", "--no-strict"), ("dry-run: true", "--no-dry-run"), ("quiet: true", "--no-quiet"),
    ("watch: true", "--no-watch"), ("live: true", "--no-live"), ("force: true", "--no-force"),
    ("no-originals: true", "--originals"), ("explain: true", "--no-explain"), ("verbose: true", "--no-verbose")])
def test_a_switch_in_the_settings_file_can_be_turned_off_by_an_option(three_photos, setting, flag):
    three_photos.list({"One": "1.jpg", "Gone": "none.jpg"}).build()
    (three_photos.folder / "gallerygen.yaml").write_text(setting + "\n")
    run = three_photos.build(flag)
    assert "Nothing to do" in run.err
    assert run.out == ""


@pytest.mark.quick
def test_help_and_version_exit_with_0_and_go_to_standard_output(three_photos):
    for arguments in (["--help"], ["build", "--help"], ["--version"]):
        run = three_photos.run(*arguments)
        assert (run.code, run.err) == (0, "")
        assert run.out


@pytest.mark.quick
def test_an_invalid_manifest_exits_with_65_and_the_line_is_named(three_photos):
    three_photos.build()
    before = three_photos.contents()
    three_photos.manifest.write_text(three_photos.manifest.read_text().replace("</dict>", "</dcit>"))
    run = three_photos.build(expect=65)
    line = three_photos.line_of("</dcit>")
    assert f"photos.plist:{line}:" in run.err
    assert three_photos.contents() == before


@pytest.mark.quick
def test_a_missing_manifest_exits_with_66_and_is_named(gallery):
    run = gallery.build("holiday.plist", expect=66)
    assert "holiday.plist" in run.err
    assert "photos.plist" in gallery.build(expect=66).err


@pytest.mark.parametrize("path", ["index.html", "status.json", "photo/two.html"])
@pytest.mark.parametrize("kind", ["file", "symbolic link", "folder"])
def test_a_foreign_file_in_the_place_of_one_of_the_site_exits_with_73_and_is_named(three_photos, path, kind):
    three_photos.build()
    page = three_photos.photos()["Two"]["page"]
    path = page if path.startswith("photo/") else path
    shutil.rmtree(three_photos.site)
    shutil.rmtree(three_photos.folder / ".gallerygen")
    target = three_photos.site / path
    target.parent.mkdir(parents=True)
    if kind == "file":
        target.write_text("written by hand")
    elif kind == "folder":
        target.mkdir()
    else:
        (three_photos.folder / "elsewhere").write_text("elsewhere")
        target.symlink_to(three_photos.folder / "elsewhere")
    before = three_photos.contents()
    run = three_photos.build(expect=73)
    assert path in run.err
    assert three_photos.contents() == before
    assert kind != "symbolic link" or (target.is_symlink() and target.read_text() == "elsewhere")


@pytest.mark.quick
def test_an_output_path_that_is_a_file_exits_with_73(three_photos):
    three_photos.site.write_text("not a folder")
    assert "public" in three_photos.build(expect=73).err
    assert three_photos.site.read_text() == "not a folder"


@contextlib.contextmanager
def mounted_tmpfs():
    """A file system of 1 MB, which only root can mount; None if it can't be mounted."""
    folder = Path(tempfile.mkdtemp(prefix="gallerygen-full-"))
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder]
    can_mount = os.geteuid() == 0 and shutil.which("mount")
    is_mounted = can_mount and subprocess.run(mount, capture_output=True).returncode == 0
    try:
        yield folder if is_mounted else None
    finally:
        if is_mounted:
            subprocess.run(["umount", folder], check=True)
        folder.rmdir()


def can_mount():
    with mounted_tmpfs() as folder:
        return folder is not None


@pytest.mark.parametrize("full", ["site", "state"] if can_mount() else [])
def test_a_full_disk_exits_with_74_and_the_next_build_completes_the_site(three_photos, full):
    with mounted_tmpfs() as folder:
        option = {"site": ("--output", folder), "state": ("--state", folder)}[full]
        if full == "site":
            three_photos.site = folder
        three_photos.build(*option)
        before = three_photos.contents()
        (three_photos.folder / "large.jpg").write_bytes(noise_jpeg(1, 1200, 900))
        listed = {"One": "1.jpg", "Two": "2.jpg", "Three": "3.jpg"}
        three_photos.list(listed | {"Large": "large.jpg"})
        run = three_photos.build(*option, "--quality", "100", expect=74)
        assert "space" in run.err and "free" in run.err
        assert three_photos.contents() == before
        three_photos.list(listed | {"Four": "1.jpg"})
        three_photos.build(*option)
        assert three_photos.files() == three_photos.accounted_for()


def test_a_file_larger_than_the_limit_exits_with_74(three_photos):
    three_photos.build()
    before = three_photos.contents()
    (three_photos.folder / "large.jpg").write_bytes(noise_jpeg(1, 1200, 900))
    three_photos.list({"One": "1.jpg", "Large": "large.jpg"})

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))

    # Python ignores SIGXFSZ, and `run` lets the program inherit that, so that writes fail with EFBIG.
    run = three_photos.build(expect=74, preexec_fn=limit)
    assert run.lines()
    assert three_photos.contents() == before


@pytest.mark.parametrize("kilobytes", [4, 12, 60, 200])
def test_a_build_is_not_killed_by_a_shells_limit_on_file_sizes(three_photos, kilobytes):
    """With `ulimit -f` of a shell, SIGXFSZ kills a program that does not handle it."""
    three_photos.build()
    before = three_photos.contents()
    (three_photos.folder / "large.jpg").write_bytes(noise_jpeg(1, 1200, 900))
    photos = {f"Photo {number} {'x' * 500}": "1.jpg" for number in range(40)}
    three_photos.list(photos | {"Large": "large.jpg"})
    limited = ("bash", "-c", f'ulimit -f {kilobytes}; exec "$@"', "limited")
    run = three_photos.build(expect=74, prefix=limited)
    assert str(three_photos.folder) in run.err
    assert three_photos.contents() == before
    three_photos.build()
    assert three_photos.files() == three_photos.accounted_for()


@pytest.mark.parametrize("more", [False, True] if can_mount() else [])
def test_a_full_disk_says_how_much_more_space_the_pages_need(three_photos, more):
    with mounted_tmpfs() as folder:
        three_photos.site = folder
        options = ("-o", folder, "--state", three_photos.folder / "state", "--no-originals")
        three_photos.list({f"Photo {number}": "1.jpg" for number in range(60)}).build(*options)
        before = three_photos.contents()
        if more:
            three_photos.list({f"Photo {number}": "1.jpg" for number in range(90)})
        run = three_photos.build(*options, "--title", "Other", expect=74)
        assert three_photos.contents() == before
        needed, free, lacking = map(int, re.search(
            r"(\d+) bytes[^;]*; (\d+) are free, (\d+) more are needed", run.err).groups())
        assert lacking == needed - free > 0
        size = 1024 + lacking // 1024 + 40
        subprocess.run(["mount", "-o", f"remount,size={size}k", folder], check=True)
        three_photos.build(*options, "--title", "Other")
        assert three_photos.files() == three_photos.accounted_for()


@pytest.mark.parametrize("place", ["site"] if can_mount() else [])
def test_a_build_removes_the_temporary_files_of_killed_builds_before_it_needs_space(three_photos, place):
    with mounted_tmpfs() as folder:
        three_photos.site = folder
        options = ("-o", folder, "--state", three_photos.folder / "state")
        three_photos.build(*options)
        for number in range(2):
            left = three_photos.site / f".gallerygen-{number:016x}.tmp"
            left.mkdir()
            with open(left / "1", "wb") as file:
                with contextlib.suppress(OSError):
                    file.write(bytes(600_000))
        assert shutil.disk_usage(folder).free < 4096
        three_photos.build(*options, "--title", "Other")
        assert three_photos.status()["title"] == "Other"
        assert three_photos.files() == three_photos.accounted_for()


def test_a_second_build_at_the_same_time_exits_with_75_and_the_first_one_finishes(three_photos, scripted):
    three_photos.build()
    address = scripted.on("/slow.jpg", held(scripted, jpeg(8)))
    three_photos.list({"One": "1.jpg", "Slow": address})
    first = three_photos.program.start("build", cwd=three_photos.folder)
    try:
        scripted.wait_for("/slow.jpg")
        before = three_photos.contents()
        run = three_photos.build(expect=75)
        assert run.seconds < 5
        assert str(first.pid) in run.err or "another build" in run.err
        assert three_photos.contents() == before
        scripted.release.set()
        assert first.wait(TIMEOUT) == 0
    finally:
        first.kill()
        first.communicate()
    assert list(three_photos.photos()) == ["One", "Slow"]
    assert three_photos.reasons() == {}


def test_a_lock_left_by_a_killed_build_does_not_matter(three_photos, scripted):
    three_photos.list({"Slow": scripted.on("/slow.jpg", held(scripted, jpeg(8)))})
    first = three_photos.program.start("build", cwd=three_photos.folder)
    scripted.wait_for("/slow.jpg")
    first.kill()
    first.communicate()
    assert exit_code(first.returncode) == 137
    three_photos.list({"One": "1.jpg"}).build()
    assert three_photos.files() == three_photos.accounted_for()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_completion_script_is_complete_on_standard_output(three_photos, shell):
    run = three_photos.run("--generate-completion-script", shell)
    assert (run.code, run.err) == (0, "")
    assert "gallerygen" in run.out and "no-originals" in run.out
    assert "…" not in run.out
