"""--keep-old: files of earlier publications stay for some time, for pages in caches that refer to them."""

import re

DAY = 86_400
START = 1_700_000_000


def clock(seconds):
    return {"SOURCE_DATE_EPOCH": str(START + seconds)}


def addresses(page):
    """The files that a page names, relative to the site."""
    names = re.findall(r'(?:src|href|srcset|content)="([^"]+)"', page)
    links = {name.split(" ")[0].split("#")[0] for text in names for name in text.split(", ")}
    return {link for link in links if re.fullmatch(r"[\w./-]+\.\w+", link)}


def test_the_files_of_a_cached_page_stay_for_a_day(three_photos):
    three_photos.build("--keep-old", "1d", env=clock(0))
    cached = (three_photos.site / "index.html").read_text()
    named = addresses(cached)
    assert len({name for name in named if name.startswith("images/")}) >= 3
    assert any(name.endswith(".css") for name in named)
    templates = three_photos.folder / "templates" / "assets"
    templates.mkdir(parents=True)
    (templates / "gallery.css").write_text("body { color: red }")
    changed = ["--keep-old", "1d", "--filter", "sepia(0.2)", "--templates", "templates"]
    run = three_photos.build(*changed, env=clock(10))
    assert re.search(r"\d+ kept for cached pages", run.err)
    assert addresses((three_photos.site / "index.html").read_text()) != named
    assert not {name for name in named if not (three_photos.site / name).exists()}
    run = three_photos.build(*changed, "--dry-run", "--explain", env=clock(DAY + 9))
    assert re.search(r"^site: \d+ files of earlier publications stay for cached pages$", run.out, re.M)
    assert "long enough" not in run.out
    assert three_photos.files() > three_photos.accounted_for()
    run = three_photos.build(*changed, "--dry-run", "--explain", env=clock(DAY + 10))
    assert re.search(r"^site: \d+ files of earlier publications have been kept long enough$", run.out, re.M)
    assert "stay" not in run.out
    three_photos.build(*changed, env=clock(DAY + 10))
    assert three_photos.files() == three_photos.accounted_for()
    assert {name for name in named if not (three_photos.site / name).exists()}


def test_without_the_option_no_old_files_are_kept(three_photos):
    three_photos.build(env=clock(0))
    run = three_photos.build("--filter", "sepia(0.2)", env=clock(10))
    assert "cached pages" not in run.err
    assert three_photos.files() == three_photos.accounted_for()


def test_a_foreign_kept_json_is_named_and_stays(three_photos):
    three_photos.build("--keep-old", "1d", env=clock(0))
    (three_photos.site / "kept.json").write_text("mine")
    before = three_photos.contents()
    run = three_photos.build("--keep-old", "1d", "--filter", "sepia(0.2)", env=clock(10), expect=73)
    assert "kept.json" in run.err
    assert three_photos.contents() == before
