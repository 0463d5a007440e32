"""The commands of README.md, run as a reader would, in a folder that holds the samples."""

import re
import shutil
import subprocess

import known_files
import pytest
from program import ROOT, Program

BLOCKS = re.findall(r"^```sh\n(.*?)^```$", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
COMMANDS = [line for block in BLOCKS for line in block.splitlines() if line and not line.startswith("#")]
MAKE = [command for command in COMMANDS if re.match(r"(sudo )?make\b", command)]
GALLERYGEN = [command for command in COMMANDS if command not in MAKE]


def test_readme_has_commands():
    assert "make demo" in MAKE
    assert any(command.startswith("gallerygen build") for command in GALLERYGEN)


@pytest.mark.parametrize("command", MAKE)
def test_a_make_command_of_the_readme_exists(command):
    # A dry run prints what make would do; other tests run make demo and make test.
    dry = command.removeprefix("sudo ").replace("make", "make --dry-run", 1)
    subprocess.run(dry, shell=True, cwd=ROOT, check=True, capture_output=True)


def test_the_other_commands_of_the_readme_work_in_their_order(program, tmp_path):
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/gallerygen").symlink_to(Program.built().resolve())
    folder = tmp_path / "gallery"
    shutil.copytree(known_files.SAMPLES, folder, ignore=shutil.ignore_patterns(".gallerygen"))
    (folder / "Samples").symlink_to(folder)
    shutil.copyfile(folder / "classic-photos.plist", folder / "photos.plist")
    environment = program.environment()
    environment["PATH"] = f"{tmp_path / 'bin'}:{environment['PATH']}"
    for command in GALLERYGEN:
        run = subprocess.run(
            command, shell=True, cwd=folder, env=environment, capture_output=True, text=True, timeout=120
        )
        assert run.returncode == 0, f"{command}\n{run.stdout}{run.stderr}"
        if command.startswith("gallerygen build"):
            assert (folder / "public/index.html").is_file()
    assert any(command.startswith("gallerygen build") for command in GALLERYGEN)


def test_every_option_that_the_readme_names_is_one(program, tmp_path):
    helps = [program.run(name, "--help", cwd=tmp_path).out for name in ("build", "status", "check", "init", "clean")]
    options = set(re.findall(r"--[a-z][a-z-]+", "\n".join(helps)))
    named = set(re.findall(r"--[a-z][a-z-]+", (ROOT / "README.md").read_text(encoding="utf-8")))
    assert len(named) > 30
    assert named <= options, named - options


def test_the_files_that_the_readme_links_to_are_there():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)#:]+)\)", readme)
    assert targets
    assert [target for target in targets if not (ROOT / target).exists()] == []


def test_the_files_that_the_architecture_names_are_there():
    text = (ROOT / "docs/ARCHITECTURE.md").read_text(encoding="utf-8")
    paths = set(re.findall(r"`([A-Z][A-Za-z]*(?:/[A-Za-z+]+)+(?:\.swift)?)`", text))
    assert len(paths) > 20
    assert [path for path in paths if not any((ROOT / top / path).exists() for top in ("Sources", "Tests", "."))] == []
