"""Fixtures of the fault matrices. A matrix runs a check for many points, such as each system call of a build.

    GALLERYGEN_FAULTS_SEED=N       repeats the points of a run, which prints its seed at the end
    GALLERYGEN_FAULTS_SHARE=0.1    tries a tenth of the points, chosen by the seed
    GALLERYGEN_FAULTS_ONLY=A,B     tries only these points, as a failure names them
"""

import os
import platform
import queue
import random
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from testbed import Testbed

SEED = int(os.environ.get("GALLERYGEN_FAULTS_SEED") or random.SystemRandom().randrange(10**9))
SHARE = float(os.environ.get("GALLERYGEN_FAULTS_SHARE") or 1)
ONLY = [name for name in os.environ.get("GALLERYGEN_FAULTS_ONLY", "").split(",") if name]
AT_ONCE = 2

collect_ignore_glob = [] if (sys.platform, platform.machine()) == ("linux", "x86_64") else ["test_*.py"]


class Matrix:
    """Tries the points of a test, two at a time, each on a testbed of its own."""

    def __init__(self, testbeds, test, record_property):
        self.testbeds = testbeds
        self.test = test
        self.record_property = record_property
        self.counts = {}

    def random(self):
        return random.Random(f"{SEED} {self.test.name}")

    def run(self, points, check, share=SHARE):
        """Tries a share of the points. A point is a tuple of values; `check(testbed, *point)` gets them as strings, and
        returns the faults that it finds."""
        points = [tuple(map(str, point)) for point in points]
        if ONLY:
            points = [tuple(name.split(":")) for name in ONLY if not name.startswith("test_")]
        elif share < 1:
            points = self.random().sample(points, max(1, round(len(points) * share)))
        start = time.monotonic()
        with ThreadPoolExecutor(AT_ONCE) as pool:
            results = list(pool.map(lambda point: self._try(point, check), points))
        found = [(point, faults) for point, faults in zip(points, results) if faults]
        counts = "".join(f", {outcome}: {number}" for outcome, number in sorted(self.counts.items()))
        seconds = time.monotonic() - start
        self.record_property(
            "summary", f"{self.test.name}, seed {SEED}: {len(points)} points in {seconds:.0f} s{counts}")
        if found:
            pytest.fail(self._report(found, len(points)), pytrace=False)

    def count(self, outcome, number=1):
        """Counts an outcome for the summary."""
        self.counts[outcome] = self.counts.get(outcome, 0) + number

    def _try(self, point, check):
        testbed = self.testbeds.get()
        try:
            return check(testbed, *point)
        except AssertionError as error:
            return [str(error)]
        finally:
            self.testbeds.put(testbed)

    def _report(self, found, count):
        lines = [f"{len(found)} of {count} points of seed {SEED} show faults"]
        for point, faults in found[:20]:
            lines.append(":".join(point))
            lines += [f"    {fault}" for fault in faults]
        only = ",".join(":".join(point) for point, _ in found[:5])
        lines.append(
            f"to try them again: GALLERYGEN_FAULTS_SEED={SEED} GALLERYGEN_FAULTS_ONLY='{only}' "
            f"python -m pytest '{self.test.nodeid}'"
        )
        return "\n".join(lines)


def pytest_collection_modifyitems(items):
    """Gives each matrix hours, since it tries hundreds of points. Each point has time limits of its own."""
    for item in items:
        if item.path.parent == Path(__file__).parent:
            item.add_marker(pytest.mark.timeout(max(900, round(4 * 3600 * SHARE))))


@pytest.fixture(scope="session")
def testbeds(program, tmp_path_factory):
    """A queue of the testbeds that are not in use."""
    free = queue.Queue()
    all_testbeds = [Testbed(program, tmp_path_factory.mktemp("testbed")) for _ in range(AT_ONCE)]
    for testbed in all_testbeds:
        free.put(testbed)
    yield free
    for testbed in all_testbeds:
        testbed.close()


@pytest.fixture
def matrix(testbeds, request, record_property):
    return Matrix(testbeds, request.node, record_property)
