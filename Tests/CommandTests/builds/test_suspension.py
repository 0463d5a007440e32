"""A build that is suspended (Ctrl-Z) for longer than its timeouts continues without failures."""

import signal
import time
from pathlib import Path

import pytest
from pictures import jpeg
from scripted_server import response
from waiting import TIMEOUT, until


def state_of(process):
    return Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[0]


@pytest.mark.parametrize("number", [signal.SIGTSTP, signal.SIGSTOP], ids=lambda number: number.name)
@pytest.mark.parametrize("stage", ["header", "body"])
def test_the_time_of_a_suspension_does_not_count_for_timeouts(gallery, scripted, number, stage):
    body = jpeg(1)

    def script(connection, _):
        whole = response(body)
        sent = 0 if stage == "header" else len(whole) - 100
        connection.sendall(whole[:sent])
        scripted.release.wait(TIMEOUT)
        connection.sendall(whole[sent:])

    gallery.list({"Slow": scripted.on("/slow.jpg", script)})
    process = gallery.program.start(
        "build", "--timeout", "2s", "--stall-timeout", "2s", "--connect-timeout", "2s", "--retries", "0",
        cwd=gallery.folder)
    try:
        scripted.wait_for("/slow.jpg")
        process.send_signal(number)
        until(lambda: state_of(process) == "T")
        # The suspension must be longer than each timeout.
        time.sleep(2.5)
        process.send_signal(signal.SIGCONT)
        until(lambda: state_of(process) != "T")
        scripted.release.set()
        _, err = process.communicate(timeout=TIMEOUT)
        assert process.returncode == 0, err
        assert gallery.reasons() == {}
        assert scripted.counts() == {"/slow.jpg": 1}
    finally:
        process.kill()
        process.communicate()


def test_a_transfer_that_broke_during_a_suspension_is_started_again(gallery, scripted):
    """The server closes the connection to the suspended client, which must not count as a failure or a retry."""
    bodies = [b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n\xff\xd8", response(jpeg(1))]

    def script(connection, _):
        if len(bodies) == 2:
            connection.sendall(bodies.pop(0))
            scripted.release.wait(TIMEOUT)
        else:
            connection.sendall(bodies[0])

    gallery.list({"Slow": scripted.on("/slow.jpg", script)})
    process = gallery.program.start("build", "--retries", "0", cwd=gallery.folder)
    try:
        scripted.wait_for("/slow.jpg")
        process.send_signal(signal.SIGSTOP)
        until(lambda: state_of(process) == "T")
        scripted.release.set()
        # The suspension must be longer than a busy machine would delay the program.
        time.sleep(3.5)
        process.send_signal(signal.SIGCONT)
        _, err = process.communicate(timeout=TIMEOUT)
        assert process.returncode == 0, err
        assert gallery.reasons() == {}
    finally:
        process.kill()
        process.communicate()
