"""The commands, options and links of README.md and the documentation work."""

import json
import re
import shutil
import subprocess

import known_files
import pytest
from program import ROOT, Program
from waiting import TIMEOUT

BLOCKS = re.findall(r"^```sh\n(.*?)^```$", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
COMMANDS = [line for block in BLOCKS for line in block.splitlines() if line and not line.startswith("#")]
MAKE = [command for command in COMMANDS if re.match(r"(sudo )?make\b", command)]
GALLERYGEN = [command for command in COMMANDS if command not in MAKE]


# The target of a link or picture. Addresses on the web, headings and placeholders of templates are left out.
LINK = r"(?:\]\(|src=\")(?!https?:|mailto:|#|\{\{)([^)\s#\"]+)"


def test_readme_has_commands():
    assert "make demo" in MAKE
    assert any(command.startswith("gallerygen build") for command in GALLERYGEN)


@pytest.mark.parametrize("command", MAKE)
def test_make_has_the_targets_of_the_readme(command):
    # A dry run prints only what make would do; other tests run make demo and make test.
    dry = command.removeprefix("sudo ").replace("make", "make --dry-run", 1)
    subprocess.run(dry, shell=True, cwd=ROOT, check=True, capture_output=True)


def test_the_other_commands_of_the_readme_work_one_after_another(program, tmp_path):
    """Runs the commands in an empty folder, for a user with a folder of pictures. `cd` applies to later commands."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/gallerygen").symlink_to(Program.built().resolve())
    home = tmp_path / "home"
    (home / "Pictures/Birds").mkdir(parents=True)
    shutil.copy(known_files.SAMPLES / "nuthatch.jpg", home / "Pictures/Birds")
    shutil.copy(known_files.SAMPLES / "dandelions.jpg", home / "Pictures")
    folder = tmp_path / "empty"
    folder.mkdir()
    environment = program.environment() | {"HOME": str(home)}
    environment["PATH"] = f"{tmp_path / 'bin'}:{environment['PATH']}"
    script = "set -e\n" + "\n".join(GALLERYGEN)
    run = subprocess.run(
        script, shell=True, cwd=folder, env=environment, capture_output=True, text=True, timeout=TIMEOUT)
    assert run.returncode == 0, f"{run.stdout}{run.stderr}"
    status = json.loads((folder / "holidays/public/status.json").read_text())
    assert status["counts"]["filtered"] == 2
    assert sorted(photo["album"] for photo in status["photos"]) == [[], ["Birds"]]


def test_the_targets_of_links_in_the_documentation_exist():
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "Benchmarks/README.md"]
    links = [
        (page, target)
        for page in pages
        for target in re.findall(LINK, page.read_text(encoding="utf-8"))
    ]
    assert len(links) > 50
    assert [(page.name, target) for page, target in links if not (page.parent / target).exists()] == []


def test_the_files_that_the_architecture_names_exist():
    text = (ROOT / "docs/ARCHITECTURE.md").read_text(encoding="utf-8")
    paths = set(re.findall(r"`([A-Z][A-Za-z]*(?:/[A-Za-z+]+)+(?:\.swift)?)`", text))
    assert len(paths) > 20
    assert [path for path in paths if not any((ROOT / top / path).exists() for top in ("Sources", "Tests", "."))] == []
