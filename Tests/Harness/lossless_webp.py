"""Writes WebP without losses bit by bit, as no encoder would: with a group of prefix codes for each block of pixels.

RFC 9649, section 3: no transforms; an entropy image that names another group for each block of 4 × 4; groups of five
codes of one symbol each, 20 bits; and pixels that take no bits.
"""

import struct

BLOCK = 4


class Bits:
    """Numbers of so many bits each, the lowest first."""

    def __init__(self):
        self.fields = []

    def put(self, value, count):
        self.fields.append(f"{value:0{count}b}"[::-1] if count else "")

    def bytes(self):
        text = "".join(self.fields)
        return int(text[::-1], 2).to_bytes((len(text) + 7) // 8, "little")


def _code_of_bytes(bits, symbols):
    """Of the symbols, so many of which there may be, the first 256 have codes of eight bits."""
    bits.put(0, 1)
    bits.put(12 - 4, 4)
    # Of lengths, only 8 and the run of zeros (18) have codes, of a bit each; they are the 12th and the 2nd in the order of the format.
    for place in range(12):
        bits.put(int(place in (1, 11)), 3)
    bits.put(0, 1)
    bits.put(0, 256)
    if symbols > 256:
        bits.put(1, 1)
        bits.put(symbols - 256 - 11, 7)


def _code_of_one_symbol(bits):
    bits.put(0b0001, 4)


def many_groups(side, cache_bits=0):
    """A black square of so many pixels a side, a multiple of four up to 1024; no two of its blocks have a group in common."""
    bits = Bits()
    bits.put(0x2F, 8)
    bits.put(side - 1, 14)
    bits.put(side - 1, 14)
    bits.put(0, 4)  # opaque, version 0
    bits.put(0, 1)  # no transform
    bits.put(int(cache_bits > 0), 1)
    bits.put(cache_bits, 4 if cache_bits else 0)
    bits.put(1, 1)  # more than one group
    bits.put(0, 3)  # blocks of 4 × 4
    bits.put(0, 1)  # the entropy image has no cache of colours
    _code_of_bytes(bits, 256 + 24)
    _code_of_bytes(bits, 256)
    for _ in range(3):
        _code_of_one_symbol(bits)
    groups = (side // BLOCK) ** 2
    reversed_bytes = [int(f"{byte:08b}"[::-1], 2) for byte in range(256)]
    for group in range(groups):
        bits.put(reversed_bytes[group & 255], 8)  # green
        bits.put(reversed_bytes[group >> 8], 8)  # red
    bits.put(int("0001" * 5 * groups, 2), 20 * groups)
    data = bits.bytes()
    # Decoders look a word ahead.
    data += bytes(16 + len(data) % 2)
    return b"RIFF" + struct.pack("<I", 12 + len(data)) + b"WEBPVP8L" + struct.pack("<I", len(data)) + data
