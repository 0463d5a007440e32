"""Runs the real program, in an environment that holds nothing but what a test puts there."""

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

ROOT = Path(__file__).resolve().parents[2]
MEASURED = Path(__file__).with_name("measured.py")


@dataclass(frozen=True)
class Run:
    """The result of a run of the program: exit code, both outputs, wall time, and peak memory if it was measured."""

    code: int
    out: str
    err: str
    seconds: float
    peak_rss_mb: float | None = None

    @property
    def said(self):
        return self.out + self.err

    def lines(self):
        return [line for line in self.err.splitlines() if line.strip()]


class Program:
    def __init__(self, path, home):
        self.path = Path(path)
        self.home = Path(home)

    @staticmethod
    def built():
        return Path(os.environ.get("GALLERYGEN_BIN", ROOT / ".build/release/gallerygen"))

    def environment(self, extra=None):
        kept = {
            name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH") if name in os.environ
        }
        return kept | {"HOME": str(self.home), "LANG": "C.UTF-8", "TZ": "UTC"} | (extra or {})

    def run(self, *arguments, cwd, env=None, stdin=b"", timeout=120, before=(), limit=None):
        """Runs to the end. `before` is a command in front (strace …), `limit` a function called in the child."""
        start = time.monotonic()
        done = subprocess.run(
            [*map(str, before), str(self.path), *map(str, arguments)],
            cwd=cwd, env=self.environment(env), input=stdin, capture_output=True, timeout=timeout, preexec_fn=limit,
            restore_signals=limit is None)
        return Run(
            done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"),
            time.monotonic() - start)

    def run_measured(self, *arguments, cwd, env=None, timeout=120):
        """The same, with the peak memory of the program alone."""
        run = self.run(
            *arguments, cwd=cwd, env=env, timeout=timeout, before=(sys.executable, "-I", "-S", MEASURED))
        err, _, kilobytes = run.err.rstrip("\n").rpartition("\n")
        return Run(run.code, run.out, err, run.seconds, int(kilobytes.removeprefix("peak KB: ")) / 1000)

    def run_on_terminal(self, *arguments, cwd, stream, columns=80, env=None, after=None):
        """What a run writes to a terminal of so many columns that is its `stream`, "stdout" or "stderr".

        `after` is a text and an action: the action is called when the text has been written."""
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
            except OSError as error:  # Linux says so where the other end is closed
                assert error.errno == errno.EIO
                break
            if not piece:
                break
            written += piece
            if after and after[0] in written.decode(errors="replace"):
                after[1]()
                after = None
        os.close(main)
        process.wait(timeout=60)
        return written.decode().replace("\r\n", "\n")

    def start(self, *arguments, cwd, env=None, before=(), **options):
        """Starts the program and returns at once; the caller waits for it, and kills it whatever happens."""
        return subprocess.Popen(
            [*map(str, before), str(self.path), *map(str, arguments)],
            cwd=cwd,
            env=self.environment(env),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            **options,
        )


def signal_mask(status, name):
    """The signals in a mask that the system shows of a process or a thread: `SigBlk`, `SigIgn`, `ShdPnd`."""
    bits = int(re.search(rf"^{name}:\s*(\w+)$", status, re.MULTILINE)[1], 16)
    return {number for number in signal.valid_signals() if bits >> (number - 1) & 1}


def process_status(process):
    return Path(f"/proc/{process.pid}/status").read_text()


def is_pending(process, number):
    """Whether a signal that was sent to a process has not reached it yet."""
    return number in signal_mask(process_status(process), "ShdPnd")


def exit_code(returncode):
    """A process ended by a signal has the code that a shell would give it."""
    return 128 - returncode if returncode < 0 else returncode


INTERRUPTIONS = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGHUP: 129, signal.SIGQUIT: 131}
