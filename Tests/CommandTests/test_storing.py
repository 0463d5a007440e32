"""Originals on their way to the disk."""

import contextlib
import hashlib
import os
import signal
import threading

import pytest
from pictures import jpeg
from program import exit_code, is_pending

COUNT = 12


@pytest.fixture
def remote(gallery, web):
    for number in range(COUNT):
        (web.root / f"{number}.jpg").write_bytes(jpeg(number))
    return gallery.list({f"Photo {number}": web.url(f"{number}.jpg") for number in range(COUNT)})


def wanted_of_the_disk(log):
    """What the program wanted of each file, in order: (what, path)."""
    return [tuple(line.split(" ", 1)) for line in log.read_text().splitlines()] if log.exists() else []


class Hanging:
    """A build whose originals have all arrived, while the disk hangs with the first of them."""

    def __init__(self, gallery, process, free, log):
        self.gallery, self.process, self.free, self.log = gallery, process, free, log
        self.temporary = gallery.folder / ".gallerygen/originals/tmp"

    def wait_for(self, sizes):
        pause = threading.Event()
        while not self.temporary.is_dir() or sorted(path.stat().st_size for path in self.temporary.iterdir()) != sizes:
            assert self.process.poll() is None, self.process.stderr.read()
            pause.wait(0.01)

    def waiting(self):
        """Those that nothing was wanted of yet; of these the last one may not have been handed over."""
        wanted = {path for _, path in wanted_of_the_disk(self.log)}
        return [path for path in self.temporary.iterdir() if str(path) not in wanted]

    def go_on(self):
        """Returns what the program wanted of the disk after it was free."""
        before = len(wanted_of_the_disk(self.log))
        with open_for_writing(self.free):
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
def hanging(remote, web, false_network, tmp_path):
    free, log = tmp_path / "the disk is free", tmp_path / "log"
    os.mkfifo(free)
    process = remote.program.start(
        "build", cwd=remote.folder, env=false_network.environment(hanging="/originals/tmp/", until=free, log=log))
    try:
        hanging = Hanging(remote, process, free, log)
        hanging.wait_for(sorted((web.root / f"{number}.jpg").stat().st_size for number in range(COUNT)))
        yield hanging
    finally:
        process.kill()
        process.communicate()


def places(calls, kind, paths):
    return [place for place, (what, path) in enumerate(calls) if what == kind and path in paths]


def test_those_that_come_while_the_disk_is_busy_go_to_it_together(hanging):
    """A disk takes hardly longer for many files than for one, if it is told of all of them before the first is waited for."""
    calls = hanging.go_on()
    assert hanging.process.returncode == 0, hanging.err
    everything = wanted_of_the_disk(hanging.log)
    waited = [path for what, path in everything if what == "wait"]
    assert len(waited) == len(set(waited)) == COUNT == len(hanging.originals())
    # The first two may have been alone, and the last may have been handed over a moment too late.
    assert len({path for what, path in everything if what == "begin"}) >= COUNT - 3, everything
    together = {path for what, path in calls if what == "begin"}
    if together:
        assert max(places(calls, "begin", together)) < min(places(calls, "wait", together)), calls
        assert max(places(calls, "wait", together)) < min(places(calls, "name", together)), calls
    assert not list(hanging.temporary.iterdir())


def test_those_that_nobody_wants_any_more_are_not_waited_for(hanging):
    hanging.process.send_signal(signal.SIGINT)
    while is_pending(hanging.process, signal.SIGINT):
        assert hanging.process.poll() is None
    # They are obeyed one after the other: its answer tells that all was cancelled.
    hanging.process.send_signal(signal.SIGUSR1)
    while "photos done" not in (line := hanging.process.stderr.readline()):
        assert line, "the build has ended"
    assert {what for what, _ in hanging.go_on()} <= {"name"}
    assert exit_code(hanging.process.returncode) == 130, hanging.err
    assert not list(hanging.temporary.iterdir())


def test_one_that_has_no_place_hurts_none_of_those_beside_it(hanging):
    """A file in the place of the folder of one of them."""
    digests = [hashlib.sha256(path.read_bytes()).hexdigest() for path in hanging.waiting()]
    place = hanging.temporary.parent / digests[0][:2]
    place.write_bytes(b"")
    hanging.go_on()
    assert hanging.process.returncode == 74
    assert f"{place}/" in hanging.err
    assert not list(hanging.temporary.iterdir())
    kept = {path.parent.name + path.name for path in hanging.originals()}
    assert len(kept.intersection(digests)) >= len(digests) - 2, (kept, digests)
    place.unlink()
    hanging.gallery.build()
    assert len(hanging.originals()) == COUNT


def test_a_single_one_is_waited_for_at_once(gallery, web, false_network, tmp_path):
    (web.root / "1.jpg").write_bytes(jpeg(1))
    free, log = tmp_path / "the disk is free", tmp_path / "log"
    os.mkfifo(free)
    gallery.list({"One": web.url("1.jpg")})
    with open_for_writing(free):
        gallery.build(env=false_network.environment(hanging="/originals/tmp/", until=free, log=log))
    first, *rest = [what for what, _ in wanted_of_the_disk(log)]
    # Its folder is made when it is seen to be missing.
    assert first == "wait" and set(rest) == {"name"}
