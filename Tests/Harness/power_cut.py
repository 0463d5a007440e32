"""What a disk may hold after a power cut: a replay of the calls that a build made, in which what was not synchronised
is lost.

A kill cannot show a missing fsync, as the kernel keeps what was written. Here a file keeps for certain only what it
held at its last fsync, and a folder only the names that it had at its last fsync; of the rest, chance decides as file
systems do.
"""

import os
from dataclasses import dataclass, field
from pathlib import Path

from disk_calls import AT_REMOVEDIR, RENAME_EXCHANGE

# The fates of writes after the last fsync of their file.
FATES = ("lost", "kept", "zeros", "torn")

# The fates of names after the last fsync of their folder.
ORDERS = ("lost", "kept", "in order", "each folder for itself")


@dataclass
class Node:
    """A file or a folder, whatever its names."""

    is_folder: bool = False
    synced: bytes = b""
    writes: list = field(default_factory=list)  # (offset, bytes), or (size, None) for a truncation

    def now(self):
        return applied(self.synced, self.writes)

    def sync(self):
        self.synced, self.writes = self.now(), []

    def after(self, fate, chance):
        if fate == "lost":
            return self.synced
        if fate == "torn":
            return applied(self.synced, self.writes[: chance.randrange(len(self.writes) + 1)])
        if fate == "zeros":
            # The size of a new file may reach the disk without its content.
            size = max([len(self.synced), *(offset + len(data) for offset, data in self.writes if data is not None)])
            return self.synced + bytes(size - len(self.synced))
        return self.now()


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
class Naming:
    """A name that appeared (with a node) or disappeared (without)."""

    step: int
    path: str
    node: Node | None
    is_synced: bool = False

    @property
    def folder(self):
        return os.path.dirname(self.path)


class Disk:
    """The folders of a gallery, and the calls that change them."""

    def __init__(self, root, tops):
        self.root = Path(root)
        self.tops = tops
        self.names = {"": Node(is_folder=True)}
        self.before = {}
        self.namings = []
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
            raise NotImplementedError(f"{call} is not replayed; teach power_cut.py what it does")

    def _name(self, path, node):
        self.namings.append(Naming(self.step, path, node))
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
        for naming in self.namings:
            if is_all or naming.folder == call.path:
                naming.is_synced = True

    # The power cut

    def surviving_names(self, order, chance):
        if order == "kept":
            return self.namings
        if order == "in order":
            # A journal: what is on the disk is everything up to some moment, a rename whole or not at all.
            last = max([naming.step for naming in self.namings if naming.is_synced], default=0)
            cut = chance.randint(last, self.step)
            return [naming for naming in self.namings if naming.step <= cut]
        cuts = {}
        for naming in self.namings:
            cuts.setdefault(naming.folder, []).append(naming)
        survivors = []
        for folder in sorted(cuts):
            there = cuts[folder]
            certain = max([place for place, naming in enumerate(there, 1) if naming.is_synced], default=0)
            survivors += there[: certain if order == "lost" else chance.randint(certain, len(there))]
        return sorted(survivors, key=lambda naming: self.namings.index(naming))

    def cut(self, order, fate, chance):
        """Writes what is left into the folders that were replayed; `fate` may be "mixed"."""
        names = dict(self.before)
        for naming in self.surviving_names(order, chance):
            if naming.node is None:
                names.pop(naming.path, None)
            else:
                names[naming.path] = naming.node
        placed = {}
        for path, node in sorted(names.items()):
            target = self.root / path
            if path.endswith("-shm") or not reachable(path, names):
                continue  # shared memory does not outlive a machine; what is in a lost folder is lost
            if node.is_folder:
                target.mkdir()
            elif id(node) in placed:
                os.link(placed[id(node)], target)
            else:
                target.write_bytes(node.after(chance.choice(FATES) if fate == "mixed" else fate, chance))
                placed[id(node)] = target


def reachable(path, names):
    parent = os.path.dirname(path)
    return not parent or (parent in names and names[parent].is_folder and reachable(parent, names))
