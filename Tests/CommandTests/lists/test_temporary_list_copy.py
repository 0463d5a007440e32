"""The temporary copy of a list from a URL, for commands that store nothing."""

import plistlib
import stat

import pytest
from scripted_server import response


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
