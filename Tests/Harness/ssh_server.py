"""An ssh server on the loopback interface, with keys and a configuration of its own."""

import getpass
import os
import shutil
import socket
import subprocess
import threading
from pathlib import Path

SSHD = shutil.which("sshd", path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


class SSHServer:
    """Answers each connection with `sshd -i`, so that its port is never free between choosing and listening."""

    def __init__(self, folder):
        assert SSHD, "sshd is not there; install it with: Scripts/install-packages test"
        self.folder = Path(folder)
        self.connections = 0
        self._processes = []
        for name in ("host_key", "client_key", "stranger_key"):
            subprocess.run(
                ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.folder / name], check=True)
        shutil.copyfile(self.folder / "client_key.pub", self.folder / "authorized_keys")
        # The folder for privilege separation, which the service makes when it starts.
        if os.geteuid() == 0:
            os.makedirs("/run/sshd", exist_ok=True)
        self.config = self.folder / "sshd_config"
        self.config.write_text(
            f"HostKey {self.folder}/host_key\nAuthorizedKeysFile {self.folder}/authorized_keys\n"
            "StrictModes no\nUsePAM no\nPasswordAuthentication no\nKbdInteractiveAuthentication no\n"
            "PermitRootLogin yes\nPidFile none\n")
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            with connection:
                self._processes.append(subprocess.Popen(
                    [SSHD, "-i", "-f", self.config], stdin=connection, stdout=connection, stderr=subprocess.DEVNULL))

    def environment(self, key="client_key", port=None):
        """The variables of a program that is to connect: host `web`."""
        config = self.folder / f"ssh_config_{key}_{port}"
        config.write_text(
            f"Host web\nHostName 127.0.0.1\nPort {port or self.port}\nUser {getpass.getuser()}\n"
            f"IdentityFile {self.folder}/{key}\nIdentitiesOnly yes\nIdentityAgent none\n"
            f"StrictHostKeyChecking no\nUserKnownHostsFile {self.folder}/known_hosts\nLogLevel ERROR\n")
        return {"RSYNC_RSH": f"ssh -F {config}"}

    def close(self):
        # A blocked accept() does not end by close() alone.
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for process in self._processes:
            process.kill()
            process.wait()
