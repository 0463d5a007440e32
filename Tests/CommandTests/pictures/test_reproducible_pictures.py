"""Derivatives have the same bytes on any machine, with any number of jobs, with and without vector instructions.

pinned-pictures.json contains the SHA-256 of each derivative, made with the codecs of Debian 12. With other codecs, or
after an intended change of the pipeline, the failing test prints the new table.
"""

import hashlib
import json
from pathlib import Path

import known_files
import pytest

PINNED = Path(__file__).with_name("pinned-pictures.json")


def digests(gallery, *arguments, env=None):
    """Builds the pictures, and returns name → size → SHA-256."""
    gallery.list({name: str(file) for name, file in known_files.PIPELINE.items()})
    gallery.build("--widths", "64,320,800", *arguments, env=env, timeout=300)
    table = {}
    for name, photo in gallery.photos().items():
        images = {str(image["width"]): image["path"] for image in photo["images"]} | {
            "unfiltered": photo["original"]["path"]
        }
        table[name] = {
            size: hashlib.sha256((gallery.site / path).read_bytes()).hexdigest() for size, path in images.items()}
    return table


@pytest.mark.parametrize(
    "arguments, env",
    [(["--jobs", "1"], {}), (["--jobs", "7"], {}), ([], {"JSIMD_FORCENONE": "1"})],
    ids=["one job", "seven jobs", "no vector instructions"])
def test_pictures_have_the_pinned_digests(arguments, env, gallery):
    made = digests(gallery, *arguments, env=env)
    assert made == json.loads(PINNED.read_bytes()), json.dumps(made, indent=1)


def test_a_single_missing_picture_is_made_with_the_same_bytes(gallery):
    made = digests(gallery)
    for name, photo in gallery.photos().items():
        for image in [*photo["images"], photo["original"]]:
            (gallery.site / image["path"]).unlink()
            gallery.build("--widths", "64,320,800")
            size = "unfiltered" if image == photo["original"] else str(image["width"])
            assert hashlib.sha256((gallery.site / image["path"]).read_bytes()).hexdigest() == made[name][size]
