"""Runs the program in a minimal environment: some variables that it needs, and those that a test sets."""

import errno
import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
import time
from dataclasses import dataclass
from pathlib import Path

from waiting import TIMEOUT

ROOT = Path(__file__).resolve().parents[2]
PEAK_MEMORY = Path(__file__).with_name("peak_memory.py")


@dataclass(frozen=True)
class Run:
    """The result of a run of the program: exit code, standard output and error, wall time, and peak memory if it was
    measured."""

    code: int
    out: str
    err: str
    seconds: float
    peak_rss_mb: float | None = None

    @property
    def output(self):
        return self.out + self.err

    def lines(self):
        return [line for line in self.err.splitlines() if line.strip()]


class Program:
    def __init__(self, path, home):
        self.path = Path(path)
        self.home = Path(home)

    @staticmethod
    def built():
        return Path(os.environ.get("GALLERYGEN_BIN", ROOT / ".build/program/release/gallerygen"))

    def environment(self, extra=None):
        kept = {
            name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH") if name in os.environ
        }
        return kept | {"HOME": str(self.home), "LANG": "C.UTF-8", "TZ": "UTC"} | (extra or {})

    def run(self, *arguments, cwd, env=None, stdin=b"", timeout=TIMEOUT, prefix=(), preexec_fn=None):
        """Runs the program to its end. `prefix` is a command that starts the program, such as strace with its options.
        `preexec_fn` is called in the child process before the program is loaded."""
        start = time.monotonic()
        done = subprocess.run(
            [*map(str, prefix), str(self.path), *map(str, arguments)],
            cwd=cwd, env=self.environment(env), input=stdin, capture_output=True, timeout=timeout,
            preexec_fn=preexec_fn, restore_signals=preexec_fn is None)
        return Run(
            done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"),
            time.monotonic() - start)

    def run_measured(self, *arguments, cwd, env=None, timeout=TIMEOUT):
        """The same, with the peak memory of the program itself, in MB."""
        run = self.run(
            *arguments, cwd=cwd, env=env, timeout=timeout, prefix=(sys.executable, "-I", "-S", PEAK_MEMORY))
        err, _, kilobytes = run.err.rstrip("\n").rpartition("\n")
        return Run(run.code, run.out, err, run.seconds, int(kilobytes.removeprefix("peak KB: ")) / 1000)

    def run_on_terminal(self, *arguments, cwd, stream, columns=80, env=None, after=None):
        """What the program writes to its `stream`, "stdout" or "stderr", if that is a terminal of so many columns.

        `after` is a text and a function. The function is called once the text has been written."""
        main, terminal = pty.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        outputs = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL} | {stream: terminal}
        process = subprocess.Popen(
            [str(self.path), *map(str, arguments)], cwd=cwd, env=self.environment({"TERM": "xterm"} | (env or {})),
            stdin=subprocess.DEVNULL, **outputs)
        os.close(terminal)
        written = b""
        while True:
            try:
                piece = os.read(main, 65_536)
            except OSError as error:
                assert error.errno == errno.EIO  # Linux's end of file, once the terminal's other end is closed
                break
            if not piece:
                break
            written += piece
            if after and after[0] in written.decode(errors="replace"):
                after[1]()
                after = None
        os.close(main)
        process.wait(timeout=TIMEOUT)
        return written.decode().replace("\r\n", "\n")

    def start(self, *arguments, cwd, env=None, prefix=(), **options):
        """Starts the program and returns the process. The caller kills it at the end, whatever happens."""
        return subprocess.Popen(
            [*map(str, prefix), str(self.path), *map(str, arguments)],
            cwd=cwd,
            env=self.environment(env),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            **options,
        )


def signal_mask(status, name):
    """The signals in a mask of /proc/PID/status: `SigBlk`, `SigIgn`, `ShdPnd`."""
    bits = int(re.search(rf"^{name}:\s*(\w+)$", status, re.MULTILINE)[1], 16)
    return {number for number in signal.valid_signals() if bits >> (number - 1) & 1}


def process_status(process):
    return Path(f"/proc/{process.pid}/status").read_text()


def is_pending(process, number):
    """Whether a signal was sent to a process but not delivered yet."""
    return number in signal_mask(process_status(process), "ShdPnd")


def exit_code(returncode):
    """The exit code that a shell reports: 128 + N for a process that signal N ended."""
    return 128 - returncode if returncode < 0 else returncode


INTERRUPTIONS = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGHUP: 129, signal.SIGQUIT: 131}
