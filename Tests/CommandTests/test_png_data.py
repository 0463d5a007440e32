"""PNGs as no program at hand writes them: every filter, cut anywhere, with more data than picture. And what PNGs are
written."""

import os
import random
import struct
import zlib

import numpy as np
import pytest
from PIL import Image

SIGNATURE = b"\x89PNG\r\n\x1a\n"
COLOUR_TYPES = {3: 2, 4: 6}


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def header(width, height, channels, interlaced=False):
    return chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, COLOUR_TYPES[channels], 0, 0, interlaced))


def nearest(left, above, corner):
    """PNG specification, third edition, §9.4."""
    guess = left + above - corner
    return min((abs(guess - left), 0, left), (abs(guess - above), 1, above), (abs(guess - corner), 2, corner))[2]


def filtered(row, above, size, kind):
    """A row as it stands in the file, by the definitions and byte by byte."""
    result = bytearray([kind])
    for at, value in enumerate(row):
        left, corner = (row[at - size], above[at - size]) if at >= size else (0, 0)
        guess = [0, left, above[at], (left + above[at]) // 2, nearest(left, above[at], corner)][kind]
        result.append((value - guess) % 256)
    return bytes(result)


def packed(pixels, generator):
    """A zlib stream of the rows, each with a filter of its own, all five among the first five."""
    height, width, channels = pixels.shape
    above, data = bytes(width * channels), b""
    for number, row in enumerate(pixels):
        kind = number if number < 5 else generator.randrange(5)
        data += filtered(row.tobytes(), above, channels, kind)
        above = row.tobytes()
    return zlib.compress(data, generator.randrange(1, 10))


def in_chunks(stream, sizes):
    """The stream in IDAT chunks of these sizes, and one with what is left."""
    chunks = b""
    for size in sizes:
        chunks += chunk(b"IDAT", stream[:size])
        stream = stream[size:]
    return chunks + chunk(b"IDAT", stream)


def seen_through(pixels, generator, sizes):
    """A PNG with transparency: of three channels by a colour that stands for nothing, of four by alpha."""
    height, width, channels = pixels.shape
    transparent = chunk(b"tRNS", struct.pack(">HHH", *pixels[0, 0])) if channels == 3 else b""
    return SIGNATURE + header(width, height, channels) + transparent + in_chunks(
        packed(pixels, generator), sizes) + chunk(b"IEND", b"")


def noise(generator, width, height, channels):
    """Smooth here and rough there, so that each filter has something to do."""
    y, x = np.mgrid[:height, :width]
    grain = np.frombuffer(generator.randbytes(width * height * channels), np.uint8).reshape(height, width, channels)
    return ((x * 3 + y * 5)[..., None] + grain // (1 + x[..., None] % 9 * 10)).astype(np.uint8)


def decoded(gallery, name):
    photo = gallery.photos()[name]
    assert [image["path"][-4:] for image in photo["images"]] == [".png"], photo
    with Image.open(gallery.site / photo["images"][0]["path"]) as picture:
        return np.asarray(picture.convert("RGBA"))


@pytest.mark.parametrize("channels", [3, 4])
def test_every_filter_and_every_cut_gives_the_same_pixels(channels, gallery, tmp_path):
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
        file.write_bytes(seen_through(pixels, generator, sizes))
        pictures[name], files[name] = pixels, str(file)
    gallery.list(files)
    gallery.build("--filter", "none", "--widths", "2000")
    for name, pixels in pictures.items():
        made = decoded(gallery, name)
        visible = (pixels == pixels[0, 0]).all(axis=2) == 0 if channels == 3 else pixels[..., 3] > 0
        assert (made[..., :3] == pixels[..., :3])[visible].all(), name
        assert (made[..., 3] == (pixels[..., 3] if channels == 4 else np.where(visible, 255, 0))).all(), name


def test_rows_longer_than_what_is_unpacked_at_once(gallery, tmp_path):
    colour = np.array([200, 100, 50, 190], np.uint8)
    row = bytes(colour) * 66_000
    file = tmp_path / "long.png"
    rows = b"".join(filtered(row, row if number else bytes(264_000), 4, number % 5) for number in range(5))
    file.write_bytes(
        SIGNATURE + header(66_000, 5, 4) + in_chunks(zlib.compress(rows, 1), [50] * 9) + chunk(b"IEND", b""))
    gallery.list({"Long": str(file)}).build("--filter", "none", "--widths", "20000")
    assert abs(decoded(gallery, "Long").astype(int) - colour).max() <= 1


def test_data_after_the_picture_cost_nothing(gallery, tmp_path):
    """A hundred kilobytes of picture, and then nine gigabytes that a few megabytes unpack to."""
    pixels = noise(random.Random(1), 200, 120, 3)
    pack = zlib.compressobj(9)
    stream = pack.compress(b"".join(b"\0" + row.tobytes() for row in pixels)) + pack.flush(zlib.Z_FULL_FLUSH)
    again = pack.compress(bytes(32 << 20)) + pack.flush(zlib.Z_FULL_FLUSH)
    file = tmp_path / "bomb.png"
    file.write_bytes(
        SIGNATURE + header(200, 120, 3) + in_chunks(stream, []) + b"".join(chunk(b"IDAT", again) for _ in range(280))
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
def test_damaged_pixel_data_of_a_png_is_found(damage, reason, gallery, tmp_path):
    pixels = noise(random.Random(2), 90, 70, 4)
    file = tmp_path / "damaged.png"
    file.write_bytes(damage(seen_through(pixels, random.Random(3), [100, 1])))
    gallery.list({"Damaged": str(file)}).build()
    assert gallery.reasons() == {"Damaged": reason}


def rows_of(pixels):
    return b"".join(b"\0" + row.tobytes() for row in pixels)


def deflated(data):
    """The compressed data without the zlib header and checksum."""
    pack = zlib.compressobj(6, zlib.DEFLATED, -15)
    return pack.compress(data) + pack.flush()


def adler(data):
    return struct.pack(">I", zlib.adler32(data))


def other_pixels(pixels):
    """A quarter of them are changed."""
    changed = pixels.copy()
    changed[: len(changed) // 2, : changed.shape[1] // 2] ^= 0x55
    return changed


HEADER = b"\x78\x9c"

# The zlib stream of a picture's rows → the reason why the picture is refused; none if it is valid.
STREAMS = {
    "as it should be": (lambda data, other: HEADER + deflated(data) + adler(data), None),
    "with another picture's checksum": (lambda data, other: HEADER + deflated(other) + adler(data), "corrupt"),
    "with a checksum of which one bit is wrong": (
        lambda data, other: HEADER + deflated(data) + bytes(a ^ b for a, b in zip(adler(data), b"\0\0\0\1")),
        "corrupt",
    ),
    "with a checksum of zeros": (lambda data, other: HEADER + deflated(data) + bytes(4), "corrupt"),
    "with a checksum of the other order": (lambda data, other: HEADER + deflated(data) + adler(data)[::-1], "corrupt"),
    "with a wrong checksum and more after it": (
        lambda data, other: HEADER + deflated(other) + adler(data) + bytes(50),
        "corrupt",
    ),
    "with more after its checksum": (lambda data, other: HEADER + deflated(data) + adler(data) + bytes(50), None),
    "without a checksum": (lambda data, other: HEADER + deflated(data), "truncated"),
    "with half a checksum": (lambda data, other: HEADER + deflated(data) + adler(data)[:2], "truncated"),
    "with all but a byte of it": (lambda data, other: HEADER + deflated(data) + adler(data)[:3], "truncated"),
    "that ends with the last row": (lambda data, other: HEADER + flushed(data), "truncated"),
    "that breaks after the last row": (lambda data, other: HEADER + flushed(data) + b"\xff\xff\xff\xff", "corrupt"),
    "with a header whose check is wrong": (lambda data, other: b"\x78\x9d" + deflated(data) + adler(data), "corrupt"),
    "packed in another way": (lambda data, other: b"\x77\x85" + deflated(data) + adler(data), "corrupt"),
    "with a dictionary": (lambda data, other: b"\x78\xbb" + bytes(4) + deflated(data) + adler(data), "corrupt"),
    "with a window larger than any": (lambda data, other: b"\x88\x1c" + deflated(data) + adler(data), "corrupt"),
    "with a window of the smallest size": (lambda data, other: b"\x08\x1d" + deflated(data) + adler(data), None),
}


def flushed(data):
    """Whole, but without a last block."""
    pack = zlib.compressobj(6, zlib.DEFLATED, -15)
    return pack.compress(data) + pack.flush(zlib.Z_SYNC_FLUSH)


@pytest.mark.parametrize("interlaced", [False, True], ids=["row by row", "interlaced"])
@pytest.mark.parametrize("cuts", [[], [1] * 40, "at the end"], ids=["one chunk", "small chunks", "cut in the checksum"])
def test_the_checksum_of_the_data_counts(cuts, interlaced, gallery, tmp_path):
    """The chunks' own checksums are right in all of them."""
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
    """The seven pictures of Adam7, one after the other (PNG specification, third edition, §8.1)."""
    steps = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
    return b"".join(rows_of(pixels[y::down, x::right]) for x, y, right, down in steps)


def test_patterns_are_packed_by_what_repeats(gallery, tmp_path):
    tile = noise(random.Random(4), 64, 64, 4)
    tile[..., 3] |= 1
    tile[0, 0, 3] = 254
    Image.fromarray(np.tile(tile, (10, 16, 1)), "RGBA").save(tmp_path / "tiles.png")
    gallery.list({"Tiles": str(tmp_path / "tiles.png")}).build("--filter", "none", "--widths", "2000")
    (image,) = gallery.photos()["Tiles"]["images"]
    assert image["bytes"] < tile.nbytes * 8
