"""Originals that are downloaded while the disk is busy are synchronised together."""

import contextlib
import hashlib
import os
import signal
import threading
from collections import Counter

import pytest
from pictures import jpeg
from program import exit_code, is_pending
from scripted_server import response
from waiting import TIMEOUT, line_from, until

COUNT = 12
# The number of workers of the program's `GroupCommitQueue`.
WORKERS = 2


def disk_calls(log):
    """The program's calls on temporary originals in their order, as FakeNetwork logs them: (kind, path)."""
    return [tuple(line.split(" ", 1)) for line in log.read_text().splitlines()] if log.exists() else []


class BuildWithHangingDisk:
    """A build in which fsync hangs: each worker synchronises one original, and the others wait in the queue. Photos are
    requested one after another, so that when the last one is requested, all others are in the queue. The server holds
    the last one back.
    """

    def __init__(self, server, gallery, tmp_path):
        self.server, self.gallery = server, gallery
        self.temporary = gallery.folder / ".gallerygen/originals/tmp"
        self.last_request = threading.Event()
        self.free, self.log = tmp_path / "the disk is free", tmp_path / "log"
        os.mkfifo(self.free)

    def serve(self, body):
        def script(connection, _):
            before = len(self.server.counts()) - 1
            if before == COUNT - 1:
                self.last_request.set()
                self.server.release.wait(TIMEOUT)
            elif before <= WORKERS:
                while [what for what, _ in disk_calls(self.log)].count("wait") < before:
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

    def wait_for_last_request(self):
        until(self.last_request.is_set, self.process, what="the last request")

    def queued(self):
        """The originals that no worker has begun to synchronise."""
        begun = {path for _, path in disk_calls(self.log)}
        paths = [path for path in self.temporary.iterdir() if path.stat().st_size and str(path) not in begun]
        assert len(paths) == COUNT - WORKERS - 1, paths
        return paths

    def release(self):
        """Ends the hang, waits for the end of the build, and returns the calls after the hang."""
        before = len(disk_calls(self.log))
        with open_for_writing(self.free):
            self.server.release.set()
            _, self.err = self.process.communicate(timeout=TIMEOUT)
        return disk_calls(self.log)[before:]

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
    hanging = BuildWithHangingDisk(scripted, gallery, tmp_path)
    hanging.start(fake_network)
    try:
        hanging.wait_for_last_request()
        yield hanging
    finally:
        hanging.process.kill()
        hanging.process.communicate()


def indices(calls, kind, paths):
    return [index for index, (what, path) in enumerate(calls) if what == kind and path in paths]


def test_originals_that_arrive_while_the_disk_is_busy_are_synchronised_together(hanging):
    """Writing back many files takes hardly longer than one, if writeback of all of them starts before the first fsync
    waits."""
    queued = {str(path) for path in hanging.queued()}
    calls = hanging.release()
    assert hanging.process.returncode == 0, hanging.err
    waited = [path for what, path in disk_calls(hanging.log) if what == "wait"]
    assert len(waited) == len(set(waited)) == COUNT == len(hanging.originals())
    together = {path for what, path in calls if what == "begin"}
    assert together >= queued
    assert max(indices(calls, "begin", together)) < min(indices(calls, "wait", together)), calls
    assert max(indices(calls, "wait", together)) < min(indices(calls, "name", together)), calls
    assert not list(hanging.temporary.iterdir())


def test_originals_of_an_interrupted_build_are_not_synchronised(hanging):
    hanging.process.send_signal(signal.SIGINT)
    until(lambda: not is_pending(hanging.process, signal.SIGINT), hanging.process)
    # Signals are handled one after another, so the progress line shows that everything was cancelled.
    hanging.process.send_signal(signal.SIGUSR1)
    while "photos done" not in (line := line_from(hanging.process)):
        assert line, "the build has ended"
    assert {what for what, _ in hanging.release()} == {"name"}
    assert exit_code(hanging.process.returncode) == 130, hanging.err
    assert len(hanging.originals()) == WORKERS
    assert not list(hanging.temporary.iterdir())


def test_an_original_that_cannot_be_stored_does_not_affect_the_others(hanging):
    """A file blocks the path of the folder of one original, which no other original shares."""
    digests = {hashlib.sha256(path.read_bytes()).hexdigest() for path in hanging.queued()}
    folders = Counter(hashlib.sha256(jpeg(number)).hexdigest()[:2] for number in range(COUNT))
    blocked = min(digest for digest in digests if folders[digest[:2]] == 1)
    obstacle = hanging.temporary.parent / blocked[:2]
    obstacle.write_bytes(b"")
    hanging.release()
    assert hanging.process.returncode == 74
    assert f"{obstacle}/" in hanging.err
    assert not list(hanging.temporary.iterdir())
    stored = {path.parent.name + path.name for path in hanging.originals()}
    assert stored >= digests - {blocked}, (stored, digests)
    obstacle.unlink()
    hanging.gallery.build()
    assert len(hanging.originals()) == COUNT


def test_a_single_original_is_synchronised_at_once(gallery, web, fake_network, tmp_path):
    (web.root / "1.jpg").write_bytes(jpeg(1))
    free, log = tmp_path / "the disk is free", tmp_path / "log"
    os.mkfifo(free)
    gallery.list({"One": web.url("1.jpg")})
    with open_for_writing(free):
        gallery.build(env=fake_network.environment(hanging="/originals/tmp/", until=free, log=log))
    first, *rest = [what for what, _ in disk_calls(log)]
    # The first rename may fail, because the folder does not exist yet; it is then repeated.
    assert first == "wait" and set(rest) == {"name"}
