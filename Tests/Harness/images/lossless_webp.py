"""Writes WebP without losses bit by bit, as no encoder would: with a group of prefix codes for each block of pixels.

RFC 9649, section 3: any transforms, which change nothing; an entropy image that names another group for each block of 4
× 4; groups of five codes of one symbol each, 20 bits; and pixels that take no bits.
"""

import io
import struct

from PIL import Image

BLOCK = 4
PREDICTOR, COLOUR, GREEN, PALETTE = range(4)


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
    """Writes the codes of `symbols` symbols, of which the first 256 have codes of eight bits."""
    bits.put(0, 1)
    bits.put(12 - 4, 4)
    # Only the length 8 and the run of zeros (18) have codes, of a bit each; they are the 12th and the 2nd in the order
    # of the format.
    for place in range(12):
        bits.put(int(place in (1, 11)), 3)
    bits.put(0, 1)
    bits.put(0, 256)
    left = symbols - 256
    while left:
        run = min(left, 138) if left - 138 not in range(1, 11) else 100
        bits.put(1, 1)
        bits.put(run - 11, 7)
        left -= run


def _code_of_one_symbol(bits):
    bits.put(0b0001, 4)


def _code_of_symbol(bits, symbol):
    bits.put(0b101, 3)
    bits.put(symbol, 8)


def _cache(bits, count):
    bits.put(int(count > 0), 1)
    bits.put(count, 4 if count else 0)


def _image_of_zeros(bits):
    _cache(bits, 0)
    for _ in range(5):
        _code_of_one_symbol(bits)


def _black_square(side, cache_bits, transforms, image_cache_bits, groups, first):
    """What follows the header. No two of its blocks have a group in common, or only so many groups are named, from the
    first on."""
    bits = Bits()
    for transform in transforms:
        bits.put(1, 1)
        bits.put(transform, 2)
        if transform in (PREDICTOR, COLOUR):
            bits.put(0, 3)  # blocks of 4 × 4
        if transform == PALETTE:
            bits.put(17 - 1, 8)  # too many colours for several pixels in one
        if transform != GREEN:
            _image_of_zeros(bits)
    bits.put(0, 1)
    _cache(bits, cache_bits)
    bits.put(1, 1)  # more than one group
    bits.put(0, 3)  # blocks of 4 × 4
    _cache(bits, image_cache_bits)
    _code_of_bytes(bits, 256 + 24 + (1 << image_cache_bits if image_cache_bits else 0))
    _code_of_bytes(bits, 256)
    for _ in range(3):
        _code_of_one_symbol(bits)
    blocks = (side // BLOCK) ** 2
    groups = groups or blocks
    reversed_bytes = [int(f"{byte:08b}"[::-1], 2) for byte in range(256)]
    for block in range(blocks):
        group = first + block % groups
        bits.put(reversed_bytes[group & 255], 8)  # green
        bits.put(reversed_bytes[group >> 8], 8)  # red
    codes = 5 * (first + groups)
    bits.put(int("0001" * codes, 2), 4 * codes)
    # Decoders look a word ahead.
    return bits.bytes() + bytes(16)


def _chunk(name, data):
    return name + struct.pack("<I", len(data)) + data + bytes(len(data) % 2)


def _file(*chunks):
    data = b"WEBP" + b"".join(chunks)
    return b"RIFF" + struct.pack("<I", len(data)) + data


def many_groups(side, cache_bits=0, transforms=(), image_cache_bits=0, groups=None, first=0):
    """A black square of so many pixels a side, a multiple of four up to 1024."""
    header = Bits()
    header.put(0x2F, 8)
    header.put(side - 1, 14)
    header.put(side - 1, 14)
    header.put(0, 4)  # opaque, version 0
    return _file(
        _chunk(b"VP8L", header.bytes() + _black_square(side, cache_bits, transforms, image_cache_bits, groups, first))
    )


def many_groups_of_transparency(side, cache_bits=0, transforms=(), image_cache_bits=0, groups=None, first=0):
    """The same as the transparency of a picture with losses: nothing of it is seen."""
    return _with_transparency(side, _black_square(side, cache_bits, transforms, image_cache_bits, groups, first))


def _with_transparency(side, bits):
    lossy = io.BytesIO()
    Image.new("RGB", (side, side)).save(lossy, "WEBP")
    extended = struct.pack("<I", 0x10) + 2 * (side - 1).to_bytes(3, "little")
    return _file(_chunk(b"VP8X", extended), _chunk(b"ALPH", b"\x01" + bits), lossy.getvalue()[12:])


def cut_transparency(side, length, cache_bits=0):
    """All blocks have the group 999, and nothing follows: so few bytes of it that of the last code's symbol, 0, bits
    are missing."""
    bits = Bits()
    bits.put(0, 1)
    _cache(bits, cache_bits)
    bits.put(1, 1)  # more than one group
    bits.put(0, 3)  # blocks of 4 × 4
    _cache(bits, 0)
    for symbol in (999 & 255, 999 >> 8):  # green and red
        _code_of_symbol(bits, symbol)
    for _ in range(2):
        _code_of_one_symbol(bits)
    _code_of_symbol(bits, 0)
    return _with_transparency(side, bits.bytes()[:length])
