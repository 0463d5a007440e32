"""Memory per photo: a gallery of 100,000 must fit into 300 MB, so nothing of a photo is held for long."""

import re
import resource
import sys

import pytest
from gallery import Gallery
from pictures import jpeg

FEW, MANY = 5_000, 10_000


@pytest.fixture(scope="module")
def peaks(program, tmp_path_factory):
    """Build → peak memory of galleries of few and of many photos, MB: the first, one without work, one with another
    filter."""

    def measured(gallery, *options):
        run = gallery.program.run_measured("build", "--no-originals", *options, cwd=gallery.folder, timeout=600)
        assert run.code == 0, run.output
        return run.peak_rss_mb

    def grown(size):
        gallery = Gallery(tmp_path_factory.mktemp(f"gallery-of-{size}"), program)
        (gallery.folder / "photos").mkdir()
        picture = jpeg(1, 32, 24)
        for number in range(size):
            # A comment in each, so that all are different files.
            comment = b"\xff\xfe\x00\x0a" + f"{number:08d}".encode()
            (gallery.folder / f"photos/{number:05d}.jpg").write_bytes(picture[:2] + comment + picture[2:])
        names = [f"Photo {number:05d} of a gallery" for number in range(size)]
        albums = {
            f"Album {start}": {
                name: f"photos/{number:05d}.jpg" for number, name in enumerate(names[start : start + 100], start)
            }
            for start in range(0, size, 100)
        }
        gallery.list(albums)
        return {
            "first": measured(gallery), "unchanged": measured(gallery),
            "filtered": measured(gallery, "--filter", "grayscale(1)")}

    few, many = grown(FEW), grown(MANY)
    return {build: (few[build], many[build]) for build in few}


@pytest.mark.alone
@pytest.mark.parametrize("build, most", [("first", 5_000), ("unchanged", 6_500), ("filtered", 5_000)])
def test_a_photo_more_takes_little_memory(peaks, build, most):
    few, many = peaks[build]
    assert (many - few) * 1_024_000 / (MANY - FEW) < most


def test_thousands_of_failures_and_albums_need_no_deep_stack(gallery):
    """A page asks its template for something of each of them: a structure of that depth must not be walked by
    recursion."""
    size = 3_000
    gallery.list({f"Album {number}": {f"Photo {number}": f"gone/{number}.jpg"} for number in range(size)})

    def shallow():
        resource.setrlimit(resource.RLIMIT_STACK, (512 << 10, 512 << 10))

    run = gallery.build(preexec_fn=shallow)
    assert f"{size} failed" in run.output
    assert gallery.page("index.html")


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the system's allocator is used")
def test_everybody_in_the_process_uses_the_allocator_that_the_program_is_linked_with(program, tmp_path):
    """Nobody names it, so that the order of the libraries decides."""
    telling = {"LD_DEBUG": "bindings", "LD_DEBUG_OUTPUT": str(tmp_path / "bindings"), "LD_BIND_NOW": "1"}
    run = program.run("--version", cwd=tmp_path, env=telling)
    assert run.code == 0, run.output
    (told,) = tmp_path.glob("bindings.*")
    bindings = re.findall(r"binding file (.+?) \[\d+\] to (.+?) \[\d+\]: normal symbol `(\w+)'", told.read_text())
    for function in ("malloc", "calloc", "realloc", "free", "posix_memalign", "aligned_alloc", "malloc_usable_size"):
        givers = {giver for asker, giver, symbol in bindings if symbol == function and "/ld-linux" not in asker}
        assert {giver.rsplit("/", 1)[-1].split(".")[0] for giver in givers} == {"libtcmalloc_minimal"}, function
