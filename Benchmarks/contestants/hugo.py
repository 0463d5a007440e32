"""Hugo with a small site: one page for each picture, because Hugo renders pages in parallel and so uses both cores."""

import json
import shutil
from pathlib import Path

from contestants.picture_work import PictureContestant
from measuring.contestant import Run
from measuring.measurement import Command
from measuring.packages import program
from measuring.packages import run as output_of
from measuring.workplace import BENCHMARKS

SITE = BENCHMARKS / "contestants" / "hugo-site"


class Hugo(PictureContestant):
    """Reduces the picture to each width and filters the result."""

    name = "hugo"
    does = "a site with `Resize` and `images.Sepia` for each width; local files; pages"
    cascade = False
    # A round takes more than a minute, and its figures are far from all others.
    most_rounds = 3

    def prepare(self) -> dict[str, str]:
        self.hugo = program("hugo", "hugo")
        return {"hugo": output_of([self.hugo, "version"]).strip()}

    def command(self, run: Run) -> Command:
        shutil.copytree(SITE, run.folder, dirs_exist_ok=True)
        # In JSON, because `json` quotes the paths.
        mounts = {
            "params": {"cascade": self.cascade},
            "module": {"mounts": [{"source": str(self.corpus.folder), "target": "assets/pictures"}]},
        }
        (run.folder / "pictures.json").write_text(json.dumps(mounts))
        pages = run.folder / "content" / "picture"
        pages.mkdir(parents=True)
        for picture in self.corpus.pictures:
            (pages / f"{picture.stem}.md").write_text(json.dumps({"title": picture.stem, "picture": picture.name}))
        return Command([self.hugo, "--quiet", "--config", "config.toml,pictures.json"], run.folder)

    def derivatives(self, run: Run) -> Path:
        return run.folder / "public"


class HugoCascade(Hugo):
    """Reduces the filtered picture of the largest width to the smaller ones."""

    name = "hugo-cascade"
    does = "the same, the smaller widths reduced from the largest one, which alone is filtered"
    cascade = True
