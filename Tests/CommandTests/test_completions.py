"""The completions of bash, zsh and fish, in these shells: what Tab offers."""

import os
import re

import pytest
from program import Program
from shells import Completions

SHELLS = ["bash", "zsh", "fish"]
COMMANDS = ["build", "status", "check", "init", "clean"]


@pytest.fixture(scope="module")
def completions(tmp_path_factory):
    folder = tmp_path_factory.mktemp("completions")
    for name in ("bin", "scripts", "here/albums"):
        (folder / name).mkdir(parents=True)
    (folder / "bin/gallerygen").symlink_to(Program.built().resolve())
    (folder / "here/photos.plist").touch()
    environment = {"PATH": f"{folder / 'bin'}:{os.environ['PATH']}"}
    made = Completions(Program.built(), folder / "scripts", environment)
    return lambda shell, line: made.complete(shell, line, folder / "here")


@pytest.mark.parametrize("shell", SHELLS)
def test_tab_offers_each_command(completions, shell):
    typed = completions(shell, "gallerygen ")
    assert [name for name in COMMANDS if not typed.offers(name)] == []
    assert not typed.offers("reference"), "only those who work on gallerygen need it"
    assert completions(shell, "gallerygen stat").offers("status")


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("command", COMMANDS)
def test_tab_offers_each_option_that_the_help_names(completions, program, tmp_path, shell, command):
    named = set(re.findall(r"--[a-z][a-z-]+", re.sub(
        r"\(default: [^)]*\)", "", "\n".join(re.findall(
            r"^ +(?:-\w, )?(--.*)$", program.run(command, "--help", cwd=tmp_path).out, re.M)))))
    assert "--help" in named
    typed = completions(shell, f"gallerygen {command} --")
    assert sorted(name for name in named if not typed.offers(name)) == []


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("line, offered, other", [
    ("build --log-format ", ["text", "json"], ["photos.plist"]),
    ("build --output ", ["albums/"], ["photos.plist"]),
    ("build --config ", ["photos.plist", "albums/"], ["text"]),
    ("build ", ["photos.plist", "albums/"], []),
    ("status ", ["photos.plist", "albums/"], []),
    ("init ", ["albums/"], ["photos.plist"]),
    ("init --from ", ["photos.plist", "albums/"], []),
    ("clean --forget ", ["photos.plist", "albums/"], []),
    ("build photos.plist --strict --log-format js", ["json"], ["text"]),
])
def test_tab_offers_the_values_of_an_option_and_the_files_of_an_argument(completions, shell, line, offered, other):
    typed = completions(shell, "gallerygen " + line)
    assert [word for word in offered if not typed.offers(word)] == [], (typed.listed, typed.line)
    assert [word for word in other if typed.offers(word)] == [], (typed.listed, typed.line)
