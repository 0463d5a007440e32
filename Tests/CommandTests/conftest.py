"""Fixtures of the command tests: certificates, injected faults, servers to publish to, previews, and the builds for
misbehaving servers."""

import signal

import pytest
from certificates import Certificates
from faulty_disk import FaultyDisk
from fake_network import FakeNetwork
from misbehaviour import Misbehaviour
from pictures import jpeg
from preview_process import Preview
from s3_stores import MotoStore, RcloneStore
from scripted_server import ScriptedServer, picture
from ssh_server import SSHServer
from trials import Trials


def pytest_configure():
    """Stops ignoring signals that `nohup` and shells ignore for background jobs: child processes inherit ignored
    signals, but not handlers."""
    for number in [signal.SIGINT, signal.SIGQUIT, signal.SIGHUP]:
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, lambda *_: None)


@pytest.fixture(scope="session")
def certificates(tmp_path_factory):
    return Certificates(tmp_path_factory.mktemp("certificates"))


@pytest.fixture(scope="session")
def fake_network(tmp_path_factory):
    return FakeNetwork(tmp_path_factory.mktemp("fake-network"))


@pytest.fixture(scope="session")
def faulty_disk(tmp_path_factory):
    return FaultyDisk(tmp_path_factory.mktemp("faulty-disk"))


@pytest.fixture(scope="session")
def trials(request, program, certificates, fake_network, tmp_path_factory):
    """Runs the builds for every selected row of all tables of misbehaving servers."""
    rows = [item.callspec.params.get("row") for item in request.session.items if hasattr(item, "callspec")]
    trials = Trials(
        [row for row in rows if isinstance(row, Misbehaviour)],
        program,
        tmp_path_factory.mktemp("trials"),
        certificates,
        fake_network,
    )
    yield trials
    trials.close()


@pytest.fixture(scope="module")
def ssh(tmp_path_factory):
    server = SSHServer(tmp_path_factory.mktemp("ssh"))
    yield server
    server.close()


@pytest.fixture(scope="module")
def rclone(tmp_path_factory):
    store = RcloneStore(tmp_path_factory.mktemp("rclone"))
    yield store
    store.close()


@pytest.fixture(scope="module")
def moto():
    store = MotoStore()
    yield store
    store.close()


@pytest.fixture
def serve():
    """A function that starts a preview of a gallery."""
    running = []

    def start(gallery, *options, env=None):
        running.append(Preview(gallery, *options, env=env))
        return running[-1]

    yield start
    for preview in running:
        preview.kill()


@pytest.fixture
def remote(gallery):
    """A gallery of 40 photos on a server."""
    with ScriptedServer() as server:
        fresh = {"headers": ("Cache-Control: max-age=3600",)}
        gallery.list({
            f"Photo {number}": server.on(f"/{number}.jpg", picture(jpeg(number), **fresh)) for number in range(1, 41)})
        gallery.server = server
        yield gallery
