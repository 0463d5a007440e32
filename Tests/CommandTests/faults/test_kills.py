"""A build that is killed leaves a site without dead links, and the next one ends as if nothing had happened."""

import signal
import subprocess

import pytest
from bench import BROKEN, clock
from program import exit_code

SCENARIOS = ("first", "filter", "list", "live", "keep")
RANDOM_KILLS = 200


def after_a_kill(matrix, bench, scenario, later):
    """The faults of the site that the killed build left, and of the builds after it."""
    faults = [f"dead link: {link}" for link in bench.dead_links()]
    finished = bench.remembered_downloads()
    unremembered = bench.stored_downloads() - finished
    bench.requests()
    faults += bench.next_build_faults(scenario, later)
    asked = bench.requests()
    faults += [f"{path} is downloaded again" for path in sorted(finished & asked.keys())]
    matrix.note("stored but not yet recorded, so asked for again", len(unremembered & asked.keys()))
    return faults + bench.idle_build_faults(scenario)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_build_may_be_killed_at_any_call_that_changes_the_disk(matrix, benches, scenario):
    bench = benches.get()
    bench.start(scenario)
    _, calls = bench.traced(scenario)
    benches.put(bench)

    def check(bench, point):
        bench.whole_site(scenario)
        bench.start(scenario)
        run, made = bench.traced(scenario, "--kill", point)
        if run.code == 0 and len(made) < int(point):
            return []  # this time the threads needed fewer calls
        if run.code != 137:
            return [f"exit {run.code}: {run.said}"]
        return [f"{fault} (killed before {made[-1]})" for fault in after_a_kill(matrix, bench, scenario, False)]

    matrix.run([(point,) for point in range(1, len(calls) + 1)], check)


def test_a_build_may_be_killed_at_any_moment(matrix):
    chance = matrix.random()

    def check(bench, scenario, part):
        bench.whole_site(scenario)
        length = bench.seconds(scenario)
        bench.start(scenario)
        process = subprocess.Popen(
            [str(bench.gallery.program.path), "build", *bench.broken_arguments(scenario)], cwd=bench.gallery.folder,
            env=bench.gallery.program.environment(clock(BROKEN)), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True)
        try:
            _, err = process.communicate(timeout=float(part) * length)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            _, err = process.communicate()
            matrix.note("killed in time")
        code = exit_code(process.returncode)
        if code not in (0, 128 + signal.SIGKILL):
            return [f"exit {code}: {err}"]
        return after_a_kill(matrix, bench, scenario, True)

    points = [(chance.choice(SCENARIOS), f"{chance.random():.4f}") for _ in range(RANDOM_KILLS)]
    matrix.run(points, check)
