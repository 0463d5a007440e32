"""Publications to a folder."""

# The name of the list of published files
LIST = ".gallerygen-published"


def publish(gallery, *arguments, expect=0, **options):
    run = gallery.run("publish", *arguments, **options)
    assert run.code == expect, f"exit {run.code}, expected {expect}:\n{run.output}"
    return run
