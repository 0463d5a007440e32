"""Pictures are published as PNG only if a pixel is not opaque; an alpha channel alone is no reason."""

import shutil

import numpy as np
import pytest
from PIL import Image


def picture(alpha=None):
    """A colour gradient that is opaque except for the pixels in `alpha`, (row, column) → alpha."""
    y, x = np.mgrid[:300, :400]
    pixels = np.stack([x // 2, y // 2, (x + y) // 4, np.full_like(x, 255)], axis=2).astype(np.uint8)
    for (row, column), value in (alpha or {}).items():
        pixels[row, column, 3] = value
    return Image.fromarray(pixels, "RGBA")


def save(folder, name, image, **options):
    image.save(folder / name, **options)
    return str(folder / name)


def extensions(gallery):
    """Name → extensions of each photo's pictures."""
    return {
        name: {image["path"].rsplit(".")[-1] for image in [*photo["images"], photo["original"]]}
        for name, photo in gallery.photos().items()}


@pytest.fixture
def listed(gallery, tmp_path):
    opaque = picture()
    return gallery.list({
        "RGBA": save(tmp_path, "rgba.png", opaque),
        "Grey": save(tmp_path, "grey.png", opaque.convert("LA")),
        "Palette": save(tmp_path, "palette.png", opaque.convert("RGB").quantize(16), transparency=bytes([255] * 16)),
        "WebP": save(tmp_path, "lossless.webp", opaque, lossless=True, exact=True),
        "First pixel": save(tmp_path, "first.png", picture({(0, 0): 254})),
        "Last pixel": save(tmp_path, "last.png", picture({(299, 399): 0})),
    })


EXPECTED = {
    "RGBA": {"jpg"},
    "Grey": {"jpg"},
    "Palette": {"jpg"},
    "WebP": {"jpg"},
    "First pixel": {"png"},
    "Last pixel": {"png"},
}


def test_a_picture_with_an_opaque_alpha_channel_is_published_as_jpeg(listed):
    listed.build("--widths", "100,400")
    assert extensions(listed) == EXPECTED
    assert listed.files() == listed.accounted_for()
    for name in EXPECTED:
        with Image.open(listed.site / listed.photos()[name]["images"][-1]["path"]) as made:
            assert made.size == (400, 300)


def test_a_jpeg_of_an_opaque_png_has_its_colours(listed):
    listed.build("--widths", "400", "--filter", "none", "--quality", "95")
    expected = np.asarray(picture().convert("RGB")).astype(int)
    with Image.open(listed.site / listed.photos()["RGBA"]["images"][0]["path"]) as made:
        assert abs(np.asarray(made).astype(int) - expected).max() <= 8


def test_no_temporary_or_superfluous_derivatives_are_left(listed):
    listed.build("--widths", "100,400")
    left = [file for file in (listed.folder / ".gallerygen").rglob("*.tmp")]
    assert left == []
    names = {file.name for file in (listed.folder / ".gallerygen").rglob("*-400.*")}
    assert sorted(name.rsplit(".")[-1] for name in names) == ["jpg"] * 8 + ["png"] * 4


def test_the_next_build_does_not_check_transparency_again(listed):
    listed.build("--widths", "100,400")
    before = listed.identities()
    listed.build("--widths", "100,400")
    assert listed.identities() == before
    # The quality affects only JPEGs.
    listed.build("--widths", "100,400", "--quality", "70")
    unchanged = {path for path, identity in listed.identities().items() if before.get(path) == identity}
    assert {path.rsplit(".")[-1] for path in unchanged if path.startswith("images/")} == {"png"}


def test_without_the_ledger_the_same_pictures_are_published(listed):
    listed.build("--widths", "100,400")
    before = listed.contents()
    for file in (listed.folder / ".gallerygen").glob("*.sqlite*"):
        file.unlink()
    listed.build("--widths", "100,400")
    assert {path for path in listed.contents() if path.startswith("images/")} == {
        path for path in before if path.startswith("images/")}


def test_a_picture_that_becomes_transparent_becomes_png(listed, tmp_path):
    listed.build("--widths", "100,400")
    shutil.copy(tmp_path / "last.png", tmp_path / "rgba.png")
    listed.build("--widths", "100,400")
    assert extensions(listed) == EXPECTED | {"RGBA": {"png"}}
    assert listed.files() == listed.accounted_for()
