"""--metrics: figures for Prometheus in a file that is replaced as a whole."""

import errno
import os
import re
import shutil
import subprocess
import sys
import time

import pytest
from pictures import jpeg
from scripted_server import picture, status


def samples(path):
    """The value of each sample, by the name of its metric and the value of its label."""
    found = {}
    for line in path.read_text().splitlines():
        if match := re.fullmatch(r'(\w+)\{gallery="[^"]*"(?:,\w+="([^"]*)")?\} (\S+)', line):
            found[match[1], match[2]] = float(match[3])
        else:
            assert line.startswith("# "), line
    return found


@pytest.fixture
def file(three_photos):
    return three_photos.folder / "photos.prom"


@pytest.mark.quick
def test_metrics_count_photos_by_state_and_say_when_a_build_last_succeeded(three_photos, file):
    three_photos.list({"One": "1.jpg", "Two": "2.jpg", "Gone": "gone.jpg"})
    before = int(time.time())
    three_photos.build("--metrics", file)
    found = samples(file)
    states = {label: value for (name, label), value in found.items() if name == "gallerygen_photos"}
    assert states == {"new": 0, "downloaded": 0, "filtered": 2, "failed": 1}
    assert found["gallerygen_marked_photos", "stale"] == 0
    assert found["gallerygen_build_exit_code", None] == 0
    assert found["gallerygen_build_received_bytes", None] == 0
    assert 0 < found["gallerygen_build_duration_seconds", None] < 60
    assert before <= found["gallerygen_last_success_timestamp_seconds", None] <= time.time()
    # Names of photos as labels would make a series of each.
    assert "Gone" not in file.read_text() and not re.search(r"\} \S+ \d+$", file.read_text(), re.MULTILINE)
    assert file.stat().st_mode & 0o777 == 0o644, "the collector runs as another user"
    assert sorted(path.name for path in three_photos.folder.iterdir() if "prom" in path.name) == ["photos.prom"]


def test_received_bytes_and_stale_photos_are_counted(gallery, scripted):
    body = jpeg(1)
    gallery.list({"One": scripted.on("/1.jpg", picture(body))})
    file = gallery.folder / "m.prom"
    gallery.build("--metrics", file)
    assert samples(file)["gallerygen_build_received_bytes", None] == len(body)
    scripted.on("/1.jpg", status(404))
    gallery.build("--metrics", file, "--max-age", "0")
    assert samples(file)["gallerygen_marked_photos", "stale"] == 1
    assert samples(file)["gallerygen_photos", "filtered"] == 1


def test_marked_photos_are_counted(three_photos, file):
    three_photos.build("--metrics", file, env={"SOURCE_DATE_EPOCH": "1700000000"})
    assert samples(file)["gallerygen_marked_photos", "frozen"] == 0
    three_photos.build("--metrics", file, "--expect-change", "1h", env={"SOURCE_DATE_EPOCH": "1700007200"})
    assert samples(file)["gallerygen_marked_photos", "frozen"] == 3


@pytest.mark.skipif(not shutil.which("promtool"), reason="promtool is not installed")
def test_promtool_accepts_the_metrics(three_photos, file):
    three_photos.list({"One": "1.jpg", "Gone": "gone.jpg"})
    three_photos.build("--metrics", file)
    done = subprocess.run(["promtool", "check", "metrics"], input=file.read_bytes(), capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_two_galleries_do_not_have_the_same_samples(three_photos, file):
    three_photos.build("--metrics", file)
    first = {line.partition("}")[0] for line in file.read_text().splitlines() if line[0] != "#"}
    three_photos.build("--metrics", file, "-o", "other")
    second = {line.partition("}")[0] for line in file.read_text().splitlines() if line[0] != "#"}
    assert not first & second


def test_a_build_with_nothing_to_do_writes_the_time_of_its_success(three_photos, file):
    three_photos.build()
    three_photos.build("--metrics", file)
    assert samples(file)["gallerygen_photos", "filtered"] == 3
    assert time.time() - 100 < samples(file)["gallerygen_last_success_timestamp_seconds", None] <= time.time()


def test_a_failed_build_writes_its_exit_code_and_keeps_what_the_last_one_counted(three_photos, file):
    three_photos.build("--metrics", file)
    before = samples(file)
    three_photos.manifest.write_text("this is no property list")
    three_photos.build("--metrics", file, expect=65)
    after = samples(file)
    assert after["gallerygen_build_exit_code", None] == 65
    for name in ["gallerygen_photos", "gallerygen_last_success_timestamp_seconds"]:
        old, new = ({key: value for key, value in found.items() if key[0] == name} for found in (before, after))
        assert old and old == new


def test_failures_under_strict_are_a_success_with_exit_code_1(three_photos, file):
    three_photos.list({"One": "1.jpg", "Gone": "gone.jpg"})
    three_photos.build("--metrics", file, "--strict", expect=1)
    assert samples(file)["gallerygen_build_exit_code", None] == 1
    assert ("gallerygen_last_success_timestamp_seconds", None) in samples(file)


def test_the_path_in_a_settings_file_is_relative_to_it(three_photos, tmp_path):
    (three_photos.folder / "gallerygen.yaml").write_text("metrics: m.prom\n")
    run = three_photos.program.run("build", three_photos.manifest, cwd=tmp_path)
    assert run.code == 0, run.output
    assert samples(three_photos.folder / "m.prom")


def test_a_symbolic_link_stays_and_leads_to_the_new_file(three_photos, file):
    target = three_photos.folder / "real.prom"
    target.write_text("")
    file.symlink_to(target)
    three_photos.build("--metrics", file)
    assert file.is_symlink() and samples(target)


def test_a_dry_run_writes_no_metrics(three_photos, file):
    three_photos.build("--metrics", file, "--dry-run")
    assert not file.exists()


@pytest.mark.parametrize("name", ["missing/photos.prom", "folder", "file/photos.prom", "x" * 300])
def test_a_file_that_cannot_be_written_is_a_warning(three_photos, name):
    (three_photos.folder / "folder").mkdir()
    (three_photos.folder / "file").write_text("")
    run = three_photos.build_unaffected_by("--quiet", "--metrics", three_photos.folder / name)
    assert len(run.lines()) == 1 and "metrics" in run.err and name in run.err


def fill(disk):
    with open(disk / "filler", "wb", buffering=0) as filler:
        try:
            while filler.write(bytes(4096)):
                pass
        except OSError as error:
            assert error.errno == errno.ENOSPC


@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="needs Linux and root to mount")
def test_a_full_disk_or_a_read_only_one_is_a_warning_and_the_old_file_stays(three_photos, tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk], check=True)
    try:
        (disk / "photos.prom").write_text("# HELP gallerygen_x old\n")
        fill(disk)
        run = three_photos.build_unaffected_by("--metrics", disk / "photos.prom")
        assert "No space left on device" in run.err
        assert (disk / "photos.prom").read_text() == "# HELP gallerygen_x old\n"
        assert sorted(path.name for path in disk.iterdir()) == ["filler", "photos.prom"]
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        run = three_photos.build_unaffected_by("--metrics", disk / "photos.prom")
        assert "Read-only file system" in run.err
    finally:
        subprocess.run(["umount", disk], check=True)


def test_another_file_is_never_replaced(three_photos):
    before = three_photos.manifest.read_bytes()
    run = three_photos.build_unaffected_by("--metrics", three_photos.manifest)
    assert "it has other content, which is not overwritten" in run.err
    assert three_photos.manifest.read_bytes() == before


def test_a_device_is_never_replaced(three_photos):
    run = three_photos.build_unaffected_by("--metrics", "/dev/null")
    assert "/dev/null can't be written: it is not a regular file" in run.err
    assert not os.path.isfile("/dev/null")
