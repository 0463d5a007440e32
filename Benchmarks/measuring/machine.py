"""The description of the machine on which the figures were measured."""

import os
import platform
from pathlib import Path


def description() -> dict:
    return {
        "cpu": field_of(Path("/proc/cpuinfo"), "model name"),
        "cores": len(os.sched_getaffinity(0)),
        "memory_bytes": memory(),
        "kernel": f"{platform.system()} {platform.release()} {platform.machine()}",
        "system": platform.freedesktop_os_release()["PRETTY_NAME"],
        "python": platform.python_version(),
    }


def file_system(folder: Path) -> str:
    """The type of the folder's file system. For ext4 also whether it has a journal, because a journal makes new files
    more expensive."""
    device = os.stat(folder).st_dev
    number = f"{os.major(device)}:{os.minor(device)}"
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        fields = line.split()
        if fields[2] == number:
            kind, source = fields[fields.index("-") + 1 :][:2]
            if kind != "ext4":
                return kind
            # The file contains the process that writes the journal, or "<none>".
            writer = Path("/sys/fs/ext4", Path(source).name, "journal_task")
            has_journal = writer.exists() and writer.read_text().strip().isdigit()
            return f"ext4 {'with' if has_journal else 'without'} a journal"
    return "unknown"


def memory() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def field_of(file: Path, name: str) -> str:
    """The value of the first line `name : value` with this name in a file of /proc."""
    for line in file.read_text().splitlines():
        key, _, value = line.partition(":")
        if key.strip() == name:
            return value.strip()
    return "unknown"
