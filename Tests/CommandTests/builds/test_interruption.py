"""An interrupted build ends soon, leaves the old site unchanged, and does not repeat what it had finished."""

import contextlib
import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import termios
import threading
import time
from pathlib import Path

import pytest
from pictures import jpeg, noise_jpeg
from program import INTERRUPTIONS, exit_code, process_status, signal_mask
from scripted_server import held, picture
from waiting import TIMEOUT, line_from, until


@pytest.fixture
def waiting(three_photos, scripted):
    """A gallery and a build that adds two photos; it has downloaded one of them, and waits for the other."""
    three_photos.build()
    three_photos.before = three_photos.contents()
    three_photos.list({
        "One": "1.jpg", "Done": scripted.on("/done.jpg", picture(jpeg(20))),
        "Slow": scripted.on("/slow.jpg", held(scripted, jpeg(21)))})
    # The program does not inherit signals that the tests were started to ignore.
    listening = {"preexec_fn": lambda: [signal.signal(number, signal.SIG_DFL) for number in INTERRUPTIONS]}
    process = three_photos.program.start("build", "--downloads", "1", cwd=three_photos.folder, **listening)
    scripted.wait_for("/slow.jpg")
    yield three_photos, process
    process.kill()
    process.communicate()


@pytest.mark.alone
@pytest.mark.parametrize("number", INTERRUPTIONS, ids=lambda number: number.name)
def test_an_interrupted_build_ends_within_two_seconds_and_leaves_the_old_site(waiting, scripted, number):
    gallery, process = waiting
    start = time.monotonic()
    process.send_signal(number)
    out, err = process.communicate(timeout=TIMEOUT)
    assert time.monotonic() - start <= 2
    assert exit_code(process.returncode) == INTERRUPTIONS[number], err
    assert out == ""
    assert len(err.splitlines()) == 1, err
    assert not list(gallery.folder.glob("core*"))
    assert gallery.contents() == gallery.before

    scripted.release.set()
    gallery.build()
    assert list(gallery.photos()) == ["One", "Done", "Slow"]
    assert gallery.reasons() == {}
    assert gallery.files() == gallery.accounted_for()
    assert scripted.counts()["/done.jpg"] <= 2


def test_all_threads_block_the_signals_that_one_thread_waits_for(waiting):
    """A thread that got a signal would have to pass it on, and a later signal could overtake it."""
    _, process = waiting
    handled = {*INTERRUPTIONS, signal.SIGTSTP, signal.SIGCONT, signal.SIGUSR1}
    threads = []
    for thread in Path(f"/proc/{process.pid}/task").iterdir():
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # the thread has ended
            threads.append((thread / "status").read_text())
    assert len(threads) > 1
    for status in threads:
        assert handled <= signal_mask(status, "SigBlk"), status


def test_a_build_under_nohup_continues_when_its_terminal_hangs_up(three_photos, scripted):
    three_photos.list({"Slow": scripted.on("/slow.jpg", held(scripted, jpeg(21)))})
    process = three_photos.program.start(
        "build", cwd=three_photos.folder, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    try:
        scripted.wait_for("/slow.jpg")
        process.send_signal(signal.SIGHUP)
        # The progress line shows that the build still runs.
        process.send_signal(signal.SIGUSR1)
        assert "of 1 photo done" in line_from(process)
        scripted.release.set()
        _, err = process.communicate(timeout=TIMEOUT)
        assert process.returncode == 0, err
    finally:
        process.kill()
        process.communicate()
    assert three_photos.reasons() == {}


@pytest.mark.parametrize("number", INTERRUPTIONS, ids=lambda number: number.name)
def test_each_interrupting_signal_ends_a_watching_build(three_photos, number):
    process = three_photos.program.start(
        "build", "--watch", cwd=three_photos.folder, preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))
    try:
        while "Watching" not in (line := line_from(process)):
            assert line, "the build has ended, or is silent"
        process.send_signal(number)
        _, err = process.communicate(timeout=TIMEOUT)
        assert process.returncode == INTERRUPTIONS[number], err
        assert err == "gallerygen: stopped watching\n"
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("command", ["build", "check", "status"])
def test_sigquit_ends_a_command_that_reads_its_list_without_a_crash_report(three_photos, command):
    process = subprocess.Popen(
        [three_photos.program.path, command, "-"], cwd=three_photos.folder, env=three_photos.program.environment(),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGQUIT, signal.SIG_DFL))
    try:
        process.stdin.write(b"<")
        process.stdin.flush()
        until(lambda: unread_bytes(process.stdin) == 0, process)
        process.send_signal(signal.SIGQUIT)
        assert process.communicate(timeout=TIMEOUT) == (b"", b"")
        assert process.returncode == 131
    finally:
        process.kill()
        process.communicate()


def unread_bytes(pipe):
    """The number of bytes in a pipe."""
    return struct.unpack("i", fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)))[0]


def is_program(process, gallery):
    """Whether the process runs the program, and not its prefix any more."""
    return Path(f"/proc/{process.pid}/exe").samefile(gallery.program.path)


def is_handled(process, number):
    """Whether the process blocks or ignores a signal, so that it no longer ends the process by default."""
    return any(number in signal_mask(process_status(process), mask) for mask in ("SigBlk", "SigIgn"))


@pytest.mark.parametrize("number", INTERRUPTIONS, ids=lambda number: number.name)
def test_a_signal_during_the_installation_of_the_handlers_is_not_lost(three_photos, scripted, number):
    three_photos.list({"Slow": scripted.on("/slow.jpg", held(scripted, jpeg(21)))})
    # strace delays each call of sigaction by 50 ms.
    slowing = (
        "strace", "-D", "-f", "-qq", "-o", "/dev/null", "-e", "trace=rt_sigaction", "-e",
        "inject=rt_sigaction:delay_enter=50000")
    # Shells ignore some of these signals for background jobs, and the program would inherit that.
    process = three_photos.program.start(
        "build", cwd=three_photos.folder, prefix=slowing, preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))
    try:
        until(lambda: is_program(process, three_photos) and is_handled(process, number), process, pause=0.001)
        process.send_signal(number)
        _, err = process.communicate(timeout=TIMEOUT)
        assert exit_code(process.returncode) == INTERRUPTIONS[number], err
    finally:
        process.kill()
        process.communicate()


@pytest.mark.alone
def test_a_build_that_waits_for_its_manifest_ends_within_two_seconds(gallery, scripted):
    address = scripted.on("/list.plist", held(scripted, b""))
    process = gallery.program.start("build", address, cwd=gallery.folder)
    try:
        scripted.wait_for("/list.plist")
        start = time.monotonic()
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=TIMEOUT)
        assert time.monotonic() - start <= 2
        assert exit_code(process.returncode) == 143
    finally:
        process.kill()
        process.communicate()


@pytest.mark.quick
def test_a_killed_build_leaves_the_old_site_and_the_next_one_completes_it(waiting, scripted):
    gallery, process = waiting
    process.kill()
    process.communicate()
    assert gallery.contents() == gallery.before
    scripted.release.set()
    gallery.build()
    assert gallery.files() == gallery.accounted_for()
    assert gallery.reasons() == {}


def test_after_a_build_that_was_killed_before_recording_its_pages_they_are_written_again(three_photos):
    clock = {"SOURCE_DATE_EPOCH": "1700000000"}
    three_photos.build(env=clock)
    before = three_photos.contents()
    # All pages are in place when the first file is removed.
    killing = ("strace", "-f", "-qq", "-o", "/dev/null", "-e", "inject=unlinkat:signal=KILL:when=1")
    killed = three_photos.run("build", "--filter", "none", env=clock, prefix=killing)
    assert killed.code in (-signal.SIGKILL, 137)
    assert three_photos.contents() != before
    three_photos.build(env=clock)
    assert three_photos.contents() == before


@pytest.mark.parametrize("call", ["renameat2", "unlinkat"], ids=["first rename", "first removal"])
def test_a_build_is_complete_after_it_was_killed_and_one_with_other_settings_has_run(three_photos, call):
    def build(title, **options):
        # The titles have the same length, so that the sizes of the pages do not show which one a page has.
        return three_photos.run("build", "--title", title, env={"SOURCE_DATE_EPOCH": "1700000000"}, **options)

    build("Other")
    expected = three_photos.contents()
    build("First")
    killing = ("strace", "-f", "-qq", "-o", "/dev/null", "-e", f"inject={call}:signal=KILL:when=1")
    assert build("Other", prefix=killing).code in (-signal.SIGKILL, 137)
    # The next publication has the same number as the one that was killed.
    build("First")
    assert build("Other").code == 0
    assert three_photos.contents() == expected


def test_a_build_that_is_interrupted_after_its_pages_are_in_place_ends_as_complete(three_photos):
    three_photos.build()
    status = three_photos.site / "status.json"
    before = status.read_bytes()
    # The derivatives that no page shows any more are removed last, which takes longer here than an interrupted build
    # may.
    delaying = (
        "strace", "-D", "-f", "-qq", "-o", "/dev/null", "-e", "trace=unlink", "-e",
        "inject=unlink:delay_enter=3s:when=1")
    process = three_photos.program.start("build", "--filter", "none", cwd=three_photos.folder, prefix=delaying)
    until(lambda: status.read_bytes() != before, process)
    process.send_signal(signal.SIGTERM)
    err = process.communicate(timeout=TIMEOUT)[1]
    assert process.returncode == 0, err
    assert three_photos.build("--filter", "none").err.startswith("Nothing to do.")


def test_on_a_terminal_a_build_shows_progress_and_ctrl_c_ends_it(three_photos, scripted):
    # These photos take long enough for the progress line to be shown before the build waits for the slow one.
    for number in range(4):
        (three_photos.folder / f"large-{number}.jpg").write_bytes(noise_jpeg(number, 2400, 1600))
    large = {f"Large {number}": f"large-{number}.jpg" for number in range(4)}
    three_photos.list(large | {"Slow": scripted.on("/slow.jpg", held(scripted, jpeg(8)))})
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(three_photos.folder)
        environment = three_photos.program.environment({"TERM": "xterm"})
        os.execve(three_photos.program.path, ["gallerygen", "build"], environment)
    killer = threading.Timer(60, os.kill, (child, signal.SIGKILL))
    killer.start()
    try:
        scripted.wait_for("/slow.jpg")
        shown = b""
        # A progress line follows a carriage return. If the program ends, the read fails.
        while not re.search(rb"\r[^\r\n]", shown):
            shown += os.read(terminal, 4096)
        os.write(terminal, b"\x03")
        _, status = os.waitpid(child, 0)
    finally:
        killer.cancel()
        os.close(terminal)
    assert exit_code(os.waitstatus_to_exitcode(status)) == 128 + signal.SIGINT
