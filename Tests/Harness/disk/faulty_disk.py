"""Injects disk faults into the program by a preloaded library: see faulty_disk.c."""

from pathlib import Path

from preloading import compile_library

SOURCE = Path(__file__).with_name("faulty_disk.c")


class FaultyDisk:
    """The compiled library, and the environment that makes the program load it."""

    def __init__(self, folder):
        self.library = compile_library(SOURCE, Path(folder) / "faulty-disk.so")

    def environment(self, **faults):
        """Each keyword sets a variable of faulty_disk.c: `arrival` sets FAULTY_ARRIVAL."""
        return {"LD_PRELOAD": str(self.library)} | {f"FAULTY_{name.upper()}": value for name, value in faults.items()}
