"""A certificate for the web server on loopback, and the authority that signed it."""

from dataclasses import dataclass
from pathlib import Path

from .packages import program, run
from .workplace import CACHE

# The most common type and size of a server's key.
KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
DAYS = ["-days", "3650"]


@dataclass(frozen=True)
class Certificates:
    """The paths of the PEM files."""

    folder: Path

    @staticmethod
    def made() -> "Certificates":
        """The certificates, which the first call makes."""
        folder = CACHE / "certificates"
        if not folder.exists():
            unfinished = folder.with_suffix(".part")
            unfinished.mkdir(parents=True, exist_ok=True)
            Certificates(unfinished).make()
            unfinished.rename(folder)
        return Certificates(folder)

    @property
    def authority(self) -> Path:
        return self.folder / "authority.pem"

    @property
    def nginx_lines(self) -> str:
        return f"ssl_certificate {self.folder}/server.pem; ssl_certificate_key {self.folder}/server.key;"

    def make(self) -> None:
        openssl = program("openssl", "openssl")
        authority = ["-CA", "authority.pem", "-CAkey", "authority.key"]
        names = self.folder / "names"
        names.write_text("subjectAltName=IP:127.0.0.1\nbasicConstraints=CA:FALSE\n")
        commands = [
            ["req", "-x509", *KEY, *DAYS, "-subj", "/CN=Benchmarks", "-keyout", "authority.key", "-out", "authority.pem"],
            ["req", *KEY, "-subj", "/CN=127.0.0.1", "-keyout", "server.key", "-out", "server.csr"],
            ["x509", "-req", *authority, *DAYS, "-extfile", names.name, "-in", "server.csr", "-out", "server.pem"],
        ]
        for command in commands:
            run([openssl, *command], self.folder)
