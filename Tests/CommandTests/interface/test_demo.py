"""`make demo`, `make install` and the tarball, in a copy of a part of the checkout. The packages are installed and the
program is built already."""

import json
import os
import shlex
import shutil
import subprocess
import sys
import tarfile

import pytest
from gallery import contents_of
from program import ROOT, Program
from waiting import TIMEOUT


@pytest.fixture
def checkout(tmp_path):
    return partial_checkout(tmp_path)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A partial copy of the checkout after `make build`."""
    folder = partial_checkout(tmp_path_factory.mktemp("built"))
    made = make(folder, "build")
    assert made.returncode == 0, made.stdout + made.stderr
    return folder


def partial_checkout(parent):
    """A partial copy of the checkout. Its release build is a link to this checkout's, and its `swift` builds in this
    checkout, because a build folder can't be used at another path. That `swift` gets the PATH of this process, because
    build plugins run again when PATH changes."""
    folder = parent / "checkout"
    for name in ("Scripts", "Samples", "Packaging", "Deploy", "docs"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns(".gallerygen"))
    for name in ("Makefile", "README.md", "CHANGELOG.md", "LICENSE", "THIRD-PARTY-NOTICES.md"):
        shutil.copy(ROOT / name, folder)
    (folder / "public").mkdir()
    build = folder / ".build/program"
    build.mkdir(parents=True)
    for name in ("release", "checkouts"):
        (build / name).symlink_to(ROOT / ".build/program" / name)
    (parent / "bin").mkdir()
    swift = parent / "bin/swift"
    path = shlex.quote(os.environ["PATH"])
    swift.write_text(f'#!/bin/sh\ncd "{ROOT}" && PATH={path} exec "{shutil.which("swift")}" "$@"\n')
    swift.chmod(0o755)
    return folder


def make(folder, *arguments):
    # The variables of the make that runs these tests would change the one under test.
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "GALLERYGEN_"))}
    environment["PATH"] = f"{folder.parent / 'bin'}:{environment['PATH']}"
    return subprocess.run(
        ["make", *arguments], cwd=folder, env=environment, capture_output=True, text=True, timeout=2 * TIMEOUT,
        stdin=subprocess.DEVNULL)


def test_make_demo_prints_the_page_to_open_and_the_second_time_has_nothing_to_do(checkout):
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


def test_make_install_without_a_build_says_how_to_build(checkout, tmp_path):
    done = make(checkout, "install", f"DESTDIR={tmp_path}", "PREFIX=/opt/gallery")
    assert done.returncode != 0
    assert "run 'make build' first" in done.stderr


def test_an_installed_program_runs_without_the_checkout_and_make_uninstall_removes_all_files(built, tmp_path):
    done = make(built, "install", f"DESTDIR={tmp_path}", "PREFIX=/opt/gallery")
    assert done.returncode == 0, done.stdout + done.stderr
    root = tmp_path / "opt/gallery"
    for path in (
        "share/man/man1/gallerygen-build.1", "share/bash-completion/completions/gallerygen",
        "share/zsh/site-functions/_gallerygen", "share/fish/vendor_completions.d/gallerygen.fish",
        "share/doc/gallerygen/docs/tutorial.md", "share/doc/gallerygen/licenses/Yams.txt",
    ):
        assert (root / path).stat().st_size > 0
    service = (root / "lib/systemd/user/gallerygen@.service").read_text()
    assert "ExecStart=/opt/gallery/bin/gallerygen build" in service
    service = (root / "lib/systemd/system/gallerygen@.service").read_text()
    assert "ExecStart=/opt/gallery/bin/gallerygen build" in service
    moved = tmp_path / "gallerygen"
    shutil.copy(root / "bin/gallerygen", moved)
    (built / ".build/program/share").rename(tmp_path / "share")
    try:
        uninstalled = make(built, "uninstall", f"DESTDIR={tmp_path}", "PREFIX=/opt/gallery")
    finally:
        (tmp_path / "share").rename(built / ".build/program/share")
    assert uninstalled.returncode == 0, uninstalled.stdout + uninstalled.stderr
    assert [path for path in root.rglob("*") if path.is_file()] == []
    version = subprocess.run([moved, "--version"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert version.strip()
    assert moved.read_bytes() == Program.built().read_bytes()


@pytest.mark.skipif(sys.platform != "linux", reason="the tarball is for Linux")
def test_the_tarball_is_reproducible_and_its_bill_of_materials_is_complete(built):
    shutil.copy(ROOT / "Package.resolved", built)
    dist = built / ".build/dist"

    def package(umask):
        subprocess.run(
            ["Scripts/package", "dist", ".build/program"], cwd=built, check=True, capture_output=True, umask=umask,
            env=os.environ | {"SOURCE_DATE_EPOCH": "1700000000"})
        return contents_of(dist)

    made = package(0o022)
    assert package(0o077) == made
    subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=dist, check=True, capture_output=True)

    tarball, = dist.glob("*.tar.gz")
    with tarfile.open(tarball) as archive:
        members = {member.name.partition("/")[2]: member for member in archive}
        unit = archive.extractfile(members["lib/systemd/user/gallerygen@.service"]).read().decode()
    assert members["bin/gallerygen"].mode == 0o755
    assert members["bin/gallerygen"].size < Program.built().stat().st_size
    licenses = {f"share/doc/gallerygen/licenses/{name}.txt" for name in ("ICU", "swift")}
    installed = {"share/man/man1/gallerygen.1"} | licenses
    assert installed | {"lib/systemd/system/gallerygen@.path"} <= set(members)
    assert {member.uid for member in members.values()} == {0}
    assert "ExecStart=/usr/local/bin/gallerygen build" in unit

    bill_of_materials, = dist.glob("*.cdx.json")
    components = {part["name"]: part["version"] for part in json.loads(bill_of_materials.read_text())["components"]}
    packages = json.loads((ROOT / "Package.resolved").read_text())["pins"]
    assert {pin["identity"]: pin["state"]["version"] for pin in packages}.items() <= components.items()
    if shutil.which("dpkg-query"):
        assert {"libc6", "zlib1g", "libpng16-16", "libsqlite3-0"} <= set(components)
