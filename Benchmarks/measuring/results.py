"""Records the results of a benchmark: raw figures as JSON, and a table as Markdown."""

import json
import statistics
import sys
import textwrap
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path

from . import machine
from .arguments import Arguments
from .markdown_table import table
from .measurement import Measurement
from .rounds import Comparison, Entry
from .workplace import CHECKOUT, PARTIAL_RESULTS, RESULTS


@dataclass(frozen=True)
class Benchmark:
    """The results of a benchmark with its name, date, machine and subject."""

    name: str
    date: str
    rounds: int
    machine: dict
    subject: dict
    comparisons: list[Comparison]

    def write(self, folder: Path) -> list[Path]:
        """Writes `<name>-<date>.json` and `<name>.md`, and returns their paths."""
        folder.mkdir(parents=True, exist_ok=True)
        raw = folder / f"{self.name}-{self.date}.json"
        raw.write_text(json.dumps(self.record(), indent=2, ensure_ascii=False) + "\n")
        page = folder / f"{self.name}.md"
        page.write_text(self.markdown(raw.name))
        return [raw, page]

    def record(self) -> dict:
        return {
            "schema": 1,
            "benchmark": self.name,
            "date": self.date,
            "rounds": self.rounds,
            "machine": self.machine,
            "subject": self.subject,
            "comparisons": [
                {
                    "title": comparison.title,
                    "wall_baseline": comparison.wall_baseline,
                    "cpu_baseline": comparison.cpu_baseline,
                    "contestants": [contestant_record(entry) for entry in comparison.entries],
                }
                for comparison in self.comparisons
            ],
        }

    def markdown(self, raw: str) -> str:
        on = self.machine
        lines = [
            f"# {self.name.capitalize()}, {self.date}",
            "",
            wrapped(
                f"{on['cores']} × {on['cpu']}, {on['memory_bytes'] / 2**30:.0f} GiB, {on['system']}, "
                f"{on['kernel']}. {self.rounds} interleaved rounds; medians (least–most), and the medians of "
                f"each round's own ratios. Raw figures, versions and commands: `{raw}`."),
            "",
            "; ".join(f"{name}: {value}" for name, value in self.subject.items() if not isinstance(value, dict)) + ".",
        ]
        for comparison in self.comparisons:
            lines += ["", f"## {comparison.title}", "", *table(comparison), ""]
            lines += [self.legend(entry) for entry in comparison.entries]
        return "\n".join(lines) + "\n"

    def legend(self, entry: Entry) -> str:
        text = f"- **{entry.contestant.name}**: {entry.contestant.does}"
        fewer = 0 < len(entry.runs) < self.rounds
        return wrapped(text + (f" (the first {len(entry.runs)} rounds only)" if fewer else ""))


def wrapped(text: str) -> str:
    """A paragraph or an item of a list in Markdown, in lines of at most 120 columns."""
    return textwrap.fill(
        text, 120, subsequent_indent="  " * text.startswith("- "), break_long_words=False, break_on_hyphens=False)


def contestant_record(entry: Entry) -> dict:
    return {
        "name": entry.contestant.name,
        "does": entry.contestant.does,
        "command": entry.command,
        "tools": entry.tools,
        "missing": entry.missing,
        "medians": medians(entry.runs),
        "runs": [asdict(run) for run in entry.runs],
    }


def medians(runs: list[Measurement]) -> dict | None:
    if not runs:
        return None
    return {
        "wall": statistics.median(run.wall for run in runs),
        "cpu": statistics.median(run.cpu for run in runs),
        "peak_process": statistics.median(run.peak_process for run in runs),
        "peak_tree": statistics.median(run.peak_tree for run in runs),
        "requests_per_second": statistics.median(run.requests_per_second for run in runs),
        "connections": statistics.median(run.connections for run in runs),
    }


def report(name: str, arguments: Arguments, subject: dict, comparisons: list[Comparison]) -> int:
    """Writes and prints the results. Returns the exit code, which is 1 if a contestant is missing."""
    benchmark = Benchmark(name, date.today().isoformat(), arguments.rounds, machine.description(), subject, comparisons)
    written = benchmark.write(RESULTS if arguments.is_whole else PARTIAL_RESULTS)
    print(written[-1].read_text())
    for path in written:
        print(f"wrote {path.relative_to(CHECKOUT)}", file=sys.stderr)
    return 1 if any(entry.missing for comparison in comparisons for entry in comparison.entries) else 0
