"""The table of one comparison: medians, minima and maxima, and ratios to the baseline."""

import statistics
from collections.abc import Callable

from .measurement import Measurement
from .rounds import Comparison

Figure = Callable[[Measurement], float]


def table(comparison: Comparison) -> list[str]:
    """The lines of the table. For a contestant without figures, the line says why it has none."""
    wall_base = runs_of(comparison, comparison.wall_baseline)
    cpu_base = runs_of(comparison, comparison.cpu_baseline)
    is_served = any(run.requests for entry in comparison.entries for run in entry.runs)
    titles = [
        "",
        "wall, s",
        f"× {comparison.wall_baseline}",
        "CPU, s",
        f"× {comparison.cpu_baseline}",
        "largest process, MB",
        "all processes, MB",
        *(["requests/s", "connections"] if is_served else []),
        *(["photos/s"] if comparison.photos else []),
    ]
    lines = [row(titles), "|---" + "|---:" * (len(titles) - 1) + "|"]
    for entry in comparison.entries:
        if entry.missing is None:
            runs = entry.runs
            cells = [
                spread(runs, wall),
                ratio(runs, wall_base, wall),
                spread(runs, cpu),
                ratio(runs, cpu_base, cpu),
                megabytes(runs, lambda run: run.peak_process),
                megabytes(runs, lambda run: run.peak_tree),
            ]
            if is_served:
                cells += [
                    f"{median(runs, lambda run: run.requests_per_second):,.0f}",
                    f"{median(runs, lambda run: run.connections):.0f}",
                ]
            if comparison.photos:
                cells.append(f"{comparison.photos / median(runs, wall):,.1f}")
        else:
            cells = [f"missing: {entry.missing.splitlines()[0]}", *[""] * (len(titles) - 2)]
        lines.append(row([entry.contestant.name, *cells]))
    return lines


def row(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def wall(run: Measurement) -> float:
    return run.wall


def cpu(run: Measurement) -> float:
    return run.cpu


def median(runs: list[Measurement], figure: Figure) -> float:
    return statistics.median(figure(run) for run in runs)


def runs_of(comparison: Comparison, name: str) -> list[Measurement]:
    return next((entry.runs for entry in comparison.entries if entry.contestant.name == name), [])


def spread(runs: list[Measurement], figure: Figure) -> str:
    values = [figure(run) for run in runs]
    return f"{median(runs, figure):.2f} ({min(values):.2f}–{max(values):.2f})"


def ratio(runs: list[Measurement], base: list[Measurement], figure: Figure) -> str:
    """The median of the ratios of each round. A machine that is slow in some rounds is slow for both contestants."""
    ratios = [figure(run) / figure(other) for run, other in zip(runs, base, strict=False)]
    return f"{statistics.median(ratios):.2f}" if ratios else ""


def megabytes(runs: list[Measurement], figure: Figure) -> str:
    return f"{median(runs, figure) / 1e6:.0f}"
