"""What the tests of watched sources share: builds at chosen times, pictures, and the marks of photos."""

import datetime
import hashlib
import re

from pictures import jpeg

HOUR = 3600
START = 1_800_000_000
#: The size of pictures that are not suspiciously small.
LARGE = {"width": 400, "height": 300}
#: A picture of one pixel, as servers send it in place of a picture that is gone.
GIF = (b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff!\xf9\x04\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01"
       b"\x00\x01\x00\x00\x02\x02D\x01\x00;")


class Clock:
    """Runs builds at times that the test sets."""

    def __init__(self, gallery):
        self.gallery = gallery

    def build(self, *arguments, hour, **options):
        return self.gallery.build(*arguments, env=self.environment(hour), **options)

    @staticmethod
    def environment(hour):
        return {"SOURCE_DATE_EPOCH": str(START + hour * HOUR)}


def rfc3339(hour):
    moment = datetime.datetime.fromtimestamp(START + hour * HOUR, datetime.UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def marks(gallery, name="Camera"):
    """The marks of a photo in status.json, by their codes."""
    return {mark["code"]: mark for mark in gallery.photos()[name]["marks"]}


def feed_entry(gallery, name="Camera"):
    """The time and the summary of a photo's entry in the feed."""
    for entry in (gallery.site / "feed.xml").read_text().split("<entry>")[1:]:
        if f"<title>{name}</title>" in entry:
            return tuple(re.search(f"<{tag}>(.*?)</{tag}>", entry).group(1) for tag in ("updated", "summary"))
    return None


def sha256(picture):
    return hashlib.sha256(picture).hexdigest()


def pixel(seed):
    """A picture of one pixel that differs from those of other seeds."""
    return jpeg(seed, width=1, height=1)
