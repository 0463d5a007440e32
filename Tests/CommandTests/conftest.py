"""Fixtures of the tables of misbehaving servers."""

import signal

import pytest
from certificates import Certificates
from false_disk import FalseDisk
from false_network import FalseNetwork
from misbehaviour import Misbehaviour
from trials import Trials


def pytest_configure():
    """Shells start background jobs with these signals ignored, and programs inherit that."""
    for number, handler in [(signal.SIGINT, signal.default_int_handler), (signal.SIGQUIT, signal.SIG_DFL)]:
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, handler)


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
        [row for row in rows if isinstance(row, Misbehaviour)], program, tmp_path_factory.mktemp("trials"), certificates,
        false_network)
    yield trials
    trials.close()
