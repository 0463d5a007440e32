"""A killed build leaves a site without dead links, and the next build makes the site of an undisturbed one."""

import signal
import subprocess

import pytest
from program import exit_code
from testbed import FAULTED, clock

SCENARIOS = ("first", "filter", "list", "live", "keep")
RANDOM_KILLS = 200


def faults_after_a_kill(matrix, testbed, scenario, later):
    """The faults of the site that the killed build left, and of the builds after it."""
    faults = [f"dead link: {link}" for link in testbed.dead_links()]
    recorded = testbed.recorded_downloads()
    unrecorded = testbed.stored_downloads() - recorded
    testbed.requests()
    faults += testbed.next_build_faults(scenario, later)
    requests = testbed.requests()
    faults += [f"{path} is downloaded again" for path in sorted(recorded & requests.keys())]
    matrix.count("stored but not yet recorded, so downloaded again", len(unrecorded & requests.keys()))
    return faults + testbed.idle_build_faults(scenario)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_build_may_be_killed_at_any_call_that_changes_the_disk(matrix, testbeds, scenario):
    testbed = testbeds.get()
    testbed.start(scenario)
    _, calls = testbed.traced(scenario)
    testbeds.put(testbed)

    def check(testbed, point):
        testbed.make_reference(scenario)
        testbed.start(scenario)
        run, made = testbed.traced(scenario, "--kill", point)
        if run.code == 0 and len(made) < int(point):
            return []  # this build made fewer calls than the recorded one
        if run.code != 137:
            return [f"exit {run.code}: {run.output}"]
        faults = faults_after_a_kill(matrix, testbed, scenario, False)
        return [f"{fault} (killed before {made[-1]})" for fault in faults]

    matrix.run([(point,) for point in range(1, len(calls) + 1)], check)


def test_a_build_may_be_killed_at_any_moment(matrix):
    chance = matrix.random()

    def check(testbed, scenario, part):
        testbed.make_reference(scenario)
        length = testbed.seconds(scenario)
        testbed.start(scenario)
        process = testbed.gallery.program.start(
            "build", *testbed.faulted_arguments(scenario), cwd=testbed.gallery.folder, env=clock(FAULTED))
        try:
            _, err = process.communicate(timeout=float(part) * length)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            _, err = process.communicate()
            matrix.count("killed before its end")
        code = exit_code(process.returncode)
        if code not in (0, 128 + signal.SIGKILL):
            return [f"exit {code}: {err}"]
        return faults_after_a_kill(matrix, testbed, scenario, True)

    points = [(chance.choice(SCENARIOS), f"{chance.random():.4f}") for _ in range(RANDOM_KILLS)]
    matrix.run(points, check)
