"""docs/status.schema.json, with which `Gallery.build` also validates each status.json."""

import json

import jsonschema_rs
import pytest
from gallery import STATUS_SCHEMA
from pictures import jpeg


@pytest.fixture
def report(gallery):
    """The output of `status --json` for a photo that is shown and one that failed."""
    (gallery.folder / "sea.jpg").write_bytes(jpeg(1))
    gallery.list({"Sea": "sea.jpg", "Gone": "gone.jpg"}).build("--formats", "jpeg,webp")
    return json.loads(gallery.run("status", "--json").out)


def test_the_report_of_status_with_facts_of_the_ledger_is_valid(report):
    STATUS_SCHEMA.validate(report)
    assert report["photos"][0]["checked"] and report["photos"][1]["attempts"] == 1


@pytest.mark.parametrize(("member", "value"), [
    ("state", "fine"), ("since", "yesterday"), ("page", "photo.html"), ("sha256", "beef"), ("width", 0),
    ("reason", {"code": "no-idea", "message": "?"}),
])
def test_a_photo_with_a_wrong_member_is_not_valid(report, member, value):
    report["photos"][0][member] = value
    with pytest.raises(jsonschema_rs.ValidationError):
        STATUS_SCHEMA.validate(report)
