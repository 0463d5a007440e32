"""A power cut leaves a site without dead links, and the next build trusts nothing that was not on the disk."""

import random
import shutil

from disk_calls import SYNCING
from power_cut import FATES, ORDERS, Disk

SCENARIOS = ("first", "filter", "list", "live")
TIMES = 200


def cut_power(bench, scenario, calls, order, fate, seed):
    """Leaves of the folders what a disk may hold if the power fails after these calls."""
    bench.start(scenario)
    disk = Disk(bench.gallery.folder, ("public", ".gallerygen")).replay(calls)
    for folder in (bench.gallery.site, bench.state):
        shutil.rmtree(folder, ignore_errors=True)
    disk.cut(order, fate, random.Random(seed))


def faults_after(bench, scenario):
    faults = [f"dead link: {link}" for link in bench.dead_links()]
    return faults + bench.next_build_faults(scenario, later=True) + bench.idle_build_faults(scenario)


def test_a_power_cut_at_any_moment_loses_only_what_is_made_again(matrix):
    def check(bench, scenario, share, order, fate, seed):
        bench.whole_site(scenario)
        calls = bench.recording(scenario)
        made = calls[: max(1, round(float(share) * len(calls)))]
        cut_power(bench, scenario, made, order, fate, seed)
        return [f"{fault} (power cut after call {len(made)}, {made[-1]})" for fault in faults_after(bench, scenario)]

    chance = matrix.random()
    kinds = [(order, fate) for order in ORDERS for fate in (*FATES, "mixed")]
    points = []
    for number in range(TIMES):
        order, fate = kinds[number % len(kinds)]
        points.append((chance.choice(SCENARIOS), f"{chance.random():.4f}", order, fate, chance.randrange(10**6)))
    matrix.run(points, check)


def test_the_replay_shows_when_nothing_is_synchronised(benches):
    """The matrix above finds faults in a program without fsync."""
    bench = benches.get()
    try:
        calls = [call for call in bench.recording("first") if call.kind != SYNCING]
        cut_power(bench, "first", calls, "kept", "zeros", 0)
        assert bench.next_build_faults("first", later=True)
    finally:
        benches.put(bench)
