"""`make demo` and `make install` of this checkout, with packages and program already there."""

import os
import shutil
import subprocess

from program import ROOT, Program


def make(*arguments):
    # What the make that runs these tests has set must not reach the one under test.
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "GALLERYGEN_"))}
    return subprocess.run(
        ["make", *arguments], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=900,
        stdin=subprocess.DEVNULL)


def test_the_demo_says_what_to_open_and_the_second_time_that_nothing_had_to_be_done():
    first = make("demo")
    assert first.returncode == 0, first.stdout + first.stderr
    assert f"Open {ROOT / 'public/index.html'}" in first.stdout
    assert (ROOT / "public/index.html").is_file()
    second = make("demo")
    assert second.returncode == 0
    assert "Nothing had to be done" in second.stdout
    assert "Installing" not in second.stdout


def test_an_installed_program_runs_without_the_checkout(tmp_path):
    done = make("install", f"DESTDIR={tmp_path}", "PREFIX=/opt/gallery")
    assert done.returncode == 0, done.stdout + done.stderr
    moved = tmp_path / "gallerygen"
    shutil.move(tmp_path / "opt/gallery/bin/gallerygen", moved)
    said = subprocess.run([moved, "--version"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert said.strip()
    assert moved.read_bytes() == Program.built().read_bytes()
