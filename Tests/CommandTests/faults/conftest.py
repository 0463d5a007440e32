"""The common parts of the fault matrices: which points are tried, on which bench, and how a failure is reported.

    GALLERYGEN_FAULTS_SEED=N       the points of that run again; the seed is printed at the end
    GALLERYGEN_FAULTS_SHARE=0.1    a tenth of the points, chosen by the seed
    GALLERYGEN_FAULTS_ONLY=A,B     these points, as a failure names them
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
from bench import Bench

SEED = int(os.environ.get("GALLERYGEN_FAULTS_SEED") or random.SystemRandom().randrange(10**9))
SHARE = float(os.environ.get("GALLERYGEN_FAULTS_SHARE") or 1)
ONLY = [name for name in os.environ.get("GALLERYGEN_FAULTS_ONLY", "").split(",") if name]
AT_ONCE = 2

collect_ignore_glob = [] if (sys.platform, platform.machine()) == ("linux", "x86_64") else ["test_*.py"]


class Matrix:
    """Tries every point of a test, two at a time, each on a bench of its own."""

    def __init__(self, benches, test, record_property):
        self.benches = benches
        self.test = test
        self.record_property = record_property
        self.notes = {}

    def random(self):
        return random.Random(f"{SEED} {self.test.name}")

    def run(self, points, check, share=SHARE):
        """`check(bench, *point)` returns the faults that it finds; a point is a tuple of words. Of them a share is
        tried."""
        points = [tuple(map(str, point)) for point in points]
        if ONLY:
            points = [tuple(name.split(":")) for name in ONLY if not name.startswith("test_")]
        elif share < 1:
            points = self.random().sample(points, max(1, round(len(points) * share)))
        start = time.monotonic()
        with ThreadPoolExecutor(AT_ONCE) as pool:
            results = list(pool.map(lambda point: self._try(point, check), points))
        found = [(point, faults) for point, faults in zip(points, results) if faults]
        counts = "".join(f", {text}: {number}" for text, number in sorted(self.notes.items()))
        seconds = time.monotonic() - start
        self.record_property("told", f"{self.test.name}, seed {SEED}: {len(points)} points in {seconds:.0f} s{counts}")
        if found:
            pytest.fail(self._told(found, len(points)), pytrace=False)

    def note(self, text, number=1):
        self.notes[text] = self.notes.get(text, 0) + number

    def _try(self, point, check):
        bench = self.benches.get()
        try:
            return check(bench, *point)
        except AssertionError as error:
            return [str(error)]
        finally:
            self.benches.put(bench)

    def _told(self, found, count):
        lines = [f"{len(found)} of {count} points of seed {SEED} show faults"]
        for point, faults in found[:20]:
            lines.append(":".join(point))
            lines += [f"    {fault}" for fault in faults]
        only = ",".join(":".join(point) for point, _ in found[:5])
        lines.append(
            f"again: GALLERYGEN_FAULTS_SEED={SEED} GALLERYGEN_FAULTS_ONLY='{only}' "
            f"python -m pytest '{self.test.nodeid}'"
        )
        return "\n".join(lines)


def pytest_collection_modifyitems(items):
    """A test tries hundreds of points, each with time limits of its own."""
    for item in items:
        if item.path.parent == Path(__file__).parent:
            item.add_marker(pytest.mark.timeout(max(600, round(4 * 3600 * SHARE))))


@pytest.fixture(scope="session")
def benches(program, tmp_path_factory):
    ready = queue.Queue()
    made = [Bench(program, tmp_path_factory.mktemp("bench")) for _ in range(AT_ONCE)]
    for bench in made:
        ready.put(bench)
    yield ready
    for bench in made:
        bench.close()


@pytest.fixture
def matrix(benches, request, record_property):
    return Matrix(benches, request.node, record_property)
