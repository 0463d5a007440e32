"""Similarity of pictures, and reductions of the samples that are computed without the program."""

import io

import numpy as np
from PIL import Image, ImageCms, ImageOps
from program import ROOT

SAMPLES = sorted(
    path for path in (ROOT / "Samples").iterdir() if path.suffix in (".jpg", ".png") and "alpha" not in path.name)
SRGB = ImageCms.createProfile("sRGB")


def resized(pixels, width, height):
    """Resizes an array of rows, columns and channels by Lanczos-3 in floating point, each channel for itself."""
    planes = [
        np.asarray(Image.fromarray(plane, "F").resize((width, height), Image.LANCZOS))
        for plane in np.moveaxis(pixels.astype(np.float32), 2, 0)]
    return np.clip(np.stack(planes, axis=2), 0, 255)


def upright_srgb(file):
    with Image.open(file) as picture:
        upright = ImageOps.exif_transpose(picture)
        profile = upright.info.get("icc_profile")
        if profile:
            upright = ImageCms.profileToProfile(
                upright, ImageCms.ImageCmsProfile(io.BytesIO(profile)), SRGB, ImageCms.Intent.PERCEPTUAL,
                flags=ImageCms.Flags.BLACKPOINTCOMPENSATION)
        return np.asarray(upright.convert("RGB"))


def luma(pixels):
    return pixels @ np.array([0.299, 0.587, 0.114])


def similarity(one, other):
    """The mean structural similarity (SSIM, Wang et al. 2004) over windows of 8 × 8 pixels."""
    def mean(values):
        sums = np.pad(values.cumsum(0).cumsum(1), ((1, 0), (1, 0)))
        return (sums[8:, 8:] - sums[:-8, 8:] - sums[8:, :-8] + sums[:-8, :-8]) / 64

    one, other = one.astype(np.float64), other.astype(np.float64)
    mean_one, mean_other = mean(one), mean(other)
    variance_one = mean(one * one) - mean_one**2
    variance_other = mean(other * other) - mean_other**2
    covariance = mean(one * other) - mean_one * mean_other
    a, b = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    return float(np.mean(
        (2 * mean_one * mean_other + a) * (2 * covariance + b)
        / ((mean_one**2 + mean_other**2 + a) * (variance_one + variance_other + b))))
