"""A photo whose source changes from build to build, for the tests of earlier versions."""

from pictures import jpeg
from scripted_server import picture
from watched_sources import HOUR, LARGE, START, sha256

A, B, C, D = (jpeg(number, **LARGE) for number in range(1, 5))
SHOW = ("--show-versions",)


class VersionedCamera:
    """A gallery of one photo whose picture changes at its server."""

    def __init__(self, gallery, scripted):
        self.gallery, self.scripted, self.hour = gallery, scripted, -1
        self.show(A)
        gallery.list({"Camera": scripted.url("/camera.jpg")})

    def show(self, original, kind="image/jpeg"):
        self.scripted.on("/camera.jpg", picture(original, kind=kind))

    def build(self, original=None, *arguments, **options):
        """Builds an hour after the last build, after the picture was replaced by another one."""
        if original:
            self.show(original)
        self.hour += 1
        return self.gallery.build(*arguments, env={"SOURCE_DATE_EPOCH": str(START + self.hour * HOUR)}, **options)

    @property
    def photo(self):
        return self.gallery.photos()["Camera"]

    @property
    def versions(self):
        """The digests of the kept originals, as status.json has them."""
        return [version["sha256"] for version in self.photo.get("versions", [])]

    @property
    def images(self):
        """The paths of the published versions."""
        return [version["image"]["path"] for version in self.photo.get("versions", []) if version["image"]]

    def original(self, original):
        """The path of an original in the state folder."""
        digest = sha256(original)
        return self.gallery.state / "originals" / digest[:2] / digest[2:]
