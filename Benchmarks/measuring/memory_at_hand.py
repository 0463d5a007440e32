"""Memory that the machine has, and not only its host.

A virtual machine may give memory that is free back to its host, in blocks of 2 MB, and has to be given it again when it is used: a page
then takes two or three times as long to fill, which counts as CPU time of the program that fills it. A short program lives on what is
free in smaller pieces, which stays; a long one does not. So that all pay the same, blocks are kept from becoming whole.
"""

import mmap
from collections.abc import Iterator
from contextlib import contextmanager

from . import machine

KEPT_APART = 1 << 20
"""One page is held in so many bytes: half a block, as blocks of physical memory need not begin where those of a mapping do."""
LEFT_FREE = 1 << 30
"""For whatever else the machine does meanwhile."""


@contextmanager
def memory_at_hand() -> Iterator[bool]:
    """Uses all free memory once, and keeps a page of each megabyte until the end; not where the machine is no virtual one.

    Yields whether it was done. It takes up to a minute and a half where the host has most of the memory.
    """
    if not machine.is_virtual():
        yield False
        return
    size = (machine.free_memory() - LEFT_FREE) // KEPT_APART * KEPT_APART
    with mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as memory:
        # Large pages would be taken and given back as a whole, and processes that are started do not need any of it.
        memory.madvise(mmap.MADV_NOHUGEPAGE)
        memory.madvise(mmap.MADV_DONTFORK)
        for page in range(0, size, mmap.PAGESIZE):
            memory[page] = 1
        for start in range(0, size, KEPT_APART):
            memory.madvise(mmap.MADV_DONTNEED, start + mmap.PAGESIZE, KEPT_APART - mmap.PAGESIZE)
        yield True
