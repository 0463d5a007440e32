"""Downloads Debian packages and Python packages into the cache, without installing anything on the machine."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from .workplace import CACHE, PROGRAMS, ROOT


class Missing(Exception):
    """A contestant can't run on this machine. The message says why."""


def run(command: list[str], folder: Path | None = None) -> str:
    """The output of a command, including its errors. Raises `Missing` with its last line if it fails or is missing."""
    name = Path(command[0]).name
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
    except OSError as error:
        raise Missing(f"{name}: {error.strerror}") from error
    if done.returncode != 0:
        words = done.stdout.strip().splitlines()
        raise Missing(f"{name} failed: {words[-1] if words else done.returncode}")
    return done.stdout


def extract(packages: list[str], root: Path) -> dict[str, str]:
    """Downloads Debian packages and unpacks them in `root`. Returns their versions."""
    root.mkdir(parents=True, exist_ok=True)
    versions = {}
    for package in packages:
        stamp = root / f".{package}.version"
        if not stamp.exists():
            archives = root / f".{package}.download"
            shutil.rmtree(archives, ignore_errors=True)
            archives.mkdir()
            print(f"fetching {package}", file=sys.stderr)
            run(["apt-get", "-q", "download", package], archives)
            (archive,) = archives.glob("*.deb")
            run(["dpkg-deb", "-x", str(archive), str(root)])
            stamp.write_text(run(["dpkg-deb", "-f", str(archive), "Version"]))
            shutil.rmtree(archives)
        versions[package] = stamp.read_text().strip()
    return versions


def program(name: str, package: str) -> str:
    """The path of a program. If it is not installed, it is taken from a package, which is downloaded with its
    dependencies."""
    installed = shutil.which(name)
    if installed:
        return installed
    fetched = PROGRAMS / name
    if not fetched.exists():
        plan = run(["apt-get", "-s", "--no-install-recommends", "install", package])
        extract([line.split()[1] for line in plan.splitlines() if line.startswith("Inst ")], ROOT)
    if not fetched.exists():
        raise Missing(f"the package {package} does not contain {name}")
    return str(fetched)


def environment() -> dict[str, str]:
    """The environment for contestants: downloaded programs find their libraries, and the user's settings are
    removed."""
    ours = ("GALLERYGEN_", "HUGO_", "TCMALLOC_", "VIPS_")
    values = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    folders = [str(folder) for folder in sorted((ROOT / "usr" / "lib").glob("*-linux-gnu*"))]
    if folders:
        values["LD_LIBRARY_PATH"] = ":".join(folders)
    return values


def python_with(requirements: str, module: str) -> str:
    """The Python of a virtual environment with packages, which the first call makes. `module` is one that they bring,
    and `requirements` are separated by spaces."""
    folder = CACHE / f"{module}-venv"
    python = folder / "bin" / "python"
    try:
        run([str(python), "-c", f"import {module}"])
    except Missing:
        print(f"fetching {requirements}", file=sys.stderr)
        run([sys.executable, "-m", "venv", "--clear", str(folder)])
        run([str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", *requirements.split()])
    return str(python)


def compiled(source: Path, libraries: list[str]) -> str:
    """The path of the program that is compiled from a C file. It is compiled again if the file is newer."""
    target = CACHE / "bin" / source.stem
    if not target.exists() or target.stat().st_mtime < source.stat().st_mtime:
        target.parent.mkdir(parents=True, exist_ok=True)
        run(["cc", "-O2", "-Wall", "-Wextra", "-o", str(target), str(source), *libraries])
    return str(target)
