"""The folders of the benchmarks, and how paths appear in the recorded results."""

import os
from pathlib import Path

BENCHMARKS = Path(__file__).resolve().parent.parent
CHECKOUT = BENCHMARKS.parent
RESULTS = BENCHMARKS / "results"

# Contains everything that the benchmarks fetch, compile or write. Removing it resets the benchmarks.
CACHE = CHECKOUT / ".build" / "benchmarks"
SCRATCH = CACHE / "scratch"
PARTIAL_RESULTS = CACHE / "results"
# Downloaded packages are unpacked here.
ROOT = CACHE / "root"
PROGRAMS = ROOT / "usr" / "bin"


def shown(command: list[str]) -> str:
    """A command line without the folders of this machine, for a committed file. A long list of file names is shortened,
    because the results also describe the corpus."""
    words = [shown_path(word) for word in command]
    if len(words) > 24:
        words[12:] = [f"… ({len(words) - 12} more)"]
    return " ".join(words)


def shown_path(word: str) -> str:
    # The innermost folder first, because the folders contain one another.
    for folder in (PROGRAMS, SCRATCH, CHECKOUT):
        word = word.replace(str(folder) + os.sep, "")
    # Of other paths, only the name is shown.
    return Path(word).name if word.startswith(os.sep) else word
