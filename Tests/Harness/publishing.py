"""Publications to a folder."""

from gallery import contents_of

# The name of the list of published files
LIST = ".gallerygen-published"


def publish(gallery, *arguments, expect=0, **options):
    run = gallery.run("publish", *arguments, **options)
    assert run.code == expect, f"exit {run.code}, expected {expect}:\n{run.output}"
    return run


def published(folder):
    """The SHA-256 of each published file, by its path."""
    return {path: digest for path, digest in contents_of(folder).items() if path != LIST}


def another_gallery(gallery, photos):
    """Lists other photos and builds them. Returns the options that select their site and a state folder of its own."""
    gallery.list(photos)
    options = ["-o", gallery.folder / "other", "--state", gallery.folder / "other-state"]
    gallery.build(*options)
    return options
