"""Runs a command and writes its peak memory as the last line of standard error.

This is a small process of its own because, until a program is loaded, Linux counts the memory of the process that
starts it as the program's.
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
