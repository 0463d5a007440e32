"""What the figures were measured on."""

import os
import platform
from pathlib import Path


def description() -> dict:
    return {
        "cpu": field_of(Path("/proc/cpuinfo"), "model name"),
        "cores": len(os.sched_getaffinity(0)),
        "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "kernel": f"{platform.system()} {platform.release()} {platform.machine()}",
        "system": platform.freedesktop_os_release()["PRETTY_NAME"],
        "python": platform.python_version(),
    }


def field_of(file: Path, name: str) -> str:
    """The first value of a `name : value` line, as /proc writes them."""
    for line in file.read_text().splitlines():
        key, _, value = line.partition(":")
        if key.strip() == name:
            return value.strip()
    return "unknown"
