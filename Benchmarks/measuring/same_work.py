"""What grows with the number of files by itself, on this machine and disk: the same for each photo, by a program that holds no table."""

from pathlib import Path

from .measurement import Command, Failed, measure
from .packages import compiled
from .workplace import BENCHMARKS


class SameWork:
    """Makes a picture and a page for each photo of a built gallery, in place of those of the round before."""

    name = "same work"
    does = (
        "no build but a program in C, to compare *one filter* with: each original is decoded and coded again, and gets a new name; a page "
        "as large as the photo's takes the place of one; the pictures of the round before are removed. Nothing is looked up, so "
        "what it grows by beyond the number of files is not its own")

    fetched_name = "same work, fetched"
    fetched_does = (
        "the same program, to compare *cold* with: each original is fetched and brought to the disk before it has its name; it is decoded and "
        "coded, and a page is written, into empty folders")

    def __init__(self, gallery: Path, photos: list[str], program: str):
        self.program = program
        self.folder = gallery / "same-work"
        self.folder.mkdir()
        originals = [path for path in (gallery / ".gallerygen" / "originals").rglob("*") if path.is_file()]
        # About in the order in which a build comes to them.
        originals.sort(key=lambda path: path.stat().st_ino)
        pages = sorted((gallery / "public" / "photo").iterdir())
        self.count = len(pages)
        sizes = [page.stat().st_size for page in pages]
        self.write_list("list", originals, sizes)
        self.write_list("fetched", photos, sizes)

    def write_list(self, name: str, pictures: list, sizes: list[int]) -> None:
        lines = [f"{picture}\t{size}\n" for picture, size in zip(pictures, sizes, strict=False)]
        (self.folder / name).write_text("".join(lines))

    @staticmethod
    def compiled() -> str:
        return compiled(BENCHMARKS / "measuring" / "same-work.c", ["-ljpeg", "-lpthread"])

    def round(self, name: str) -> dict:
        """One round's figures."""
        return self.measured(name, "list")

    def fetching(self, port: int) -> dict:
        """The figures of a round that fetches what the others have; to be called first, as it has nothing to replace."""
        return self.measured("fetched", "fetched", str(port))

    def measured(self, name: str, *arguments: str) -> dict:
        output = self.folder / f"{name}.output"
        figures = measure(Command([self.program, name, *arguments], self.folder), output)
        if output.read_text().strip() != str(self.count):
            raise Failed(f"the same work for {self.count} photos: {output.read_text()[-200:]}")
        return figures
