"""What bash, zsh and fish offer after Tab, with the completion scripts that gallerygen generates."""

import os
import re

import pytest
from program import Program
from shells import Completions

SHELLS = ["bash", "zsh", "fish"]
COMMANDS = ["build", "publish", "status", "check", "init", "clean"]


@pytest.fixture(scope="module")
def completions(tmp_path_factory):
    folder = tmp_path_factory.mktemp("completions")
    for name in ("bin", "scripts", "here/albums"):
        (folder / name).mkdir(parents=True)
    (folder / "bin/gallerygen").symlink_to(Program.built().resolve())
    (folder / "here/photos.plist").touch()
    environment = {"PATH": f"{folder / 'bin'}:{os.environ['PATH']}"}
    scripts = Completions(Program.built(), folder / "scripts", environment)
    return lambda shell, line: scripts.complete(shell, line, folder / "here")


@pytest.mark.parametrize("shell", SHELLS)
def test_tab_offers_each_command(completions, shell):
    completion = completions(shell, "gallerygen ")
    assert [name for name in COMMANDS if not completion.offers(name)] == []
    assert not completion.offers("reference"), "hidden, because only contributors need it"
    assert completions(shell, "gallerygen stat").offers("status")


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("command", COMMANDS)
def test_tab_offers_each_option_of_the_help(completions, program, tmp_path, shell, command):
    named = set(re.findall(r"--[a-z][a-z-]+", re.sub(
        r"\(default: [^)]*\)", "", "\n".join(re.findall(
            r"^ +(?:-\w, )?(--.*)$", program.run(command, "--help", cwd=tmp_path).out, re.M)))))
    assert "--help" in named
    completion = completions(shell, f"gallerygen {command} --")
    assert sorted(name for name in named if not completion.offers(name)) == []


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("line, expected, unexpected", [
    ("build --log-format ", ["text", "json"], ["photos.plist"]),
    ("build --output ", ["albums/"], ["photos.plist"]),
    ("build --config ", ["photos.plist", "albums/"], ["text"]),
    ("build ", ["photos.plist", "albums/"], []),
    ("status ", ["photos.plist", "albums/"], []),
    ("init ", ["albums/"], ["photos.plist"]),
    ("init --from ", ["photos.plist", "albums/"], []),
    ("clean --forget ", ["photos.plist", "albums/"], []),
    ("publish ", ["albums/"], []),
    ("build photos.plist --strict --log-format js", ["json"], ["text"]),
])
def test_tab_offers_option_values_and_files(completions, shell, line, expected, unexpected):
    completion = completions(shell, "gallerygen " + line)
    assert [word for word in expected if not completion.offers(word)] == [], (completion.listed, completion.line)
    assert [word for word in unexpected if completion.offers(word)] == [], (completion.listed, completion.line)
