"""PNGs that common encoders do not write: every filter, IDAT chunks of any sizes, data after the picture, wrong
checksums."""

import os
import random
import struct
import zlib

import numpy as np
import pytest
from PIL import Image
from png_chunks import ADAM7_PASSES, SIGNATURE, chunk

# Channels → colour type.
COLOUR_TYPES = {3: 2, 4: 6}


def header(width, height, channels, interlaced=False):
    return chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, COLOUR_TYPES[channels], 0, 0, interlaced))


def paeth(left, above, upper_left):
    """The Paeth predictor (PNG specification, third edition, §9.4)."""
    estimate = left + above - upper_left
    return min(
        (abs(estimate - left), 0, left), (abs(estimate - above), 1, above), (abs(estimate - upper_left), 2, upper_left)
    )[2]


def filtered(row, above, size, kind):
    """A row with its filter byte, filtered as the specification defines it (§9.2)."""
    result = bytearray([kind])
    for at, value in enumerate(row):
        left, upper_left = (row[at - size], above[at - size]) if at >= size else (0, 0)
        predicted = [0, left, above[at], (left + above[at]) // 2, paeth(left, above[at], upper_left)][kind]
        result.append((value - predicted) % 256)
    return bytes(result)


def compressed(pixels, generator):
    """A zlib stream of the rows. The first five rows have the five filters, and each other row has a random one."""
    height, width, channels = pixels.shape
    above, data = bytes(width * channels), b""
    for number, row in enumerate(pixels):
        kind = number if number < 5 else generator.randrange(5)
        data += filtered(row.tobytes(), above, channels, kind)
        above = row.tobytes()
    return zlib.compress(data, generator.randrange(1, 10))


def in_chunks(stream, sizes):
    """The stream in IDAT chunks of these sizes, and one more for the rest."""
    chunks = b""
    for size in sizes:
        chunks += chunk(b"IDAT", stream[:size])
        stream = stream[size:]
    return chunks + chunk(b"IDAT", stream)


def transparent_png(pixels, generator, sizes):
    """A PNG with transparency: with three channels one colour is transparent (tRNS), with four there is alpha."""
    height, width, channels = pixels.shape
    transparent = chunk(b"tRNS", struct.pack(">HHH", *pixels[0, 0])) if channels == 3 else b""
    return SIGNATURE + header(width, height, channels) + transparent + in_chunks(
        compressed(pixels, generator), sizes) + chunk(b"IEND", b"")


def noise(generator, width, height, channels):
    """Pixels that are smooth in some places and noisy in others, so that each filter changes them."""
    y, x = np.mgrid[:height, :width]
    grain = np.frombuffer(generator.randbytes(width * height * channels), np.uint8).reshape(height, width, channels)
    return ((x * 3 + y * 5)[..., None] + grain // (1 + x[..., None] % 9 * 10)).astype(np.uint8)


def decoded(gallery, name):
    photo = gallery.photos()[name]
    assert [image["path"][-4:] for image in photo["images"]] == [".png"], photo
    with Image.open(gallery.site / photo["images"][0]["path"]) as picture:
        return np.asarray(picture.convert("RGBA"))


@pytest.mark.parametrize("channels", [3, 4])
def test_pixels_are_the_same_for_all_filters_and_sizes_of_chunks(channels, gallery, tmp_path):
    seed = random.randrange(1 << 32)
    print(f"seed {seed}")
    generator = random.Random(seed)
    pictures, files = {}, {}
    for width in [1, 2, 3, 4, 5, 15, 16, 17, 61, 1000]:
        height = generator.randrange(5, 40)
        pixels = noise(generator, width, height, channels)
        if channels == 4:
            pixels[0, 0, 3] = 7
        sizes = [generator.choice([0, 1, 2, 3, 100]) for _ in range(generator.randrange(12))]
        name = f"{width} wide"
        file = tmp_path / f"{width}.png"
        file.write_bytes(transparent_png(pixels, generator, sizes))
        pictures[name], files[name] = pixels, str(file)
    gallery.list(files)
    gallery.build("--filter", "none", "--widths", "2000")
    for name, pixels in pictures.items():
        made = decoded(gallery, name)
        visible = (pixels == pixels[0, 0]).all(axis=2) == 0 if channels == 3 else pixels[..., 3] > 0
        assert (made[..., :3] == pixels[..., :3])[visible].all(), name
        assert (made[..., 3] == (pixels[..., 3] if channels == 4 else np.where(visible, 255, 0))).all(), name


def test_rows_longer_than_the_decompression_buffer_are_decoded(gallery, tmp_path):
    colour = np.array([200, 100, 50, 190], np.uint8)
    row = bytes(colour) * 66_000
    file = tmp_path / "long.png"
    rows = b"".join(filtered(row, row if number else bytes(264_000), 4, number % 5) for number in range(5))
    file.write_bytes(
        SIGNATURE + header(66_000, 5, 4) + in_chunks(zlib.compress(rows, 1), [50] * 9) + chunk(b"IEND", b""))
    gallery.list({"Long": str(file)}).build("--filter", "none", "--widths", "20000")
    assert abs(decoded(gallery, "Long").astype(int) - colour).max() <= 1


def test_data_after_the_last_row_are_not_decompressed(gallery, tmp_path):
    """The picture has a hundred kilobytes; after it, a few megabytes would decompress to nine gigabytes."""
    pixels = noise(random.Random(1), 200, 120, 3)
    compressor = zlib.compressobj(9)
    stream = compressor.compress(rows_of(pixels)) + compressor.flush(zlib.Z_FULL_FLUSH)
    zeros = compressor.compress(bytes(32 << 20)) + compressor.flush(zlib.Z_FULL_FLUSH)
    file = tmp_path / "bomb.png"
    file.write_bytes(
        SIGNATURE + header(200, 120, 3) + in_chunks(stream, []) + b"".join(chunk(b"IDAT", zeros) for _ in range(280))
        + chunk(b"IEND", b""))
    gallery.list({"Bomb": str(file), "Well": str(tmp_path / "well.png")})
    Image.fromarray(pixels).save(tmp_path / "well.png")
    before = os.times()
    gallery.build()
    after = os.times()
    assert gallery.reasons() in ({}, {"Bomb": "corrupt"})
    assert after.children_user - before.children_user < 2


@pytest.mark.parametrize(
    "damage, reason",
    [
        (lambda data: data[:-12], "truncated"),
        (lambda data: data[:-40], "truncated"),
        (lambda data: data[:-20] + bytes([data[-20] ^ 1]) + data[-19:], "corrupt"),
        (lambda data: data[:-1] + bytes([data[-1] ^ 1]), "corrupt"),
        (lambda data: data[:29] + bytes([data[29] ^ 1]) + data[30:], "corrupt"),
    ],
    ids=["no end", "cut in the data", "a checksum of data", "the end's checksum", "the header's checksum"])
def test_a_damaged_png_is_refused(damage, reason, gallery, tmp_path):
    pixels = noise(random.Random(2), 90, 70, 4)
    file = tmp_path / "damaged.png"
    file.write_bytes(damage(transparent_png(pixels, random.Random(3), [100, 1])))
    gallery.list({"Damaged": str(file)}).build()
    assert gallery.reasons() == {"Damaged": reason}


def rows_of(pixels):
    return b"".join(b"\0" + row.tobytes() for row in pixels)


def deflated(data):
    """A raw deflate stream, without zlib's header and checksum."""
    compressor = zlib.compressobj(6, zlib.DEFLATED, -15)
    return compressor.compress(data) + compressor.flush()


def adler(data):
    return struct.pack(">I", zlib.adler32(data))


def other_pixels(pixels):
    """A copy in which a quarter of the pixels differ."""
    changed = pixels.copy()
    changed[: len(changed) // 2, : changed.shape[1] // 2] ^= 0x55
    return changed


HEADER = b"\x78\x9c"

# Description → a function that makes a zlib stream of a picture's rows (and those of another picture), and the expected
# reason; None if the stream is valid.
STREAMS = {
    "valid": (lambda data, other: HEADER + deflated(data) + adler(data), None),
    "with another picture's checksum": (lambda data, other: HEADER + deflated(other) + adler(data), "corrupt"),
    "with one wrong bit in its checksum": (
        lambda data, other: HEADER + deflated(data) + bytes(a ^ b for a, b in zip(adler(data), b"\0\0\0\1")),
        "corrupt",
    ),
    "with a checksum of zeros": (lambda data, other: HEADER + deflated(data) + bytes(4), "corrupt"),
    "with a little-endian checksum": (lambda data, other: HEADER + deflated(data) + adler(data)[::-1], "corrupt"),
    "with a wrong checksum and data after it": (
        lambda data, other: HEADER + deflated(other) + adler(data) + bytes(50),
        "corrupt",
    ),
    "with data after its checksum": (lambda data, other: HEADER + deflated(data) + adler(data) + bytes(50), None),
    "without a checksum": (lambda data, other: HEADER + deflated(data), "truncated"),
    "with half a checksum": (lambda data, other: HEADER + deflated(data) + adler(data)[:2], "truncated"),
    "with three bytes of its checksum": (lambda data, other: HEADER + deflated(data) + adler(data)[:3], "truncated"),
    "that ends with the last row": (lambda data, other: HEADER + flushed(data), "truncated"),
    "that is invalid after the last row": (lambda data, other: HEADER + flushed(data) + b"\xff\xff\xff\xff", "corrupt"),
    "with a wrong header checksum": (lambda data, other: b"\x78\x9d" + deflated(data) + adler(data), "corrupt"),
    "with an unknown compression method": (lambda data, other: b"\x77\x85" + deflated(data) + adler(data), "corrupt"),
    "with a dictionary": (lambda data, other: b"\x78\xbb" + bytes(4) + deflated(data) + adler(data), "corrupt"),
    "with too large a window": (lambda data, other: b"\x88\x1c" + deflated(data) + adler(data), "corrupt"),
    "with the smallest window": (lambda data, other: b"\x08\x1d" + deflated(data) + adler(data), None),
}


def flushed(data):
    """A raw deflate stream of all data, without the final block."""
    compressor = zlib.compressobj(6, zlib.DEFLATED, -15)
    return compressor.compress(data) + compressor.flush(zlib.Z_SYNC_FLUSH)


@pytest.mark.parametrize("interlaced", [False, True], ids=["row by row", "interlaced"])
@pytest.mark.parametrize("cuts", [[], [1] * 40, "at the end"], ids=["one chunk", "small chunks", "cut in the checksum"])
def test_the_checksum_of_the_zlib_stream_is_verified(cuts, interlaced, gallery, tmp_path):
    """The checksums of the chunks are right in all of these files."""
    pixels = noise(random.Random(5), 170, 90, 3)
    plain, changed = ((passes_of if interlaced else rows_of)(each) for each in (pixels, other_pixels(pixels)))
    files, expected = {}, {}
    for number, (name, (make, reason)) in enumerate(STREAMS.items()):
        stream = make(plain, changed)
        sizes = [len(stream) - 6, 1, 2, 1] if cuts == "at the end" else cuts
        file = tmp_path / f"{number}.png"
        file.write_bytes(
            SIGNATURE + header(pixels.shape[1], pixels.shape[0], 3, interlaced) + in_chunks(stream, sizes)
            + chunk(b"IEND", b""))
        files[name] = str(file)
        if reason is not None:
            expected[name] = reason
    gallery.list(files).build("--filter", "none")
    assert gallery.reasons() == expected


def passes_of(pixels):
    """The rows of the seven passes of Adam7."""
    return b"".join(rows_of(pixels[y::down, x::right]) for x, y, right, down in ADAM7_PASSES)


def test_repeated_patterns_in_a_published_png_are_compressed(gallery, tmp_path):
    tile = noise(random.Random(4), 64, 64, 4)
    tile[..., 3] |= 1
    tile[0, 0, 3] = 254
    Image.fromarray(np.tile(tile, (10, 16, 1)), "RGBA").save(tmp_path / "tiles.png")
    gallery.list({"Tiles": str(tmp_path / "tiles.png")}).build("--filter", "none", "--widths", "2000")
    (image,) = gallery.photos()["Tiles"]["images"]
    assert image["bytes"] < tile.nbytes * 8


def test_a_published_png_has_all_pixels_whatever_repeats_in_them(gallery, tmp_path):
    """Noise that nothing can compress, runs of all lengths, and patterns, in turns that change the way of packing."""
    generator = random.Random(5)
    width, rows = 1000, []
    tile = noise(generator, 50, 8, 4).reshape(8, -1).tobytes() * (width // 50)
    patterns = [tile[at:at + width * 4] for at in range(0, len(tile), width * 4)]
    for band in range(24):
        for number in range(100):
            match band % 4:
                case 0:
                    row = generator.randbytes(width * 4)
                case 1:
                    lengths = (generator.choice([1, 2, 3, 4, 9, 257, 258, 259, 261, 600]) for _ in range(width))
                    row = b"".join(generator.randbytes(1) * length for length in lengths)[:width * 4]
                case 2:
                    row = patterns[number % len(patterns)]
                case _:
                    row = bytes(width * 4) if band == 3 else noise(generator, width, 1, 4).tobytes()
            rows.append(row.ljust(width * 4, b"\1"))
    pixels = np.frombuffer(b"".join(rows), np.uint8).reshape(len(rows), width, 4).copy()
    pixels[..., 3] |= 1  # the colours of invisible pixels are not kept
    Image.fromarray(pixels, "RGBA").save(tmp_path / "bands.png")
    gallery.list({"Bands": str(tmp_path / "bands.png")}).build("--filter", "none", "--widths", "1000")
    (image,) = gallery.photos()["Bands"]["images"]
    made = np.asarray(Image.open(gallery.site / image["path"]))
    assert np.array_equal(made, pixels)
