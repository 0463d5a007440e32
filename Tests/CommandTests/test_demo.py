"""`make demo` and `make install`, with packages and program already there, in a copy of what these need of the
checkout."""

import os
import shutil
import subprocess

import pytest
from gallery import contents_of
from program import ROOT, Program


@pytest.fixture
def checkout(tmp_path):
    """Has a build folder with this checkout's release build, and a `swift` that works on this checkout: a build folder
    is of no use at another path."""
    folder = tmp_path / "checkout"
    for name in ("Scripts", "Samples"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns(".gallerygen"))
    shutil.copy(ROOT / "Makefile", folder)
    (folder / "public").mkdir()
    (folder / ".build").mkdir()
    (folder / ".build/release").symlink_to(ROOT / ".build/release")
    (tmp_path / "bin").mkdir()
    swift = tmp_path / "bin/swift"
    swift.write_text(f'#!/bin/sh\ncd "{ROOT}" && exec "{shutil.which("swift")}" "$@"\n')
    swift.chmod(0o755)
    return folder


def make(folder, *arguments):
    # Variables of the make that runs these tests must not reach the one under test.
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "GALLERYGEN_"))}
    environment["PATH"] = f"{folder.parent / 'bin'}:{environment['PATH']}"
    return subprocess.run(
        ["make", *arguments], cwd=folder, env=environment, capture_output=True, text=True, timeout=280,
        stdin=subprocess.DEVNULL)


def test_the_demo_says_what_to_open_and_the_second_time_that_nothing_had_to_be_done(checkout):
    samples = contents_of(checkout / "Samples")
    first = make(checkout, "demo")
    assert first.returncode == 0, first.stdout + first.stderr
    assert f"Open {checkout / 'public/index.html'}" in first.stdout
    assert (checkout / "public/index.html").is_file()
    second = make(checkout, "demo")
    assert second.returncode == 0, second.stdout + second.stderr
    assert "Nothing to do" in second.stdout
    assert "Installing" not in second.stdout
    now = contents_of(checkout / "Samples")
    assert {path: digest for path, digest in now.items() if not path.startswith(".gallerygen/")} == samples


def test_an_installed_program_runs_without_the_checkout(checkout, tmp_path):
    done = make(checkout, "install", f"DESTDIR={tmp_path}", "PREFIX=/opt/gallery")
    assert done.returncode == 0, done.stdout + done.stderr
    moved = tmp_path / "gallerygen"
    shutil.move(tmp_path / "opt/gallery/bin/gallerygen", moved)
    said = subprocess.run([moved, "--version"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert said.strip()
    assert moved.read_bytes() == Program.built().read_bytes()
