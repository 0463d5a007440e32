"""Runs a command and writes its peak memory as the last line of standard error.

A process of its own, and a small one: Linux counts the memory of the process that starts a program as the program's,
until the program is loaded.
"""

import os
import sys

child = os.fork()
if child == 0:
    os.execv(sys.argv[1], sys.argv[1:])
_, status, usage = os.wait4(child, 0)
kilobytes = usage.ru_maxrss // (1024 if sys.platform == "darwin" else 1)
sys.stderr.write(f"peak KB: {kilobytes}\n")
sys.exit(os.waitstatus_to_exitcode(status))
