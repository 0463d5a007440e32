"""Memory of a build for each photo: a gallery of 100,000 photos must be built within 500 MB."""

import re
import resource
import statistics
import sys

import pytest
from gallery import Gallery
from pictures import jpeg, with_comment

FEW, MANY = 5_000, 15_000


@pytest.fixture(scope="module")
def peaks(program, tmp_path_factory):
    """Kind of build → peak memory in MB for few and for many photos. The builds are a first one, one without changes,
    and one with another filter."""

    def measured(gallery, *options):
        run = gallery.program.run_measured("build", "--no-originals", *options, cwd=gallery.folder)
        assert run.code == 0, run.output
        return run.peak_rss_mb

    def grown(size):
        gallery = Gallery(tmp_path_factory.mktemp(f"gallery-of-{size}"), program)
        (gallery.folder / "photos").mkdir()
        picture = jpeg(1, 32, 24)
        for number in range(size):
            (gallery.folder / f"photos/{number:05d}.jpg").write_bytes(with_comment(picture, f"{number:08d}"))
        names = [f"Photo {number:05d} of a gallery" for number in range(size)]
        albums = {
            f"Album {start}": {
                name: f"photos/{number:05d}.jpg" for number, name in enumerate(names[start : start + 100], start)
            }
            for start in range(0, size, 100)
        }
        gallery.list(albums)
        first, unchanged = measured(gallery), measured(gallery)
        # With few photos, the peak depends on when each thread has the most work, by several megabytes.
        filters = [f"grayscale({amount})" for amount in ((0.3, 0.6, 1) if size == FEW else (1,))]
        filtered = statistics.median(measured(gallery, "--filter", chain) for chain in filters)
        return {"first": first, "unchanged": unchanged, "filtered": filtered}

    few, many = grown(FEW), grown(MANY)
    return {build: (few[build], many[build]) for build in few}


@pytest.mark.parametrize("build, most", [("first", 5_000), ("unchanged", 6_500), ("filtered", 5_000)])
def test_each_additional_photo_takes_little_memory(peaks, build, most):
    few, many = peaks[build]
    assert (many - few) * 1_024_000 / (MANY - FEW) < most


def test_thousands_of_failures_and_albums_need_no_deep_stack(gallery):
    """Pages render a template for each of them. That must not build a structure whose depth grows with their number,
    and that is walked by recursion."""
    size = 3_000
    gallery.list({f"Album {number}": {f"Photo {number}": f"gone/{number}.jpg"} for number in range(size)})

    def shallow():
        resource.setrlimit(resource.RLIMIT_STACK, (512 << 10, 512 << 10))

    run = gallery.build(preexec_fn=shallow)
    assert f"{size} failed" in run.output
    assert gallery.page("index.html")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems use their own allocator")
def test_all_libraries_use_the_allocator_that_the_program_is_linked_with(program, tmp_path):
    """No library links to tcmalloc itself; the order of the libraries decides which allocator it gets."""
    log_bindings = {"LD_DEBUG": "bindings", "LD_DEBUG_OUTPUT": str(tmp_path / "bindings"), "LD_BIND_NOW": "1"}
    run = program.run("--version", cwd=tmp_path, env=log_bindings)
    assert run.code == 0, run.output
    (log,) = tmp_path.glob("bindings.*")
    bindings = re.findall(r"binding file (.+?) \[\d+\] to (.+?) \[\d+\]: normal symbol `(\w+)'", log.read_text())
    for function in ("malloc", "calloc", "realloc", "free", "posix_memalign", "aligned_alloc", "malloc_usable_size"):
        definers = {definer for user, definer, symbol in bindings if symbol == function and "/ld-linux" not in user}
        assert {definer.rsplit("/", 1)[-1].split(".")[0] for definer in definers} == {"libtcmalloc_minimal"}, function
