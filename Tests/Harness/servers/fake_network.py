"""Gives the program host names and addresses that do not exist, and files that hang, by a preloaded library: see
fake_network.c."""

from pathlib import Path

from preloading import compile_library

SOURCE = Path(__file__).with_name("fake_network.c")


class FakeNetwork:
    """The compiled library, and the environment that makes the program load it."""

    def __init__(self, folder):
        self.library = compile_library(SOURCE, Path(folder) / "fake-network.so")

    def environment(self, names=None, hanging=None, until=None, log=None):
        """The variables of fake_network.c.

        `names` maps a host name to its addresses, to "silent", or to "one|other" if each lookup has another result.
        Synchronising a file whose path contains `hanging` blocks for ever, or until the named pipe `until` has a
        writer. The calls on these files are appended to the file `log`."""
        environment = {"LD_PRELOAD": str(self.library)}
        if names:
            environment["FAKE_NAMES"] = ",".join(
                f"{name}={value if isinstance(value, str) else '+'.join(value)}" for name, value in names.items())
        if hanging:
            environment["HANG_PATH"] = hanging
        if until:
            environment["HANG_UNTIL"] = str(until)
        if log:
            environment["HANG_LOG"] = str(log)
        return environment
