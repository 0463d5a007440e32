"""The temporary copy of a list from a URL, for commands that store nothing."""

import plistlib
import signal
import stat

import pytest
from scripted_server import response, silent_after
from waiting import TIMEOUT


@pytest.mark.parametrize("command", [("check",), ("build", "--dry-run")], ids=["check", "dry run"])
def test_the_temporary_folder_is_private_and_is_removed(gallery, scripted, tmp_path, command):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    modes = []

    def script(connection, _):
        modes.extend(stat.S_IMODE(path.stat().st_mode) for path in temporary.iterdir())
        connection.sendall(response(plistlib.dumps({"Photo": "http://127.0.0.1:1/x.jpg"}), kind="text/xml"))

    run = gallery.run(*command, scripted.on("/photos.plist", script), env={"TMPDIR": str(temporary)})
    assert run.code == 0, run.output
    assert modes == [0o700]
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize(
    "command", [("check",), ("build", "--dry-run"), ("shards", "--store", "store", "--of", "2")],
    ids=["check", "dry run", "shards"])
def test_a_signal_ends_the_command_and_removes_the_temporary_folder(gallery, scripted, tmp_path, command, number):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    text = plistlib.dumps({"Photo": "http://127.0.0.1:1/x.jpg"})
    address = scripted.on("/photos.plist", silent_after(scripted, text))
    process = gallery.program.start(*command, address, cwd=gallery.folder, env={"TMPDIR": str(temporary)})
    try:
        scripted.wait_for("/photos.plist")
        assert len(list(temporary.iterdir())) == 1
        process.send_signal(number)
        _, err = process.communicate(timeout=TIMEOUT)
        assert (process.returncode, err) == (128 + number, "")
    finally:
        process.kill()
        process.communicate()
    assert list(temporary.iterdir()) == []
