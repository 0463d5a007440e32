"""`publish` to a folder of another machine by rsync over ssh. A test server plays the other machine."""

import os
import re
import shutil
import signal
import socket
import subprocess
import time

import pytest
from gallery import contents_of
from waiting import TIMEOUT, until

LIST = ".gallerygen-published"


@pytest.fixture
def target(three_photos):
    return three_photos.folder / "www"


def published(folder):
    return {path: digest for path, digest in contents_of(folder).items() if path != LIST}


def publish(gallery, ssh, target, *arguments, expect=0, env=None, **options):
    run = gallery.run("publish", *arguments, f"web:{target}", env=ssh.environment() | (env or {}), **options)
    assert run.code == expect, f"exit {run.code}, expected {expect}:\n{run.output}"
    return run


def test_a_publication_takes_one_connection_and_an_unchanged_site_none(three_photos, ssh, target):
    three_photos.build()
    before = ssh.connections
    run = publish(three_photos, ssh, target)
    assert f"Published to web:{target}: " in run.err
    assert published(target) == three_photos.contents()
    assert ssh.connections == before + 1
    assert publish(three_photos, ssh, target).output == f"web:{target} is up to date.\n"
    assert ssh.connections == before + 1


def test_changes_are_sent_and_only_files_that_left_the_site_are_removed(three_photos, ssh, target):
    three_photos.build()
    publish(three_photos, ssh, target)
    (target / "photo/mine.html").write_text("mine")
    (target / "cgi-bin").mkdir()
    (target / "cgi-bin/x").write_text("mine")
    three_photos.list({"One": "1.jpg"})
    three_photos.build()
    run = publish(three_photos, ssh, target)
    assert "for cached pages" in run.err
    assert published(target).items() > three_photos.contents().items()
    assert (target / "photo/two.html").exists()
    publish(three_photos, ssh, target, "--keep-old", "0")
    mine = {"photo/mine.html": None, "cgi-bin/x": None}
    assert published(target).keys() == three_photos.contents().keys() | mine
    assert published(target).items() > three_photos.contents().items()
    assert publish(three_photos, ssh, target, "--verify").output == f"web:{target} is up to date.\n"


def test_verify_sends_files_again_that_are_missing_or_changed(three_photos, ssh, target):
    three_photos.build()
    publish(three_photos, ssh, target)
    page = target / "photo/one.html"
    stat = page.stat()
    page.write_text("x" * stat.st_size)
    os.utime(page, ns=(stat.st_mtime_ns, stat.st_mtime_ns))
    (target / "photo/two.html").unlink()
    assert "sent 2 pages;" in publish(three_photos, ssh, target, "--verify").err
    assert published(target) == three_photos.contents()


def test_verify_restores_a_lost_list_of_published_files(three_photos, ssh, target):
    three_photos.build()
    publish(three_photos, ssh, target)
    (target / LIST).unlink()
    (target / "photo/one.html").write_text("half")
    publish(three_photos, ssh, target, "--verify")
    assert published(target) == three_photos.contents()
    assert (target / LIST).exists()


@pytest.mark.parametrize("kind", ["file", "link", "folder", "list"])
def test_a_foreign_entry_is_reported_and_nothing_is_sent(three_photos, ssh, target, kind):
    three_photos.build()
    (target / "photo").mkdir(parents=True)
    elsewhere = three_photos.folder / "elsewhere"
    elsewhere.mkdir()
    if kind == "file":
        path = target / "photo/one.html"
        path.write_text("mine")
    elif kind == "link":
        path = target / "images"
        path.symlink_to(elsewhere)
    elif kind == "folder":
        path = target / "index.html"
        path.mkdir()
    else:
        path = target / LIST
        path.write_text("mine")
    run = publish(three_photos, ssh, target, expect=73)
    assert f"{path.relative_to(target)} is not known as gallerygen's" in run.err
    assert {path.name for path in target.iterdir()} <= {"photo", path.name}
    assert list(elsewhere.iterdir()) == []


def test_a_site_that_rsync_has_copied_is_taken_over(three_photos, ssh, target):
    three_photos.build()
    subprocess.run(["rsync", "-a", f"{three_photos.site}/", f"{target}/"], check=True)
    assert publish(three_photos, ssh, target).output == f"web:{target} is up to date.\n"
    assert (target / LIST).exists()


@pytest.mark.parametrize("name", ["my photos", "$(touch made)", "a; touch made", "-e touch made", "'", "ä"])
def test_no_shell_interprets_the_path(three_photos, ssh, name):
    three_photos.build()
    target = three_photos.folder / "targets" / name
    target.parent.mkdir()
    publish(three_photos, ssh, target)
    assert [path.name for path in target.parent.iterdir()] == [name]
    assert published(target) == three_photos.contents()
    assert not list(three_photos.folder.glob("made*")) and not os.path.exists(os.path.expanduser("~/made"))


@pytest.mark.parametrize("name", ["site*", "site?", "site[1]", "site\\1"])
def test_a_path_that_rsync_would_take_for_a_pattern_is_refused(three_photos, ssh, name):
    three_photos.build()
    other = three_photos.folder / "site1"
    other.mkdir()
    (three_photos.folder / name).mkdir()
    run = publish(three_photos, ssh, three_photos.folder / name, expect=64)
    assert "wildcard" in run.err
    assert list(other.iterdir()) == []


@pytest.mark.parametrize("name", ["my files", "%h", "it's"])
def test_any_folder_for_temporary_files_allows_a_shared_connection(three_photos, ssh, target, name):
    three_photos.build()
    folder = three_photos.folder / name
    folder.mkdir()
    before = ssh.connections
    publish(three_photos, ssh, target, env={"TMPDIR": str(folder)})
    assert published(target) == three_photos.contents()
    assert ssh.connections == before + 1
    assert list(folder.iterdir()) == []


def test_an_ignored_sigchld_is_no_obstacle(three_photos, ssh, target):
    three_photos.build()

    def ignore():
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)

    publish(three_photos, ssh, target, preexec_fn=ignore)
    assert published(target) == three_photos.contents()


def test_a_folder_or_link_in_the_place_of_a_former_page_stays(three_photos, ssh, target):
    three_photos.build()
    publish(three_photos, ssh, target)
    for name in ("two", "three"):
        (target / f"photo/{name}.html").unlink()
    (target / "photo/two.html").mkdir()
    (target / "photo/three.html").symlink_to("/etc/hostname")
    three_photos.list({"One": "1.jpg"})
    three_photos.build()
    publish(three_photos, ssh, target, "--keep-old", "0")
    assert (target / "photo/two.html").is_dir() and (target / "photo/three.html").is_symlink()
    assert {path: digest for path, digest in published(target).items() if path != "photo/three.html"} == (
        three_photos.contents())


def test_a_refused_connection_or_key_is_reported_without_a_password_prompt(three_photos, ssh, target):
    three_photos.build()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        free = listener.getsockname()[1]
    run = publish(three_photos, ssh, target, env=ssh.environment(port=free), expect=74)
    assert "Connection refused" in run.err
    run = publish(three_photos, ssh, target, env=ssh.environment(key="stranger_key"), expect=74)
    assert "Permission denied" in run.err
    assert not target.exists()


def test_a_folder_that_cannot_be_created_is_reported_with_its_reason(three_photos, ssh, target):
    three_photos.build()
    run = publish(three_photos, ssh, target / "not" / "there", expect=74)
    assert "No such file or directory" in run.err


def test_a_reason_that_ssh_passes_on_after_the_end_of_rsync_is_reported(three_photos, target, tmp_path):
    three_photos.build()
    (tmp_path / "rsync").write_text(
        "#!/bin/sh\n(while kill -0 $$; do :; done 2>/dev/null; echo 'rsync: no space left' >&2) &\nexit 11\n")
    (tmp_path / "rsync").chmod(0o755)
    run = three_photos.run("publish", f"web:{target}", env={"PATH": f"{tmp_path}:{os.environ['PATH']}"})
    assert run.code == 74
    assert "no space left" in run.err


def test_a_missing_rsync_is_reported(three_photos, ssh, target, tmp_path):
    three_photos.build()
    assert "rsync is not installed" in publish(three_photos, ssh, target, env={"PATH": str(tmp_path)}, expect=74).err


def breaking_rsync(folder):
    """The environment for an rsync that runs as often as the file `left` says and then fails. It needs no ssh."""
    real = shutil.which("rsync")
    folder.mkdir()
    (folder / "rsync").write_text(
        f"#!/bin/sh\nleft=$(cat {folder}/left)\necho $((left - 1)) > {folder}/left\n"
        f"[ \"$left\" -gt 0 ] || {{ echo broken off >&2; exit 12; }}\nexec {real} \"$@\"\n")
    (folder / "shell").write_text(f"#!/bin/sh\nshift 2\nexec {real} \"$@\"\n")
    for name in ("rsync", "shell"):
        (folder / name).chmod(0o755)
    return {"PATH": f"{folder}:{os.environ['PATH']}", "RSYNC_RSH": f"{folder}/shell"}


def test_the_next_publication_completes_one_that_failed_at_any_run_of_rsync(three_photos, target, tmp_path):
    env = breaking_rsync(tmp_path / "bin")
    left = tmp_path / "bin/left"

    def publish_until(run_of_rsync):
        left.write_text(str(run_of_rsync))
        run = three_photos.run("publish", "--keep-old", "0", f"web:{target}", env=env)
        assert run.code == 0 or run.code == 74 and "broken off" in run.err, run.output
        return run.code == 0

    three_photos.build()
    assert publish_until(99)
    whole = False
    breaks = 0
    while not whole:
        # One photo is removed and one is added, and all pictures and pages change.
        three_photos.list({"One": "1.jpg", f"Photo {breaks}": "2.jpg"})
        three_photos.build("--filter", f"sepia(0.{breaks + 10})")
        whole = publish_until(breaks)
        named = set(re.findall(r'(?:src|href)="([\w./-]+)"', (target / "index.html").read_text()))
        assert not {name for name in named if not (target / name).exists()}
        assert publish_until(99)
        assert published(target) == three_photos.contents()
        breaks += 1
    # rsync runs for the list, the listing, the list, five phases, another listing, the removals in two parts, and the
    # list again.
    assert breaks == 12 + 1


@pytest.mark.alone
@pytest.mark.parametrize("options", [[], ["--dry-run"]])
def test_an_interruption_ends_rsync_and_the_next_publication_completes_the_site(
        three_photos, ssh, target, tmp_path, options):
    three_photos.build()
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "rsync").write_text(f"#!/bin/sh\necho $$ > {folder}/pid.new\nmv {folder}/pid.new {folder}/pid\n"
                                  "exec sleep 60\n")
    (folder / "rsync").chmod(0o755)
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    environment = three_photos.program.environment(
        ssh.environment() | {"PATH": f"{folder}:{os.environ['PATH']}", "TMPDIR": str(temporary)})
    process = subprocess.Popen(
        [three_photos.program.path, "publish", *options, f"web:{target}"], cwd=three_photos.folder, env=environment,
        stderr=subprocess.PIPE, text=True)
    until((folder / "pid").exists)
    start = time.monotonic()
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=TIMEOUT)
    assert process.returncode == 143
    assert time.monotonic() - start < 2
    assert "the next publication completes this one" in err
    until(lambda: not os.path.exists(f"/proc/{(folder / 'pid').read_text().strip()}"))
    assert list(temporary.iterdir()) == []
    publish(three_photos, ssh, target)
    assert published(target) == three_photos.contents()
