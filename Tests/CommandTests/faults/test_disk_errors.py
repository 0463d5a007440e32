"""A disk that is full or broken ends a build with 74, the path in the message and the old site untouched."""

import errno
import os

import pytest
from disk_calls import SYNCING

# SQLite does not tell a full disk from a broken one when it makes its shared memory; then the message asks.
WORDS = {"ENOSPC": ("No space left on device", "check that the disk has free space")}

# Exit codes of a build that can't read something: 66 for a manifest, 73 for the output folder, 78 for the settings.
UNREADABLE = (66, 73, 74, 78)

# Calls that may fail without harm, and why the build continues: kind or name of the call, start of the path.
HARMLESS = [
    ("pwrite64", ".gallerygen/lock", "who holds the lock is only told to a second build; the lock is the kernel's"),
    ("ftruncate", ".gallerygen/lock", "as above"),
    ("linkat", ".gallerygen/derivatives", "where there are no hard links a copy is made"),
    ("remove", "", "tidying up: the next build removes it"),
    (
        "mkdirat",
        "public/.gallerygen-",
        "old files are removed in place where there is no room for a folder to move them to",
    ),
    ("open", ".gallerygen/ledger.sqlite-shm", "without shared memory the ledger uses a rollback journal"),
    ("open", ".gallerygen/ledger.sqlite-wal", "so it does where the log can't be made"),
    ("write", ".gallerygen/ledger.sqlite-shm", "as above"),
]


def is_harmless(call, earlier):
    return sets_journal_mode(call, earlier) or is_ignored_by_sqlite(call) or any(
        call.path.startswith(start) and which in (call.name, call.kind) for which, start, _ in HARMLESS)


def sets_journal_mode(call, earlier):
    """A new ledger is given its write-ahead log by a first change through a rollback journal. Where that fails SQLite
    stays with the journal. The one page that the file may have by then is written again with whatever is recorded
    first."""
    ledger = ".gallerygen/ledger.sqlite"
    is_new = not any(each.kind == SYNCING and each.path == ledger and not each.result for each in earlier)
    return is_new and call.path in (ledger, ledger + "-journal")


def is_ignored_by_sqlite(call):
    """SQLite does not look whether the folder of a new log was synchronised. A ledger that a power cut takes is made
    again."""
    return (call.name, call.path) == ("fdatasync", ".gallerygen")


def is_in_place(calls, first, said):
    """Whether the new site stood whole when the first call failed, and somebody is told: to take it back only because
    the ledger or an old file can't be written would help nobody. When the ledger is closed nobody need be told: what
    can't be moved into its file stays in its log, where the next build finds it."""
    later = calls[calls.index(first) + 1 :]
    into_site = [
        call for call in later if call.kind == "name" and (call.to or "").startswith("public/") and not call.result
    ]
    closes = first.path == ".gallerygen/ledger.sqlite" or (first.kind, first.path) == (
        SYNCING,
        ".gallerygen/ledger.sqlite-wal",
    )
    # Tidying up comes after the last record: from then on the ledger is only closed.
    tidies = first.kind == "remove" and first.path.startswith(".gallerygen/derivatives/")
    return not into_site and (closes or tidies or "the site is up to date" in said)


def could_not_go_back(failed):
    """Whether an old file was refused its place again, or a new one its removal: on a disk that has stopped working
    nothing can be undone. After the first error nothing is renamed forward any more, so that a later rename is one
    back."""
    def renames_back(call):
        return call.kind == "name" and call.path.startswith("public/") and (call.to or "").startswith("public/")

    return any(renames_back(call) for call in failed[1:]) or any(
        call.path.startswith("public/") and call.kind == "remove" for call in failed)


def faults_after_an_error(matrix, bench, scenario, before, run, calls, code, cleans=False):
    """`before`: the old site, which must not have changed; None where the site is published while it is built.
    `cleans`: before the next build."""
    failed = [call for call in calls if call.result == -code]
    if not failed:
        return [] if run.code == 0 else [f"exit {run.code} without an error: {run.said}"]
    first, faults = failed[0], []
    where = f"{first} failed, {len(failed)} in all"
    if run.code == 0:
        matrix.note("exit 0, harmless")
        if not all(is_harmless(call, calls[: calls.index(call)]) for call in failed) and not is_in_place(
            calls, first, run.err
        ):
            faults.append(f"exit 0: {run.said}")
        lacking = bench.undisturbed[scenario][False].items() - bench.site().items()
        extra = bench.site().keys() - bench.undisturbed[scenario][False].keys()
        tidies = "the next build must remove" in run.err or any(call.kind == "remove" for call in failed)
        if lacking or (extra and not tidies):
            faults.append(f"exit 0, but the site lacks {sorted(lacking)} or has {sorted(extra)}")
    elif run.code != 74:
        faults.append(f"exit {run.code}: {run.said}")
    else:
        now = bench.exact_site()
        if before is None:
            now = before
        elif any(call.kind == "remove" for call in failed):
            now = {path: digest for path, digest in now.items() if not path.startswith(".gallerygen-")}
        if now != before and could_not_go_back(failed):
            matrix.note("exit 74, the way back was refused as well")
        elif now != before:
            changed = sorted(path for path in now.keys() | before.keys() if now.get(path) != before.get(path))
            faults.append(f"the old site has changed: {changed}")
        if not names_a_path(bench, failed, run.err):
            faults.append(f"no path in the message: {run.err}")
        words = WORDS.get(errno.errorcode[code])
        if words and not any(each in run.err for each in words):
            faults.append(f"the message says none of {words}: {run.err}")
    faults += [f"dead link: {link}" for link in bench.dead_links()]
    faults += [f"{path} is synced again after it failed" for path in synced_again(calls, code)]
    if run.code == 74 and before is None:
        faults += faults_of_a_live_build(bench, failed)
    if cleans:
        faults += faults_of_clean(bench)
    return [f"{fault} ({where})" for fault in faults + bench.next_build_faults(scenario, later=True)]


def faults_of_a_live_build(bench, failed):
    """A site that was published while it was built stays as far as it came, and says so."""
    told, faults = bench.gallery.live_status(), []
    if told and told["end"] is None and len(failed) == 1:
        faults.append("open pages wait for more")
    if not any(call.kind == "remove" for call in failed):
        faults += [f"{path} remains" for path in bench.temporaries() if path.startswith("public/")]
    return faults


def faults_of_clean(bench):
    """The files that `clean` leaves of a site that nobody but gallerygen has touched."""
    run = bench.gallery.run("clean")
    faults = [f"clean leaves {path}: {run.said}" for path in bench.site()]
    return faults + ([f"clean ends with {run.code}: {run.said}"] if run.code else [])


def names_a_path(bench, failed, said):
    paths = {path for call in failed for path in (call.path, call.to) if path}
    paths |= {os.path.dirname(path) for path in paths}
    return any(str(bench.gallery.folder / path) in said for path in paths)


def synced_again(calls, code):
    """Files of which a sync failed and a later one was believed."""
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


def faults_after_an_unreadable_file(matrix, bench, scenario, before, run, calls):
    failed = [call for call in calls if call.result and call.result < 0 and call.result != -errno.ENOENT]
    if not failed:
        return [] if run.code == 0 else [f"exit {run.code} without an error: {run.said}"]
    # A photo on this machine that cannot be read is the photo's own fault, which its page tells, and so is its return.
    # Too many open files are not a failure of the photo.
    own = [
        call for call in failed
        if call.path.endswith((".jpg", ".png")) and "/" not in call.path and call.result != -errno.EMFILE]
    faults = []
    matrix.note(f"exit {run.code}")
    if run.code == 0:
        if not own and bench.site() != bench.undisturbed[scenario][False]:
            faults.append("exit 0, but the site is another one")
        if own and "can't be read" not in run.err:
            faults.append(f"a photo could not be read, and nothing is said: {run.said}")
    elif run.code not in UNREADABLE:
        faults.append(f"exit {run.code}: {run.said}")
    else:
        if bench.exact_site() != before:
            faults.append("the old site has changed")
        if not names_a_path(bench, failed, run.err) and "photos.plist" not in run.err:
            faults.append(f"no path in the message: {run.err}")
    faults += [f"dead link: {link}" for link in bench.dead_links()]
    where = f"{failed[0]} failed, {len(failed)} in all"
    return [f"{fault} ({where})" for fault in faults + ([] if own else bench.next_build_faults(scenario, later=True))]


def count_calls(benches, scenario, *options):
    bench = benches.get()
    bench.start(scenario)
    _, calls = bench.traced(scenario, *options)
    benches.put(bench)
    return len(calls)


def check_of(matrix, scenario, *options):
    def check(bench, point, name, lasts, then="build"):
        bench.whole_site(scenario)
        bench.start(scenario)
        before = bench.exact_site() if scenario != "live" else None
        run, calls = bench.traced(
            scenario, *options, "--fail", point, name, *(["--forever"] if lasts == "forever" else [])
        )
        return faults_after_an_error(matrix, bench, scenario, before, run, calls, getattr(errno, name), then == "clean")

    return check


@pytest.mark.parametrize("lasts", ["once", "forever"])
@pytest.mark.parametrize("name", ["ENOSPC", "EIO"])
def test_any_call_of_a_rebuild_may_fail(matrix, benches, name, lasts):
    count = count_calls(benches, "both")
    matrix.run([(point, name, lasts) for point in range(1, count + 1)], check_of(matrix, "both"))


def test_any_call_of_a_first_build_may_fail(matrix, benches):
    chance = matrix.random()
    points = range(1, count_calls(benches, "first") + 1)
    matrix.run(
        [(point, chance.choice(["ENOSPC", "EIO"]), chance.choice(["once", "forever"])) for point in points],
        check_of(matrix, "first"))


def test_any_call_of_a_live_build_may_fail(matrix, benches):
    chance = matrix.random()
    points = range(1, count_calls(benches, "live") + 1)
    matrix.run(
        [(point, chance.choice(["ENOSPC", "EIO"]), chance.choice(["once", "forever"]),
          chance.choice(["build", "clean"])) for point in points],
        check_of(matrix, "live"))


def test_no_file_that_a_live_build_could_not_synchronise_is_tried_again(matrix, benches):
    """All of them each time: it goes on after an error, to tell open pages."""
    bench = benches.get()
    bench.start("live")
    _, calls = bench.traced("live")
    synced = [call.path for call in calls if call.kind == SYNCING]
    points = [number for number, path in enumerate(synced, 1) if not (bench.gallery.folder / path).is_dir()]
    benches.put(bench)
    matrix.run(
        [(point, "EIO", "once", ("build", "clean")[point % 2]) for point in points],
        check_of(matrix, "live", "--syncs"),
        share=1,
    )


@pytest.mark.parametrize("name", ["EIO", "EMFILE"])
def test_any_file_or_folder_may_refuse_to_be_read(matrix, benches, name):
    def check(bench, point, name, lasts):
        bench.whole_site("both")
        bench.start("both")
        before = bench.exact_site()
        run, calls = bench.traced(
            "both", "--reads", "--fail", point, name, *(["--forever"] if lasts == "forever" else [])
        )
        return faults_after_an_unreadable_file(matrix, bench, "both", before, run, calls)

    chance = matrix.random()
    points = range(1, count_calls(benches, "both", "--reads") + 1)
    matrix.run([(point, name, chance.choice(["once", "forever"])) for point in points], check)


@pytest.mark.parametrize("name", ["EDQUOT", "EROFS"])
def test_a_quota_and_a_read_only_disk_are_like_a_full_one(matrix, benches, name):
    chance = matrix.random()
    count = count_calls(benches, "both")
    points = sorted(chance.sample(range(1, count + 1), 40))
    matrix.run([(point, name, chance.choice(["once", "forever"])) for point in points], check_of(matrix, "both"))
