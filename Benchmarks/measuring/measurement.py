"""Measures one run of a command."""

import json
import os
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from .packages import compiled, environment
from .workplace import BENCHMARKS


@dataclass(frozen=True)
class Command:
    """A command with its working directory and environment variables."""

    arguments: list[str]
    folder: Path
    variables: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Measurement:
    """The resources that a command and its descendants used: times in seconds, and resident memory in bytes."""

    wall: float
    user: float
    system: float
    # The peak of the largest process, as the kernel reports it.
    peak_process: int
    # The peak of all processes together, which is sampled. Shared pages are counted for each process.
    peak_tree: int
    # The load average before the run. Runs can only be compared if it is low.
    load_before: float
    # The number of responses of the web server by status.
    requests: dict[str, int]
    connections: int

    @property
    def requests_per_second(self) -> float:
        return sum(self.requests.values()) / self.wall

    @property
    def cpu(self) -> float:
        return self.user + self.system


class Failed(Exception):
    """A contestant ran but did not do the work."""


def measure(command: Command, output: Path) -> dict:
    """Runs a command and writes its output to a file. Raises `Failed` with the end of the output if it fails."""
    meter = compiled(BENCHMARKS / "measuring" / "process-tree.c", [])
    report = output.with_suffix(".json")
    # Writes the data of earlier runs to the disk now, and not during the measurement.
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
        raise Failed(output.read_text(errors="replace").strip()[-400:] or "it printed nothing")
    return figures | {"load_before": round(load, 2)}
