"""An ssh server on the loopback interface, with its own keys and configuration."""

import getpass
import os
import shutil
import socket
import subprocess
import threading
from pathlib import Path

SSHD = shutil.which("sshd", path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


class SSHServer:
    """Starts `sshd -i` for each connection. This process listens itself, so that no other one can take the port."""

    def __init__(self, folder):
        assert SSHD, "sshd is missing; install it with: Scripts/install-packages test"
        self.folder = Path(folder)
        self.connections = 0
        self._processes = []
        for name in ("host_key", "client_key", "stranger_key"):
            subprocess.run(
                ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.folder / name], check=True)
        shutil.copyfile(self.folder / "client_key.pub", self.folder / "authorized_keys")
        # sshd needs this folder for privilege separation. The system service would create it.
        if os.geteuid() == 0:
            os.makedirs("/run/sshd", exist_ok=True)
        self.config = self.folder / "sshd_config"
        self.configure()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def configure(self, **variables):
        """Writes the configuration for the connections from now on, with variables for the environment of sessions."""
        # In a session of sshd, bash reads the user's .bashrc unless SHLVL says that another shell has started it. The
        # file can print something, which breaks rsync, and can take longer than a publication.
        variables = {"SHLVL": "2"} | variables
        self.config.write_text(
            f"HostKey {self.folder}/host_key\nAuthorizedKeysFile {self.folder}/authorized_keys\n"
            "StrictModes no\nUsePAM no\nPasswordAuthentication no\nKbdInteractiveAuthentication no\n"
            "PermitRootLogin yes\nPidFile none\n"
            f"SetEnv {' '.join(f'{name}={value}' for name, value in variables.items())}\n")

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
        """The environment variables with which rsync connects to this server as the host `web`."""
        config = self.folder / f"ssh_config_{key}_{port}"
        config.write_text(
            f"Host web\nHostName 127.0.0.1\nPort {port or self.port}\nUser {getpass.getuser()}\n"
            f"IdentityFile {self.folder}/{key}\nIdentitiesOnly yes\nIdentityAgent none\n"
            f"StrictHostKeyChecking no\nUserKnownHostsFile {self.folder}/known_hosts\nLogLevel ERROR\n")
        return {"RSYNC_RSH": f"ssh -F {config}"}

    def close(self):
        # close() alone would not end a blocked accept().
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for process in self._processes:
            process.kill()
            process.wait()
