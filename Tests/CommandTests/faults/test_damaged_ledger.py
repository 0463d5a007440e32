"""A ledger that is cut or in which bytes have changed never makes a wrong site, nor a crash."""

import random
import sqlite3

from bench import BROKEN
from disk_calls import WRITING

SCENARIOS = ("filter", "list")
PAGE = 4096
TIMES = 500

# The ledger with all that it knows in the main file; and as a killed build leaves it, with much in the write-ahead log.
FORMS = ("settled", "logged")


def start(bench, scenario, form):
    """Puts the folders back; the ledger is then in that form."""
    bench.start(scenario)
    if form == "settled":
        database = sqlite3.connect(bench.state / "ledger.sqlite")
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        database.execute("PRAGMA journal_mode = DELETE")
        database.close()
    else:
        written = [call.kind == WRITING and call.path.endswith("-wal") for call in bench.recording(scenario)]
        bench.start(scenario)
        bench.traced(scenario, "--kill", len(written) - written[::-1].index(True) + 1)


def files_of(bench):
    main = bench.state / "ledger.sqlite"
    return [path for path in (main, main.with_name(main.name + "-wal")) if path.exists() and path.stat().st_size]


def damage(path, kind, place, seed):
    """Cuts the file, or changes some of it; `place` counts pages."""
    chance, data = random.Random(f"{seed}"), bytearray(path.read_bytes())
    start = place * PAGE
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
    """Every cut, and then changes until there are enough."""
    points = [
        (chance.choice(SCENARIOS), form, name, "cut", place, 0)
        for form, name, count in pages for place in range(count)]
    while len(points) < TIMES:
        form, name, count = chance.choice(pages)
        kind = chance.choice(["flip1", "flip1", "flip3", "flip50", "zeros", "noise"])
        points.append((chance.choice(SCENARIOS), form, name, kind, chance.randrange(count), chance.randrange(10**6)))
    return points


def remove_pictures_of_nobody(matrix, bench, scenario):
    """Old pictures that a killed build had not come to remove, and that no page shows any more, can't prove to be ours
    when the ledger is lost too: they stay, as a stranger's would."""
    left = [
        path for path in bench.site().keys() - bench.undisturbed[scenario][False].keys() if path.startswith("images/")
    ]
    for path in left:
        (bench.gallery.site / path).unlink()
    matrix.note("pictures that nobody accounts for stay", bool(left))


def test_a_damaged_ledger_never_makes_a_wrong_site(matrix, benches):
    bench = benches.get()
    pages = []
    for form in FORMS:
        start(bench, "list", form)
        pages += [(form, path.name, -(-path.stat().st_size // PAGE)) for path in files_of(bench)]
    benches.put(bench)

    def check(bench, scenario, form, name, kind, place, seed):
        bench.whole_site(scenario)
        start(bench, scenario, form)
        if bench.state / name not in files_of(bench):
            return []  # this time nothing was left in the log
        damage(bench.state / name, kind, int(place), seed)
        run = bench.build(scenario, BROKEN)
        if run.code != 0:
            return [f"exit {run.code}: {run.said}"]
        matrix.note("set aside or begun anew, with a warning", "ledger" in run.err)
        if "the ledger can't be used" in run.err:
            remove_pictures_of_nobody(matrix, bench, scenario)
        expected, found, faults = bench.undisturbed[scenario][False], bench.site(), []
        if found != expected:
            changed = sorted(path for path in found.keys() | expected.keys() if found.get(path) != expected.get(path))
            faults.append(f"another site, different in {changed}; it said: {run.said}")
        return faults + bench.next_build_faults(scenario) + bench.idle_build_faults(scenario, BROKEN)

    matrix.run(points_of(matrix.random(), pages), check)
