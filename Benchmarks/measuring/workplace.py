"""Where the benchmarks keep what they fetch and make, and how its paths appear in the record."""

import os
from pathlib import Path

BENCHMARKS = Path(__file__).resolve().parent.parent
CHECKOUT = BENCHMARKS.parent
RESULTS = BENCHMARKS / "results"

# Everything fetched, compiled or written by a run stands here, so that one folder can be removed to begin again.
CACHE = CHECKOUT / ".build" / "benchmarks"
SCRATCH = CACHE / "scratch"
PARTIAL_RESULTS = CACHE / "results"
# Packages that are fetched are unpacked here.
ROOT = CACHE / "root"
PROGRAMS = ROOT / "usr" / "bin"


def shown(command: list[str]) -> str:
    """A command line without the folders of this machine, fit for a committed file.

    A long list of file names is cut: the corpus is described beside it.
    """
    words = [shown_path(word) for word in command]
    if len(words) > 24:
        words[12:] = [f"… ({len(words) - 12} more)"]
    return " ".join(words)


def shown_path(word: str) -> str:
    # The longest first, as the folders stand in one another.
    for folder in (PROGRAMS, SCRATCH, CHECKOUT):
        word = word.replace(str(folder) + os.sep, "")
    # What stands elsewhere on the machine is named without its place.
    return Path(word).name if word.startswith(os.sep) else word
