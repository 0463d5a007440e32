"""Waits with an end: for a condition, and for a line of a running program."""

import threading
import time


def until(condition, process=None, seconds=30, pause=0.01):
    """Polls until `condition()` is true and returns its value; fails after `seconds`, and when `process` has ended."""
    deadline = time.monotonic() + seconds
    while not (value := condition()):
        # Read only here: the pipes of a running process have no end.
        assert process is None or process.poll() is None, f"the program has ended: {process.communicate()}"
        assert time.monotonic() < deadline, f"not within {seconds} s"
        time.sleep(pause)
    return value


def line_from(process, seconds=30):
    """The next line of the program's standard error, empty at its end. A program silent for `seconds` is killed, since
    a blocked `readline` can be ended in no other way."""
    killer = threading.Timer(seconds, process.kill)
    killer.start()
    try:
        return process.stderr.readline()
    finally:
        killer.cancel()
