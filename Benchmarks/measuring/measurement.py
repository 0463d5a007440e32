"""One measured run of one command."""

import json
import os
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from .packages import compiled, environment
from .workplace import BENCHMARKS


@dataclass(frozen=True)
class Command:
    """What is started, and where."""

    arguments: list[str]
    folder: Path
    variables: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Measurement:
    """What a command and all its descendants took: seconds, and bytes of resident memory."""

    wall: float
    user: float
    system: float
    # The largest single process, as the kernel accounts it.
    peak_process: int
    # All processes together, sampled; shared pages count once for each process that has them.
    peak_tree: int
    # How busy the machine was before the run: runs on a shared machine are only comparable when this is low.
    load_before: float
    # What the web server answered: status → how often, and over how many connections.
    requests: dict[str, int]
    connections: int

    @property
    def requests_per_second(self) -> float:
        return sum(self.requests.values()) / self.wall

    @property
    def cpu(self) -> float:
        return self.user + self.system


class Failed(Exception):
    """A contestant that ran and did not do the work."""


def measure(command: Command, output: Path) -> dict:
    """Runs a command with its output kept in a file; raises `Failed` with the end of it for any exit code but 0."""
    meter = compiled(BENCHMARKS / "measuring" / "process-tree.c", [])
    report = output.with_suffix(".json")
    # What earlier runs wrote reaches the disk now, and not while this one is measured.
    os.sync()
    load = os.getloadavg()[0]
    with output.open("wb") as stream:
        subprocess.run(
            [meter, str(report), *command.arguments],
            cwd=command.folder,
            env=environment() | command.variables,
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=subprocess.STDOUT,
            check=True,
        )
    figures = json.loads(report.read_text())
    if figures.pop("exit_code") != 0:
        raise Failed(output.read_text(errors="replace").strip()[-400:] or "it said nothing")
    return figures | {"load_before": round(load, 2)}
