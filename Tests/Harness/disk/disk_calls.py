"""The system calls with which a program changes files or opens files to read them: their numbers on x86-64, and how to
decode a call of a stopped thread.

Only calls on files below one folder are decoded. Pipes, sockets and events are ignored.
"""

import os
import pickle
from dataclasses import dataclass, field

OPENING, WRITING, SYNCING, NAMING, REMOVING = "open", "write", "sync", "name", "remove"
# An `open` that neither creates, truncates nor writes.
READING = "read"

# Number → (name, kind). `DiskCall.read` decodes the arguments.
NUMBERS = {
    1: ("write", WRITING), 18: ("pwrite64", WRITING), 20: ("writev", WRITING), 296: ("pwritev", WRITING),
    328: ("pwritev2", WRITING), 40: ("sendfile", WRITING), 326: ("copy_file_range", WRITING),
    76: ("truncate", WRITING), 77: ("ftruncate", WRITING), 285: ("fallocate", WRITING),
    2: ("open", OPENING), 85: ("creat", OPENING), 257: ("openat", OPENING), 437: ("openat2", OPENING),
    74: ("fsync", SYNCING), 75: ("fdatasync", SYNCING), 162: ("sync", SYNCING), 306: ("syncfs", SYNCING),
    82: ("rename", NAMING), 264: ("renameat", NAMING), 316: ("renameat2", NAMING),
    86: ("link", NAMING), 265: ("linkat", NAMING), 88: ("symlink", NAMING), 266: ("symlinkat", NAMING),
    83: ("mkdir", NAMING), 258: ("mkdirat", NAMING),
    87: ("unlink", REMOVING), 263: ("unlinkat", REMOVING), 84: ("rmdir", REMOVING),
}

AT_REMOVEDIR = 0x200
RENAME_EXCHANGE = 2


@dataclass
class DiskCall:
    """A system call. Paths are relative to the traced folder."""

    name: str
    kind: str
    path: str
    to: str | None = None
    flags: int = 0
    offset: int | None = None
    size: int = 0
    data: bytes = b""
    result: int | None = None
    thread: int = field(default=0, repr=False)

    @property
    def makes_file(self):
        return self.kind == OPENING and bool(self.flags & os.O_CREAT)

    def __str__(self):
        return f"{self.name}({self.path}{f' → {self.to}' if self.to else ''})"

    @staticmethod
    def read(number, arguments, process, folder, keeps_data):
        """The call that a thread is about to make; None if its file is outside the folder."""
        name, kind = NUMBERS[number]
        a, b, c, d, e = arguments[:5]
        call = DiskCall(name, kind, "")
        if name == "sync":
            return call
        if name in (
            "write",
            "pwrite64",
            "writev",
            "pwritev",
            "pwritev2",
            "ftruncate",
            "fallocate",
            "fsync",
            "fdatasync",
            "syncfs",
        ):
            path, to = process.path_of(a), None
        elif name in ("sendfile", "copy_file_range"):
            path, to = process.path_of(a if name == "sendfile" else c), None
        elif name in ("open", "creat", "truncate", "mkdir", "unlink", "rmdir"):
            path, to = process.resolve(None, a), None
        elif name in ("openat", "openat2", "mkdirat", "unlinkat"):
            path, to = process.resolve(a, b), None
        elif name in ("rename", "link"):
            path, to = process.resolve(None, a), process.resolve(None, b)
        elif name == "symlink":
            path, to = process.resolve(None, b), None
        elif name == "symlinkat":
            path, to = process.resolve(b, c), None
        else:
            path, to = process.resolve(a, b), process.resolve(c, d)
        if not inside(path, folder):
            return None
        call.path = os.path.relpath(path, folder)
        call.to = os.path.relpath(to, folder) if to else None
        if kind == OPENING:
            call.flags = {"open": b, "creat": os.O_CREAT | os.O_WRONLY | os.O_TRUNC, "openat": c}.get(name, 0)
            if not call.flags & (os.O_CREAT | os.O_WRONLY | os.O_RDWR | os.O_TRUNC):
                call.kind = READING
        elif name == "unlinkat":
            call.flags = c
        elif name == "renameat2":
            call.flags = e
        elif name in ("write", "pwrite64"):
            call.size = c
            call.offset = d if name == "pwrite64" else process.position(a)
            call.data = process.memory(b, c) if keeps_data else b""
        elif name in ("ftruncate", "truncate"):
            call.size = b
        elif kind == WRITING and keeps_data:
            raise NotImplementedError(f"{name} is not recorded; add its arguments to disk_calls.py")
        return call


def inside(path, folder):
    return path is not None and (path == folder or path.startswith(folder + "/"))


def read_calls(path):
    """The calls in a log of disk_tracer.py, in the order in which they returned."""
    calls = []
    with open(path, "rb") as file:
        while True:
            try:
                calls.append(pickle.load(file))
            except EOFError:
                return calls
