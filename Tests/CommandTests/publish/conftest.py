"""The target of publications to a folder."""

import pytest


@pytest.fixture
def target(three_photos):
    return three_photos.folder / "www"
