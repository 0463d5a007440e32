"""Originals on their way to the disk."""

import threading

import pytest
from pictures import jpeg

COUNT = 12


@pytest.fixture
def remote(gallery, web):
    for number in range(COUNT):
        (web.root / f"{number}.jpg").write_bytes(jpeg(number))
    return gallery.list({f"Photo {number}": web.url(f"{number}.jpg") for number in range(COUNT)})


def wanted_of_the_disk(log):
    """What the program wanted of each file, in order: (what, path)."""
    return [tuple(line.split(" ", 1)) for line in log.read_text().splitlines()]


def test_those_that_come_while_the_disk_is_busy_go_to_it_together(remote, web, false_network, tmp_path):
    """A disk takes hardly longer for many files than for one, if it is told of all of them before the first is waited for."""
    free, log = tmp_path / "the disk is free", tmp_path / "log"
    temporary = remote.folder / ".gallerygen/originals/tmp"
    environment = false_network.environment(hanging="/originals/tmp/", until=free, log=log)
    pause = threading.Event()
    whole = sorted((web.root / f"{number}.jpg").stat().st_size for number in range(COUNT))
    with remote.program.start("build", cwd=remote.folder, env=environment) as process:
        try:
            while not temporary.is_dir() or sorted(path.stat().st_size for path in temporary.iterdir()) != whole:
                assert process.poll() is None, process.stderr.read()
                pause.wait(0.01)
            free.touch()
            _, err = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 0, err
    calls = wanted_of_the_disk(log)
    begun = [path for what, path in calls if what == "begin"]
    waited = [path for what, path in calls if what == "wait"]
    assert sorted(waited) == sorted(set(waited)) and len(waited) == COUNT
    # Each of the two waits for what it took first, which may be one alone, as may be what was handed over a moment too late.
    assert len(begun) >= COUNT - 3, calls
    for path in begun:
        assert calls.index(("begin", path)) < calls.index(("wait", path))
    assert not list(temporary.iterdir())


def test_a_single_one_is_waited_for_at_once(gallery, web, false_network, tmp_path):
    (web.root / "1.jpg").write_bytes(jpeg(1))
    (tmp_path / "free").touch()
    log = tmp_path / "log"
    gallery.list({"One": web.url("1.jpg")}).build(
        env=false_network.environment(hanging="/originals/tmp/", until=tmp_path / "free", log=log))
    assert [what for what, _ in wanted_of_the_disk(log)] == ["wait"]
