"""What a power cut leaves is a site without dead links, and the next build trusts nothing that was not on the disk."""

import random
import shutil

from power_cut import FATES, ORDERS, Disk

SCENARIOS = ("first", "filter", "list")
POINTS = 100


def faults_after_a_power_cut(bench, scenario, share, order, fate, seed):
    bench.whole_site(scenario)
    if scenario not in bench.recordings:
        bench.start(scenario)
        before = Disk(bench.gallery.folder, ("public", ".gallerygen"))
        run, calls = bench.traced(scenario, "--data")
        assert run.code == 0, run.said
        bench.recordings[scenario] = (before.before, calls)
    before, calls = bench.recordings[scenario]
    last = round(float(share) * len(calls))
    bench.start(scenario)
    disk = Disk(bench.gallery.folder, ("public", ".gallerygen")).replay(calls[:last])
    for folder in (bench.gallery.site, bench.state):
        shutil.rmtree(folder, ignore_errors=True)
    disk.cut(order, fate, random.Random(seed))
    faults = [f"dead link: {link}" for link in bench.dead_links()]
    faults += bench.next_build_faults(scenario, later=True) + bench.idle_build_faults(scenario)
    return [f"{fault} (power cut after call {last}, {calls[last - 1]})" for fault in faults]


def test_a_power_cut_at_any_moment_loses_only_what_is_made_again(matrix):
    chance = matrix.random()
    kinds = [(order, fate) for order in ORDERS for fate in (*FATES, "mixed")]
    points = []
    for number in range(POINTS):
        order, fate = kinds[number % len(kinds)]
        points.append((chance.choice(SCENARIOS), f"{chance.random():.4f}", order, fate, chance.randrange(10**6)))
    matrix.run(points, faults_after_a_power_cut)
