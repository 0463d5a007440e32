"""Originals on their way to the disk."""

import contextlib
import hashlib
import os
import signal
import threading
import time
from collections import Counter

import pytest
from pictures import jpeg
from program import exit_code, is_pending
from scripted_server import response
from waiting import line_from, until

COUNT = 12
# The width of the program's `GroupCommitQueue`.
WORKERS = 2


def wanted_of_the_disk(log):
    """The accesses of the program to files, in order: (kind, path)."""
    return [tuple(line.split(" ", 1)) for line in log.read_text().splitlines()] if log.exists() else []


class Hanging:
    """A build with which the disk hangs: each worker waits for one original, and all others but the last wait behind
    these. They are asked for one after the other, so that all others have been handed over when the last one is asked
    for, which has not come yet.
    """

    def __init__(self, server, gallery, tmp_path):
        self.server, self.gallery = server, gallery
        self.temporary = gallery.folder / ".gallerygen/originals/tmp"
        self.last_is_asked_for = threading.Event()
        self.free, self.log = tmp_path / "the disk is free", tmp_path / "log"
        os.mkfifo(self.free)

    def serve(self, body):
        def script(connection, _):
            before = len(self.server.counts()) - 1
            if before == COUNT - 1:
                self.last_is_asked_for.set()
                self.server.release.wait(60)
            elif before <= WORKERS:
                while [what for what, _ in wanted_of_the_disk(self.log)].count("wait") < before:
                    if self.server.release.wait(0.01):
                        return
            connection.sendall(response(body))

        return script

    def start(self, fake_network):
        self.gallery.list({
            f"Photo {number}": self.server.on(f"/{number}.jpg", self.serve(jpeg(number))) for number in range(COUNT)})
        self.process = self.gallery.program.start(
            "build", "--downloads-per-host", "1", cwd=self.gallery.folder,
            env=fake_network.environment(hanging="/originals/tmp/", until=self.free, log=self.log))

    def wait_for_the_last(self):
        deadline = time.monotonic() + 60
        while not self.last_is_asked_for.wait(0.01):
            assert self.process.poll() is None, self.process.stderr.read()
            assert time.monotonic() < deadline, wanted_of_the_disk(self.log)

    def waiting(self):
        wanted = {path for _, path in wanted_of_the_disk(self.log)}
        paths = [path for path in self.temporary.iterdir() if path.stat().st_size and str(path) not in wanted]
        assert len(paths) == COUNT - WORKERS - 1, paths
        return paths

    def go_on(self):
        """Returns what the program wanted of the disk after it was free."""
        before = len(wanted_of_the_disk(self.log))
        with open_for_writing(self.free):
            self.server.release.set()
            _, self.err = self.process.communicate(timeout=60)
        return wanted_of_the_disk(self.log)[before:]

    def originals(self):
        return [path for path in self.temporary.parent.glob("*/*") if path.parent != self.temporary]


@contextlib.contextmanager
def open_for_writing(pipe):
    writer = os.open(pipe, os.O_RDWR)
    try:
        yield
    finally:
        os.close(writer)


@pytest.fixture
def hanging(gallery, scripted, fake_network, tmp_path):
    hanging = Hanging(scripted, gallery, tmp_path)
    hanging.start(fake_network)
    try:
        hanging.wait_for_the_last()
        yield hanging
    finally:
        hanging.process.kill()
        hanging.process.communicate()


def places(calls, kind, paths):
    return [place for place, (what, path) in enumerate(calls) if what == kind and path in paths]


def test_those_that_come_while_the_disk_is_busy_go_to_it_together(hanging):
    """A disk takes hardly longer for many files than for one, if it is told of all of them before the first is waited
    for."""
    waiting = {str(path) for path in hanging.waiting()}
    calls = hanging.go_on()
    assert hanging.process.returncode == 0, hanging.err
    waited = [path for what, path in wanted_of_the_disk(hanging.log) if what == "wait"]
    assert len(waited) == len(set(waited)) == COUNT == len(hanging.originals())
    together = {path for what, path in calls if what == "begin"}
    assert together >= waiting
    assert max(places(calls, "begin", together)) < min(places(calls, "wait", together)), calls
    assert max(places(calls, "wait", together)) < min(places(calls, "name", together)), calls
    assert not list(hanging.temporary.iterdir())


def test_those_that_nobody_wants_any_more_are_not_waited_for(hanging):
    hanging.process.send_signal(signal.SIGINT)
    until(lambda: not is_pending(hanging.process, signal.SIGINT), hanging.process)
    # They are obeyed one after the other: its answer tells that all was cancelled.
    hanging.process.send_signal(signal.SIGUSR1)
    while "photos done" not in (line := line_from(hanging.process)):
        assert line, "the build has ended"
    assert {what for what, _ in hanging.go_on()} == {"name"}
    assert exit_code(hanging.process.returncode) == 130, hanging.err
    assert len(hanging.originals()) == WORKERS
    assert not list(hanging.temporary.iterdir())


def test_one_that_has_no_place_hurts_none_of_those_beside_it(hanging):
    """A file in the place of the folder of one of them, which no other one shares."""
    digests = {hashlib.sha256(path.read_bytes()).hexdigest() for path in hanging.waiting()}
    folders = Counter(hashlib.sha256(jpeg(number)).hexdigest()[:2] for number in range(COUNT))
    hurt = min(digest for digest in digests if folders[digest[:2]] == 1)
    place = hanging.temporary.parent / hurt[:2]
    place.write_bytes(b"")
    hanging.go_on()
    assert hanging.process.returncode == 74
    assert f"{place}/" in hanging.err
    assert not list(hanging.temporary.iterdir())
    kept = {path.parent.name + path.name for path in hanging.originals()}
    assert kept >= digests - {hurt}, (kept, digests)
    place.unlink()
    hanging.gallery.build()
    assert len(hanging.originals()) == COUNT


def test_a_single_one_is_waited_for_at_once(gallery, web, fake_network, tmp_path):
    (web.root / "1.jpg").write_bytes(jpeg(1))
    free, log = tmp_path / "the disk is free", tmp_path / "log"
    os.mkfifo(free)
    gallery.list({"One": web.url("1.jpg")})
    with open_for_writing(free):
        gallery.build(env=fake_network.environment(hanging="/originals/tmp/", until=free, log=log))
    first, *rest = [what for what, _ in wanted_of_the_disk(log)]
    # Its folder is made when it is seen to be missing.
    assert first == "wait" and set(rest) == {"name"}
