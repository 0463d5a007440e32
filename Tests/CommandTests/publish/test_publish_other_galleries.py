"""Galleries that publish to the same folder, and galleries that move or change as a whole."""

import pytest
from gallery import Gallery, contents_of
from publishing import LIST, another_gallery, publish, published


def test_the_target_of_another_gallery_is_left_alone_unless_verify_is_given(three_photos, target):
    three_photos.build("--publish", target)
    first = contents_of(target)
    other = another_gallery(three_photos, {"Four": "1.jpg", "Five": "2.jpg"})
    run = publish(three_photos, *other, "--keep-old", "0", target, expect=73)
    assert f"{target}: there is another site with 3 photo pages" in run.err
    assert contents_of(target) == first
    publish(three_photos, *other, "--keep-old", "0", "--verify", target)
    assert published(target) == contents_of(three_photos.folder / "other")


def test_a_first_publication_that_failed_does_not_allow_the_next_one_to_replace_another_gallery(three_photos):
    three_photos.build()
    other = another_gallery(three_photos, {"Four": "1.jpg", "Five": "2.jpg"})
    disk, target = three_photos.folder / "disk", three_photos.folder / "mounted/www"
    target.parent.symlink_to(disk)
    assert str(target) in publish(three_photos, *other, target, expect=74).err
    disk.mkdir()
    publish(three_photos, target)
    run = publish(three_photos, *other, "--keep-old", "0", target, expect=73)
    assert f"{target}: there is another site with 3 photo pages" in run.err
    assert published(target) == three_photos.contents()


def test_a_gallery_with_the_same_state_folder_does_not_replace_the_site_of_another_one(three_photos, target):
    arguments = ["--publish", target, "--keep-old", "0"]
    three_photos.build(*arguments)
    first = contents_of(target)
    (three_photos.folder / "other.plist").write_bytes(
        three_photos.list({"Four": "1.jpg", "Five": "2.jpg"}).manifest.read_bytes())
    run = three_photos.run("build", "other.plist", "-o", "other", *arguments)
    assert run.code == 73 and f"{target}: there is another site with 3 photo pages" in run.output
    assert contents_of(target) == first
    # The first gallery can still change all of its photos.
    three_photos.list({"Six": "3.jpg"}).build(*arguments)
    assert published(target) == three_photos.contents()
    run = three_photos.run("build", "other.plist", "-o", "other", *arguments)
    assert run.code == 73, run.output


@pytest.mark.parametrize("kind", ["moved", "moved without its state folder", "of an earlier version"])
def test_a_gallery_that_was_moved_or_upgraded_is_known_to_have_published(three_photos, tmp_path, kind):
    target, state = tmp_path / "www", tmp_path / "state"
    options = ["--publish", target, "--keep-old", "0"]
    if kind == "moved without its state folder":
        options += ["--state", state]
    three_photos.build(*options)
    if kind == "of an earlier version":
        [copy] = (three_photos.state / "published").iterdir()
        copy.write_bytes((target / LIST).read_bytes())
        gallery = three_photos
    else:
        gallery = Gallery(three_photos.folder.rename(tmp_path / "moved"), three_photos.program)
    gallery.list({"Four": "1.jpg"}).build(*options)
    assert published(target) == gallery.contents()


def test_a_gallery_can_change_all_of_its_photos(three_photos, target):
    three_photos.build("--publish", target)
    three_photos.list({"Four": "1.jpg"})
    three_photos.build()
    publish(three_photos, "--keep-old", "0", target)
    assert published(target) == three_photos.contents()
