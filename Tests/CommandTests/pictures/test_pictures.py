"""Builds every picture with a known outcome, as one gallery."""

import re

import known_files
import pytest
from gallery import Gallery, text_of
from lossless_webp import COLOUR, GREEN, PREDICTOR, many_groups, many_groups_of_transparency
from PIL import Image

PICTURES = {name: facts for name, (_, facts) in known_files.PICTURES.items()}


@pytest.fixture(scope="module")
def corpus(program, tmp_path_factory):
    gallery = Gallery(tmp_path_factory.mktemp("corpus"), program)
    gallery.list({name: str(file) for name, (file, _) in known_files.PICTURES.items()})
    gallery.build(timeout=300)
    gallery.outcomes = gallery.photos()
    return gallery


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_has_its_known_outcome(name, corpus):
    facts, photo = PICTURES[name], corpus.outcomes[name]
    right = set(facts.get("reasons", ())) | ({facts["reason"]} if facts["reason"] else set())
    if photo["state"] == "failed":
        assert facts["outcome"] == "error" or not facts["firm"], photo["reason"]
        assert photo["reason"]["code"] in right
        assert photo["images"] == []
        return
    assert facts["outcome"] == "ok" or not facts["firm"]
    assert photo["state"] == "filtered"
    if facts["firm"]:
        assert (photo["width"], photo["height"]) == (facts["upright_width"], facts["upright_height"])
    for image in [*photo["images"], photo["original"]]:
        file = corpus.site / image["path"]
        assert file.stat().st_size == image["bytes"]
        with Image.open(file) as made:
            made.load()
            assert made.size == (image["width"], image["height"])
            assert made.format == ("PNG" if facts["alpha"] else "JPEG") or facts["alpha"] is None
            assert image["width"] <= photo["width"]


def test_the_site_of_the_corpus_is_complete_and_contains_no_metadata_that_must_not_be_published(corpus):
    assert corpus.files() == corpus.accounted_for()
    everything = text_of(corpus.site)
    for facts in PICTURES.values():
        for text in facts.get("never", ()):
            assert text.encode() not in everything


def test_the_page_of_every_failed_picture_shows_its_message(corpus):
    for photo in corpus.outcomes.values():
        if photo["state"] == "failed":
            message = " ".join(photo["reason"]["message"].split())
            assert message in corpus.page(photo["page"]).text


@pytest.mark.alone
@pytest.mark.parametrize(
    "name", [name for name, facts in PICTURES.items() if "max_seconds" in facts or "max_rss_mb" in facts]
)
def test_a_decompression_bomb_is_bounded_in_time_and_memory(name, gallery):
    file, facts = known_files.PICTURES[name]
    gallery.list({"Bomb": str(file)})
    run = gallery.program.run_measured("build", cwd=gallery.folder)
    assert run.code == 0, run.output
    assert run.seconds <= facts.get("max_seconds", float("inf"))
    assert run.peak_rss_mb <= facts.get("max_rss_mb", float("inf"))


@pytest.mark.alone
def test_webps_whose_decoder_needs_much_memory_are_decoded_one_after_another(gallery):
    """Each picture has 74 KB and 512 × 512 pixels, but libwebp allocates 203 MB of tables for it, and fills 90 MB."""
    for bits in range(4):
        (gallery.folder / f"{bits}.webp").write_bytes(many_groups(512, cache_bits=bits))
    gallery.list({"One": "0.webp"})
    alone = gallery.program.run_measured("build", "--jobs", "4", "--memory", "250MB", cwd=gallery.folder)
    gallery.list({f"Photo {bits}": f"{bits}.webp" for bits in range(4)})
    together = gallery.program.run_measured("build", "--jobs", "4", "--memory", "250MB", "--force", cwd=gallery.folder)
    assert [alone.code, together.code] == [0, 0], alone.output + together.output
    assert gallery.status()["counts"]["filtered"] == 4
    assert together.peak_rss_mb <= alone.peak_rss_mb + 40


@pytest.mark.parametrize("make", [many_groups, many_groups_of_transparency])
@pytest.mark.parametrize("transforms", [(), (PREDICTOR, COLOUR, GREEN)])
def test_a_webp_whose_decoder_needs_more_than_the_limit_is_refused(make, transforms, gallery):
    """The picture has 74 KB and 512 × 512 pixels, but so many tables that libwebp allocates 340 MB for them. No encoder
    writes so many."""
    (gallery.folder / "tables.webp").write_bytes(make(512, cache_bits=11, transforms=transforms))
    gallery.list({"Tables": "tables.webp"})
    refused = gallery.program.run_measured("build", "--memory", "100MB", cwd=gallery.folder)
    assert refused.code == 0, refused.output
    reason = gallery.photos()["Tables"]["reason"]
    assert reason["code"] == "too-large"
    assert re.fullmatch(
        r"The picture needs 3[34]\d MB of memory, more than the limit of 100 MB; --memory 350MB would allow it\.",
        reason["message"])
    assert refused.peak_rss_mb <= 100
    taken = gallery.program.run_measured("build", "--memory", "350MB", cwd=gallery.folder)
    assert taken.code == 0, taken.output
    assert gallery.photos()["Tables"]["state"] == "filtered"
    assert taken.peak_rss_mb <= 350


def test_a_webp_of_an_encoder_needs_little_more_memory_than_its_pixels(gallery):
    with Image.effect_noise((1200, 900), 60) as noise:
        noise.convert("RGB").save(gallery.folder / "noise.webp", lossless=True, quality=0, method=0)
    gallery.list({"Noise": "noise.webp"})
    gallery.build("--memory", "25MB")
    assert gallery.photos()["Noise"]["state"] == "filtered"


def test_no_derivative_is_wider_than_its_photo(samples):
    samples.build()
    photo = samples.photos()["Milky Way over the Sea"]
    assert [image["width"] for image in photo["images"]] == [400, 800, 1080]
    assert photo["original"]["width"] == 1080
    upright = samples.photos()["Two Dogs on a Balcony"]
    assert (upright["width"], upright["height"]) == (800, 1202)
    assert [image["width"] for image in upright["images"]] == [400, 800]


def test_without_originals_only_filtered_pictures_are_published(samples):
    samples.build("--no-originals", "--widths", "160")
    assert {photo["original"] and "there" for photo in samples.photos().values()} == {None}


def test_without_a_filter_photos_have_the_state_downloaded(samples):
    samples.build("--filter", "none", "--widths", "160")
    assert {photo["state"] for photo in samples.photos().values()} == {"downloaded", "failed"}
