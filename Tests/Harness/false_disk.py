"""A disk with faults that this machine's has not: see false_disk.c."""

import shutil
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).with_name("false_disk.c")


class FalseDisk:
    """The compiled library, and the environment in which the program runs over it."""

    def __init__(self, folder):
        assert sys.platform == "linux", "libc is stepped in front of as Linux does it"
        compiler = shutil.which("clang") or shutil.which("cc")
        assert compiler, "there is no C compiler; Swift's toolchain brings clang"
        self.library = Path(folder) / "false-disk.so"
        subprocess.run(
            [compiler, "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", self.library, SOURCE, "-ldl"], check=True)

    def environment(self, **faults):
        """`faults` by the names of false_disk.c, in small letters and without their beginning."""
        return {"LD_PRELOAD": str(self.library)} | {f"FALSE_{name.upper()}": value for name, value in faults.items()}
