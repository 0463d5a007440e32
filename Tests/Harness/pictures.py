"""Test pictures, made on the spot."""

import io
import random

from PIL import Image


def jpeg(seed, width=200, height=150, quality=85):
    """A JPEG of soft colours that differs for each seed."""
    source = random.Random(seed)
    small = Image.new("RGB", (4, 3))
    small.putdata([tuple(source.randrange(256) for _ in range(3)) for _ in range(12)])
    return encoded(small.resize((width, height), Image.Resampling.BICUBIC), "JPEG", quality=quality)


def noise_jpeg(seed, width, height):
    """A JPEG that hardly compresses, so that its size can be relied on."""
    pixels = random.Random(seed).randbytes(width * height * 3)
    return encoded(Image.frombytes("RGB", (width, height), pixels), "JPEG", quality=95)


def encoded(image, format, **options):
    buffer = io.BytesIO()
    image.save(buffer, format, **options)
    return buffer.getvalue()


def commented(picture, text):
    """The same JPEG with a comment in it: another file, without the cost of another picture."""
    comment = text.encode()
    return picture[:2] + b"\xff\xfe" + (len(comment) + 2).to_bytes(2, "big") + comment + picture[2:]
