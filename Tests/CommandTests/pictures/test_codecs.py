"""Derivatives are made again with other codec libraries: recipes contain their versions, or a hash of their results."""

import sys

import pytest
from PIL import Image, JpegImagePlugin
from preloading import compile_library
from program import ROOT

# Quality → the name of the derivative with the codecs of Debian 12. It must not change, so that existing galleries do
# not have to make their pictures again.
NAMES = {
    "82": "images/da0b048cc07be990-400.jpg", "89": "images/201cc2990727e1c2-400.jpg",
    "90": "images/97a285411d353da0-400.jpg", "100": "images/b20951ea859004e5-400.jpg",
}
SUNSET = ROOT / "Samples/mountain-sunset.jpg"

# Each function replaces one of a library, and imitates another version of it.
OTHERS = {
    "zlib": 'const char *zlibVersion(void) { return "1.3.99"; }',
    "libpng": 'const char *png_get_libpng_ver(void *png) { return "1.6.99"; }',
    "a libjpeg that writes other bytes": """
        #include <dlfcn.h>
        void jpeg_set_quality(void *codec, int quality, int force_baseline) {
            void (*real)(void *, int, int) = (void (*)(void *, int, int))dlsym(RTLD_NEXT, "jpeg_set_quality");
            real(codec, quality - 1, force_baseline);
        }
    """,
    "a libjpeg that reads other pixels": """
        #include <dlfcn.h>
        unsigned jpeg_read_scanlines(void *codec, unsigned char **rows, unsigned count) {
            unsigned (*real)(void *, unsigned char **, unsigned) = dlsym(RTLD_NEXT, "jpeg_read_scanlines");
            unsigned done = real(codec, rows, count);
            if (done > 0) rows[0][0] ^= 1;
            return done;
        }
    """,
}


@pytest.fixture
def sunset(gallery):
    return gallery.list({"Sunset": str(SUNSET)})


def options(quality="82"):
    return ["--widths", "400", "--filter", "none", "--quality", quality]


def picture(gallery):
    (image,) = gallery.photos()["Sunset"]["images"]
    return image["path"]


@pytest.mark.parametrize("quality", NAMES)
def test_a_jpeg_keeps_its_name_between_versions_of_gallerygen(quality, sunset):
    sunset.build(*options(quality))
    assert picture(sunset) == NAMES[quality]


def test_a_jpeg_has_the_same_name_without_vector_instructions(sunset):
    sunset.build(*options(), env={"JSIMD_FORCENONE": "1"})
    assert picture(sunset) == NAMES["82"]


@pytest.mark.skipif(sys.platform != "linux", reason="LD_PRELOAD works like this only on Linux")
@pytest.mark.parametrize("other", OTHERS)
def test_with_another_library_derivatives_are_made_again_once(other, sunset, tmp_path):
    (tmp_path / "other.c").write_text("#define _GNU_SOURCE\n" + OTHERS[other])
    loaded = {"LD_PRELOAD": str(compile_library(tmp_path / "other.c", tmp_path / "other.so"))}
    sunset.build(*options())
    before = picture(sunset)
    sunset.build(*options(), env=loaded)
    assert picture(sunset) != before
    assert "Nothing to do" in sunset.build(*options(), env=loaded).err
    sunset.build(*options())
    assert picture(sunset) == before


@pytest.mark.parametrize(
    "quality, sampling", [("1", "4:2:0"), ("82", "4:2:0"), ("89", "4:2:0"), ("90", "4:4:4"), ("100", "4:4:4")]
)
def test_jpegs_have_full_colour_resolution_from_quality_90_on(quality, sampling, gallery):
    stripes = Image.new("RGB", (64, 64), (0, 0, 255))
    for x in range(0, 64, 2):
        stripes.paste((255, 0, 0), (x, 0, x + 1, 64))
    stripes.save(gallery.folder / "stripes.png")
    gallery.list({"Stripes": "stripes.png"}).build("--filter", "none", "--widths", "64", "--quality", quality)
    (image,) = gallery.photos()["Stripes"]["images"]
    with Image.open(gallery.site / image["path"]) as picture:
        assert JpegImagePlugin.get_sampling(picture) == {"4:4:4": 0, "4:2:0": 2}[sampling]
        red, _, blue = picture.getpixel((30, 30))
    # With 4:2:0, neighbouring pixels share one colour.
    assert (red > 200 and blue < 60) == (sampling == "4:4:4")
