"""A publication to a folder that is killed, or whose disk fails, leaves a site without dead links at the target. The
next publication completes it."""

import copy
import errno
import shutil
import subprocess

import pytest
from gallery import contents_of
from testbed import FAULTED, differences

LIST = ".gallerygen-published"


class Publication:
    """The publication of a site whose list and filter have changed since the first publication. The target is a folder
    of the testbed's gallery."""

    def __init__(self, testbed):
        self.testbed, self.gallery = testbed, testbed.gallery
        self.target = testbed.gallery.folder / "www"
        self.published = copy.copy(testbed.gallery)
        self.published.site = self.target
        self.saved = testbed.folder / "before-publication"
        if not self.saved.exists():
            self._save()
        self._restore()

    def _save(self):
        shutil.rmtree(self.target, ignore_errors=True)
        self.testbed.start("both")
        assert self.publish().code == 0
        run = self.testbed.build("both", FAULTED)
        assert run.code == 0, run.output
        self.saved.mkdir()
        folders = [self.gallery.site, self.gallery.state, self.target]
        subprocess.run(["cp", "-a", "--", *map(str, folders), str(self.saved)], check=True)

    def _restore(self):
        for folder in (self.gallery.site, self.gallery.state, self.target):
            shutil.rmtree(folder, ignore_errors=True)
        subprocess.run(["cp", "-a", "--", *map(str, self.saved.iterdir()), str(self.gallery.folder)], check=True)

    def publish(self):
        return self.gallery.run("publish", self.target)

    def traced(self, *options):
        return self.testbed.traced_command(options, "publish", str(self.target))

    def dead_links(self):
        return [f"dead link: {link}" for link in self.testbed.dead_links(self.published)]

    def next_faults(self):
        """The faults of the next publication, which must complete the site, and of one with nothing to do."""
        run = self.publish()
        if run.code != 0:
            return [f"the next publication ends with {run.code}: {run.output}"]
        wanted, found = contents_of(self.gallery.site), contents_of(self.target)
        faults = [f"{path} differs" for path in differences(found, wanted) if path in wanted]
        # Files of the first publication stay for a day.
        known = wanted.keys() | contents_of(self.saved / "www").keys()
        faults += [f"{path} remains" for path in found.keys() - known]
        faults += [f"the folder {path.name} remains" for path in self.target.glob(".gallerygen-*") if path.is_dir()]
        before = self.published.identities()
        run = self.publish()
        if run.code != 0 or self.published.identities() != before:
            faults.append(f"a publication with nothing to do fails or writes: {run.output}")
        return faults + self.dead_links()


def count_calls(testbeds):
    testbed = testbeds.get()
    run, calls = Publication(testbed).traced()
    assert run.code == 0, run.output
    testbeds.put(testbed)
    return len(calls)


def test_a_publication_may_be_killed_at_any_call_that_changes_the_disk(matrix, testbeds):
    def check(testbed, point):
        publication = Publication(testbed)
        run, made = publication.traced("--kill", point)
        if run.code != 137:
            return [f"exit {run.code}: {run.output}"]
        faults = publication.dead_links() + publication.next_faults()
        return [f"{fault} (killed before {made[-1]})" for fault in faults]

    matrix.run([(point,) for point in range(1, count_calls(testbeds) + 1)], check)


@pytest.mark.parametrize("lasts", ["once", "forever"])
@pytest.mark.parametrize("name", ["ENOSPC", "EIO"])
def test_any_call_of_a_publication_may_fail(matrix, testbeds, name, lasts):
    def check(testbed, point):
        publication = Publication(testbed)
        run, calls = publication.traced(
            "--fail", point, name, *(["--forever"] if lasts == "forever" else []))
        failed = [call for call in calls if call.result == -getattr(errno, name)]
        faults = []
        if run.code == 0:
            matrix.count("exit 0")
            faults += [] if is_complete(publication) else [f"exit 0, but the site is not complete: {run.output}"]
        elif run.code != 74:
            faults.append(f"exit {run.code}: {run.output}")
        elif str(testbed.gallery.folder) not in run.err:
            faults.append(f"no path in the message: {run.err}")
        faults += publication.dead_links() + publication.next_faults()
        return [f"{fault} ({failed[0] if failed else 'nothing'} failed)" for fault in faults]

    matrix.run([(point,) for point in range(1, count_calls(testbeds) + 1)], check)


def is_complete(publication):
    wanted, found = contents_of(publication.gallery.site), contents_of(publication.target)
    return all(found.get(path) == digest for path, digest in wanted.items())
