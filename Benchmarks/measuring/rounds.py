"""Runs contestants round by round, so that a slow minute of the machine affects all of them."""

import fcntl
import os
import shutil
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass

from .contestant import Contestant, Run
from .measurement import Failed, Measurement, measure
from .packages import Missing
from .web_server import version
from .workplace import CACHE, SCRATCH, shown

CORES = 2


class Entry:
    """The results of a contestant: its versions, its command, and its runs or the reason why it has none."""

    def __init__(self, contestant: Contestant):
        self.contestant = contestant
        self.tools: dict[str, str] = {}
        self.command: str | None = None
        self.runs: list[Measurement] = []
        self.missing: str | None = None


@dataclass(frozen=True)
class Comparison:
    """Contestants that did the same work, and the names of the baselines."""

    title: str
    entries: list[Entry]
    wall_baseline: str
    cpu_baseline: str
    # The number of photos, if the table has a column of times per photo; else None.
    photos: int | None = None


def measure_rounds(contestants: list[Contestant], rounds: int) -> list[Entry]:
    """Runs all contestants once in each round. A contestant that is missing or fails is reported, and does not run
    again."""
    # Uses two cores on larger machines too, so that figures can be compared with the recorded ones. The web server runs
    # on the same cores.
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES])
    with alone():
        shutil.rmtree(SCRATCH, ignore_errors=True)
        entries = [prepared(contestant) for contestant in contestants]
        for number in range(1, rounds + 1):
            for entry in entries:
                if entry.missing is None and number <= (entry.contestant.most_rounds or rounds):
                    measure_once(entry, number)
        return entries


@contextmanager
def alone() -> Iterator[None]:
    """Exits if another benchmark of this checkout is running, because the results of both would be wrong."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sys.exit("another benchmark is running")
        # After a SIGTERM, the benchmark still stops its web server.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
        yield


def prepared(contestant: Contestant) -> Entry:
    entry = Entry(contestant)
    try:
        entry.tools = contestant.prepare()
        if contestant.served:
            entry.tools["web server"] = version()
    except (Missing, Failed) as reason:
        entry.missing = str(reason)
        print(f"{contestant.name}: missing: {reason}", file=sys.stderr)
    return entry


def measure_once(entry: Entry, number: int) -> None:
    contestant = entry.contestant
    folder = SCRATCH / f"{number}-{contestant.name}"
    (folder / "work").mkdir(parents=True)
    serving = contestant.server(folder / "server") if contestant.served else nullcontext()
    output = folder / "output"
    try:
        with serving as server:
            run = Run(folder / "work", server.address if server else None)
            command = contestant.command(run)
            figures = measure(command, output)
        requests, connections = (dict(server.requests), server.connections) if server else ({}, 0)
        contestant.check(run, output.read_text(errors="replace"), requests)
    except Failed as reason:
        # A contestant that fails once has no figures, because the median of only its successful runs would be too good.
        entry.missing = f"failed in round {number}: {reason}"
        entry.runs = []
        print(f"{contestant.name}: {entry.missing}", file=sys.stderr)
        return
    entry.command = entry.command or shown(command.arguments)
    entry.runs.append(Measurement(**figures, requests=requests, connections=connections))
    latest = entry.runs[-1]
    print(
        f"round {number}  {contestant.name:24} {latest.wall:8.2f} s  cpu {latest.cpu:8.2f} s  "
        f"{latest.peak_tree / 1e6:6.0f} MB",
        file=sys.stderr,
    )
    shutil.rmtree(folder)
