"""Progressive JPEGs. The coefficients of large ones are packed while they are decoded."""

import known_files
import numpy as np
import pytest
from PIL import Image
from pictures import encoded


def photograph(width, height):
    with Image.open(known_files.SAMPLES / "picos-de-europa.jpg") as photo:
        return photo.convert("RGB").resize((width, height), Image.Resampling.BICUBIC)


def noise(width, height, mode="RGB"):
    """Noise that hardly changes in the upper half and reaches from black to white in the lower half."""
    generator = np.random.default_rng(1)
    shape = (height // 2, width, len(mode)) if len(mode) > 1 else (height // 2, width)
    faint, strong = generator.integers(120, 136, shape), generator.integers(0, 256, shape)
    return Image.fromarray(np.concatenate([faint, strong]).astype(np.uint8), mode)


# The coefficients of each take more than 16 MB.
LARGE = {
    "photograph": (photograph, (3_000, 2_000), {"quality": 85}),
    "photograph-420": (photograph, (3_011, 2_005), {"quality": 95, "subsampling": "4:2:0"}),
    "photograph-422": (photograph, (3_011, 2_005), {"quality": 60, "subsampling": "4:2:2"}),
    "noise": (noise, (2_200, 1_400), {"quality": 75, "subsampling": "4:4:4"}),
    "finest-noise": (noise, (2_200, 1_400), {"quality": 100, "subsampling": "4:4:4"}),
    "grey-noise": (noise, (3_400, 2_600, "L"), {"quality": 98}),
    "inks": (noise, (1_600, 1_400, "CMYK"), {"quality": 90}),
    "white": (lambda *size: Image.new("RGB", size, "white"), (3_000, 2_000), {"quality": 85}),
}


@pytest.mark.parametrize("name", LARGE)
def test_a_large_progressive_picture_looks_as_the_baseline_one_with_its_coefficients(name, gallery):
    draw, size, options = LARGE[name]
    picture = draw(*size)
    for kind in (False, True):
        picture.save(gallery.folder / f"{kind}.jpg", progressive=kind, **options)
    gallery.list({"Baseline": "False.jpg", "Progressive": "True.jpg"})
    gallery.build()
    baseline, progressive = (
        [(gallery.site / image["path"]).read_bytes() for image in gallery.photos()[kind]["images"]]
        for kind in ("Baseline", "Progressive"))
    assert len(baseline) == 3 and baseline == progressive


def first_scan_of(picture):
    """The file without its other scans, as a complete file."""
    second = picture.index(b"\xff\xda", picture.index(b"\xff\xda") + 2)
    return picture[:second] + b"\xff\xd9"


@pytest.mark.parametrize("subsampling", ["4:4:4", "4:2:0"])
def test_a_large_picture_that_lacks_scans_is_smoothed_as_a_small_one(subsampling, gallery):
    """The pictures are stripes of the same colours, so that the width makes no difference."""
    colours = np.random.default_rng(1).integers(0, 256, (250, 1, 3)).astype(np.uint8)
    for name, width in (("Large", 3_000), ("Small", 64)):
        stripes = np.repeat(np.repeat(colours, 8, axis=0), width, axis=1)
        whole = encoded(Image.fromarray(stripes), "JPEG", progressive=True, quality=90, subsampling=subsampling)
        (gallery.folder / f"{name}.jpg").write_bytes(first_scan_of(whole))
    gallery.list({"Large": "Large.jpg", "Small": "Small.jpg"})
    gallery.build("--widths", "3000", "--filter", "none")
    pixels = {}
    for name, photo in gallery.photos().items():
        with Image.open(gallery.site / photo["images"][-1]["path"]) as published:
            pixels[name] = np.array(published)
    assert pixels["Large"].shape == (2_000, 3_000, 3) and len(np.unique(pixels["Large"])) > 200
    assert (pixels["Large"][:, :48] == pixels["Small"][:, :48]).all()


def test_two_progressive_photos_of_15_megapixels_at_a_time_take_at_most_100_mb(gallery):
    for number in range(2):
        photograph(4_752, 3_168).save(gallery.folder / f"{number}.jpg", progressive=True, quality=90 + number)
    gallery.list({"One": "0.jpg", "Two": "1.jpg"})
    run = gallery.program.run_measured("build", "--jobs", "2", cwd=gallery.folder)
    assert run.code == 0 and gallery.reasons() == {}
    assert run.peak_rss_mb <= 100
