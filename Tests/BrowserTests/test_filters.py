"""The program's filters give the colours of the browser's filters, with a difference of at most one level."""

import io
import random

import pytest
from PIL import Image, ImageChops
from waiting import TIMEOUT

CELL, CELLS = 12, 24
CHAINS = [
    *(f"{name}({amount})" for name in ("sepia", "grayscale", "invert") for amount in ("0.3", "0.8", "1")),
    *(f"{name}({amount})" for name in ("saturate", "brightness", "contrast") for amount in ("0.4", "1.3", "2.5")),
    "hue-rotate(40deg)", "hue-rotate(180deg)", "hue-rotate(-75deg)",
    "sepia(0.6) contrast(1.2) brightness(0.9)",
    "saturate(1.6) hue-rotate(30deg) grayscale(0.25)",
    "invert(1) sepia(0.8) saturate(1.4)",
]


def chart():
    """Cells of one colour each: greys, pure colours, and random ones. One pixel is transparent, so that derivatives
    are PNGs, which are lossless."""
    source = random.Random(20240229)
    colours = [(grey, grey, grey) for grey in range(0, 256, 5)]
    colours += [(r, g, b) for r in (0, 128, 255) for g in (0, 128, 255) for b in (0, 128, 255)]
    while len(colours) < CELLS * CELLS:
        colours.append(tuple(source.randrange(256) for _ in range(3)))
    small = Image.new("RGBA", (CELLS, CELLS))
    small.putdata([(*colour, 255) for colour in colours])
    large = small.resize((CELLS * CELL, CELLS * CELL), Image.Resampling.NEAREST)
    large.putpixel((0, 0), (0, 0, 0, 0))
    return large


def colours_of(image):
    """The colour in the middle of each cell."""
    image = image.convert("RGB")
    middle = CELL // 2
    picked = Image.new("RGB", (CELLS, CELLS))
    picked.putdata([
        image.getpixel((x * CELL + middle, y * CELL + middle)) for y in range(CELLS) for x in range(CELLS)])
    return picked


@pytest.mark.parametrize("chain", CHAINS)
def test_a_filter_gives_what_chromium_gives(gallery, chromium, chain):
    side = CELLS * CELL
    chart().save(gallery.folder / "chart.png")
    gallery.list({"Chart": "chart.png"}).build("--filter", chain, "--widths", side, "--quality", "100")
    image = gallery.photos()["Chart"]["images"][0]
    assert (image["width"], image["height"]) == (side, side)
    with Image.open(gallery.site / image["path"]) as made:
        assert made.format == "PNG"
        ours = colours_of(made)

    (gallery.folder / "chart.html").write_text(
        f'<!DOCTYPE html><body style="margin:0"><img src="chart.png" style="display:block;filter:{chain}">')
    page = chromium.new_page(viewport={"width": side, "height": side})
    page.set_default_timeout(1000 * TIMEOUT)
    page.goto((gallery.folder / "chart.html").as_uri())
    with Image.open(io.BytesIO(page.screenshot())) as shown:
        theirs = colours_of(shown)
    page.close()

    differences = [high for _, high in ImageChops.difference(ours, theirs).getextrema()]
    assert max(differences) <= 1, f"red, green and blue differ by up to {differences} levels"
