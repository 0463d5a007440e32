"""Console output: which messages go where, colours, tables, progress, and what must never be printed."""

import os
import pty
import re
import subprocess

import pytest
from pictures import jpeg
from scripted_server import held, picture, status
from waiting import TIMEOUT


def test_a_build_prints_nothing_on_standard_output_and_no_control_characters_elsewhere(samples):
    run = samples.build("--widths", "160")
    assert run.out == ""
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", run.err)
    assert "16" in run.err and "2" in run.err
    for name, reason in samples.reasons().items():
        assert reason == "missing-file"
        line = samples.line_of(f">{name}<")
        message = next(message for message in run.lines() if name in message)
        assert re.search(rf"photos\.plist:({line}|{line + 1})\b", message)


def test_output_is_coloured_only_when_that_is_requested(samples):
    assert "\x1b[" in samples.build("--widths", "160", "--color", "always").err
    assert "\x1b[" not in samples.build("--widths", "170", "--color", "auto").err
    assert "\x1b[" not in samples.build("--widths", "180", "--color", "never").err


@pytest.mark.quick
def test_names_with_control_characters_do_not_reach_the_terminal(gallery):
    gallery.list({"Red \u009b31m and \u202ereversed": "none.jpg"})
    run = gallery.build()
    assert "\u009b" not in run.err
    assert "\u202e" not in run.err


def test_verbose_prints_more_lines_and_quiet_no_more_than_usual(samples):
    plain = samples.build("--widths", "160")
    quiet = samples.build("--widths", "170", "--quiet")
    verbose = samples.build("--widths", "180", "--verbose")
    assert len(verbose.lines()) > len(plain.lines())
    assert len(quiet.lines()) <= len(plain.lines())


def test_the_suggested_status_command_is_quoted_for_the_shell_and_contains_no_secret(gallery, scripted):
    (gallery.folder / "my list.plist").write_text(
        "<plist><dict>" + "".join(f"<key>P{n}</key><string>{n}.jpg</string>" for n in range(40)) + "</dict></plist>")
    run = gallery.run("build", "my list.plist", "--state", "the state")
    assert "gallerygen status 'my list.plist' --state 'the state'" in run.err
    listed = gallery.run("status", "my list.plist", "--state", "the state")
    assert listed.out.count("missing-file") == 40

    body = (gallery.folder / "my list.plist").read_bytes()
    address = scripted.on("/list.plist", picture(body)) + "?token=s3cr3t"
    run = gallery.run("build", address, "-o", "other")
    assert run.code == 0, run.output
    assert "s3cr3t" not in run.output
    assert "status.json" in run.err


def test_quiet_still_reports_that_a_manifest_cannot_be_fetched(gallery, scripted):
    answers = [picture(b"<plist><dict><key>A</key><string>a.jpg</string></dict></plist>"), status(500)]
    address = scripted.on("/list.plist", lambda connection, request: answers[0](connection, request))
    assert gallery.run("build", address, "--quiet").code == 0
    answers.pop(0)
    run = gallery.run("build", address, "--quiet")
    assert run.code == 0
    assert "last good copy" in run.err


def test_messages_about_broken_characters_in_a_manifest_are_gallerygens_own(gallery):
    for encoding, broken in (("EUC-JP", b"\xda\x6f"), ("UTF-16LE", b"\x00\xd8")):
        text = f'<?xml version="1.0" encoding="{encoding}"?><plist><dict><key>'.encode(
            "utf-16-le" if encoding == "UTF-16LE" else "ascii")
        gallery.manifest.write_bytes((b"\xff\xfe" if encoding == "UTF-16LE" else b"") + text + broken + text)
        run = gallery.run("check")
        assert run.code == 65
        assert run.lines()
        assert all(line.startswith("gallerygen: photos.plist:") for line in run.lines()), run.err


def test_status_can_be_coloured_and_with_quiet_lists_only_problems(gallery):
    gallery.list({"Good": "1.jpg", "Gone": "none.jpg"})
    (gallery.folder / "1.jpg").write_bytes(jpeg(1))
    gallery.build()
    plain = gallery.run("status")
    assert "\x1b[" not in plain.out and len(plain.out.splitlines()) == 2
    coloured = gallery.run("status", "--color", "always").out
    assert re.search(r"\x1b\[31mfailed *\x1b\[0mGone", coloured)
    assert re.sub(r"\x1b\[\d+m", "", coloured) == plain.out
    assert gallery.run("status", "-q").out.splitlines() == [plain.out.splitlines()[1]]


@pytest.mark.parametrize(("environment", "is_coloured"), [
    ({}, False), ({"CLICOLOR_FORCE": "1"}, True), ({"CLICOLOR_FORCE": "0"}, False),
    ({"CLICOLOR_FORCE": "1", "NO_COLOR": "1"}, False), ({"CLICOLOR": "1"}, False)])
def test_the_environment_decides_on_colours_without_a_terminal(gallery, environment, is_coloured):
    gallery.list({"Gone": "none.jpg"})
    assert ("\x1b[" in gallery.build(env=environment).err) == is_coloured
    assert ("\x1b[" in gallery.run("status", env=environment).out) == is_coloured


@pytest.mark.parametrize(("environment", "has_escapes"), [
    ({"TERM": "xterm"}, True), ({"TERM": "dumb"}, False), ({"TERM": "xterm", "CLICOLOR": "0"}, False),
    ({"TERM": "xterm", "NO_COLOR": "1"}, False)])
def test_the_environment_decides_on_colours_on_a_terminal(gallery, environment, has_escapes):
    gallery.list({"Gone": "none.jpg"})
    main, terminal = pty.openpty()
    run = subprocess.run(
        [gallery.program.path, "build"], cwd=gallery.folder, env=gallery.program.environment(environment),
        stderr=terminal, timeout=TIMEOUT)
    os.close(terminal)
    written = os.read(main, 65_536)
    os.close(main)
    assert run.returncode == 0
    assert (b"\x1b[31m" in written) == has_escapes
    assert b"failed" in written
    if environment["TERM"] == "dumb":
        assert b"\x1b" not in written


def test_a_forced_build_does_not_say_that_there_was_nothing_to_do(three_photos):
    three_photos.build()
    run = three_photos.build("--force")
    assert "Nothing to do" not in run.err and "3 photos" in run.err
    assert "Nothing to do" in three_photos.build().err


def test_counts_of_one_are_in_the_singular(gallery):
    gallery.list({"Album": {"One": "1.jpg"}})
    assert "1 photo in 1 album;" in gallery.run("check").err


def test_a_dry_run_warns_of_misspelled_keys_in_the_list(gallery):
    gallery.list({"One": {"url": "1.jpg", "captoin": "A caption"}})
    assert "caption" in gallery.run("build", "--dry-run").err


def test_the_progress_line_names_a_slow_host_and_fits_the_terminal(gallery, scripted):
    gallery.list({"One": scripted.on("/1.jpg", held(scripted, jpeg(1)))})
    wide = gallery.terminal(
        "build", stream="stderr", columns=80, after=("for 2 s", scripted.release.set))
    assert "0/1 photo, waiting for 127.0.0.1 for 2 s" in wide
    lines = re.findall(r"\x1b\[K([^\r\n]*)", wide)
    assert all(len(line) < 80 for line in lines)


def test_a_narrow_terminal_gets_a_shorter_progress_line(gallery, scripted):
    gallery.list({"One": scripted.on("/1.jpg", held(scripted, jpeg(1)))})
    narrow = gallery.terminal("build", stream="stderr", columns=30, after=("…", scripted.release.set))
    assert "\x1b[K0/1 photo, waiting for 127.0…\r" in narrow


def test_status_on_a_terminal_is_a_table_that_fits_its_width(gallery):
    gallery.list({
        "Good": "1.jpg", "A name that is much too long for a narrow terminal": "none.jpg", "漢字": "keiner.jpg"})
    (gallery.folder / "1.jpg").write_bytes(jpeg(1))
    gallery.build()
    rows = [re.sub(r"\x1b\[\d+m", "", row) for row in gallery.terminal("status", stream="stdout").splitlines()]
    assert [row.split()[:2] for row in rows] == [["filtered", "Good"], ["failed", "A"], ["failed", "漢字"]]
    assert [len(row) for row in rows] == [16, 80, 78]
    assert rows[1].index("File not found") == rows[2].index("File not found") + 2
    assert rows[1].endswith("…") and "…  File not found" in rows[1]
    whole = gallery.run("status").out.splitlines()[1]
    assert whole.endswith("narrow terminal  File not found: none.jpg. [missing-file]")


def test_status_shows_only_the_requested_states(gallery, scripted):
    answers = [picture(jpeg(1), headers=("Cache-Control: no-cache",)), status(500)]
    address = scripted.on("/1.jpg", lambda connection, request: answers[0](connection, request))
    gallery.list({"Good": "1.jpg", "Gone": "none.jpg", "Old": address})
    (gallery.folder / "1.jpg").write_bytes(jpeg(1))
    gallery.build()
    answers.pop(0)
    gallery.build("--retries", "0")
    gallery.list({"Good": "1.jpg", "Gone": "none.jpg", "Old": address, "Later": "2.jpg"})

    def shown(*options):
        run = gallery.run("status", *options)
        assert run.code == 0
        assert f"{len(run.out.splitlines())} of 4 photos" in run.err
        return [line.split()[:2] for line in run.out.splitlines()]

    assert shown("--failed") == [["failed", "Gone"]]
    assert shown("--stale") == [["stale", "Old"]]
    assert shown("--new") == [["new", "Later"]]
    assert shown("--failed", "--stale") == [["failed", "Gone"], ["stale", "Old"]]
    assert gallery.run("status", "--failed", "--json").code == 64


def test_the_version_lists_the_loaded_libraries(gallery):
    first, *libraries = gallery.run("--version").out.splitlines()
    assert re.fullmatch(r"\d+\.\d+\.\d+", first)
    for name in ("libcurl/", "libxml2 ", "SQLite ", "libpng ", "zlib ", "lcms ", "libwebp "):
        assert any(name in line for line in libraries), name


@pytest.mark.parametrize("command", ["build", "status", "check", "init", "clean"])
def test_the_help_of_each_command_has_an_example(gallery, command):
    assert f"\n  gallerygen {command}" in gallery.run("help", command).out
