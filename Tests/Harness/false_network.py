"""Names, addresses and faults that this machine does not have: see false_network.c."""

import shutil
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).with_name("false_network.c")


class FalseNetwork:
    """The compiled library, and the environment in which the program runs over it."""

    def __init__(self, folder):
        assert sys.platform == "linux", "libc is stepped in front of as Linux does it"
        compiler = shutil.which("clang") or shutil.which("cc")
        assert compiler, "there is no C compiler; Swift's toolchain brings clang"
        self.library = Path(folder) / "false-network.so"
        subprocess.run(
            [compiler, "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", self.library, SOURCE, "-ldl"], check=True)

    def environment(self, names=None, hanging=None, until=None, log=None):
        """`names` maps a name to its addresses, to "silent", or to "one|other" where it means another thing each time
        that it is looked up; `hanging` is a part of the paths that hang: for ever, or until a named pipe has a writer;
        `log` is told what is wanted of the disk there."""
        environment = {"LD_PRELOAD": str(self.library)}
        if names:
            environment["FALSE_NAMES"] = ",".join(
                f"{name}={value if isinstance(value, str) else '+'.join(value)}" for name, value in names.items())
        if hanging:
            environment["FALSE_DISK"] = hanging
        if until:
            environment["FALSE_DISK_UNTIL"] = str(until)
        if log:
            environment["FALSE_DISK_LOG"] = str(log)
        return environment
