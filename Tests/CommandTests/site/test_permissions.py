"""Permissions of the files that a build writes: --mode, the umask, and a state folder that a group shares."""

import os
import stat
import tempfile
from pathlib import Path

import pytest
from gallery import Gallery
from pictures import jpeg
from scripted_server import held
from waiting import TIMEOUT

FIRST, SECOND, SHARED = 65533, 65534, 65532

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can run the program as several users")


def umask(mask):
    return lambda: os.umask(mask)


def mode(path):
    return stat.S_IMODE(Path(path).lstat().st_mode)


def modes(folder):
    """The modes of all files, and those of all folders including this one."""
    paths = [Path(folder), *Path(folder).rglob("*")]
    files = {oct(mode(path)) for path in paths if path.is_file() and not path.is_symlink()}
    return files, {oct(mode(path)) for path in paths if path.is_dir() and not path.is_symlink()}


@pytest.fixture
def private(three_photos):
    """A gallery whose site only its owner may read."""
    three_photos.build(preexec_fn=umask(0o077))
    assert modes(three_photos.site) == ({"0o600"}, {"0o700"})
    return three_photos


def test_the_permissions_of_a_private_site_are_repaired_once(private):
    before = private.contents()
    count = len(list(private.site.rglob("*"))) + 1
    planned = private.build("--mode", "644", "--dry-run")
    assert planned.out.endswith("site: permissions\n") and "pages" not in planned.out
    assert f"{count} files and folders have permissions that differ" in private.build(
        "--mode", "644", "--dry-run", "--explain").out
    assert modes(private.site) == ({"0o600"}, {"0o700"})

    run = private.build("--mode", "644", preexec_fn=umask(0o077))
    assert f"0 files written, 0 removed, {count} set to mode 644" in run.err
    assert modes(private.site) == ({"0o644"}, {"0o755"})
    assert private.contents() == before

    identities = private.identities()
    run = private.build("--mode", "644", preexec_fn=umask(0o077))
    assert "Nothing to do" in run.err and private.identities() == identities
    assert "permissions" not in private.build("--mode", "644", "--dry-run").out


@pytest.mark.parametrize("text, files, folders", [
    ("664", "0o664", "0o775"), ("0640", "0o640", "0o750"), ("600", "0o600", "0o700"), ("646", "0o646", "0o757")])
def test_a_new_site_has_the_mode_whatever_the_umask_is(three_photos, text, files, folders):
    for mask in (0o077, 0o000):
        site = three_photos.folder / f"new/{mask:o}"
        three_photos.build("--mode", text, "-o", site, preexec_fn=umask(mask))
        assert modes(site) == ({files}, {folders})
        # The build has also made the parent folder.
        assert oct(mode(site.parent)) == folders


def test_a_mode_with_fewer_permissions_is_applied_too(three_photos):
    for text, expected in [("664", ({"0o664"}, {"0o775"})), ("640", ({"0o640"}, {"0o750"}))]:
        three_photos.build("--mode", text)
        assert modes(three_photos.site) == expected


def test_only_files_with_other_permissions_are_repaired(three_photos):
    three_photos.build("--mode", "644")
    (three_photos.site / "index.html").chmod(0o600)
    run = three_photos.build("--mode", "644")
    assert ", 1 set to mode 644" in run.err and mode(three_photos.site / "index.html") == 0o644
    (three_photos.site / "photo").chmod(0o700)
    run = three_photos.build("--mode", "644")
    assert ", 1 set to mode 644" in run.err and mode(three_photos.site / "photo") == 0o755


def test_permissions_are_repaired_along_with_other_work(private):
    private.list({"One": "1.jpg", "Two": "2.jpg"})
    private.build("--mode", "644", preexec_fn=umask(0o077))
    assert modes(private.site) == ({"0o644"}, {"0o755"})


@pytest.mark.parametrize("where", ["environment", "file", "file with a zero"])
def test_the_mode_can_come_from_the_environment_or_the_settings_file(private, where):
    env = {}
    if where == "environment":
        env = {"GALLERYGEN_MODE": "644"}
    else:
        text = "mode: 644\n" if where == "file" else "mode: 0644\n"
        (private.folder / "gallerygen.yaml").write_text(text)
    private.build(env=env)
    assert modes(private.site) == ({"0o644"}, {"0o755"})


@pytest.mark.parametrize(
    "text", ["999", "755", "4644", "444", "044", "64", "06444", "rw-r--r--", "-644", "0o644", "٦٤٤"])
def test_an_invalid_mode_is_refused(three_photos, text):
    run = three_photos.build(f"--mode={text}", expect=64)
    assert f"--mode: '{text}' is not allowed" in run.err and "644" in run.err
    assert not three_photos.site.exists()
    (three_photos.folder / "gallerygen.yaml").write_text(f"mode: '{text}'\n")
    assert "gallerygen.yaml:1:1: mode" in three_photos.build(expect=78).err


def test_without_a_mode_no_permissions_are_repaired_or_removed(three_photos):
    three_photos.build("--mode", "664")
    (three_photos.site / "feed.xml").chmod(0o600)
    assert "Nothing to do" in three_photos.build(preexec_fn=umask(0o077)).err
    assert mode(three_photos.site / "feed.xml") == 0o600

    existing = three_photos.files()
    (three_photos.folder / "4.jpg").write_bytes(jpeg(4))
    three_photos.list({"One": "1.jpg", "Four": "4.jpg"})
    index = (three_photos.site / "index.html").stat().st_ino
    three_photos.build(preexec_fn=umask(0o077))
    assert (three_photos.site / "index.html").stat().st_ino != index
    for path in three_photos.files() - {"feed.xml"}:
        assert mode(three_photos.site / path) == (0o664 if path in existing else 0o600), path
    # A file gets no fewer permissions than it had, and no fewer than the umask allows.
    assert mode(three_photos.site / "feed.xml") == 0o600
    three_photos.build("--title", "Another", preexec_fn=umask(0o022))
    assert mode(three_photos.site / "index.html") == 0o664 and mode(three_photos.site / "feed.xml") == 0o644
    assert mode(three_photos.site) == mode(three_photos.site / "photo") == 0o775


def test_foreign_files_keep_their_permissions(private):
    site, elsewhere = private.site, private.folder / "elsewhere"
    elsewhere.write_text("not ours")
    elsewhere.chmod(0o600)
    for name in ("notes.txt", "photo/notes.html", "images/notes.jpg"):
        (site / name).write_text("not ours")
        (site / name).chmod(0o600)
    (site / "private").mkdir(mode=0o700)
    (site / "link").symlink_to(elsewhere)
    (site / "photo/link.html").symlink_to(elsewhere)
    site.chmod(0o770)
    private.build("--mode", "644")
    for path in (elsewhere, site / "notes.txt", site / "photo/notes.html", site / "images/notes.jpg"):
        assert mode(path) == 0o600, path
    assert mode(site / "private") == 0o700 and mode(site / "index.html") == 0o644
    # The output folder may have other uses, so permissions are only added.
    assert mode(site) == 0o775
    assert "Nothing to do" in private.build("--mode", "644").err


def test_targets_of_symbolic_links_keep_their_permissions(three_photos):
    target = three_photos.folder / "chosen"
    target.mkdir(mode=0o700)
    three_photos.site.symlink_to(target)
    three_photos.build("--mode", "644", preexec_fn=umask(0o077))
    assert mode(target) == 0o700 and mode(target / "index.html") == 0o644

    elsewhere = three_photos.folder / "elsewhere"
    elsewhere.write_bytes((target / "index.html").read_bytes())
    elsewhere.chmod(0o600)
    (target / "index.html").unlink()
    (target / "index.html").symlink_to(elsewhere)
    three_photos.build("--mode", "644", expect=73)
    assert mode(elsewhere) == 0o600


def test_the_mode_changes_the_permissions_of_derivatives_and_not_their_contents(private):
    derivatives = private.folder / ".gallerygen/derivatives"
    before = {path.name: path.read_bytes() for path in derivatives.iterdir()}
    private.build("--mode", "640")
    assert {path.name: path.read_bytes() for path in derivatives.iterdir()} == before
    assert {oct(mode(path)) for path in derivatives.iterdir()} == {"0o640"}
    private.build("--force", "--mode", "640")
    assert modes(private.site) == ({"0o640"}, {"0o750"})


def test_pictures_of_a_private_build_are_published_with_the_umask_of_the_next_build(private):
    for path in (private.site / "images").iterdir():
        path.unlink()
    private.build(preexec_fn=umask(0o022))
    assert {oct(mode(path)) for path in (private.site / "images").iterdir()} == {"0o644"}


def test_a_live_build_publishes_and_ends_with_the_mode(private, scripted):
    private.list({"One": "1.jpg", "Slow": scripted.on("/slow.jpg", held(scripted, jpeg(9)))})
    process = private.program.start(
        "build", "--live", "--mode", "644", cwd=private.folder, preexec_fn=umask(0o077))
    try:
        scripted.wait_for("/slow.jpg")
        assert mode(private.site / "status.js") == mode(private.site / "index.html") == 0o644
        scripted.release.set()
        _, err = process.communicate(timeout=TIMEOUT)
    finally:
        process.kill()
        process.communicate()
    assert process.returncode == 0, err
    assert modes(private.site) == ({"0o644"}, {"0o755"})


def test_a_build_with_nothing_to_do_changes_no_mode(three_photos, tmp_path):
    three_photos.build("--mode", "644")
    trace = tmp_path / "trace"
    tracing = ("strace", "-f", "-o", trace, "-e", "trace=/^(f?chmod(at2?)?|openat)$")
    three_photos.build("--mode", "644", prefix=tracing)
    calls = trace.read_text()
    assert "openat" in calls and "chmod" not in calls


# A state folder that a group shares

def as_user(user, mask=0o022):
    def become():
        os.umask(mask)
        os.setgroups([SHARED])
        os.setgid(user)
        os.setuid(user)
    return become


@pytest.fixture(params=[0o2775, 0o775], ids=["setgid", "without setgid"])
def shared(request, program):
    """A gallery in a folder to which a group may write."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        gallery = Gallery(Path(folder) / "gallery", program)
        for number in (1, 2, 3):
            (gallery.folder / f"{number}.jpg").write_bytes(jpeg(number))
        gallery.list({"One": "1.jpg", "Two": "2.jpg"})
        state = gallery.folder / ".gallerygen"
        state.mkdir()
        for path in (gallery.folder, state):
            os.chown(path, 0, SHARED)
            path.chmod(request.param)
        yield gallery


@as_root
@pytest.mark.parametrize("mask", [0o022, 0o077])
def test_a_second_user_of_the_group_can_use_the_state_folder(shared, mask):
    shared.build("-o", "first", preexec_fn=as_user(FIRST, mask))
    shared.list({"One": "1.jpg", "Two": "2.jpg", "Three": "3.jpg"})
    run = shared.build("-o", "second", preexec_fn=as_user(SECOND, mask))
    assert "ledger" not in run.err
    shared.list({"One": "1.jpg", "Three": "3.jpg"})
    shared.build("-o", "first", preexec_fn=as_user(FIRST, mask))
    for path in (shared.folder / ".gallerygen").rglob("*"):
        wanted = 0o770 if path.is_dir() else 0o660
        assert mode(path) & wanted == wanted and path.stat().st_gid == SHARED, path


@as_root
@pytest.mark.parametrize("shared", [0o2775], indirect=True, ids=["setgid"])
def test_two_users_of_the_group_can_publish_the_same_site(shared):
    shared.build("--mode", "664", preexec_fn=as_user(FIRST))
    shared.list({"One": "1.jpg", "Three": "3.jpg"})
    run = shared.build("--mode", "664", preexec_fn=as_user(SECOND))
    assert "can't" not in run.err
    assert modes(shared.site)[0] == {"0o664"}
    assert "Nothing to do" in shared.build("--mode", "664", preexec_fn=as_user(FIRST)).err


@as_root
def test_a_build_warns_of_permissions_that_only_the_owner_can_change(shared):
    shared.build("--mode", "664", preexec_fn=as_user(FIRST))
    for path in [shared.site, *shared.site.rglob("*")]:
        os.chown(path, FIRST, SHARED)
    run = shared.build("--mode", "660", preexec_fn=as_user(SECOND))
    assert "not all its files could be set to mode 660" in run.err and "Only the owner" in run.err


@as_root
def test_the_owners_next_build_opens_an_older_state_folder_to_the_group(shared):
    state = shared.folder / ".gallerygen"
    shared.build("-o", "first", preexec_fn=as_user(FIRST))
    for path in state.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    shared.build("-o", "first", preexec_fn=as_user(FIRST))
    folders = [path for path in state.rglob("*") if path.is_dir()]
    assert len(folders) > 3 and all(mode(path) & 0o070 == 0o070 for path in folders)
    shared.list({"One": "1.jpg", "Two": "2.jpg", "Three": "3.jpg"})
    shared.build("-o", "second", preexec_fn=as_user(SECOND))


def test_a_state_folder_that_no_group_shares_stays_private(three_photos):
    three_photos.build(preexec_fn=umask(0o077))
    files, folders = modes(three_photos.folder / ".gallerygen")
    assert files == {"0o600"} and folders == {"0o700"}
