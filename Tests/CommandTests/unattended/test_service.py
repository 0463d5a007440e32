"""`build --watch` as a service of systemd: readiness, status and signs of life by $NOTIFY_SOCKET."""

import os
import signal
import socket
import sys

import pytest
from waiting import TIMEOUT, until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="systemd runs on Linux")


class ServiceManager:
    """A datagram socket that collects the messages of a service."""

    def __init__(self, address):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(address)
        self.socket.settimeout(TIMEOUT)
        self.seen = []

    def wait_for(self, assignment):
        """Reads messages until one has an assignment that begins with this text, and returns the assignment."""
        while True:
            for line in self.socket.recv(65_536).decode().split("\n"):
                self.seen.append(line)
                if line.startswith(assignment):
                    return line


@pytest.fixture(params=["path", "abstract"])
def manager(request, tmp_path):
    """The service manager, and the value of $NOTIFY_SOCKET."""
    name = f"gallerygen-test-{os.getpid()}-{id(request)}"
    path = tmp_path / "notify"
    if request.param == "path":
        yield ServiceManager(str(path)), str(path)
    else:
        yield ServiceManager("\0" + name), "@" + name


@pytest.fixture
def start(three_photos):
    """A function that starts a watching build."""
    running = []

    def start(*options, **variables):
        running.append(
            three_photos.program.start("build", "--watch", *options, cwd=three_photos.folder, env=variables))
        return running[-1]

    yield start
    for process in running:
        process.kill()
        process.communicate()


def test_a_watching_build_is_ready_says_what_it_does_and_says_when_it_stops(three_photos, manager, start):
    receiver, name = manager
    process = start(NOTIFY_SOCKET=name)
    receiver.wait_for("READY=1")
    receiver.wait_for("STATUS=Building")
    assert receiver.wait_for("STATUS=Watching") == "STATUS=Watching. 3 photos: 3 filtered"
    three_photos.list({"One": "1.jpg", "Gone": "gone.jpg"})
    receiver.wait_for("STATUS=Building")
    receiver.wait_for("STATUS=Watching. 2 photos: 1 filtered, 1 failed")
    three_photos.manifest.write_text("this is no property list")
    assert "photos.plist:1:1" in receiver.wait_for("STATUS=The last build failed")
    (three_photos.folder / "gallerygen.yaml").write_text("no-such: setting\n")
    assert "no-such" in receiver.wait_for("STATUS=The settings are invalid")
    process.send_signal(signal.SIGTERM)
    receiver.wait_for("STOPPING=1")
    process.communicate(timeout=TIMEOUT)
    assert "WATCHDOG=1" not in receiver.seen


def test_signs_of_life_come_twice_in_each_interval_of_the_watchdog(manager, start):
    receiver, name = manager
    start(NOTIFY_SOCKET=name, WATCHDOG_USEC="400000")
    for _ in range(4):
        receiver.wait_for("WATCHDOG=1")


def test_a_watchdog_of_another_process_gets_none(manager, start):
    receiver, name = manager
    process = start(NOTIFY_SOCKET=name, WATCHDOG_USEC="1000", WATCHDOG_PID="1")
    receiver.wait_for("STATUS=Watching")
    process.send_signal(signal.SIGTERM)
    receiver.wait_for("STOPPING=1")
    assert "WATCHDOG=1" not in receiver.seen


@pytest.mark.parametrize("name", ["/no/such/socket", "relative", "@", "/" + "x" * 200])
def test_a_socket_that_cannot_be_used_does_not_matter(three_photos, start, name):
    process = start(NOTIFY_SOCKET=name, WATCHDOG_USEC="200000")
    until(lambda: (three_photos.site / "index.html").exists(), process)
    three_photos.list({"One": "1.jpg"})
    until(lambda: list(three_photos.photos()) == ["One"], process)


def test_a_build_that_does_not_watch_tells_the_service_manager_nothing(three_photos, manager):
    receiver, name = manager
    three_photos.build(env={"NOTIFY_SOCKET": name})
    receiver.socket.setblocking(False)
    with pytest.raises(BlockingIOError):
        receiver.socket.recv(10)


def test_each_build_of_a_watching_program_is_told(three_photos, manager, start):
    receiver, name = manager
    folder = three_photos.folder
    start("--metrics", folder / "m.prom", "--on-change", "cat >> changes", NOTIFY_SOCKET=name)
    receiver.wait_for("STATUS=Watching")
    assert 'state="filtered"} 3' in (folder / "m.prom").read_text()
    three_photos.list({"One": "1.jpg"})
    receiver.wait_for("STATUS=Watching. 1 photo")
    assert 'state="filtered"} 1' in (folder / "m.prom").read_text()
    assert len((folder / "changes").read_text().splitlines()) == 2
