"""The commands, options and links of README.md and the documentation work."""

import json
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
    run = subprocess.run(script, shell=True, cwd=folder, env=environment, capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, f"{run.stdout}{run.stderr}"
    status = json.loads((folder / "holidays/public/status.json").read_text())
    assert status["counts"]["filtered"] == 2
    assert sorted(photo["album"] for photo in status["photos"]) == [[], ["Birds"]]


def test_every_option_in_the_readme_exists(program, tmp_path):
    helps = [program.run(name, "--help", cwd=tmp_path).out for name in ("build", "status", "check", "init", "clean")]
    options = set(re.findall(r"--[a-z][a-z-]+", "\n".join(helps)))
    named = set(re.findall(r"--[a-z][a-z-]+", (ROOT / "README.md").read_text(encoding="utf-8")))
    assert named
    assert named <= options, named - options


def test_the_targets_of_links_in_the_documentation_exist():
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "Benchmarks/README.md"]
    links = [
        (page, target)
        for page in pages
        for target in re.findall(LINK, page.read_text(encoding="utf-8"))
    ]
    assert len(links) > 50
    assert [(page.name, target) for page, target in links if not (page.parent / target).exists()] == []


@pytest.mark.parametrize("page", ["settings", "reasons", "exit-codes"])
def test_a_generated_page_of_the_reference_is_up_to_date(program, tmp_path, page):
    printed = program.run("reference", page, cwd=tmp_path).out
    assert (ROOT / f"docs/reference/{page}.md").read_text(encoding="utf-8") == printed, "run make reference"


def test_the_generated_page_of_commands_is_up_to_date():
    printed = subprocess.run(
        [ROOT / "Scripts/reference", Program.built(), "commands"], capture_output=True, text=True, check=True).stdout
    assert (ROOT / "docs/reference/commands.md").read_text(encoding="utf-8") == printed, "run make reference"


def test_every_command_has_a_man_page_with_all_its_options(program, tmp_path):
    subprocess.run([ROOT / "Scripts/reference", Program.built(), "man", tmp_path], check=True)
    for name in ("build", "status", "check", "init", "clean"):
        page = (tmp_path / f"gallerygen-{name}.1").read_text(encoding="utf-8").replace("\\-", "-")
        options = re.findall(r"^ +(?:-\w, )?(--[a-z][a-z-]+)", program.run(name, "--help", cwd=tmp_path).out, re.M)
        assert options and [option for option in options if option not in page] == []


def test_the_files_that_the_architecture_names_exist():
    text = (ROOT / "docs/ARCHITECTURE.md").read_text(encoding="utf-8")
    paths = set(re.findall(r"`([A-Z][A-Za-z]*(?:/[A-Za-z+]+)+(?:\.swift)?)`", text))
    assert len(paths) > 20
    assert [path for path in paths if not any((ROOT / top / path).exists() for top in ("Sources", "Tests", "."))] == []
