"""The units of systemd in Packaging/systemd: they are valid, and the service of the system may do little."""

import re
import shutil
import subprocess
import textwrap
from tempfile import TemporaryDirectory

import pytest
from program import ROOT, Program

UNITS = ROOT / "Packaging/systemd"
pytestmark = pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")


@pytest.fixture
def installed(tmp_path):
    """A function that copies the units of the system or of users, with the path of the program under test."""

    def install(kind):
        folder = tmp_path / kind
        folder.mkdir()
        for unit in (UNITS / kind).iterdir():
            text = unit.read_text()
            (folder / unit.name).write_text(text.replace("/usr/bin/gallerygen", str(Program.built())))
        return folder

    return install


def analyze(*arguments, **options):
    return subprocess.run(
        ["systemd-analyze", *map(str, arguments)], capture_output=True, text=True, stdin=subprocess.DEVNULL, **options)


@pytest.mark.parametrize("kind", ["system", "user"])
def test_the_units_are_valid(installed, tmp_path, kind):
    folder = installed(kind)
    # The verification complains about other units' sockets if their paths are longer than 107 bytes.
    with TemporaryDirectory() as runtime:
        for unit in sorted(folder.iterdir()):
            # The manual page is not installed here.
            instance = unit.with_name(unit.name.replace("@", "@holidays"))
            done = analyze(
                "verify", f"--{kind}", "--man=no", instance,
                env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "XDG_RUNTIME_DIR": runtime})
            assert (done.returncode, done.stdout, done.stderr) == (0, "", ""), unit.name


def test_the_examples_of_units_in_the_documentation_are_valid(tmp_path):
    page = (ROOT / "docs/how-to/cron-and-systemd.md").read_text(encoding="utf-8")
    examples = re.findall(r"^ *```ini\n(.*?)^ *```$", page, re.MULTILINE | re.DOTALL)
    assert len(examples) == 3
    for number, example in enumerate(examples):
        unit = tmp_path / f"example-{number}.service"
        # Two of the examples only add to a unit.
        command = "" if "ExecStart" in example else "ExecStart=/bin/true\n"
        unit.write_text(textwrap.dedent(example).replace("/usr/bin/gallerygen", str(Program.built())) + command)
        done = analyze("verify", "--man=no", unit)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", ""), example


def test_a_mistake_in_a_unit_is_found(installed):
    service = installed("system") / "gallerygen@.service"
    service.write_text(service.read_text().replace("PrivateTmp=yes", "PrivateTemp=yes"))
    assert "PrivateTemp" in analyze("verify", "--man=no", service).stderr


def test_the_exposure_of_the_service_is_below_2(installed):
    service = installed("system") / "gallerygen@.service"
    done = analyze("security", "--offline=true", "--no-pager", "--threshold=20", service)
    level = float(re.search(r"exposure level for \S+: ([0-9.]+)", done.stdout)[1])
    assert done.returncode == 0 and level < 2.0
    for setting in ["DynamicUser", "StateDirectory", "ProtectSystem=strict", "PrivateTmp", "RestrictAddressFamilies"]:
        assert f"\n{setting}" in service.read_text(), setting


def allowed_calls(service):
    """The system calls that the service may make."""
    sets, name = {}, None
    for line in analyze("syscall-filter", "--no-pager").stdout.splitlines():
        if line.startswith("@"):
            name = line.strip()
            sets[name] = []
        elif name and line.startswith("    ") and not line.strip().startswith("#"):
            sets[name].append(line.strip())

    def members(name):
        if not name.startswith("@"):
            return {name}
        found = set()
        for member in sets[name]:
            found |= members(member)
        return found

    allowed = set()
    for filter in re.findall(r"^SystemCallFilter=(.*)$", service.read_text(), re.MULTILINE):
        named = set().union(*(members(name) for name in filter.removeprefix("~").split()))
        allowed = allowed - named if filter.startswith("~") else allowed | named
    # systemd allows these to every service with a filter.
    return allowed | members("@default")


@pytest.mark.skipif(not shutil.which("strace"), reason="strace is not installed")
def test_a_build_with_a_command_needs_no_system_call_that_the_service_may_not_make(three_photos, tmp_path):
    trace = tmp_path / "trace"
    run = three_photos.build(
        "--mode", "644", "--on-change", "cat > changes.json", "--metrics", "m.prom",
        prefix=["strace", "-f", "-qq", "-o", trace])
    assert "on-change" not in run.err
    # strace may miss the end of a call of another thread, which it then writes as "<... name resumed>".
    calls = set(re.findall(r"^\d+ +(\w+)\(", trace.read_text(), re.MULTILINE))
    assert {"openat", "execve"} <= calls
    # For root, SQLite gives the journals the owner of the ledger. The service never runs as root.
    assert calls - allowed_calls(UNITS / "system/gallerygen@.service") - {"fchown"} == set()
