"""Reduced pictures, compared with reductions that are computed without the program."""

import numpy as np
import pytest
from image_similarity import SAMPLES, luma, resized, similarity, upright_srgb
from PIL import Image


def build_plain(gallery, photos, widths):
    """Builds without a filter, and with the highest quality."""
    gallery.list({name: str(file) for name, file in photos.items()})
    gallery.build("--filter", "none", "--quality", "100", "--widths", widths, timeout=300)
    return gallery.photos()


def pixels_of(gallery, image):
    with Image.open(gallery.site / image["path"]) as picture:
        return np.asarray(picture)


def test_every_derivative_of_every_sample_is_similar_to_an_exact_lanczos_reduction(gallery):
    photos = build_plain(gallery, {file.stem: file for file in SAMPLES}, "200,320,800,1100,1600")
    worst = {}
    for file in SAMPLES:
        original = upright_srgb(file)
        for image in photos[file.stem]["images"]:
            expected = luma(resized(original, image["width"], image["height"]))
            worst[file.stem, image["width"]] = similarity(luma(pixels_of(gallery, image)), expected)
    assert min(worst.values()) >= 0.99, sorted(worst.items(), key=lambda item: item[1])[:5]


def png(folder, name, pixels):
    """A PNG with transparency, so that its derivatives are PNGs too, which are lossless."""
    alpha = np.full((*pixels.shape[:2], 1), 255, np.uint8)
    alpha[0, 0] = 254
    path = folder / f"{name}.png"
    Image.fromarray(np.concatenate([pixels, alpha], axis=2), "RGBA").save(path)
    return path


def line_art(width, height):
    """Black lines, one to five pixels wide, straight and slanted, on white."""
    y, x = np.mgrid[:height, :width]
    ink = np.zeros((height, width), bool)
    for index in range(5):
        ink |= abs(x - width * (index + 1) // 8) <= index // 2
        ink |= abs(y - height * (index + 1) // 8) <= index // 2
        ink |= abs(3 * x + y - width * (index + 2) // 2) <= 2 * index
    return np.where(ink[..., None], 0, 255).astype(np.uint8).repeat(3, axis=2)


def test_line_art_has_no_more_ringing_than_an_exact_reduction(gallery, tmp_path):
    art = line_art(2001, 1499)
    photos = build_plain(gallery, {"Lines": png(tmp_path, "lines", art)}, "250,500,1000,1700")
    distance = np.asarray(Image.fromarray((255 - art[..., 0])).convert("F"))
    for image in photos["Lines"]["images"]:
        width, height = image["width"], image["height"]
        made = pixels_of(gallery, image)[..., :3].astype(float)
        difference = abs(made - resized(art, width, height))
        # A derivative of at most half the width of another one is made from that one. Two steps make lines a little
        # sharper than one.
        in_one_step = not any(other["width"] >= 2 * width for other in photos["Lines"]["images"])
        assert difference.mean() < (0.1 if in_one_step else 1)
        assert difference.max() <= (1 if in_one_step else 24)
        # The background stays white where no line is within four pixels of the result.
        reach = 9
        ink = np.asarray(Image.fromarray(distance, "F").resize((width, height), Image.BOX)) > 0
        near = np.zeros_like(ink)
        for dy in range(-reach // 2, reach // 2 + 1):
            for dx in range(-reach // 2, reach // 2 + 1):
                near |= np.roll(ink, (dy, dx), axis=(0, 1))
        assert made[~near].min() >= 254


@pytest.mark.parametrize("size", [(1001, 801), (1000, 800), (1023, 767), (641, 641)])
def test_reductions_are_symmetric(size, gallery, tmp_path):
    width, height = size
    y, x = np.mgrid[:height, :width]
    ink = (abs(2 * x - width + 1) <= 20) | (abs(2 * y - height + 1) <= 20)
    cross = np.where(ink[..., None], 0, 255).astype(np.uint8).repeat(3, axis=2)
    jpeg = tmp_path / "cross.jpg"
    Image.fromarray(cross).save(jpeg, quality=100, subsampling=0)
    photos = build_plain(gallery, {"PNG": png(tmp_path, "cross", cross), "JPEG": jpeg}, "99,100,333,640")
    for name, tolerance in [("PNG", 1.5), ("JPEG", 8)]:
        for image in photos[name]["images"]:
            level = pixels_of(gallery, image)[..., 1].astype(float)
            if name == "PNG":
                level = level[1:-1, 1:-1]
            assert abs(level - level[::-1]).max() <= tolerance, (name, image)
            assert abs(level - level[:, ::-1]).max() <= tolerance, (name, image)


@pytest.mark.parametrize("size", [(1, 1), (1, 700), (700, 1), (2, 999), (999, 2), (3, 3), (17, 5)])
@pytest.mark.parametrize("ending", ["jpg", "png"])
def test_tiny_pictures_keep_their_colour_up_to_the_edge(size, ending, gallery, tmp_path):
    file = tmp_path / f"small.{ending}"
    Image.new("RGB", size, (200, 120, 40)).save(file, **({"quality": 100, "subsampling": 0} if ending == "jpg" else {}))
    photo = build_plain(gallery, {"Small": file}, "1,2,7,500")["Small"]
    assert (photo["width"], photo["height"]) == size
    for image in photo["images"]:
        made = pixels_of(gallery, image).reshape(-1, 3).astype(int)
        assert abs(made - [200, 120, 40]).max() <= 3, image


def test_a_jpeg_of_few_rows_has_their_colours(gallery, tmp_path):
    rows = np.zeros((3, 6_000, 3), np.uint8)
    rows[:, :, 1] = [[200], [200], [10]]
    Image.fromarray(rows).save(tmp_path / "strip.jpg", quality=100, subsampling=0)
    photos = build_plain(gallery, {"Strip": tmp_path / "strip.jpg"}, "50,300")
    for image in photos["Strip"]["images"]:
        assert abs(pixels_of(gallery, image)[..., 1].mean() - rows[..., 1].mean()) < 10
