"""A full or broken disk ends a build with exit code 74. The message names the path, and the old site is unchanged."""

import errno
import os

import pytest
from disk_calls import SYNCING, WRITING
from testbed import differences

# Error → the texts one of which the message contains. When SQLite can't create its shared memory, it does not say
# whether the disk is full, so the message then asks the user to check.
WORDS = {"ENOSPC": ("No space left on device", "check that the disk has free space")}

# Exit codes of a build that can't read something: 66 for a manifest, 73 for the output folder, 78 for the settings.
UNREADABLE = (66, 73, 74, 78)

# Calls whose failure does not end the build: kind or name of the call, start of the path, and why it is harmless.
HARMLESS = [
    ("pwrite64", ".gallerygen/lock", "the file only tells other builds who holds the lock; the kernel keeps the lock"),
    ("ftruncate", ".gallerygen/lock", "as above"),
    ("linkat", ".gallerygen/derivatives", "without hard links the build makes a copy"),
    ("remove", "", "the next build removes the file"),
    ("mkdirat", "public/.gallerygen-", "without a folder to move them to, old files are removed in place"),
    ("open", ".gallerygen/ledger.sqlite-shm", "without shared memory the ledger uses a rollback journal"),
    ("open", ".gallerygen/ledger.sqlite-wal", "without a write-ahead log the ledger uses a rollback journal"),
    ("write", ".gallerygen/ledger.sqlite-shm", "as for open"),
]


def is_harmless(call, earlier):
    return sets_journal_mode(call, earlier) or is_ignored_by_sqlite(call) or any(
        call.path.startswith(start) and which in (call.name, call.kind) for which, start, _ in HARMLESS)


def sets_journal_mode(call, earlier):
    """Whether a call belongs to the switch of a new ledger to a write-ahead log. If the switch fails, SQLite continues
    to use a rollback journal, and writes the ledger's only page again with the first record."""
    ledger = ".gallerygen/ledger.sqlite"
    is_new = not any(each.kind == SYNCING and each.path == ledger and not each.result for each in earlier)
    return is_new and call.path in (ledger, ledger + "-journal")


def is_ignored_by_sqlite(call):
    """SQLite does not check whether the folder of a new log was synchronised. If a power cut loses the ledger, the next
    build makes a new one."""
    return (call.name, call.path) == ("fdatasync", ".gallerygen")


def is_published(calls, failed, said):
    """Whether the new site was complete when the first call failed, and the user is told of the failure. Restoring the
    old site then only because the ledger or an old file can't be written would help nobody. A failure while the ledger
    is closed needs no message: what can't be moved into the main file stays in the log for the next build."""
    first = failed[0]
    later = calls[calls.index(first) + 1 :]
    # A thread renames old files into a temporary folder while another one removes the files that were replaced.
    into_site = [
        call for call in later if call.kind == "name" and (call.to or "").startswith("public/")
        and not call.to.startswith("public/.gallerygen-") and not call.result
    ]
    closes = first.path == ".gallerygen/ledger.sqlite" or (first.kind, first.path) == (
        SYNCING,
        ".gallerygen/ledger.sqlite-wal",
    )
    # Replaced files and the temporary folder are removed while the last record is written and after it, then old
    # derivatives. Then the ledger is closed.
    journals = (".gallerygen/ledger.sqlite-wal", ".gallerygen/ledger.sqlite-journal")
    is_recorded = not any(call.kind == WRITING and call.path in journals for call in failed)
    tidies = is_recorded and first.kind == "remove" and first.path.startswith((".gallerygen/derivatives/", "public/"))
    return not into_site and (closes or tidies or "the site is up to date" in said)


def rollback_failed(failed):
    """Whether an old file could not be restored, or a new one not be removed. On a disk that has stopped working,
    nothing can be undone. After the first error no new file is published, so each later rename restores an old file."""
    def restores(call):
        return call.kind == "name" and call.path.startswith("public/") and (call.to or "").startswith("public/")

    return any(restores(call) for call in failed[1:]) or any(
        call.path.startswith("public/") and call.kind == "remove" for call in failed)


def faults_after_an_error(matrix, testbed, scenario, before, run, calls, code, cleans=False):
    """`before` is the old site, which must not have changed, or None for a live build. `cleans` says whether
    `gallerygen clean` runs before the next build."""
    failed = [call for call in calls if call.result == -code]
    if not failed:
        return [] if run.code == 0 else [f"exit {run.code} without an error: {run.output}"]
    first, faults = failed[0], []
    where = f"{first} failed, {len(failed)} in all"
    if run.code == 0:
        matrix.count("exit 0, harmless")
        if not all(is_harmless(call, calls[: calls.index(call)]) for call in failed) and not is_published(
            calls, failed, run.err
        ):
            faults.append(f"exit 0: {run.output}")
        lacking = testbed.references[scenario][False].items() - testbed.site().items()
        extra = testbed.site().keys() - testbed.references[scenario][False].keys()
        tidies = "the next build must remove" in run.err or any(call.kind == "remove" for call in failed)
        if lacking or (extra and not tidies):
            faults.append(f"exit 0, but the site lacks {sorted(lacking)} or has {sorted(extra)}")
    elif run.code != 74:
        faults.append(f"exit {run.code}: {run.output}")
    else:
        now = testbed.exact_site()
        if before is None:
            now = before
        elif any(call.kind == "remove" for call in failed):
            now = {path: digest for path, digest in now.items() if not path.startswith(".gallerygen-")}
        if now != before and rollback_failed(failed):
            matrix.count("exit 74, the rollback failed too")
        elif now != before:
            faults.append(f"the old site has changed: {differences(now, before)}")
        if not names_a_path(testbed, failed, run.err):
            faults.append(f"no path in the message: {run.err}")
        words = WORDS.get(errno.errorcode[code])
        if words and not any(each in run.err for each in words):
            faults.append(f"the message contains none of {words}: {run.err}")
    faults += [f"dead link: {link}" for link in testbed.dead_links()]
    faults += [f"{path} is synced again after it failed" for path in synced_again(calls, code)]
    if run.code == 74 and before is None:
        faults += faults_of_a_live_build(testbed, failed)
    if cleans:
        faults += faults_of_clean(testbed)
    return [f"{fault} ({where})" for fault in faults + testbed.next_build_faults(scenario, later=True)]


def faults_of_a_live_build(testbed, failed):
    """A live build that fails leaves the site as published so far, and tells open pages that it has ended."""
    live, faults = testbed.gallery.live_status(), []
    if live and live["end"] is None and len(failed) == 1:
        faults.append("status.js does not tell open pages that the build has ended")
    if not any(call.kind == "remove" for call in failed):
        faults += [f"{path} remains" for path in testbed.temporary_files() if path.startswith("public/")]
    return faults


def faults_of_clean(testbed):
    """The files of gallerygen's that `clean` does not remove."""
    run = testbed.gallery.run("clean")
    faults = [f"clean leaves {path}: {run.output}" for path in testbed.site()]
    return faults + ([f"clean ends with {run.code}: {run.output}"] if run.code else [])


def names_a_path(testbed, failed, said):
    paths = {path for call in failed for path in (call.path, call.to) if path}
    paths |= {os.path.dirname(path) for path in paths}
    return any(str(testbed.gallery.folder / path) in said for path in paths)


def synced_again(calls, code):
    """Files that were synchronised again after a failed sync. A second sync may succeed although the kernel has lost
    the data."""
    failed, again = set(), []
    for number, call in enumerate(calls):
        if sets_journal_mode(call, calls[:number]) or is_ignored_by_sqlite(call):
            continue
        if call.kind == SYNCING and call.result == -code:
            failed.add(call.path)
        elif call.kind == SYNCING and call.path in failed:
            again.append(call.path)
        elif call.makes_file:
            failed.discard(call.path)
    return again


def faults_after_an_unreadable_file(matrix, testbed, scenario, before, run, calls):
    failed = [call for call in calls if call.result and call.result < 0 and call.result != -errno.ENOENT]
    if not failed:
        return [] if run.code == 0 else [f"exit {run.code} without an error: {run.output}"]
    # If a local photo can't be read, that photo alone fails. Too many open files are not a failure of the photo.
    own = [
        call for call in failed
        if call.path.endswith((".jpg", ".png")) and "/" not in call.path and call.result != -errno.EMFILE]
    faults = []
    matrix.count(f"exit {run.code}")
    if run.code == 0:
        if not own and testbed.site() != testbed.references[scenario][False]:
            faults.append("exit 0, but the site differs")
        if own and "can't be read" not in run.err:
            faults.append(f"a photo could not be read, and the output does not say so: {run.output}")
    elif run.code not in UNREADABLE:
        faults.append(f"exit {run.code}: {run.output}")
    else:
        if testbed.exact_site() != before:
            faults.append("the old site has changed")
        if not names_a_path(testbed, failed, run.err) and "photos.plist" not in run.err:
            faults.append(f"no path in the message: {run.err}")
    faults += [f"dead link: {link}" for link in testbed.dead_links()]
    where = f"{failed[0]} failed, {len(failed)} in all"
    return [f"{fault} ({where})" for fault in faults + ([] if own else testbed.next_build_faults(scenario, later=True))]


def count_calls(testbeds, scenario, *options):
    testbed = testbeds.get()
    testbed.start(scenario)
    _, calls = testbed.traced(scenario, *options)
    testbeds.put(testbed)
    return len(calls)


def check_of(matrix, scenario, *options):
    def check(testbed, point, name, lasts, then="build"):
        testbed.make_reference(scenario)
        testbed.start(scenario)
        before = testbed.exact_site() if scenario != "live" else None
        run, calls = testbed.traced(
            scenario, *options, "--fail", point, name, *(["--forever"] if lasts == "forever" else [])
        )
        code = getattr(errno, name)
        return faults_after_an_error(matrix, testbed, scenario, before, run, calls, code, then == "clean")

    return check


@pytest.mark.parametrize("lasts", ["once", "forever"])
@pytest.mark.parametrize("name", ["ENOSPC", "EIO"])
def test_any_call_of_a_rebuild_may_fail(matrix, testbeds, name, lasts):
    count = count_calls(testbeds, "both")
    matrix.run([(point, name, lasts) for point in range(1, count + 1)], check_of(matrix, "both"))


def test_any_call_of_a_first_build_may_fail(matrix, testbeds):
    chance = matrix.random()
    points = range(1, count_calls(testbeds, "first") + 1)
    matrix.run(
        [(point, chance.choice(["ENOSPC", "EIO"]), chance.choice(["once", "forever"])) for point in points],
        check_of(matrix, "first"))


def test_any_call_of_a_live_build_may_fail(matrix, testbeds):
    chance = matrix.random()
    points = range(1, count_calls(testbeds, "live") + 1)
    matrix.run(
        [(point, chance.choice(["ENOSPC", "EIO"]), chance.choice(["once", "forever"]),
          chance.choice(["build", "clean"])) for point in points],
        check_of(matrix, "live"))


def test_no_file_that_a_live_build_could_not_synchronise_is_tried_again(matrix, testbeds):
    """Tries all of these points in each run: a live build goes on after an error, to tell open pages of its end."""
    testbed = testbeds.get()
    testbed.start("live")
    _, calls = testbed.traced("live")
    synced = [call.path for call in calls if call.kind == SYNCING]
    points = [number for number, path in enumerate(synced, 1) if not (testbed.gallery.folder / path).is_dir()]
    testbeds.put(testbed)
    matrix.run(
        [(point, "EIO", "once", ("build", "clean")[point % 2]) for point in points],
        check_of(matrix, "live", "--syncs"),
        share=1,
    )


@pytest.mark.parametrize("name", ["EIO", "EMFILE"])
def test_any_file_or_folder_may_refuse_to_be_read(matrix, testbeds, name):
    def check(testbed, point, name, lasts):
        testbed.make_reference("both")
        testbed.start("both")
        before = testbed.exact_site()
        run, calls = testbed.traced(
            "both", "--reads", "--fail", point, name, *(["--forever"] if lasts == "forever" else [])
        )
        return faults_after_an_unreadable_file(matrix, testbed, "both", before, run, calls)

    chance = matrix.random()
    points = range(1, count_calls(testbeds, "both", "--reads") + 1)
    matrix.run([(point, name, chance.choice(["once", "forever"])) for point in points], check)


@pytest.mark.parametrize("name", ["EDQUOT", "EROFS"])
def test_a_quota_and_a_read_only_disk_are_like_a_full_one(matrix, testbeds, name):
    chance = matrix.random()
    count = count_calls(testbeds, "both")
    points = sorted(chance.sample(range(1, count + 1), 40))
    matrix.run([(point, name, chance.choice(["once", "forever"])) for point in points], check_of(matrix, "both"))
