"""--formats: what is published with WebP, what is rendered when formats change, and what stays."""

import hashlib
import json
import os
import signal
import time
from pathlib import Path

import known_files
import numpy as np
import pytest
from image_similarity import SAMPLES, luma, resized, similarity, upright_srgb
from PIL import Image
from pictures import encoded, jpeg
from program import ROOT, exit_code
from waiting import TIMEOUT, until

CLOCK = {"SOURCE_DATE_EPOCH": "1700000000"}
BOTH = ("--formats", "jpeg,webp")
PINNED = Path(__file__).with_name("pinned-webp-pictures.json")


@pytest.fixture
def lakes(gallery, web):
    """Two JPEG photos and a transparent one, which stay fresh for an hour; built without WebP."""
    for number in range(2):
        (web.root / f"{number}.jpg").write_bytes(jpeg(number, width=500, height=375))
    glass = Image.radial_gradient("L").resize((500, 375))
    (web.root / "glass.png").write_bytes(
        encoded(Image.merge("RGBA", [glass, glass.rotate(90).resize((500, 375)), glass, glass]), "PNG")
    )
    gallery.web = web
    gallery.list({"Zero": web.url("fresh/0.jpg"), "One": web.url("fresh/1.jpg"), "Glass": web.url("fresh/glass.png")})
    gallery.build(env=CLOCK)
    web.new_requests()
    return gallery


def pictures(gallery):
    """The pictures in status.json as JPEG or PNG, and as WebP."""
    pictures = [image for photo in gallery.status()["photos"] for image in [*photo["images"], photo["original"]]]
    return pictures, [image["webp"] for image in pictures if "webp" in image]


def is_webp(path):
    return path.endswith(".webp")


def test_webp_is_published_in_every_size_and_described_in_status_json(lakes):
    lakes.build(*BOTH)
    both = pictures(lakes)
    assert len(both[0]) == len(both[1]) == 9
    for image in [*both[0], *both[1]]:
        assert (lakes.site / image["path"]).stat().st_size == image["bytes"]
    for image in both[0]:
        with Image.open(lakes.site / image["webp"]["path"]) as webp, Image.open(lakes.site / image["path"]) as first:
            assert webp.format == "WEBP"
            assert webp.size == first.size == (image["width"], image["height"])
            assert not webp.info.keys() & {"exif", "icc_profile", "xmp"}
            if first.mode == "RGBA":
                assert webp.getchannel("A").tobytes() == first.getchannel("A").tobytes()
    assert lakes.files() == lakes.accounted_for()
    for page in lakes.pages():
        sources = [attributes for tag, attributes in page.elements if tag == "source"]
        assert all(source["type"] == "image/webp" and source["sizes"] for source in sources)
        shown = [attributes for tag, attributes in page.elements if tag == "img"]
        assert len(sources) == len(shown)


def test_adding_webp_renders_only_webp_and_removing_it_restores_the_site(lakes):
    before, contents = lakes.identities(), lakes.contents()
    run = lakes.build(*BOTH, "--explain", "--verbose", env=CLOCK)
    assert [line for line in run.lines() if "→" in line] == [
        f"{name}: formats jpeg → jpeg,webp" for name in ("Zero", "One", "Glass")]
    assert "3 photos rendered" in run.err
    after = lakes.identities()
    new = {path for path in after.keys() - before.keys() if path.startswith("images/")}
    assert new == {image["path"] for image in pictures(lakes)[1]} and all(map(is_webp, new))
    assert all(after[path] == before[path] for path in before if path.startswith("images/") and path in after)
    assert {path for path in before if path.endswith(".jpg")} <= after.keys()

    assert "Nothing to do" in lakes.build(*BOTH).err
    assert lakes.identities() == after

    run = lakes.build("--explain", "--verbose", env=CLOCK)
    assert [line for line in run.lines() if "→" in line] == [
        f"{name}: formats jpeg,webp → jpeg" for name in ("Zero", "One", "Glass")]
    assert "photos rendered" not in run.err or "0 photos rendered" in run.err
    assert lakes.contents() == contents
    assert lakes.web.new_requests() == [], "nothing is downloaded for another format"
    assert not any(map(is_webp, os.listdir(lakes.folder / ".gallerygen/derivatives")))


@pytest.mark.parametrize("format", [0, 1], ids=["jpeg", "webp"])
def test_a_picture_that_is_lost_everywhere_is_made_again_without_the_others(lakes, format):
    lakes.build(*BOTH)
    before, contents = lakes.identities(), lakes.contents()
    gone = pictures(lakes)[format][0]["path"]
    for path in (lakes.site / gone, lakes.folder / ".gallerygen/derivatives" / Path(gone).name):
        path.unlink(missing_ok=True)
    run = lakes.build(*BOTH, "--explain")
    assert "Zero: a derivative is missing" in run.lines()
    assert lakes.contents() == contents
    after = lakes.identities()
    assert all(after[path] == before[path] for path in before if path.startswith("images/") and path != gone)


def test_another_quality_makes_new_webp_pictures_also_of_a_transparent_photo(lakes):
    lakes.build(*BOTH)
    before = lakes.photos()
    run = lakes.build(*BOTH, "--quality", "70", "--explain")
    assert "Glass: quality 82 → 70" in run.lines()
    after = lakes.photos()
    for old, new in zip(before["Glass"]["images"], after["Glass"]["images"]):
        assert old["path"] == new["path"] and old["webp"] != new["webp"]
    for old, new in zip(before["Zero"]["images"], after["Zero"]["images"]):
        assert old["path"] != new["path"] and old["webp"] != new["webp"]


@pytest.mark.parametrize("lost", ["ledger", "state folder"])
def test_a_site_whose_ledger_was_lost_keeps_its_webp(lakes, lost):
    lakes.build(*BOTH)
    before = lakes.identities()
    for path in sorted((lakes.folder / ".gallerygen").rglob("*"), reverse=True):
        if path.is_file() and (lost == "state folder" or path.name.startswith("ledger")):
            path.unlink()
    run = lakes.build(*BOTH, "--verbose")
    assert "photos rendered" not in run.err or "0 photos rendered" in run.err
    assert lakes.identities() == before
    assert "Nothing to do" in lakes.build(*BOTH).err


def test_a_photo_that_cannot_be_refreshed_keeps_its_webp(lakes):
    lakes.build(*BOTH)
    before = lakes.photos()["Zero"]
    (lakes.web.root / "0.jpg").unlink()
    lakes.build(*BOTH, "--force")
    after = lakes.photos()["Zero"]
    assert after["stale"]["code"] == "not-found"
    assert after["images"] == before["images"] and after["original"] == before["original"]


def test_a_picture_too_large_for_webp_is_published_without_it(gallery):
    Image.new("L", (16, 16_384), 90).save(gallery.folder / "long.jpg")
    (gallery.folder / "one.jpg").write_bytes(jpeg(1))
    gallery.list({"Long": "long.jpg", "One": "one.jpg"}).build(*BOTH)
    photos = gallery.photos()
    assert not any("webp" in image for image in photos["Long"]["images"])
    assert all("webp" in image for image in photos["One"]["images"])
    shown = {image["path"].rpartition("-")[0] for image in photos["Long"]["images"]}
    elements = gallery.page(photos["Long"]["page"]).elements
    sources = [attributes["srcset"] for tag, attributes in elements if tag == "source"]
    assert not any(name in srcset for name in shown for srcset in sources)
    assert "Nothing to do" in gallery.build(*BOTH).err


def test_clean_removes_webp(lakes):
    lakes.build(*BOTH)
    lakes.run("clean")
    assert not lakes.site.exists() or lakes.files() == set()


@pytest.mark.parametrize("formats", ["jpeg,webp", "webp, jpeg", "JPEG,WebP", "jpeg,webp,webp"])
def test_the_formats_may_come_from_the_settings_or_the_environment_in_any_order(three_photos, formats):
    (three_photos.folder / "gallerygen.yaml").write_text(f"formats: {formats}\n")
    three_photos.build()
    contents = three_photos.contents()
    assert any(map(is_webp, contents))
    (three_photos.folder / "gallerygen.yaml").unlink()
    assert "Nothing to do" in three_photos.build(env={"GALLERYGEN_FORMATS": formats}).err
    assert three_photos.contents() == contents


@pytest.mark.parametrize("formats, hint", [
    ("jpg", "did you mean jpeg?"), ("jpeg,wepb", "did you mean webp?"), ("jpeg,avif", "AVIF is not supported"),
    ("heic", "HEIC is not supported"), ("webp", "jpeg is required"), ("jpeg,", "jpeg or jpeg,webp"),
    ("", "jpeg or jpeg,webp"), ("png", "transparent pictures are published as PNG automatically")])
def test_an_invalid_format_is_named_with_a_suggestion(three_photos, formats, hint):
    run = three_photos.build("--formats", formats, expect=64)
    assert "--formats" in run.err and hint in run.err and "jpeg or jpeg,webp" in run.err
    assert not three_photos.site.exists()
    if formats:  # An empty variable counts as not set.
        run = three_photos.build(expect=78, env={"GALLERYGEN_FORMATS": formats})
        assert "GALLERYGEN_FORMATS" in run.err and hint in run.err


def test_webp_is_as_similar_to_the_original_as_jpeg_and_smaller(gallery):
    gallery.list({file.name: str(file) for file in SAMPLES})
    gallery.build(*BOTH, "--filter", "none", "--widths", "320", timeout=300)
    sizes, gains = np.zeros(2), []
    for name, photo in gallery.photos().items():
        image = photo["images"][0]
        original = luma(resized(upright_srgb(ROOT / "Samples" / name), image["width"], image["height"]))
        sizes += [image["bytes"], image["webp"]["bytes"]]
        jpeg, webp = (
            similarity(luma(np.asarray(Image.open(gallery.site / path).convert("RGB"))), original)
            for path in (image["path"], image["webp"]["path"]))
        print(f"{name}: JPEG {jpeg:.4f}, WebP {webp:.4f}")
        gains.append(webp - jpeg)
    assert sizes[1] < 0.95 * sizes[0]
    assert abs(np.median(gains)) < 0.01
    assert min(gains) > -0.03


@pytest.mark.parametrize(
    "arguments", [["--jobs", "1"], ["--jobs", "7", "--memory", "60MB"]], ids=["one job", "seven jobs"]
)
def test_webp_pictures_are_reproducible_and_do_not_change_the_other_pictures(arguments, gallery):
    gallery.list({name: str(file) for name, file in known_files.PIPELINE.items()})
    gallery.build("--widths", "64,320,800", *arguments, *BOTH, timeout=300)
    table = {}
    for name, photo in gallery.photos().items():
        images = {str(image["width"]): image for image in photo["images"]} | {"unfiltered": photo["original"]}
        table[name] = {
            size: hashlib.sha256((gallery.site / image["webp"]["path"]).read_bytes()).hexdigest()
            for size, image in images.items()}
    assert table == json.loads(PINNED.read_bytes()), json.dumps(table, indent=1)
    gallery.build("--widths", "64,320,800")
    without = gallery.contents()
    pinned = json.loads(PINNED.with_name("pinned-pictures.json").read_bytes())
    assert {digest for path, digest in without.items() if path.startswith("images/")} == {
        digest for sizes in pinned.values() for digest in sizes.values()}


def is_complete(jpeg_file):
    """Whether a JPEG has its end marker."""
    with jpeg_file.open("rb") as file:
        file.seek(max(0, jpeg_file.stat().st_size - 2))
        return file.read() == b"\xff\xd9"


@pytest.mark.alone
def test_a_build_ends_within_two_seconds_of_a_signal_while_it_encodes_webp(gallery):
    noise = Image.frombytes("RGB", (1000, 1000), os.urandom(3_000_000)).resize((7000, 7000), Image.Resampling.NEAREST)
    noise.save(gallery.folder / "large.jpg", quality=40)
    gallery.list({"Large": "large.jpg"})
    process = gallery.program.start("build", *BOTH, "--widths", "7000", "--no-originals", cwd=gallery.folder)
    try:
        # The WebP encoder, which takes many seconds, starts when the JPEG is complete.
        derivatives = gallery.folder / ".gallerygen/derivatives"
        until(lambda: any(map(is_complete, derivatives.glob(".*.jpg.*.tmp"))), process)
        start = time.monotonic()
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=TIMEOUT)
        assert time.monotonic() - start <= 2
        assert exit_code(process.returncode) == 143
        assert not gallery.site.exists()
    finally:
        process.kill()
        process.communicate()
