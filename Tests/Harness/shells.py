"""Runs shells with the program's completion scripts and presses Tab."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time

from waiting import TIMEOUT

# A line is typed only after the prompt has appeared, because before that the terminal itself handles control keys. The
# terminal also echoes the commands, so the prompt is written there in two parts: only the prompt itself matches.
BASH = """bind 'set completion-query-items 0'; bind 'set page-completions off'; bind 'set show-all-if-ambiguous on'
bind 'set enable-bracketed-paste off'; bind 'set bell-style none'; source '{script}'
show() {{ printf '<%s>\\n' "$READLINE_LINE"; }}; bind -x '"\\C-o": show'; PS1='READ''Y> '
"""
ZSH = """RPROMPT=; unsetopt prompt_sp prompt_cr; unset zle_bracketed_paste
fpath=('{folder}' $fpath); autoload -Uz compinit; compinit -u -D; LISTMAX=10000; setopt no_beep
show() {{ print -r -- "<$BUFFER>" }}; zle -N show; bindkey '^O' show; bindkey '^U' kill-whole-line; PROMPT='READ''Y> '
"""


class Completion:
    """The words that the shell listed after Tab, and the command line as it was then."""

    def __init__(self, listed, line):
        self.listed = listed
        self.line = line

    def offers(self, word):
        return word in self.listed or self.line.rstrip().endswith(" " + word)


class Completions:
    """Loads the completion scripts that the program generates, one for each shell, from a folder."""

    def __init__(self, program, folder, environment):
        self.folder = folder
        self.environment = environment | {"TERM": "xterm", "HOME": str(folder), "LC_ALL": "C.UTF-8"}
        for shell, name in (("bash", "gallerygen.bash"), ("zsh", "_gallerygen"), ("fish", "gallerygen.fish")):
            script = subprocess.run([program, "--generate-completion-script", shell], capture_output=True, check=True)
            (folder / name).write_bytes(script.stdout)

    def complete(self, shell, line, cwd):
        """Types a line that begins with the program's name, and presses Tab."""
        if shell == "fish":
            return self._fish(line, cwd)
        argv = {"bash": ["bash", "--norc", "--noprofile", "-i"], "zsh": ["zsh", "-f", "-i"]}[shell]
        setup = {"bash": BASH, "zsh": ZSH}[shell].format(folder=self.folder, script=self.folder / "gallerygen.bash")
        with Terminal(argv, self.environment, cwd) as terminal:
            terminal.write(setup)
            terminal.read_until("READY> ")
            # ^O prints the command line, and ^U clears it.
            terminal.write(line + "\t\x0f\x15" + "echo DO''NE\n")
            shown = terminal.read_until("DONE\r\n")
        before, _, rest = shown.rpartition("<gallerygen")
        return Completion(words(before), "gallerygen" + rest.partition(">\r\n")[0])

    def _fish(self, line, cwd):
        command = f"source {self.folder}/gallerygen.fish; complete -C '{line}'"
        run = subprocess.run(["fish", "--no-config", "-c", command], cwd=cwd, env=self.environment,
                             capture_output=True, text=True, timeout=TIMEOUT, check=True)
        assert run.stderr == "", run.stderr
        return Completion([offer.partition("\t")[0] for offer in run.stdout.splitlines()], line)


def words(text):
    """The completions in a shell's listing, without their descriptions, which follow after two hyphens."""
    found = []
    for line in text.splitlines():
        found += re.split(r"\s+", line.partition(" -- ")[0].strip())
    return [word for word in found if word]


class Terminal:
    """Runs a program in a pseudo-terminal that is wide enough for every line. Kills it at the end."""

    def __init__(self, argv, environment, cwd):
        self.process, self.descriptor = pty.fork()
        if self.process == 0:
            os.chdir(cwd)
            os.execvpe(argv[0], argv, environment)
        fcntl.ioctl(self.descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", 200, 400, 0, 0))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.kill(self.process, signal.SIGKILL)
        os.close(self.descriptor)
        os.waitpid(self.process, 0)

    def write(self, text):
        os.write(self.descriptor, text.encode())

    def read_until(self, sentinel):
        """The output before the sentinel, without escape sequences."""
        end = time.monotonic() + TIMEOUT
        received = b""
        while time.monotonic() < end:
            if not select.select([self.descriptor], [], [], 1)[0]:
                continue
            received += os.read(self.descriptor, 65536)
            text = re.sub(r"\x1b(\[[0-9;?]*[A-Za-z]|[=>])", "", received.decode(errors="replace"))
            if sentinel in text:
                return text.partition(sentinel)[0]
        raise AssertionError(f"no {sentinel!r} in the output after {TIMEOUT} s: {received!r}")
