"""Fixtures of the command tests: certificates, injected faults, servers to publish to, and the builds for misbehaving
servers."""

import signal

import pytest
from certificates import Certificates
from faulty_disk import FaultyDisk
from fake_network import FakeNetwork
from misbehaviour import Misbehaviour
from s3_stores import MotoStore, RcloneStore
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
