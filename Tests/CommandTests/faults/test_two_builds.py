"""Two builds started together: one works, the other fails at once."""

import queue
import subprocess
import threading

from bench import BROKEN, clock

TIMES = 100


def start(bench, ended):
    """A build that puts itself, its exit code and what it said into `ended`."""
    process = subprocess.Popen(
        [str(bench.gallery.program.path), "build", *bench.arguments("held")], cwd=bench.gallery.folder,
        env=bench.gallery.program.environment(clock(BROKEN)), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, text=True)

    def wait():
        _, err = process.communicate()
        ended.put((process.returncode, err))

    thread = threading.Thread(target=wait)
    thread.start()
    return process, thread


def test_of_two_builds_one_works_and_the_other_is_75(matrix):
    def check(bench, number):
        bench.whole_site("held")
        bench.start("held")
        ended = queue.Queue()
        bench.gate.clear()  # no answer for one photo, so that the first cannot end before the second begins
        builds = [start(bench, ended), start(bench, ended)]
        try:
            refused, said = ended.get(timeout=30)
            bench.gate.set()
            worked, told = ended.get(timeout=30)
        except queue.Empty:
            return ["both builds work, or wait for each other"]
        finally:
            bench.gate.set()
            for process, thread in builds:
                process.kill()
                thread.join()
        faults = [] if refused == 75 else [f"the first to end has {refused}, not 75: {said}"]
        faults += [] if worked == 0 else [f"the other has {worked}, not 0: {told}"]
        if bench.site() != bench.undisturbed["held"][False]:
            faults.append("the site is not that of one build")
        faults += [f"{path} remains" for path in bench.temporaries()]
        return faults + bench.idle_build_faults("held", BROKEN)

    matrix.run([(number,) for number in range(1, TIMES + 1)], check)
