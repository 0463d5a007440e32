"""The size of a JPEG or PNG, read from its first bytes."""

import struct
from pathlib import Path

PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"


def size(path: Path) -> tuple[int, int]:
    """Width and height in pixels as stored; raises `ValueError` for a file of another kind."""
    with path.open("rb") as file:
        start = file.read(24)
        if start.startswith(PNG_SIGNATURE):
            return struct.unpack(">II", start[16:24])
        if start[:2] != b"\xff\xd8":
            raise ValueError(f"{path.name} is neither JPEG nor PNG")
        file.seek(2)
        while True:
            marker = file.read(2)
            # Any number of FF bytes may stand before a marker (ITU T.81 B.1.1.2).
            while marker == b"\xff\xff":
                marker = b"\xff" + file.read(1)
            if len(marker) < 2 or marker[0] != 0xFF:
                raise ValueError(f"{path.name} is not a whole JPEG")
            (length,) = struct.unpack(">H", file.read(2))
            # SOF0 to SOF15 hold the size; C4, C8 and CC in their midst are other tables.
            if 0xC0 <= marker[1] <= 0xCF and marker[1] not in (0xC4, 0xC8, 0xCC):
                _, height, width = struct.unpack(">BHH", file.read(5))
                return width, height
            file.seek(length - 2, 1)
