"""Hugo with a small site of its own: a page a picture, since Hugo renders pages in parallel and so has both cores."""

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
    """Every width is reduced from the picture itself, and then filtered."""

    name = "hugo"
    does = "a site with `Resize` and `images.Sepia` for each width; local files; pages"
    cascade = False
    # It takes a minute and more a round, and is far from all others.
    most_rounds = 3

    def prepare(self) -> dict[str, str]:
        self.hugo = program("hugo", "hugo")
        return {"hugo": output_of([self.hugo, "version"]).strip()}

    def command(self, run: Run) -> Command:
        shutil.copytree(SITE, run.folder, dirs_exist_ok=True)
        # JSON, because then a path needs no quoting of ours.
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
    """The smaller widths are reduced from the largest, already filtered."""

    name = "hugo-cascade"
    does = "the same, the smaller widths reduced from the largest one, which alone is filtered"
    cascade = True
