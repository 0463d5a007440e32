"""After a power cut the site has no dead links, and the next build makes again what the disk has lost."""

import random
import shutil

from disk_calls import SYNCING
from power_cut import FATES, ORDERS, Disk

SCENARIOS = ("first", "filter", "list", "live")
COUNT = 200


def cut_power(testbed, scenario, calls, order, fate, seed):
    """Makes the folders what a disk may contain if the power fails after these calls."""
    testbed.start(scenario)
    disk = Disk(testbed.gallery.folder, ("public", ".gallerygen")).replay(calls)
    for folder in (testbed.gallery.site, testbed.state):
        shutil.rmtree(folder, ignore_errors=True)
    disk.cut(order, fate, random.Random(seed))


def faults_after(testbed, scenario):
    faults = [f"dead link: {link}" for link in testbed.dead_links()]
    return faults + testbed.next_build_faults(scenario, later=True) + testbed.idle_build_faults(scenario)


def test_a_power_cut_at_any_moment_loses_only_what_is_made_again(matrix):
    def check(testbed, scenario, share, order, fate, seed):
        testbed.make_reference(scenario)
        calls = testbed.recording(scenario)
        made = calls[: max(1, round(float(share) * len(calls)))]
        cut_power(testbed, scenario, made, order, fate, seed)
        return [f"{fault} (power cut after call {len(made)}, {made[-1]})" for fault in faults_after(testbed, scenario)]

    chance = matrix.random()
    kinds = [(order, fate) for order in ORDERS for fate in (*FATES, "mixed")]
    points = []
    for number in range(COUNT):
        order, fate = kinds[number % len(kinds)]
        points.append((chance.choice(SCENARIOS), f"{chance.random():.4f}", order, fate, chance.randrange(10**6)))
    matrix.run(points, check)


def test_the_replay_shows_when_nothing_is_synchronised(testbeds):
    """Shows that the matrix above would find faults in a program without fsync."""
    testbed = testbeds.get()
    try:
        calls = [call for call in testbed.recording("first") if call.kind != SYNCING]
        cut_power(testbed, "first", calls, "kept", "zeros", 0)
        assert testbed.next_build_faults("first", later=True)
    finally:
        testbeds.put(testbed)
