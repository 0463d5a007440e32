"""Foreign files that appear just before a rename, file systems without some renames, and writes that a disk loses."""

import pytest
from gallery import Gallery
from pictures import jpeg

CLOCKS = [{"SOURCE_DATE_EPOCH": str(1_700_000_000 + 1000 * number)} for number in range(4)]
FORMS = {"renames and links": {}, "links alone": {"renames": "missing"}}
NEITHER = {"neither": {"renames": "missing", "links": "missing"}}
# More photos than the number of files up to which each file is synchronised by itself.
MANY = {f"Photo {number}": f"{number}.jpg" for number in range(20)}


@pytest.fixture
def many_photos(tmp_path, program):
    gallery = Gallery(tmp_path / "many", program)
    for number, address in enumerate(MANY.values()):
        (gallery.folder / address).write_bytes(jpeg(number))
    return gallery.list(MANY)


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS.keys())
@pytest.mark.parametrize("name", ["one.html", "index.html", "feed.xml", "status.html"])
@pytest.mark.parametrize("is_first", [True, False], ids=["first build", "later build"])
def test_a_foreign_file_that_appears_just_before_a_rename_stays_and_is_named(
        three_photos, faulty_disk, form, name, is_first):
    gallery = three_photos
    before = {}
    if not is_first:
        gallery.build(env=CLOCKS[0])
        before = gallery.contents()
    change = ("--filter", "invert(1)", "--title", "Other")
    run = gallery.build(*change, expect=73, env=CLOCKS[1] | faulty_disk.environment(arrival=name, **form))
    foreign, = [path for path in gallery.site.rglob(name)]
    assert str(foreign) in run.err and foreign.read_text() == "theirs"
    path = str(foreign.relative_to(gallery.site))
    after = gallery.contents()
    assert after.pop(path)
    assert after == {known: digest for known, digest in before.items() if known != path}
    # The first build has recorded that it was about to write this path. Still, the file is not gallerygen's.
    again = gallery.build(*change, expect=73, env=CLOCKS[2])
    assert str(foreign) in again.err and foreign.read_text() == "theirs"
    assert gallery.run("clean").code == 0
    assert foreign.read_text() == "theirs"
    foreign.unlink()
    gallery.build("--filter", "invert(1)", env=CLOCKS[3])
    assert gallery.files() == gallery.accounted_for() | {"status.html"}


@pytest.mark.parametrize("form", [*FORMS.values(), *NEITHER.values()], ids=[*FORMS, *NEITHER])
def test_a_site_is_the_same_on_a_file_system_without_these_renames(three_photos, faulty_disk, tmp_path, program, form):
    other = Gallery(tmp_path / "other", program)
    for file in three_photos.folder.glob("*.jpg"):
        (other.folder / file.name).write_bytes(file.read_bytes())
    other.manifest.write_bytes(three_photos.manifest.read_bytes())
    for clock, options in zip(CLOCKS, [(), ("--filter", "invert(1)"), ("--title", "Third"), ("--live", "--force")]):
        three_photos.build(*options, env=clock)
        other.build(*options, env=clock | faulty_disk.environment(**form))
        assert other.contents() == three_photos.contents()
    assert not list(other.site.glob(".*"))


@pytest.mark.parametrize("fault", [{"syncfs": "EIO"}, {"close": "/.gallerygen-"}, {"close": "/derivatives/"}],
                         ids=["written back", "closed", "derivative closed"])
@pytest.mark.parametrize("is_first", [True, False], ids=["first build", "later build"])
@pytest.mark.parametrize("options", [(), ("--live",)], ids=["", "live"])
def test_data_that_the_disk_loses_after_a_write_ends_the_build_with_74(
        many_photos, faulty_disk, fault, is_first, options):
    before = {}
    if not is_first:
        many_photos.build(env=CLOCKS[0])
        before = many_photos.contents()
    change = ("--title", "Other", "--filter", "invert(1)")
    run = many_photos.build(*options, *change, env=CLOCKS[1] | faulty_disk.environment(**fault), expect=74)
    assert str(many_photos.folder) in run.err
    if not options:
        assert (many_photos.contents() if many_photos.site.exists() else {}) == before
    many_photos.build(*change, env=CLOCKS[1])
    assert many_photos.files() == many_photos.accounted_for() | {"status.html"}
