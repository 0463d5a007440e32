"""Originals on their way to the disk."""

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

    def __init__(self, gallery, web, false_network, folder):
        self.free, self.log = folder / "the disk is free", folder / "log"
        os.mkfifo(self.free)
        self.temporary = gallery.folder / ".gallerygen/originals/tmp"
        self.environment = false_network.environment(hanging="/originals/tmp/", until=self.free, log=self.log)
        self.gallery = gallery
        self.whole = sorted((web.root / f"{number}.jpg").stat().st_size for number in range(COUNT))

    def __enter__(self):
        pause = threading.Event()
        self.process = self.gallery.program.start("build", cwd=self.gallery.folder, env=self.environment)
        while not self.temporary.is_dir() or sorted(path.stat().st_size for path in self.temporary.iterdir()) != self.whole:
            assert self.process.poll() is None, self.process.stderr.read()
            pause.wait(0.01)
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()

    def go_on(self):
        """Returns what the program wanted of the disk after it was free."""
        before = len(wanted_of_the_disk(self.log))
        writer = os.open(self.free, os.O_RDWR)
        try:
            _, self.err = self.process.communicate(timeout=60)
        finally:
            os.close(writer)
        return wanted_of_the_disk(self.log)[before:]

    def originals(self):
        return [path for path in self.temporary.parent.glob("*/*") if path.parent != self.temporary]


@pytest.fixture
def hanging(remote, web, false_network, tmp_path):
    with Hanging(remote, web, false_network, tmp_path) as hanging:
        yield hanging


def test_those_that_come_while_the_disk_is_busy_go_to_it_together(hanging):
    """A disk takes hardly longer for many files than for one, if it is told of all of them before the first is waited for."""
    calls = hanging.go_on()
    assert hanging.process.returncode == 0, hanging.err
    everything = wanted_of_the_disk(hanging.log)
    assert len({path for what, path in everything if what == "wait"}) == COUNT == len(hanging.originals())
    # The first two may have been alone, and the last may have been handed over a moment too late.
    assert len({path for what, path in everything if what == "begin"}) >= COUNT - 3, everything
    # Of those in one batch none is waited for before all are begun.
    begun = [place for place, (what, _) in enumerate(calls) if what == "begin"]
    together = {calls[place][1] for place in begun}
    waited = [place for place, (what, path) in enumerate(calls) if what == "wait" and path in together]
    assert not begun or max(begun) < min(waited), calls
    assert not list(hanging.temporary.iterdir())


def test_those_that_nobody_wants_any_more_are_not_waited_for(hanging):
    hanging.process.send_signal(signal.SIGINT)
    # One that is still pending would swallow the next, which tells that the first was obeyed.
    while is_pending(hanging.process, signal.SIGINT):
        assert hanging.process.poll() is None
    hanging.process.send_signal(signal.SIGUSR1)
    while "photos done" not in (line := hanging.process.stderr.readline()):
        assert line, "the build has ended"
    assert [what for what, _ in hanging.go_on()] == []
    assert exit_code(hanging.process.returncode) == 130, hanging.err
    assert not list(hanging.temporary.iterdir())


def test_one_that_has_no_place_hurts_none_of_those_beside_it(hanging, web):
    """A file in the place of the folder of one of them."""
    digest = hashlib.sha256((web.root / "7.jpg").read_bytes()).hexdigest()
    place = hanging.temporary.parent / digest[:2]
    place.write_bytes(b"")
    hanging.go_on()
    assert hanging.process.returncode == 74
    assert f"{place}/" in hanging.err
    assert not list(hanging.temporary.iterdir())
    place.unlink()
    hanging.gallery.build()
    assert len(hanging.originals()) == COUNT


def test_a_single_one_is_waited_for_at_once(gallery, web, false_network, tmp_path):
    (web.root / "1.jpg").write_bytes(jpeg(1))
    free, log = tmp_path / "the disk is free", tmp_path / "log"
    os.mkfifo(free)
    writer = os.open(free, os.O_RDWR)
    gallery.list({"One": web.url("1.jpg")}).build(
        env=false_network.environment(hanging="/originals/tmp/", until=free, log=log))
    os.close(writer)
    assert [what for what, _ in wanted_of_the_disk(log)] == ["wait"]
