"""A ledger that is cut, or in which bytes have changed, leads neither to a wrong site nor to a crash."""

import random
import sqlite3

from disk_calls import WRITING
from testbed import FAULTED, differences

SCENARIOS = ("filter", "list")
PAGE = 4096
COUNT = 500

# settled: the main file contains everything. logged: a killed build has left much of it in the write-ahead log.
FORMS = ("settled", "logged")


def start(testbed, scenario, form):
    """Restores the folders, with the ledger in this form."""
    testbed.start(scenario)
    if form == "settled":
        database = sqlite3.connect(testbed.state / "ledger.sqlite")
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        database.execute("PRAGMA journal_mode = DELETE")
        database.close()
    else:
        written = [call.kind == WRITING and call.path.endswith("-wal") for call in testbed.recording(scenario)]
        testbed.start(scenario)
        testbed.traced(scenario, "--kill", len(written) - written[::-1].index(True) + 1)


def files_of(testbed):
    main = testbed.state / "ledger.sqlite"
    return [path for path in (main, main.with_name(main.name + "-wal")) if path.exists() and path.stat().st_size]


def damage(path, kind, page, seed):
    """Cuts the file at the start of a page, or changes some of its bytes."""
    chance, data = random.Random(f"{seed}"), bytearray(path.read_bytes())
    start = page * PAGE
    if kind == "cut":
        del data[start:]
    elif kind == "zeros":
        data[start : start + PAGE] = bytes(len(data[start : start + PAGE]))
    elif kind == "noise":
        data[start : start + PAGE] = chance.randbytes(len(data[start : start + PAGE]))
    else:
        for _ in range(int(kind.removeprefix("flip"))):
            data[chance.randrange(len(data))] ^= chance.randrange(1, 256)
    path.write_bytes(data)


def points_of(chance, pages):
    """A cut at each page, and random changes up to the number of points."""
    points = [
        (chance.choice(SCENARIOS), form, name, "cut", page, 0)
        for form, name, count in pages for page in range(count)]
    while len(points) < COUNT:
        form, name, count = chance.choice(pages)
        kind = chance.choice(["flip1", "flip1", "flip3", "flip50", "zeros", "noise"])
        points.append((chance.choice(SCENARIOS), form, name, kind, chance.randrange(count), chance.randrange(10**6)))
    return points


def remove_unowned_pictures(matrix, testbed, scenario):
    """Removes old pictures that the killed build did not get to remove. Without a ledger, and without a page that shows
    them, nothing proves that they are gallerygen's, so the next build leaves them as it would foreign files."""
    expected = testbed.references[scenario][False]
    left = [path for path in testbed.site().keys() - expected.keys() if path.startswith("images/")]
    for path in left:
        (testbed.gallery.site / path).unlink()
    matrix.count("pictures without an owner stay", bool(left))


def test_a_damaged_ledger_never_makes_a_wrong_site(matrix, testbeds):
    testbed = testbeds.get()
    pages = []
    for form in FORMS:
        start(testbed, "list", form)
        pages += [(form, path.name, -(-path.stat().st_size // PAGE)) for path in files_of(testbed)]
    testbeds.put(testbed)

    def check(testbed, scenario, form, name, kind, page, seed):
        testbed.make_reference(scenario)
        start(testbed, scenario, form)
        if testbed.state / name not in files_of(testbed):
            return []  # the killed build left nothing in the log
        damage(testbed.state / name, kind, int(page), seed)
        run = testbed.build(scenario, FAULTED)
        if run.code != 0:
            return [f"exit {run.code}: {run.output}"]
        matrix.count("set aside or started anew, with a warning", "ledger" in run.err)
        if "the ledger can't be used" in run.err:
            remove_unowned_pictures(matrix, testbed, scenario)
        expected, found, faults = testbed.references[scenario][False], testbed.site(), []
        if found != expected:
            faults.append(f"the site has other files: {differences(found, expected)}; output: {run.output}")
        return faults + testbed.next_build_faults(scenario) + testbed.idle_build_faults(scenario, FAULTED)

    matrix.run(points_of(matrix.random(), pages), check)
