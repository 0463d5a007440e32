"""Bounded waits: for a condition, and for a line of output of a running program."""

import threading
import time

#: Seconds after which a wait of a test fails. It ends a test whose program hangs. It is far longer than what a test
#: waits for takes on a slow and busy machine, and shorter than the `timeout` of Tests/pytest.ini, which names no cause.
TIMEOUT = 240


def until(condition, process=None, seconds=TIMEOUT, pause=0.01, what="the condition"):
    """Polls until `condition()` is true and returns its value. Fails after `seconds`, or if `process` has ended."""
    deadline = time.monotonic() + seconds
    while not (value := condition()):
        # `communicate` is called only for a process that has ended; for a running one it would block.
        assert process is None or process.poll() is None, f"the program has ended: {process.communicate()}"
        assert time.monotonic() < deadline, f"{what} did not become true within {seconds} s"
        time.sleep(pause)
    return value


def line_from(process):
    """The next line of the program's standard error; empty at its end. If there is no line for so long, the program is
    killed, because that is the only way to end a blocked `readline`."""
    killer = threading.Timer(TIMEOUT, process.kill)
    killer.start()
    try:
        return process.stderr.readline()
    finally:
        killer.cancel()
