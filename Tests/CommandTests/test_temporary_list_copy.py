"""The temporary copy of a list from a URL, for a command that leaves nothing behind."""

import plistlib
import stat

import pytest
from scripted_server import ScriptedServer, response


@pytest.mark.parametrize("command", [("check",), ("build", "--dry-run")], ids=["check", "dry run"])
def test_nobody_else_can_look_into_the_folder_and_it_is_gone_afterwards(gallery, tmp_path, command):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    modes = []

    def script(connection, _):
        modes.extend(stat.S_IMODE(path.stat().st_mode) for path in temporary.iterdir())
        connection.sendall(response(plistlib.dumps({"Photo": "http://127.0.0.1:1/x.jpg"}), kind="text/xml"))

    with ScriptedServer() as server:
        address = server.on("/photos.plist", script)
        run = gallery.run(*command, address, env={"TMPDIR": str(temporary)})
    assert run.code == 0, run.output
    assert modes == [0o700]
    assert list(temporary.iterdir()) == []
