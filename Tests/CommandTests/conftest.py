"""Fixtures of the tables of misbehaving servers."""

import signal

import pytest
from certificates import Certificates
from false_disk import FalseDisk
from false_network import FalseNetwork
from misbehaviour import Misbehaviour
from trials import Trials


def pytest_configure():
    """`nohup` and background jobs ignore these signals, and programs inherit that; what is handled they do not
    inherit."""
    for number in [signal.SIGINT, signal.SIGQUIT, signal.SIGHUP]:
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, lambda *_: None)


@pytest.fixture(scope="session")
def certificates(tmp_path_factory):
    return Certificates(tmp_path_factory.mktemp("certificates"))


@pytest.fixture(scope="session")
def false_network(tmp_path_factory):
    return FalseNetwork(tmp_path_factory.mktemp("false-network"))


@pytest.fixture(scope="session")
def false_disk(tmp_path_factory):
    return FalseDisk(tmp_path_factory.mktemp("false-disk"))


@pytest.fixture(scope="session")
def trials(request, program, certificates, false_network, tmp_path_factory):
    """Every row that was selected, of all tables, side by side."""
    rows = [item.callspec.params.get("row") for item in request.session.items if hasattr(item, "callspec")]
    trials = Trials(
        [row for row in rows if isinstance(row, Misbehaviour)],
        program,
        tmp_path_factory.mktemp("trials"),
        certificates,
        false_network,
    )
    yield trials
    trials.close()
