"""What grows with the number of files by itself, on this machine and disk: the same for each photo, by a program that holds no table."""

from pathlib import Path

from .measurement import Command, Failed, measure
from .packages import compiled
from .workplace import BENCHMARKS


class SameWork:
    """Makes a picture and a page for each photo of a built gallery, in place of those of the round before."""

    name = "same work"
    does = (
        "no build but a program in C: each original is decoded and coded again, a page as large as the photo's is written, and both "
        "take the place of others; it looks nothing up, so all growth beyond the number of files is the machine's")

    def __init__(self, gallery: Path):
        self.program = compiled(BENCHMARKS / "measuring" / "same-work.c", ["-ljpeg", "-lpthread"])
        self.folder = gallery / "same-work"
        self.folder.mkdir()
        originals = sorted(path for path in (gallery / ".gallerygen" / "originals").rglob("*") if path.is_file())
        pages = sorted((gallery / "public" / "photo").iterdir())
        self.count = len(pages)
        self.files = 2 * self.count
        lines = [f"{original}\t{page.stat().st_size}\n" for original, page in zip(originals, pages, strict=False)]
        (self.folder / "list").write_text("".join(lines))

    def round(self, name: str) -> dict:
        """One round's figures; the first has nothing to replace."""
        output = self.folder / f"{name}.output"
        figures = measure(Command([self.program, name, "list"], self.folder), output)
        if output.read_text().strip() != str(self.count):
            raise Failed(f"the same work for {self.count} photos: {output.read_text()[-200:]}")
        return figures
