"""Parts of PNG files (PNG specification, third edition)."""

import struct
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"

#: The passes of Adam7 (§8.1): first column and row, and the distances between columns and between rows.
ADAM7_PASSES = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
