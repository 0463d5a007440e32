"""Records the figures of pages: raw figures as JSON, and tables as Markdown."""

import json
import os
import statistics
import sys
import textwrap
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from measuring import machine
from measuring.arguments import Arguments
from measuring.workplace import CHECKOUT, PARTIAL_RESULTS, RESULTS

#: The title, the headings of the columns, and the rows.
Table = tuple[str, list[str], list[list[str]]]


def median(values: Sequence[float]) -> str:
    return f"{statistics.median(values):,.0f}"


def spread(values: Sequence[float]) -> str:
    return f"{median(values)} ({min(values):,.0f}–{max(values):,.0f})"


def report(
    name: str, arguments: Arguments, versions: dict[str, str], legend: str, tables: list[Table], raw: dict
) -> int:
    """Writes `<name>-<date>.json` and `<name>.md`, and prints the tables."""
    folder = RESULTS if arguments.is_whole else PARTIAL_RESULTS
    folder.mkdir(parents=True, exist_ok=True)
    today = date.today().isoformat()
    on = machine.description()
    record = {
        "schema": 1,
        "benchmark": name,
        "date": today,
        "rounds": arguments.rounds,
        "command": str(Path(sys.argv[0]).resolve().relative_to(CHECKOUT)),
        "machine": on | {"load": os.getloadavg()[1]},
        "versions": versions,
        "figures": raw,
    }
    data = folder / f"{name}-{today}.json"
    data.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n")
    tools = ", ".join(f"{tool} {version}" for tool, version in versions.items())
    lines = [
        f"# {name.capitalize()}, {today}",
        "",
        textwrap.fill(
            f"{on['cores']} × {on['cpu']}, {on['system']}, {tools}; load {os.getloadavg()[1]:.1f}. "
            f"Rounds: {arguments.rounds}. Raw figures: `{data.name}`.", 120),
        "",
        legend,
    ]
    for title, heads, rows in tables:
        lines += ["", f"## {title}", "", line(heads), "|---" + "|---:" * (len(heads) - 1) + "|", *map(line, rows)]
    page = folder / f"{name}.md"
    page.write_text("\n".join(lines) + "\n")
    print(page.read_text())
    for path in (data, page):
        print(f"wrote {path.relative_to(CHECKOUT)}", file=sys.stderr)
    return 0


def line(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"
