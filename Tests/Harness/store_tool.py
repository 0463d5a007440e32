"""Calls shared stores by StoreTool, a program of the tests."""

import subprocess

from program import Program
from waiting import TIMEOUT


class StoreTool:
    """The tool with the address of a store. It runs in a folder of its own."""

    def __init__(self, address, folder, environment=None):
        self.folder = folder
        self._command = [Program.built().with_name("StoreTool"), address]
        self._environment = {"PATH": "/usr/bin:/bin", "HOME": str(folder)} | (environment or {})
        assert self._command[0].exists(), "there is no StoreTool in the program's folder; run make test-command"

    def run(self, *arguments, env=None, expect=0, prefix=()):
        """Standard output; standard error if the expected exit code is not 0."""
        done = subprocess.run(
            [*prefix, *self._command, *map(str, arguments)], env=self._environment | (env or {}), cwd=self.folder,
            capture_output=True, text=True, timeout=TIMEOUT)
        assert done.returncode == expect, done.stdout + done.stderr
        secret = self._environment.get("AWS_SECRET_ACCESS_KEY")
        assert not secret or secret not in done.stdout + done.stderr
        return done.stderr if expect else done.stdout

    def file(self, content, name="file"):
        """Writes a file to the folder, and returns its path."""
        path = self.folder / name
        path.write_bytes(content)
        return path
