"""Standard input, output and error that are closed or can't be read or written."""

import fcntl
import json
import os
import pty
import subprocess
import sys
import termios

import pytest
from waiting import TIMEOUT, until


def with_streams(gallery, *arguments, closed=(), **streams):
    """Runs the program with some of its standard streams closed, as a shell's `<&-` does."""
    def close():
        for descriptor in closed:
            os.close(descriptor)
    return subprocess.run(
        [gallery.program.path, *arguments], cwd=gallery.folder, env=gallery.program.environment(), timeout=TIMEOUT,
        preexec_fn=close, **({"stdin": subprocess.DEVNULL, "capture_output": True} | streams))


@pytest.mark.parametrize("command", ["build", "check", "status"])
@pytest.mark.parametrize("kind", ["closed", "a folder", "a terminal that hung up", "open for writing"])
def test_an_unreadable_standard_input_exits_with_66_and_one_line(three_photos, command, kind):
    before = sorted(three_photos.folder.rglob("*"))
    if kind == "closed":
        run = with_streams(three_photos, command, "-", closed=[0])
    elif kind == "a terminal that hung up":
        main, terminal = pty.openpty()
        os.close(main)
        run = with_streams(three_photos, command, "-", stdin=terminal)
        os.close(terminal)
    else:
        stream = os.open(three_photos.folder if kind == "a folder" else "/dev/null",
                         os.O_RDONLY if kind == "a folder" else os.O_WRONLY)
        run = with_streams(three_photos, command, "-", stdin=stream)
        os.close(stream)
    err = run.stderr.decode()
    assert err.startswith("gallerygen: standard input") and len(err.splitlines()) == 1
    # On some systems, reading a terminal that hung up returns the end of the file, and the list is empty.
    if kind == "a terminal that hung up" and run.returncode == 65:
        return
    assert run.returncode == 66, err
    assert sorted(three_photos.folder.rglob("*")) == before


def test_a_non_blocking_standard_input_is_read_to_its_end(three_photos):
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    body = three_photos.manifest.read_bytes()
    process = subprocess.Popen(
        [three_photos.program.path, "build", "-"], cwd=three_photos.folder, env=three_photos.program.environment(),
        stdin=reading, stderr=subprocess.PIPE)
    os.close(reading)
    for piece in (body[:10], body[10:]):
        os.write(writing, piece)
    os.close(writing)
    _, err = process.communicate(timeout=TIMEOUT)
    assert process.returncode == 0, err
    assert len(three_photos.photos()) == 3


def test_output_to_a_non_blocking_pipe_is_written_to_its_end(gallery):
    gallery.list({f"Photo {number}": f"{number}.jpg" for number in range(100)})
    gallery.build()
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    size = fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 4096)
    process = subprocess.Popen(
        [gallery.program.path, "status", "--json"], cwd=gallery.folder, env=gallery.program.environment(),
        stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    # Nothing is read before the pipe is full.
    until(lambda: process.poll() is not None or unread(reading) == size)
    with open(reading, "rb") as pipe:
        assert len(json.loads(pipe.read())["photos"]) == 100
    assert (process.stderr.read(), process.wait(TIMEOUT)) == (b"", 0)
    process.stderr.close()


def unread(pipe):
    """The number of bytes that a pipe holds."""
    return int.from_bytes(fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)), sys.byteorder)


@pytest.mark.parametrize("closed", [[0], [1], [2], [0, 1], [1, 2], [0, 1, 2]], ids=str)
def test_a_build_with_closed_streams_does_not_write_messages_into_its_files(three_photos, closed):
    (three_photos.folder / "broken.jpg").write_bytes(b"no picture")
    three_photos.list({"One": "1.jpg", "Two": "2.jpg", "Broken": "broken.jpg"})
    run = with_streams(
        three_photos, "build", "--verbose", closed=closed, stdin=None, capture_output=False,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    assert run.returncode == 0
    assert three_photos.files() == three_photos.accounted_for()
    run = three_photos.build()
    assert "Nothing to do" in run.err, "the ledger and all files are undamaged"


def test_output_that_cannot_be_written_exits_with_74(three_photos):
    three_photos.build()
    for arguments in (["status"], ["status", "--json"], ["build", "--dry-run"], ["clean", "--dry-run"]):
        run = with_streams(three_photos, *arguments, closed=[1])
        assert run.returncode == 74, arguments
        assert b"standard output" in run.stderr
        with open("/dev/full", "wb") as full:
            run = with_streams(three_photos, *arguments, capture_output=False, stdout=full, stderr=subprocess.PIPE)
        assert run.returncode == 74, arguments


def test_a_closed_pipe_behind_standard_output_is_no_failure(gallery):
    gallery.list({f"Photo {number} {'x' * 100}": f"{number}.jpg" for number in range(3_000)})
    gallery.build()
    for arguments in (["status"], ["status", "--json"]):
        process = subprocess.Popen(
            [gallery.program.path, *arguments], cwd=gallery.folder, env=gallery.program.environment(),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdout.read(1)
        process.stdout.close()
        assert (process.stderr.read(), process.wait(TIMEOUT)) == (b"", 0)
        process.stderr.close()


@pytest.mark.parametrize("command", ["build", "check", "status"])
def test_an_endless_standard_input_is_refused(three_photos, command):
    with open("/dev/zero", "rb") as endless:
        run = with_streams(three_photos, command, "-", stdin=endless)
    assert run.returncode == 65, run.stderr
    assert "larger than" in run.stderr.decode()
