"""Of two builds that start at the same time, one succeeds and the other fails at once."""

import queue
import threading

from testbed import FAULTED, clock
from waiting import TIMEOUT

COUNT = 100


def start(testbed, ended):
    """Starts a build, and a thread that puts its exit code and standard error into `ended`."""
    process = testbed.gallery.program.start(
        "build", *testbed.arguments("held"), cwd=testbed.gallery.folder, env=clock(FAULTED))

    def wait():
        _, err = process.communicate()
        ended.put((process.returncode, err))

    thread = threading.Thread(target=wait)
    thread.start()
    return process, thread


def test_of_two_builds_one_succeeds_and_the_other_exits_with_75(matrix):
    def check(testbed, number):
        testbed.make_reference("held")
        testbed.start("held")
        ended = queue.Queue()
        testbed.gate.clear()  # one photo is held back, so that neither build can end before the other begins
        builds = [start(testbed, ended), start(testbed, ended)]
        try:
            refused, refusal = ended.get(timeout=TIMEOUT)
            testbed.gate.set()
            succeeded, output = ended.get(timeout=TIMEOUT)
        except queue.Empty:
            return ["both builds run, or wait for each other"]
        finally:
            testbed.gate.set()
            for process, thread in builds:
                process.kill()
                thread.join()
        faults = [] if refused == 75 else [f"the first to end exits with {refused}, not 75: {refusal}"]
        faults += [] if succeeded == 0 else [f"the other exits with {succeeded}, not 0: {output}"]
        if testbed.site() != testbed.references["held"][False]:
            faults.append("the site is not that of one build")
        faults += [f"{path} remains" for path in testbed.temporary_files()]
        return faults + testbed.idle_build_faults("held", FAULTED)

    matrix.run([(number,) for number in range(1, COUNT + 1)], check)
