"""Generates test pictures."""

import io
import random

from PIL import Image, ImageFile

# Pillow would otherwise reserve too few bytes for progressive JPEGs of noise.
ImageFile.MAXBLOCK = 1 << 26


def jpeg(seed, width=200, height=150, quality=85):
    """A JPEG of smooth colours, a different one for each seed."""
    source = random.Random(seed)
    small = Image.new("RGB", (4, 3))
    small.putdata([tuple(source.randrange(256) for _ in range(3)) for _ in range(12)])
    return encoded(small.resize((width, height), Image.Resampling.BICUBIC), "JPEG", quality=quality)


def noise_jpeg(seed, width, height):
    """A JPEG of noise, which hardly compresses, so that its size follows from its dimensions."""
    pixels = random.Random(seed).randbytes(width * height * 3)
    return encoded(Image.frombytes("RGB", (width, height), pixels), "JPEG", quality=95)


def encoded(image, format, **options):
    buffer = io.BytesIO()
    image.save(buffer, format, **options)
    return buffer.getvalue()


def with_comment(picture, text):
    """The same JPEG with a comment: a different file that needs no encoding."""
    comment = text.encode()
    return picture[:2] + b"\xff\xfe" + (len(comment) + 2).to_bytes(2, "big") + comment + picture[2:]
