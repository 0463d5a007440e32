"""Memory that the machine has, and not only its host.

A virtual machine may give memory that is free back to its host, as the kernel's free page reporting does, in blocks of 2 MB, and is
given it again when it is used: a page then takes two or three times as long to fill, which counts as CPU time of whoever fills it.
What is free in smaller pieces stays. A short program can live on these, a long one can't. So that all pay the same, blocks are
kept from becoming whole.
"""

import mmap
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from . import machine

KEPT_APART = 1 << 20
"""One page is held in so many bytes: half a block, as blocks of physical memory need not begin where those of a mapping do."""
LEFT_FREE = 1 << 30
"""For whatever else the machine does meanwhile, bytes."""


@contextmanager
def memory_at_hand(is_wanted: bool = True) -> Iterator[dict]:
    """Uses the free memory once, and keeps a page of each megabyte until the end.

    Yields for the record what was done: of how many bytes, how many of them were free in whole blocks right after, and, once it has ended, at
    the end: nothing keeps the kernel from putting pages together. Or why it was not done. It takes up to a minute and a half where the
    host has most of the memory.
    """
    size = (min(machine.free_memory(), machine.memory_limit()) - LEFT_FREE) // KEPT_APART * KEPT_APART
    if not is_wanted:
        yield {"not": "not asked for"}
    elif not machine.is_virtual():
        yield {"not": "no virtual machine"}
    elif size < machine.memory() // 2:
        yield {"not": "less than half of the memory is free"}
    else:
        try:
            memory = held_apart(size)
        except OSError as reason:
            print(f"memory can't be kept at hand: {reason}", file=sys.stderr)
            yield {"not": str(reason)}
            return
        with memory:
            record = {"bytes": size, "whole_at_start": machine.free_in_blocks()}
            yield record
            record["whole_at_end"] = machine.free_in_blocks()


def held_apart(size: int) -> mmap.mmap:
    memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    # Large pages would be taken and given back as a whole, and processes that are started do not need any of it.
    memory.madvise(mmap.MADV_NOHUGEPAGE)
    memory.madvise(mmap.MADV_DONTFORK)
    for page in range(0, size, mmap.PAGESIZE):
        memory[page] = 1
    for start in range(0, size, KEPT_APART):
        memory.madvise(mmap.MADV_DONTNEED, start + mmap.PAGESIZE, KEPT_APART - mmap.PAGESIZE)
    return memory
