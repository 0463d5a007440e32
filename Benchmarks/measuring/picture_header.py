"""Reads the header of a JPEG or PNG."""

import struct
from dataclasses import dataclass
from pathlib import Path

PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"


@dataclass(frozen=True)
class Header:
    """The stored width and height in pixels, and whether the file contains the rows one after another."""

    width: int
    height: int
    is_sequential: bool


def size(path: Path) -> tuple[int, int]:
    """The stored width and height in pixels. Raises `ValueError` for another kind of file."""
    header = read(path)
    return header.width, header.height


def read(path: Path) -> Header:
    """Raises `ValueError` for another kind of file."""
    with path.open("rb") as file:
        start = file.read(29)
        if start.startswith(PNG_SIGNATURE):
            return Header(*struct.unpack(">II", start[16:24]), is_sequential=start[28] == 0)
        if start[:2] != b"\xff\xd8":
            raise ValueError(f"{path.name} is neither JPEG nor PNG")
        file.seek(2)
        while True:
            marker = file.read(2)
            # A marker may be preceded by any number of FF bytes (ITU T.81 B.1.1.2).
            while marker == b"\xff\xff":
                marker = b"\xff" + file.read(1)
            if len(marker) < 2 or marker[0] != 0xFF:
                raise ValueError(f"{path.name} is not a valid JPEG")
            (length,) = struct.unpack(">H", file.read(2))
            # SOF0 to SOF15 contain the size. C4, C8 and CC in that range are other segments.
            if 0xC0 <= marker[1] <= 0xCF and marker[1] not in (0xC4, 0xC8, 0xCC):
                _, height, width = struct.unpack(">BHH", file.read(5))
                # SOF0 is baseline, SOF1 extended sequential.
                return Header(width, height, is_sequential=marker[1] <= 0xC1)
            file.seek(length - 2, 1)
