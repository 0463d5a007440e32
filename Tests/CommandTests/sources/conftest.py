"""Fixtures of the tests of sources: builds at chosen times, and a photo whose source changes."""

import pytest
from versioned_camera import VersionedCamera
from watched_sources import Clock


@pytest.fixture
def clock(gallery):
    return Clock(gallery)


@pytest.fixture
def camera(gallery, scripted):
    return VersionedCamera(gallery, scripted)
