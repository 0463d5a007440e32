"""Fixtures that the command tests and the browser tests share."""

import shutil
from collections import defaultdict

import known_files
import pytest
from gallery import Gallery
from pictures import jpeg
from program import Program
from scripted_server import ScriptedServer
from web_server import WebServer


def pytest_report_header():
    return [f"program: {Program.built()}", known_files.summary()]


#: The groups that take longest. They start first, so that none of them is still running when the others have ended.
LONGEST = [
    "faults", "trials", "CommandTests/network/test_unreliable_network", "CommandTests/publish/test_publish_rsync",
    "CommandTests/pictures/test_memory", "CommandTests/interface/test_demo", "BrowserTests/test_pages",
    "CommandTests/lists/test_manifests", "BrowserTests/test_layout_stability", "CommandTests/publish/test_publish_s3",
    "BrowserTests/test_live", "CommandTests/unattended/test_watch", "CommandTests/shards/test_engines",
    "CommandTests/pictures/test_memory_limit", "CommandTests/publish/test_publish_readers",
    "BrowserTests/test_viewer_touch", "CommandTests/state/test_faulty_disk", "BrowserTests/test_preview_panel",
    "CommandTests/serve/test_serve_lists", "BrowserTests/test_preview_view"]


def group_of(nodeid):
    """The name of the group of a test; a group runs on one worker. The tests of a file share fixtures. All fault
    matrices are one group, and so are the rows of all tables of misbehaving servers, because they already run in
    parallel."""
    path = nodeid.partition("::")[0].removesuffix(".py")
    if path.startswith("CommandTests/faults/"):
        return "faults"
    return "trials" if path.startswith("CommandTests/misbehaving_servers/") else path


def pytest_collection_modifyitems(items):
    order = {group: place for place, group in enumerate(LONGEST)}
    items.sort(key=lambda item: order.get(group_of(item.nodeid), len(LONGEST)))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Sends whole groups to the workers. The marks of `--dist loadgroup` have no effect with pytest 9.2, which ignores
    the node ids to which pytest-xdist 3.8 appends the groups."""
    from xdist.scheduler import LoadScopeScheduling

    class GroupScheduling(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            return group_of(nodeid)

    return GroupScheduling(config, log)


#: Group → the workers that ran its tests.
workers_of_groups = defaultdict(set)


def pytest_runtest_logreport(report):
    if worker := getattr(report, "node", None):
        workers_of_groups[group_of(report.nodeid)].add(worker.gateway.id)


def pytest_sessionfinish(session):
    """Fails the run if the tests of a group ran on several workers, because each of these made the group's fixtures."""
    if split_groups() and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def split_groups():
    return sorted(group for group, workers in workers_of_groups.items() if len(workers) > 1)


def pytest_terminal_summary(terminalreporter):
    """Prints the groups that did not run on one worker, and the numbers of points that the fault matrices tried."""
    if split := split_groups():
        terminalreporter.write_line(f"FAILED: groups of tests that ran on several workers: {', '.join(split)}")
    reports = [report for category in terminalreporter.stats.values() for report in category]
    summaries = [
        value for report in reports if getattr(report, "when", None) == "call"
        for name, value in report.user_properties if name == "summary"]
    if summaries:
        terminalreporter.write_sep("-", "fault matrices")
        for line in summaries:
            terminalreporter.write_line(line)


@pytest.fixture(scope="session")
def program(tmp_path_factory):
    path = Program.built()
    assert path.is_file(), f"{path} does not exist; build it with: make build"
    return Program(path, tmp_path_factory.mktemp("home"))


@pytest.fixture
def gallery(program, tmp_path):
    """An empty gallery."""
    return Gallery(tmp_path / "gallery", program)


@pytest.fixture
def three_photos(gallery):
    """A gallery of three small local photos that has not been built."""
    for number in range(1, 4):
        (gallery.folder / f"{number}.jpg").write_bytes(jpeg(number))
    return gallery.list({"One": "1.jpg", "Two": "2.jpg", "Three": "3.jpg"})


@pytest.fixture
def samples(gallery):
    """A copy of the demo's gallery that has not been built."""
    shutil.copytree(
        known_files.SAMPLES, gallery.folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".gallerygen")
    )
    shutil.copyfile(gallery.folder / "classic-photos.plist", gallery.manifest)
    return gallery


@pytest.fixture
def web(tmp_path):
    """nginx with an empty folder to serve."""
    (tmp_path / "www").mkdir()
    with WebServer(tmp_path / "www", tmp_path / "nginx") as server:
        yield server


@pytest.fixture
def scripted():
    with ScriptedServer() as server:
        yield server
