"""`check` reads and says; `status` tells what the last build left."""

import json

import pytest
from pictures import jpeg
from scripted_server import picture


def test_check_says_a_good_manifest_is_good_and_asks_no_server(gallery, scripted):
    gallery.list({"One": scripted.on("/1.jpg", picture(jpeg(1)))})
    run = gallery.run("check")
    assert run.code == 0, run.said
    assert scripted.counts() == {}
    assert not gallery.site.exists()
    assert sorted(path.name for path in gallery.folder.iterdir()) == ["photos.plist"]


@pytest.mark.parametrize(("manifest", "settings", "code"), [
    ("<plist><dict>", "", 65), (None, "", 66), ('<plist version="1.0"><dict/></plist>', "", 65)])
def test_check_has_the_exit_code_that_a_build_would_have(gallery, manifest, settings, code):
    if manifest is not None:
        gallery.manifest.write_text(manifest)
    run = gallery.run("check")
    assert run.code == code, run.said
    assert "photos.plist" in run.said


def test_check_reads_the_settings_too(three_photos):
    (three_photos.folder / "gallerygen.yaml").write_text("qualty: 80\n")
    run = three_photos.run("check")
    assert run.code == 78
    assert "qualty" in run.err


def test_check_names_what_is_wrong_with_single_photos_and_is_still_0(gallery):
    gallery.list({"Fine": "1.jpg", "Mail": "mailto:someone@example.org", "Number": 7, "Typo": {"ulr": "1.jpg", "url": "1.jpg"}})
    run = gallery.run("check")
    assert run.code == 0, run.said
    for text in ("Mail", "Number", "ulr"):
        assert text in run.said
    assert f":{gallery.line_of('>Number<')}" in run.said or f":{gallery.line_of('>Number<') + 1}" in run.said


def test_status_names_each_photo_its_state_and_its_reason(samples):
    samples.build("--widths", "160")
    run = samples.run("status")
    assert run.code == 0
    for name, photo in samples.photos().items():
        line = next(line for line in run.out.splitlines() if name in line)
        assert photo["state"] in line
    assert run.out.count(samples.photos()["Old Windmill"]["reason"]["message"]) == 1


def test_status_as_json_is_status_json_with_attempts_checked_and_etag(gallery, web):
    (web.root / "1.jpg").write_bytes(jpeg(1))
    gallery.list({"One": web.url("1.jpg"), "Gone": web.url("gone.jpg"), "Local": "none.jpg"}).build()
    run = gallery.run("status", "--json")
    assert (run.code, run.err) == (0, "")
    told = json.loads(run.out)
    extras = {photo["name"]: {key: photo.pop(key) for key in ("attempts", "checked", "etag")} for photo in told["photos"]}
    assert told == gallery.status()
    assert extras["One"]["etag"].strip('W/"')
    assert extras["Gone"]["attempts"] >= 1
    assert extras["One"]["checked"].endswith("Z")


def test_before_any_build_every_photo_is_new(three_photos):
    run = three_photos.run("status", "--json")
    assert run.code == 0, run.err
    assert [photo["state"] for photo in json.loads(run.out)["photos"]] == ["new"] * 3
    assert three_photos.run("status").code == 0
    assert not three_photos.site.exists()


def test_status_of_no_manifest_is_66(gallery):
    assert gallery.run("status").code == 66


def test_status_can_be_asked_again_and_again_while_a_build_is_under_way(gallery):
    for number in range(150):
        (gallery.folder / f"{number}.jpg").write_bytes(jpeg(number))
    gallery.list({f"Photo {number}": f"{number}.jpg" for number in range(150)})
    process = gallery.program.start("build", cwd=gallery.folder)
    codes = []
    while process.poll() is None:
        codes.append(gallery.run("status").code)
    out, err = process.communicate()
    assert process.returncode == 0, err
    assert codes
    assert set(codes) == {0}


def test_a_full_disk_behind_standard_output_is_told(three_photos):
    three_photos.build()
    run = three_photos.run("status", "--json", before=("sh", "-c", 'exec "$@" > /dev/full', "sh"))
    assert run.code == 74
    assert "standard output" in run.err
