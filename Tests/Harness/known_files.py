"""Manifests and pictures with known outcomes, as their `expected.json` tables describe them.

The fixtures of the Swift tests come first. The folder `shared` (GALLERYGEN_SHARED, by default beside the checkout) may
add files that are not part of the checkout.
"""

import json
import os
from pathlib import Path

from program import ROOT

SHARED = Path(os.environ.get("GALLERYGEN_SHARED", ROOT.parent / "shared"))
SAMPLES = ROOT / "Samples"


def _tables(fixtures, shared, is_right):
    """The folders whose expected.json is the one that `is_right` recognises."""
    found = sorted((ROOT / "Tests" / fixtures / "Fixtures").rglob("expected.json")) + [
        SHARED / shared / "expected.json"
    ]
    return [path.parent for path in found if path.is_file() and is_right(json.loads(path.read_bytes()))]


MANIFEST_FOLDERS = _tables("ManifestTests", "manifests", lambda table: "duplicate-key.plist" in table)
PICTURE_FOLDERS = _tables("ImagingTests", "images", lambda table: "exif/landscape-1.jpg" in table)


def _known(folders, always=lambda facts: False):
    """Name → (file, facts) of each entry whose file exists, or whose file the test generates (file is then None)."""
    known = {}
    for folder in folders:
        for name, facts in json.loads((folder / "expected.json").read_bytes()).items():
            file = folder / name
            if name not in known and (file.is_file() or always(facts)):
                known[name] = (file if file.is_file() else None, facts)
    return known


MANIFESTS = _known(MANIFEST_FOLDERS, always=lambda facts: "generated" in facts)
PICTURES = _known(PICTURE_FOLDERS)

FIXTURES = ROOT / "Tests/ImagingTests/Fixtures/images"

#: One picture for each path through the imaging pipeline.
PIPELINE = {
    "reduced on load": ROOT / "Samples/mountain-sunset.jpg",
    "own width": ROOT / "Samples/dandelions.jpg",
    "turned right": ROOT / "Samples/two-dogs-orientation6.jpg",
    "turned left": ROOT / "Samples/dragonfly-orientation8.jpg",
    "Adobe RGB": ROOT / "Samples/cut-fig-adobergb.jpg",
    "Display P3": ROOT / "Samples/paintbrushes-p3.jpg",
    "opaque PNG": ROOT / "Samples/plum-blossom.png",
    "grey PNG": ROOT / "Samples/rocky-shore-grey.png",
    "transparent PNG": ROOT / "Samples/tulips-vignette-alpha.png",
    "progressive": FIXTURES / "jpeg/progressive-444-97x61.jpg",
    "arithmetic": FIXTURES / "jpeg/arithmetic.jpg",
    "inks": FIXTURES / "jpeg/ycck-adobe.jpg",
    "16 bits": FIXTURES / "png/rgb16-icc-prophoto.png",
    "interlaced": FIXTURES / "png/rgba8-interlaced.png",
}


def summary():
    """A line for the header of the test report."""
    missing = "" if SHARED.is_dir() else "; there is no folder 'shared', so its pictures are left out"
    return f"known files: {len(MANIFESTS)} manifests, {len(PICTURES)} pictures{missing}"
