"""--dry-run and --explain: the plan of a build with its reasons, which the build then follows."""

import os

import pytest
from pictures import jpeg

NAMES = ["Lighthouse", "Nuthatch", "Teapot"]


@pytest.fixture
def lakes(gallery, web):
    """A gallery of three photos that are fresh for an hour; built once."""
    for number, name in enumerate(NAMES):
        (web.root / f"{name}.jpg").write_bytes(jpeg(number, width=500, height=375))
    gallery.web = web
    gallery.list({name: web.url(f"fresh/{name}.jpg") for name in NAMES}).build()
    assert len(web.new_requests()) == 3
    return gallery


def everything(folder):
    """Path → inode, times and size of everything below a folder; they change when something is written."""
    return {
        str(path): (stat.st_ino, stat.st_mtime_ns, stat.st_ctime_ns, stat.st_size)
        for path in [folder, *folder.rglob("*")] for stat in [path.lstat()]}


def changed(before, after):
    return {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}


def test_a_photo_whose_name_becomes_ambiguous_is_explained_and_is_not_new(lakes):
    photos = [{"name": name, "url": lakes.web.url(f"fresh/{name}.jpg")} for name in NAMES]
    lakes.list([*photos, {"name": NAMES[0], "url": lakes.web.url("fresh/other.jpg")}])
    reasons = lakes.build("--dry-run", "--explain").out.splitlines()
    assert reasons[:2] == [f"{NAMES[0]}: its name became unique or ambiguous", f"{NAMES[0]}: new"]


def test_a_dry_run_before_the_first_build_writes_nothing(three_photos):
    before = everything(three_photos.folder)
    run = three_photos.build("--dry-run")
    assert run.out.splitlines() == [
        *(f"{name}: download, filter" for name in ("One", "Two", "Three")), "pages: publish"]
    assert run.err == ""
    assert everything(three_photos.folder) == before


def test_a_dry_run_with_explain_prints_reasons_and_writes_nothing(lakes):
    before = everything(lakes.folder)
    run = lakes.build("--dry-run", "--explain", "--filter", "sepia(0.6)")
    assert run.out.splitlines() == [
        *(f"{name}: filter sepia(0.8) → sepia(0.6)" for name in NAMES), "pages: filter sepia(0.8) → sepia(0.6)"]
    assert everything(lakes.folder) == before
    assert lakes.web.new_requests() == []


@pytest.mark.quick
def test_a_dry_run_with_nothing_to_do_says_so(lakes):
    assert lakes.build("--dry-run").out == "Nothing to do.\n"


def test_a_dry_run_requests_no_photo(lakes):
    lakes.list({name: lakes.web.url(f"{name}.jpg") for name in NAMES}).build()
    lakes.web.new_requests()
    run = lakes.build("--dry-run")
    assert run.out.splitlines() == [f"{name}: revalidate" for name in NAMES]
    assert lakes.web.new_requests() == []


@pytest.mark.parametrize("way", ["renamed", "moved"])
def test_the_plan_for_a_renamed_or_moved_photo_contains_only_its_page(lakes, way):
    address = lakes.web.url("fresh/Nuthatch.jpg")
    photos = {name: lakes.web.url(f"fresh/{name}.jpg") for name in NAMES if name != "Nuthatch"}
    lakes.list(photos | ({"Bird": address} if way == "renamed" else {"Birds": {"Nuthatch": address}}))
    name = "Bird" if way == "renamed" else "Birds / Nuthatch"
    assert lakes.build("--dry-run").out.splitlines()[-2:] == [f"{name}: page", "pages: publish"]
    planned = lakes.build("--dry-run", "--filter", "invert(1)")
    assert f"{name}: filter" in planned.out.splitlines()
    before = lakes.files()
    reasons = lakes.build("--dry-run", "--explain").out.splitlines()
    was = ", was photo/nuthatch.html" if way == "renamed" else ""
    assert f"{name}: has another name or album{was}" in reasons
    run = lakes.build("--verbose")
    assert lakes.web.new_requests() == [] and "0 photos rendered" in run.err
    gone = {f"{path}: no longer in the list" for path in before - lakes.files() if path.startswith("photo/")}
    assert {reason for reason in reasons if "no longer" in reason} == gone
    assert bool(gone) == (way == "renamed")


def test_the_plan_for_a_renamed_photo_contains_its_revalidation(lakes):
    lakes.list({"Lighthouse": lakes.web.url("Lighthouse.jpg")}).build()
    lakes.list({"Tower": lakes.web.url("Lighthouse.jpg")})
    assert lakes.build("--dry-run").out.splitlines() == ["Tower: revalidate", "pages: publish"]


def test_reasons_name_settings_by_their_options(lakes):
    run = lakes.build("--dry-run", "--explain", "--per-page", "2", "--base-url", "https://example.org/")
    assert run.out.splitlines() == ["pages: base-url none → https://example.org/", "pages: per-page 60 → 2"]


def test_a_dry_run_of_a_list_from_a_url_stores_nothing(lakes):
    lakes.web.root.joinpath("photos.plist").write_bytes(lakes.manifest.read_bytes())
    lakes.manifest.unlink()
    before = everything(lakes.folder)
    run = lakes.build(lakes.web.url("photos.plist"), "--dry-run", "--output", "other", "--allow-private")
    assert "Teapot: filter" in run.out.splitlines(), "the original is known from the address, which another list had"
    assert [request.path for request in lakes.web.new_requests()] == ["/photos.plist"]
    assert everything(lakes.folder) == before


def test_a_dry_run_of_an_invalid_list_fails_as_a_build_does(three_photos):
    three_photos.manifest.write_text("<plist><dict>")
    assert three_photos.build("--dry-run", expect=65).out == ""


def test_a_build_with_explain_prints_reasons_to_standard_error(lakes):
    run = lakes.build("--explain", "--quality", "90")
    assert run.out == ""
    assert run.err.splitlines()[:3] == [f"{name}: quality 82 → 90" for name in NAMES]


def test_a_photo_that_failed_is_explained_by_its_reason(lakes):
    lakes.list({"Lost": lakes.web.url("lost.jpg")} | {name: lakes.web.url(f"fresh/{name}.jpg") for name in NAMES})
    lakes.build()
    run = lakes.build("--explain")
    assert "Lost: the last attempt failed (not-found), trying again" in run.err.splitlines()


# Setting → its options, which pictures are new ("all", "none", "filtered" or some widths), and which pages are.
OPTIONS = {
    "filter": (["--filter", "sepia(0.6)"], "filtered", "all"),
    "widths": (["--widths", "400,200"], {200}, "all"),
    "quality": (["--quality", "70"], "all", "all"),
    "no-originals": (["--no-originals"], "none", "photos"),
    "keep-versions": (["--keep-versions", "3"], "none", "none"),
    "show-versions": (["--show-versions"], "none", "none"),
    "title": (["--title", "Other"], "none", "all"),
    "language": (["--language", "de"], "none", "all"),
    "base-url": (["--base-url", "https://example.org/"], "none", "all"),
    "per-page": (["--per-page", "2"], "none", "index"),
    "jobs": (["--jobs", "1"], "none", "none"),
    "memory": (["--memory", "100MB"], "none", "none"),
    "downloads": (["--downloads", "2"], "none", "none"),
    "downloads-per-host": (["--downloads-per-host", "2"], "none", "none"),
    "connect-timeout": (["--connect-timeout", "9s"], "none", "none"),
    "timeout": (["--timeout", "9s"], "none", "none"),
    "stall-timeout": (["--stall-timeout", "9s"], "none", "none"),
    "max-bytes": (["--max-bytes", "9MB"], "none", "none"),
    "max-pixels": (["--max-pixels", "9MP"], "none", "none"),
    "max-redirects": (["--max-redirects", "2"], "none", "none"),
    "retries": (["--retries", "1"], "none", "none"),
    "max-age": (["--max-age", "1h"], "none", "none"),
    "min-age": (["--min-age", "auto"], "none", "none"),
    "allow-private": (["--allow-private"], "none", "none"),
    "strict": (["--strict"], "none", "none"),
    "verbose": (["--verbose"], "none", "none"),
    "color": (["--color", "always"], "none", "none"),
}


@pytest.mark.parametrize("option", OPTIONS)
def test_a_changed_setting_makes_only_what_depends_on_it_again(lakes, option):
    arguments, pictures, pages = OPTIONS[option]
    before, photos = lakes.identities(), lakes.photos()
    lakes.build(*arguments)
    after = lakes.identities()
    assert lakes.web.new_requests() == [], "nothing is downloaded for another option"
    new = {path for path in after.keys() - before.keys() if path.startswith("images/")}
    kept = {path for path in before.keys() & after.keys() if path.startswith("images/")}
    assert all(before[path] == after[path] for path in kept), "a picture that stays is not written again"
    now = lakes.photos().values()
    if pictures == "none":
        assert not new
    elif pictures == "filtered":
        assert new == {image["path"] for photo in now for image in photo["images"]}
        assert {photo["original"]["path"] for photo in photos.values()} <= kept
    elif pictures == "all":
        assert not kept
    else:
        narrow = {image["path"] for photo in now for image in photo["images"] if image["width"] in pictures}
        assert new == narrow | {photo["original"]["path"] for photo in now}, "the unfiltered one has the largest width"
    html = {path for path in changed(before, after) if path.endswith(".html")}
    if pages == "none":
        assert changed(before, after) == set()
    elif pages == "index":
        assert {"index.html", "page/2.html"} <= html
    elif pages == "photos":
        # index.html shows the time of the last change, so it differs if a second has passed between the builds.
        assert html - {"index.html"} == {photo["page"] for photo in photos.values()}
    else:
        assert html >= {"index.html", *(photo["page"] for photo in photos.values())}
    if option == "no-originals":
        assert not any(photo["original"] for photo in now)
    for_crawlers = {"sitemap.xml", "robots.txt"} if option == "base-url" else set()
    assert lakes.files() == lakes.accounted_for() | for_crawlers


def test_a_changed_template_makes_pages_and_no_pictures_again(lakes):
    templates = lakes.folder / "templates"
    templates.mkdir()
    (templates / "photo-state.mustache").write_text("<b>{{state}}</b>")
    before = lakes.identities()
    run = lakes.build("--templates", "templates", "--explain")
    assert "pages: the templates changed" in run.err.splitlines()
    touched = changed(before, lakes.identities())
    assert "index.html" in touched
    assert not {path for path in touched if path.startswith("images")}
    assert lakes.web.new_requests() == []


def test_force_downloads_and_filters_everything_and_leaves_files_with_the_same_content(lakes):
    before = lakes.identities()
    run = lakes.build("--force", "--explain", "--verbose")
    assert run.err.splitlines()[:4] == [*(f"{name}: forced" for name in NAMES), "pages: forced"]
    assert sorted(request.status for request in lakes.web.new_requests()) == [200] * 3
    assert "3 photos rendered" in run.err
    assert lakes.identities() == before


def test_force_repairs_files_that_were_replaced_by_others_of_the_same_size(lakes):
    before = lakes.contents()
    picture = next(path for path in sorted(before) if path.startswith("images/"))
    for path in (picture, "index.html"):
        size = (lakes.site / path).stat().st_size
        copy = lakes.folder / "copy"
        copy.write_bytes(b"x" * size)
        os.replace(copy, lakes.site / path)
    lakes.build()
    assert lakes.contents() != before, "without --force, a file of the same size is not read"
    lakes.build("--force")
    assert lakes.contents() == before


@pytest.mark.parametrize(
    "arguments", [("-o", "."), ("-o", "/"), ("-o", ".gallerygen/site"), ("-o", "foreign"), ("-o", "file/site")],
    ids=["the state folder's", "root", "in the state folder", "another site", "not to be made"])
def test_a_dry_run_exits_with_73_if_a_build_would(three_photos, arguments):
    (three_photos.folder / "foreign").mkdir()
    (three_photos.folder / "foreign/index.html").write_text("mine")
    (three_photos.folder / "file").write_text("a file")
    if arguments == ("-o", "."):
        arguments += ("--state", "photo/state")
    before = everything(three_photos.folder)
    planned = three_photos.build(*arguments, "--dry-run", expect=73)
    assert planned.out == ""
    assert everything(three_photos.folder) == before
    assert three_photos.build(*arguments, expect=73).err == planned.err


def test_dry_run_and_status_do_not_remove_a_damaged_copy_of_a_list(lakes):
    (lakes.web.root / "list.plist").write_bytes(lakes.manifest.read_bytes())
    address = lakes.web.url("list.plist")
    lakes.build(address, "--state", ".gallerygen")
    (lakes.web.root / "list.plist").unlink()
    originals = [path for path in (lakes.folder / ".gallerygen/originals").rglob("*") if path.is_file()]
    copy = next(path for path in originals if path.read_bytes().startswith(b"<?xml"))
    copy.write_bytes(copy.read_bytes() + b" ")
    before = everything(lakes.folder)
    for arguments in (("build", "--dry-run"), ("status",)):
        assert lakes.run(*arguments, address, "--state", ".gallerygen").code == 66
        assert everything(lakes.folder) == before


def test_a_dry_run_without_the_ledger_uses_the_site(lakes):
    for path in (lakes.folder / ".gallerygen").glob("ledger*"):
        path.unlink()
    planned = lakes.build("--dry-run", "--explain")
    reasons = [line for line in lakes.build("--explain").err.splitlines() if line.startswith(tuple(NAMES))]
    assert [line for line in planned.out.splitlines() if line.startswith(tuple(NAMES))] == reasons
    assert not any("new" in line for line in reasons)
