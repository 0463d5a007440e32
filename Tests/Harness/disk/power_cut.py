"""Simulates a power cut: replays the system calls of a build, and drops what was not synchronised.

Killing a process cannot reveal a missing fsync, because the kernel keeps what was written. After the simulated power
cut, a file is certain to have only the contents of its last fsync, and a folder only the names of its last fsync. Which
later writes and names survive is random, within what file systems do.
"""

import os
from dataclasses import dataclass, field
from pathlib import Path

from disk_calls import AT_REMOVEDIR, RENAME_EXCHANGE

# What becomes of writes after the last fsync of their file.
FATES = ("lost", "kept", "zeros", "torn")

# Which names survive of those after the last fsync of their folder.
ORDERS = ("lost", "kept", "in order", "each folder for itself")


@dataclass
class Node:
    """A file or folder, independent of its names (an inode)."""

    is_folder: bool = False
    synced: bytes = b""
    writes: list = field(default_factory=list)  # (offset, bytes), or (size, None) for a truncation

    def contents(self):
        return applied(self.synced, self.writes)

    def sync(self):
        self.synced, self.writes = self.contents(), []

    def contents_after(self, fate, chance):
        if fate == "lost":
            return self.synced
        if fate == "torn":
            return applied(self.synced, self.writes[: chance.randrange(len(self.writes) + 1)])
        if fate == "zeros":
            # The size of a file may reach the disk before its content.
            size = max([len(self.synced), *(offset + len(data) for offset, data in self.writes if data is not None)])
            return self.synced + bytes(size - len(self.synced))
        return self.contents()


def applied(data, writes):
    data = bytearray(data)
    for offset, written in writes:
        if written is None:
            data[offset:] = bytes(max(0, offset - len(data)))
        else:
            data[len(data) :] = bytes(max(0, offset - len(data)))
            data[offset : offset + len(written)] = written
    return bytes(data)


@dataclass
class NameChange:
    """A name that was given to a node, or removed (node is None)."""

    step: int
    path: str
    node: Node | None
    is_synced: bool = False

    @property
    def folder(self):
        return os.path.dirname(self.path)


class Disk:
    """The state of some folders while calls are replayed: nodes, names, and what is synchronised."""

    def __init__(self, root, tops):
        self.root = Path(root)
        self.tops = tops
        self.names = {"": Node(is_folder=True)}
        self.before = {}
        self.name_changes = []
        self.step = 0
        for top in tops:
            for path in [self.root / top, *(self.root / top).rglob("*")]:
                if path.exists():
                    node = Node(path.is_dir(), b"" if path.is_dir() else path.read_bytes())
                    self.before[str(path.relative_to(self.root))] = node
        self.names |= self.before

    def replay(self, calls):
        for call in calls:
            if call.result is not None and call.result >= 0:
                self.step += 1
                self._make(call)
        return self

    def _make(self, call):
        node = self.names.get(call.path)
        if call.kind == "sync":
            self._sync(call, node)
        elif call.kind == "open":
            if node is None and call.makes_file:
                self._name(call.path, Node())
            elif node is not None and call.flags & os.O_TRUNC:
                node.writes.append((0, None))
        elif call.name in ("write", "pwrite64"):
            assert len(call.data) == call.size, f"{call} was recorded without what it wrote"
            if node is not None:
                node.writes.append((call.offset, call.data[: call.result]))
        elif call.name in ("ftruncate", "truncate"):
            node.writes.append((call.size, None))
        elif call.name in ("mkdir", "mkdirat"):
            self._name(call.path, Node(is_folder=True))
        elif call.name in ("link", "linkat"):
            self._name(call.to, node)
        elif call.name == "renameat2" and call.flags & RENAME_EXCHANGE:
            self._exchange(call.path, call.to)
        elif call.name in ("rename", "renameat", "renameat2"):
            self._rename(call.path, call.to)
        elif call.name in ("unlink", "unlinkat", "rmdir"):
            assert call.name != "unlinkat" or bool(call.flags & AT_REMOVEDIR) == node.is_folder, call
            self._name(call.path, None)
        else:
            raise NotImplementedError(f"{call} is not replayed; add it to power_cut.py")

    def _name(self, path, node):
        self.name_changes.append(NameChange(self.step, path, node))
        if node is None:
            del self.names[path]
        else:
            self.names[path] = node

    def _rename(self, old, new):
        node = self.names[old]
        assert not node.is_folder, "folders are never renamed"
        self._name(new, node)
        self._name(old, None)

    def _exchange(self, one, other):
        nodes = self.names[one], self.names[other]
        assert not any(node.is_folder for node in nodes), "folders are never exchanged"
        self._name(other, nodes[0])
        self._name(one, nodes[1])

    def _sync(self, call, node):
        is_all = call.name in ("sync", "syncfs")
        for each in self.names.values() if is_all else [node]:
            if each is not None and not each.is_folder:
                each.sync()
        for change in self.name_changes:
            if is_all or change.folder == call.path:
                change.is_synced = True

    # The power cut

    def surviving_names(self, order, chance):
        if order == "kept":
            return self.name_changes
        if order == "in order":
            # A journaling file system keeps all changes up to some moment, and each rename entirely or not at all.
            last = max([change.step for change in self.name_changes if change.is_synced], default=0)
            cut = chance.randint(last, self.step)
            return [change for change in self.name_changes if change.step <= cut]
        by_folder = {}
        for change in self.name_changes:
            by_folder.setdefault(change.folder, []).append(change)
        survivors = []
        for folder in sorted(by_folder):
            changes = by_folder[folder]
            synced = max([count for count, change in enumerate(changes, 1) if change.is_synced], default=0)
            survivors += changes[: synced if order == "lost" else chance.randint(synced, len(changes))]
        return sorted(survivors, key=lambda change: self.name_changes.index(change))

    def cut(self, order, fate, chance):
        """Writes what survives into the replayed folders. `fate` is one of FATES, or "mixed" for another one for each
        file."""
        names = dict(self.before)
        for change in self.surviving_names(order, chance):
            if change.node is None:
                names.pop(change.path, None)
            else:
                names[change.path] = change.node
        written = {}
        for path, node in sorted(names.items()):
            target = self.root / path
            if path.endswith("-shm") or not reachable(path, names):
                continue  # shared memory does not survive a restart, and nor do the contents of a lost folder
            if node.is_folder:
                target.mkdir()
            elif id(node) in written:
                os.link(written[id(node)], target)
            else:
                target.write_bytes(node.contents_after(chance.choice(FATES) if fate == "mixed" else fate, chance))
                written[id(node)] = target


def reachable(path, names):
    parent = os.path.dirname(path)
    return not parent or (parent in names and names[parent].is_folder and reachable(parent, names))
