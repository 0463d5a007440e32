"""An original that is damaged on the disk between two builds is downloaded again, and the photo does not fail."""

import shutil
from pathlib import Path

import pytest
from pictures import jpeg, noise_jpeg
from scripted_server import picture, response, status

CLOCK = {"SOURCE_DATE_EPOCH": "1700000000"}


def originals_folder(gallery):
    return gallery.folder / ".gallerygen/originals"


def originals(gallery):
    return [path for path in originals_folder(gallery).glob("??/*") if path.parent.name != "tmp"]


def flip(path):
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def cut(path):
    path.write_bytes(path.read_bytes()[:-100])


def conditional(body, served):
    """Sends the body with an ETag, or 304 if the request has it. `served` collects the requests that got the body."""
    def script(connection, request):
        if request.headers.get("if-none-match") == '"1"':
            connection.sendall(b'HTTP/1.1 304 Not Modified\r\nETag: "1"\r\nConnection: close\r\n\r\n')
        else:
            served.append(request.path)
            connection.sendall(response(body, headers=['ETag: "1"']))
    return script


@pytest.mark.parametrize("damage", [flip, cut, Path.unlink, lambda path: path.write_bytes(b"")],
                         ids=["flipped", "cut", "gone", "empty"])
@pytest.mark.parametrize("arguments", [[], ["--max-age", "1d"]], ids=["304", "fresh"])
def test_a_damaged_original_is_downloaded_again_when_derivatives_are_made_of_it(gallery, scripted, damage, arguments):
    served = []
    body = noise_jpeg(1, 64, 48)
    (gallery.folder / "local.jpg").write_bytes(noise_jpeg(2, 64, 48))
    gallery.list({"Far": scripted.on("/far.jpg", conditional(body, served)), "Near": "local.jpg"})
    gallery.build(env=CLOCK)
    for path in originals(gallery):
        damage(path)
    gallery.build("--filter", "grayscale(1)", *arguments, env=CLOCK)
    assert gallery.reasons() == {}
    assert all(photo["stale"] is None for photo in gallery.status()["photos"])
    assert len(served) == 2
    assert body in [path.read_bytes() for path in originals(gallery)]
    repaired = gallery.contents()
    shutil.rmtree(gallery.folder / ".gallerygen")
    shutil.rmtree(gallery.site)
    gallery.build("--filter", "grayscale(1)", env=CLOCK)
    assert gallery.contents() == repaired


def test_a_damaged_original_is_not_downloaded_again_while_no_derivative_is_made_of_it(gallery, scripted):
    served = []
    gallery.list({"Far": scripted.on("/far.jpg", conditional(noise_jpeg(1, 64, 48), served))})
    gallery.build()
    before = gallery.identities()
    for path in originals(gallery):
        flip(path)
    gallery.build()
    assert gallery.identities() == before
    assert len(served) == 1


@pytest.mark.parametrize("new", [[], ["New"]], ids=["early", "late"])
def test_an_original_that_is_gone_is_downloaded_again_although_nothing_changed(gallery, scripted, new):
    """Requests before the first new photo of the list are sent before the folder of originals has been read."""
    served = []
    body = noise_jpeg(1, 64, 48)
    far = {"Far": scripted.on("/far.jpg", conditional(body, served))}
    gallery.list(far).build()
    [original] = originals(gallery)
    original.unlink()
    gallery.list({name: scripted.on("/new.jpg", picture(jpeg(2))) for name in new} | far).build()
    assert len(served) == 2 and original.read_bytes() == body


@pytest.mark.parametrize(
    "lose",
    [
        lambda gallery: [flip(path) for path in originals(gallery)],
        lambda gallery: shutil.rmtree(originals_folder(gallery)),
        lambda gallery: shutil.rmtree(gallery.folder / ".gallerygen"),
    ],
    ids=["damaged", "originals gone", "state gone"],
)
@pytest.mark.parametrize(
    "arguments", [[], ["--filter", "grayscale(1)"], ["--force"]], ids=["as before", "filter", "force"]
)
def test_a_photo_whose_original_is_lost_keeps_its_pictures_while_its_server_fails(gallery, scripted, lose, arguments):
    body = noise_jpeg(1, 64, 48)
    gallery.list({"Far": scripted.on("/far.jpg", picture(body))}).build(env=CLOCK)
    before = gallery.photos()["Far"]
    lose(gallery)
    scripted.on("/far.jpg", status(404))
    for _ in range(2):
        gallery.build(*arguments, env=CLOCK)
        far = gallery.photos()["Far"]
        assert (far["state"], far["stale"]["code"]) == ("filtered", "not-found")
        shown = {path.name for path in (gallery.site / "images").iterdir()}
        assert {Path(image["path"]).name for image in far["images"]} <= shown
        if not (arguments and originals(gallery)):
            assert far["images"] == before["images"]
    scripted.on("/far.jpg", picture(body))
    gallery.build(*arguments, env=CLOCK)
    assert gallery.photos()["Far"]["stale"] is None
    repaired = gallery.contents()
    shutil.rmtree(gallery.folder / ".gallerygen")
    shutil.rmtree(gallery.site)
    gallery.build(*arguments, env=CLOCK)
    fresh = gallery.contents()
    assert {path for path in fresh if path.startswith("images/")} == {
        path for path in repaired if path.startswith("images/")
    }


def test_an_original_that_cannot_be_read_ends_the_build_with_74(gallery, scripted):
    """A disk error is not a failure of the photo. The next build continues with the original."""
    gallery.list({"Far": scripted.on("/far.jpg", picture(noise_jpeg(1, 64, 48)))}).build()
    before = gallery.contents()
    scripted.on("/far.jpg", status(503))
    [original] = originals(gallery)
    kept = original.rename(gallery.folder / "kept")
    original.symlink_to(original)
    run = gallery.build("--retries", "0", expect=74)
    assert str(original) in run.err
    assert gallery.contents() == before
    original.unlink()
    kept.rename(original)
    gallery.build("--retries", "0")
    assert gallery.photos()["Far"]["stale"]["code"] == "http-status"


def test_a_derivative_that_cannot_be_read_ends_the_build_with_74(gallery, tmp_path):
    """Its placeholder colour is computed from it; without the error, pages would lack the colour for ever."""
    (gallery.folder / "near.jpg").write_bytes(noise_jpeg(2, 64, 48))
    gallery.list({"Near": "near.jpg"}).build(env=CLOCK)
    undisturbed = gallery.contents()
    narrowest = Path(min(gallery.photos()["Near"]["images"], key=lambda image: image["width"])["path"]).name
    derivative = gallery.folder / ".gallerygen/derivatives" / narrowest
    for folder in [gallery.site, gallery.folder / ".gallerygen"]:
        shutil.rmtree(folder)
    failing = [
        "strace", "-f", "-o", tmp_path / "trace", "-P", derivative, "-e", "trace=read,pread64",
        "-e", "inject=read,pread64:error=EIO"]
    run = gallery.build(env=CLOCK, prefix=failing, expect=74)
    assert str(derivative) in run.err
    gallery.build(env=CLOCK)
    assert gallery.contents() == undisturbed


def test_a_picture_that_arrived_damaged_is_requested_again_unconditionally(gallery, scripted):
    """The server would respond with 304 to the ETag that came with the damaged bytes."""
    served = []
    whole = noise_jpeg(1, 64, 48)
    damaged = whole[: len(whole) // 2]
    gallery.list({"Far": scripted.on("/far.jpg", conditional(damaged, served))})
    gallery.build()
    assert gallery.reasons() == {"Far": "truncated"}
    scripted.on("/far.jpg", conditional(whole, served))
    gallery.build()
    assert gallery.reasons() == {}


def test_a_picture_that_is_damaged_on_its_server_is_downloaded_a_limited_number_of_times(gallery, scripted):
    served = []
    whole = noise_jpeg(1, 64, 48)
    gallery.list({"Far": scripted.on("/far.jpg", conditional(whole[: len(whole) // 2], served))})
    for _ in range(6):
        gallery.build()
        assert gallery.reasons() == {"Far": "truncated"}
    assert len(served) == 4


def test_a_damaged_copy_of_a_manifest_is_fetched_again(gallery, scripted):
    served = []
    manifest = b"<plist><dict><key>One</key><string>/1.jpg</string></dict></plist>"
    address = scripted.on("/photos.plist", conditional(manifest, served))
    scripted.on("/1.jpg", picture(jpeg(1)))
    gallery.build(address, "--allow-private")
    for path in gallery.folder.rglob(".gallerygen/originals/??/*"):
        if path.is_file() and path.read_bytes() == manifest:
            flip(path)
    gallery.build(address, "--allow-private")
    assert list(gallery.photos()) == ["One"]
    assert served == ["/photos.plist"] * 2
