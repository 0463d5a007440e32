"""pyvips-gallery OUTPUT PICTURE...: makes three sepia derivatives of every picture, as an expert of libvips would.

Each picture is decoded once, sequentially, and shrunk while it is loaded. The filtered largest derivative is kept in
memory, and reduced to the others. There are two processes with one libvips thread each. On two cores this is faster
than the threads of libvips, which wait for one another within a picture.
"""

import multiprocessing
import os
import sys
from pathlib import Path

WIDTHS = (1600, 800, 400)
JOBS = 2
# Filter Effects Module Level 1, the feColorMatrix of sepia(0.8).
KEPT = 1 - 0.8
SEPIA = [
    [0.393 + 0.607 * KEPT, 0.769 - 0.769 * KEPT, 0.189 - 0.189 * KEPT],
    [0.349 - 0.349 * KEPT, 0.686 + 0.314 * KEPT, 0.168 - 0.168 * KEPT],
    [0.272 - 0.272 * KEPT, 0.534 - 0.534 * KEPT, 0.131 + 0.869 * KEPT],
]
ANY_HEIGHT = 10_000_000


def convert(job: tuple[Path, Path]) -> None:
    # Imported only in the workers, because the threads of libvips do not survive a fork.
    import pyvips

    output, picture = job
    largest = pyvips.Image.thumbnail(str(picture), WIDTHS[0], height=ANY_HEIGHT, size="down")
    if largest.hasalpha():
        largest = largest.flatten()
    largest = largest.colourspace("srgb").recomb(SEPIA).cast("uchar").copy_memory()
    made = None
    for width in WIDTHS:
        own = min(width, largest.width)
        if own == made:
            continue
        made = own
        image = largest if own == largest.width else largest.thumbnail_image(own, height=ANY_HEIGHT)
        image.jpegsave(str(output / f"{picture.stem}-{own}.jpg"), Q=82, keep="none")


def main() -> None:
    os.environ["VIPS_CONCURRENCY"] = "1"
    output = Path(sys.argv[1])
    output.mkdir()
    jobs = [(output, Path(picture)) for picture in sys.argv[2:]]
    with multiprocessing.get_context("fork").Pool(JOBS) as pool:
        for _ in pool.imap_unordered(convert, jobs):
            pass


if __name__ == "__main__":
    main()
