"""The scripts that make and install packages, with a stand-in for the program."""

import json
import os
import shutil
import subprocess
import sys

import pytest
from program import ROOT, Program
from waiting import TIMEOUT

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="packages are for Linux")


@pytest.fixture
def checkout(tmp_path):
    """A partial copy of the checkout in a path with a space, with a program that prints nothing."""
    folder = tmp_path / "a checkout"
    for name in ("Scripts", "Packaging", "Deploy"):
        shutil.copytree(ROOT / name, folder / name)
    for name in ("Makefile", "README.md", "CHANGELOG.md", "LICENSE", "THIRD-PARTY-NOTICES.md"):
        shutil.copy(ROOT / name, folder)
    (folder / "docs").mkdir()
    for name in ("release/gallerygen", *(f"share/completions/{name}" for name in (
            "gallerygen.bash", "_gallerygen", "gallerygen.fish")), "share/man/man1/gallerygen.1",
            "share/licenses/swift.txt"):
        executable(folder / ".build/program" / name, "")
    return folder


def executable(path, script):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def run(folder, *command, expect=0, **variables):
    """Runs a command in the folder. Programs in `bin` next to the folder come first in PATH."""
    # The variables of the make that runs these tests would change the one under test, and those of a git hook would
    # lead to another repository.
    others = ("MAKE", "GALLERYGEN_", "GIT_")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(others)}
    environment["PATH"] = f"{folder.parent / 'bin'}:{environment['PATH']}"
    done = subprocess.run(
        command, cwd=folder, env=environment | variables, capture_output=True, text=True, timeout=TIMEOUT,
        stdin=subprocess.DEVNULL)
    assert done.returncode == expect, done.stdout + done.stderr
    return done


def files(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


@LINUX
def test_the_debian_package_is_installed_from_a_checkout_whose_path_has_a_space(checkout):
    shutil.copytree(checkout / "Packaging/debian", checkout / "debian")
    executable(checkout.parent / "bin/swift", "exit 1")
    for target in ("override_dh_auto_build", "override_dh_auto_install"):
        run(checkout, "make", "-f", "debian/rules", target)
    installed = files(checkout / "debian/gallerygen")
    assert {"usr/bin/gallerygen", "usr/share/zsh/vendor-completions/_gallerygen"} <= installed
    assert "usr/share/doc/gallerygen/LICENSE" not in installed


def test_the_debian_package_says_before_the_build_that_it_needs_git(checkout):
    executable(checkout.parent / "bin/dh", "")
    executable(checkout.parent / "bin/make", "echo a build; exit 1")
    done = run(checkout, "Scripts/package", "deb", expect=1, GIT_CEILING_DIRECTORIES=str(checkout.parent))
    assert "A Debian package needs a git checkout" in done.stderr
    assert done.stdout == ""


def test_a_checkout_of_another_user_is_not_refused(checkout):
    shutil.copy(ROOT / "Package.swift", checkout)
    run(checkout, "git", "init", "--quiet")
    run(checkout, "git", "add", "Package.swift")
    executable(checkout.parent / "bin/dh", "")
    executable(checkout.parent / "bin/make", "echo a build; exit 1")
    # git has this variable for its own tests. It makes each checkout one of another user.
    foreign = {"GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"}
    run(checkout, "git", "ls-files", expect=128, **foreign)
    assert run(checkout, "Scripts/package", "deb", expect=1, **foreign).stdout == "a build\n"


def test_a_swift_package_whose_license_is_unknown_is_named(checkout):
    executable(checkout / "program", "echo 1.0.0")
    pin = {"identity": "swift-nio", "location": "https://github.com/apple/swift-nio.git", "state": {"version": "2.0.0"}}
    (checkout / "Package.resolved").write_text(json.dumps({"pins": [pin]}))
    done = run(checkout, "Scripts/components", "./program", expect=1)
    assert "the license of the Swift package 'swift-nio' is unknown. Add its SPDX identifier" in done.stderr
    assert done.stdout == ""


@LINUX
@pytest.mark.parametrize("has_license", [True, False])
def test_the_license_of_the_swift_runtime_is_found_when_swift_is_a_proxy(checkout, has_license):
    toolchain = checkout.parent / "a toolchain/usr"
    (toolchain / "lib/swift").mkdir(parents=True)
    if has_license:
        executable(toolchain / "share/swift/LICENSE.txt", "the license")
    info = json.dumps({"paths": {"runtimeResourcePath": str(toolchain / "lib/swift")}}, indent=2)
    executable(checkout.parent / "bin/swift", f"cat <<'END'\n{info}\nEND")
    yams = checkout / "checkouts/Yams"
    executable(yams / "LICENSE", "")
    command = ["Scripts/shared-files", str(Program.built().resolve()), "share", "checkouts"]
    if has_license:
        run(checkout, *command)
        assert "the license" in (checkout / "share/licenses/swift.txt").read_text()
    else:
        # Who only builds the program needs no license, and packages are not made without it.
        assert "The license of the Swift runtime is missing" in run(checkout, *command).stderr
        executable(checkout.parent / "bin/dh", "")
        shutil.copy(ROOT / "Package.swift", checkout)
        run(checkout, "git", "init", "--quiet")
        run(checkout, "git", "add", "Package.swift")
        (checkout / ".build/program/share/licenses/swift.txt").unlink()
        for kind in ("deb", "dist"):
            done = run(checkout, "Scripts/package", kind, ".build/program", expect=1)
            assert "licenses/swift.txt is missing" in done.stderr


@pytest.mark.parametrize("prefix", ["/opt/a&b", "/opt/a b", "/opt/100%", "/opt/a|b"])
def test_a_prefix_that_units_of_systemd_cannot_contain_is_refused(checkout, prefix):
    root = checkout.parent / "root"
    done = run(checkout, "make", "install", f"DESTDIR={root}", f"PREFIX={prefix}", expect=2)
    assert f"PREFIX is {prefix}" in done.stderr
    assert not root.exists()
    run(checkout, "make", "uninstall", f"DESTDIR={root}", f"PREFIX={prefix}")


def test_the_installed_pages_have_the_files_of_deploy(checkout):
    root = checkout.parent / "a root"
    run(checkout, "make", "install", f"DESTDIR={root}", "PREFIX=/opt")
    documents = root / "opt/share/doc/gallerygen"
    assert files(documents / "Deploy") == files(ROOT / "Deploy")
    run(checkout, "make", "uninstall", f"DESTDIR={root}", "PREFIX=/opt")
    assert files(root) == set()
