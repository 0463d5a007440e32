"""`check` reports mistakes in lists and settings; `status` reports each photo's state after the last build."""

import contextlib
import json
import os
import shutil
import signal
import time
from pathlib import Path

import pytest
from pictures import jpeg
from scripted_server import picture, status
from waiting import TIMEOUT, until


def test_check_of_a_valid_manifest_succeeds_and_contacts_no_server(gallery, scripted):
    gallery.list({"One": scripted.on("/1.jpg", picture(jpeg(1)))})
    run = gallery.run("check")
    assert run.code == 0, run.output
    assert scripted.counts() == {}
    assert not gallery.site.exists()
    assert sorted(path.name for path in gallery.folder.iterdir()) == ["photos.plist"]


@pytest.mark.parametrize(("manifest", "settings", "code"), [
    ("<plist><dict>", "", 65), (None, "", 66), ('<plist version="1.0"><dict/></plist>', "", 65)])
def test_check_has_the_exit_code_that_a_build_would_have(gallery, manifest, settings, code):
    if manifest is not None:
        gallery.manifest.write_text(manifest)
    run = gallery.run("check")
    assert run.code == code, run.output
    assert "photos.plist" in run.output


def test_check_reads_the_settings_too(three_photos):
    (three_photos.folder / "gallerygen.yaml").write_text("qualty: 80\n")
    run = three_photos.run("check")
    assert run.code == 78
    assert "qualty" in run.err


def test_check_names_mistakes_of_single_photos_and_exits_with_0(gallery):
    gallery.list(
        {"Fine": "1.jpg", "Mail": "mailto:someone@example.org", "Number": 7, "Typo": {"ulr": "1.jpg", "url": "1.jpg"}}
    )
    run = gallery.run("check")
    assert run.code == 0, run.output
    for text in ("Mail", "Number", "ulr"):
        assert text in run.output
    assert f":{gallery.line_of('>Number<')}" in run.output or f":{gallery.line_of('>Number<') + 1}" in run.output


@pytest.fixture
def untidy(gallery):
    """A folder with files whose names lists misspell, and with things that are not photos."""
    (gallery.folder / "UPPER.JPG").write_bytes(jpeg(1))
    (gallery.folder / "Holiday").mkdir()
    for name in ("lighthouse.jpg", "my photo.jpg"):
        (gallery.folder / "Holiday" / name).write_bytes(jpeg(2))
    (gallery.folder / "empty.jpg").touch()
    os.mkfifo(gallery.folder / "pipe.jpg")
    (gallery.folder / "dangling.jpg").symlink_to("elsewhere.jpg")
    return gallery


@pytest.mark.parametrize(("address", "code", "hint"), [
    ("upper.jpg", "missing-file", "'UPPER.JPG'"), ("lighthouse.jpg", "missing-file", ""),
    ("holiday/lighthuose.jpg", "missing-file", "'Holiday/lighthouse.jpg'"),
    ("Holiday/my%20photo.jpg", "missing-file", "'Holiday/my photo.jpg'"),
    ("Holiday\\lighthouse.jpg", "missing-file", "'Holiday/lighthouse.jpg'"), ("~/x.jpg", "missing-file", "~"),
    ("C:\\photos\\x.jpg", "unsupported-scheme", "Windows"), ("example.org/a.jpg", "missing-file", "https://"),
    ("Holiday", "unreadable-file", "folder"), ("pipe.jpg", "unreadable-file", "not a regular file"),
    ("dangling.jpg", "missing-file", "elsewhere.jpg"), ("empty.jpg", "not-an-image", "empty"),
    ("/dev/null", "unreadable-file", "not a regular file"), ("nowhere/at/all.jpg", "missing-file", "")])
def test_check_finds_missing_and_unreadable_files_and_suggests_what_was_meant(untidy, address, code, hint):
    untidy.list({"Lake": address})
    run = untidy.run("check")
    assert run.code == 0
    message = next(line for line in run.lines() if f"[{code}]" in line)
    assert "'Lake'" in message
    assert hint in message
    assert ("id you mean" in message) == hint.startswith("'")
    assert run.lines()[-1] == "1 photo; 1 will fail."
    assert untidy.run("check", "--strict").code == 1


@pytest.mark.parametrize("lost", ["nothing", "originals", "state"])
def test_check_predicts_that_an_earlier_picture_stays(gallery, lost):
    (gallery.folder / "lake.jpg").write_bytes(jpeg(1))
    gallery.list({"Lake": "lake.jpg", "Sea": "sea.jpg"}).build()
    (gallery.folder / "lake.jpg").unlink()
    if lost != "nothing":
        shutil.rmtree(gallery.state / "originals" if lost == "originals" else gallery.state)
    run = gallery.run("check")
    lake, sea, summary = run.lines()
    assert "lake.jpg. The earlier picture stays, marked as stale." in lake and "[missing-file]" in lake
    assert "stays" not in sea
    assert (run.code, summary) == (0, "2 photos; 1 will fail, 1 will be stale.")
    gallery.list({"Lake": "lake.jpg"})
    for option, code in (("--strict", 0), ("--strict-stale", 1)):
        assert gallery.run("check", option).code == code
        gallery.build(option, expect=code)
    assert gallery.photos()["Lake"]["stale"]["code"] == "missing-file"


def test_check_suggests_a_path_as_it_is_written_in_the_list_that_has_the_photo(untidy):
    untidy.list({"Upper": "UPPER.JPG"})
    (untidy.folder / "Holiday" / "second.plist").write_text(
        "<plist><dict><key>Lake</key><string>lighthuose.jpg</string></dict></plist>")
    run = untidy.run("check", "photos.plist", "Holiday/second.plist")
    assert any("second.plist:1" in line and "Did you mean 'lighthouse.jpg'?" in line for line in run.lines()), run.err


def test_check_reports_all_mistakes_of_settings_and_lists_in_one_run(gallery):
    (gallery.folder / "gallerygen.yaml").write_text("qualty: 80\njobs: 0\n")
    (gallery.folder / "twice.plist").write_text(
        "<plist><dict>\n<key>A</key><string>a.jpg</string>\n<key>A</key><string>a.jpg</string>\n</dict></plist>")
    (gallery.folder / "broken.plist").write_text("<plist><dict>")
    gallery.list({"Gone": "none.jpg", "Blurred": {"url": "none.jpg", "filter": "blur(3px)"}})
    run = gallery.run("check", "photos.plist", "twice.plist", "broken.plist", "missing.plist")
    assert run.code == 78
    for text in (
        "gallerygen.yaml:1:1: unknown setting 'qualty'", "gallerygen.yaml:2:1: jobs: '0'", "'Gone': File not found",
        "photos.plist:", "blur", "twice.plist:3:1: duplicate key 'A'",
        "broken.plist:1:", "missing.plist",
    ):
        assert text in run.err, text
    (gallery.folder / "gallerygen.yaml").unlink()
    assert gallery.run("check", "missing.plist", "twice.plist").code == 66
    assert gallery.run("check", "twice.plist", "missing.plist").code == 65


def test_check_of_photos_without_mistakes_reports_no_problems(three_photos):
    run = three_photos.run("check", "--strict")
    assert (run.code, run.lines()) == (0, ["3 photos; no problems."])


@pytest.mark.parametrize(("entry", "advice"), [
    ({"file": "1.jpg", "caption": "Two dogs"}, "rename 'file' to 'url'"), ({"URL": "1.jpg"}, "rename 'URL' to 'url'"),
    ({"Image": "1.jpg", "Caption": "x"}, "rename 'Image' to 'url'"), ({"caption": "x", "credit": "y"}, "it needs url"),
    ({"photo": "1.jpg", "rating": 3}, "rename 'photo' to 'url'")])
def test_check_warns_of_a_dict_with_details_and_no_address(three_photos, entry, advice):
    three_photos.list({"Two Dogs": entry})
    run = three_photos.run("check")
    warning = next(line for line in run.lines() if "is read as an album" in line)
    assert "'Two Dogs'" in warning
    assert advice in warning
    assert "no problems" not in run.lines()[-1]
    strict = three_photos.run("check", "--strict", "--quiet")
    assert strict.code == 1
    assert "is read as an album" in strict.err, "a quiet check does not say why it failed"


def test_check_uses_the_last_good_copy_of_a_list_as_a_build_does(gallery, scripted):
    answers = [picture(b"<plist><dict><key>A</key><string>a.jpg</string></dict></plist>"), status(500)]
    address = scripted.on("/list.plist", lambda connection, request: answers[0](connection, request))
    assert gallery.run("check", address, "--retries", "0").code == 0
    assert gallery.run("build", address).code == 0
    answers.pop(0)
    for command in ("build", "check"):
        run = gallery.run(command, address, "--retries", "0")
        assert run.code == 0
        assert "Using the last good copy." in run.err
    assert "1 photo" in run.err
    shutil.rmtree(gallery.state)
    assert gallery.run("check", address, "--retries", "0").code == 66


@pytest.mark.parametrize("album", [
    {"Lake": "1.jpg"}, {"Lake": "1.jpg", "Image": "2.jpg"}, {"Date": "1.jpg", "Oak": "2.jpg"}])
def test_check_does_not_take_an_album_for_a_misspelled_photo(three_photos, album):
    three_photos.list({"Trees": album})
    run = three_photos.run("check", "--strict")
    assert (run.code, "no problems" in run.err) == (0, True), run.output


def test_check_of_many_missing_files_reads_each_folder_once(gallery):
    """The search for similar names must not compare each missing name with each file: 40,000,000 comparisons."""
    (gallery.folder / "pictures").mkdir()
    for number in range(2_000):
        (gallery.folder / "pictures" / f"picture-{number}.jpg").touch()
    gallery.list({f"Photo {number}": f"pictures/pictrue-{number}x.jpg" for number in range(20_000)})
    log = gallery.folder / "calls"
    run = gallery.run("check", prefix=("strace", "-f", "-qq", "-o", log, "-e", "trace=getdents64"))
    assert run.lines()[-1] == "20000 photos; 20000 will fail."
    assert len(log.read_text().splitlines()) < 30


SECRETS = [
    "https://me:pa/SECRET@127.0.0.1:1/x.jpg", "https:///me:SECRET@127.0.0.1:1/x.jpg", "me:SECRET@127.0.0.1/x.jpg",
    "\ufeffhttps://me:SECRET@127.0.0.1:1/x.jpg", "https://me:80?SECRET@127.0.0.1/x.jpg",
    "https://me:SECRET%40127.0.0.1/x.jpg",
    # These hosts do not exist, and the message of such a failure usually names the host.
    "https://SECRET.localhost?x@127.0.0.1/x.jpg", "https://SECRET.localhost:1/5@127.0.0.1/x.jpg"]


def test_no_spelling_of_a_password_appears_in_output_or_site(gallery):
    gallery.list([{"url": address} for address in SECRETS])
    (gallery.folder / "gallerygen.yaml").write_text("retries: 0\n")
    runs = [gallery.run(*command) for command in (
        ("check",), ("build",), ("status",), ("status", "--json"), ("build", "--dry-run", "--explain"),
        ("build", "--explain"))]
    for run in runs:
        assert "SECRET" not in run.output.upper()
    for path in gallery.files():
        assert b"SECRET" not in (gallery.site / path).read_bytes().upper(), path


@pytest.mark.parametrize("address", SECRETS)
@pytest.mark.parametrize("command", [
    ("check",), ("build",), ("status",), ("biuld",), ("check", "--filter"), ("init", "a"), ("check", "--")])
def test_a_message_about_mistyped_arguments_shows_no_password(gallery, address, command):
    run = gallery.run(*command, address)
    assert run.code != 0
    assert "SECRET" not in run.output.upper()


def has_open(process, name):
    for file in Path(f"/proc/{process.pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):  # the descriptor was closed meanwhile
            if file.readlink().name == name:
                return True
    return False


@pytest.mark.alone
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("command", [("check",), ("status",), ("build", "--dry-run"), ("build",)])
def test_a_command_that_waits_for_its_list_from_a_pipe_ends_on_a_signal(gallery, command, number):
    os.mkfifo(gallery.folder / "list.plist")
    process = gallery.program.start(*command, "list.plist", cwd=gallery.folder)
    try:
        until(lambda: has_open(process, "list.plist"), process)
        start = time.monotonic()
        process.send_signal(number)
        process.communicate(timeout=TIMEOUT)
        assert time.monotonic() - start <= 2
        assert process.returncode in (-number, 128 + number)
    finally:
        process.kill()
        process.communicate()


def test_a_list_may_come_through_a_pipe(three_photos):
    run = three_photos.run("check", "/dev/stdin", prefix=("sh", "-c", 'cat photos.plist | "$@"', "sh"))
    assert "3 photos" in run.err


def test_a_list_without_an_end_is_refused(gallery):
    run = gallery.run("check", "/dev/zero")
    assert run.code == 65
    assert "256 MB" in run.err


def test_status_names_each_photo_its_state_and_its_reason(samples):
    samples.build("--widths", "160")
    run = samples.run("status")
    assert run.code == 0
    for name, photo in samples.photos().items():
        line = next(line for line in run.out.splitlines() if name in line)
        assert photo["state"] in line
    assert run.out.count(samples.photos()["Old Windmill"]["reason"]["message"]) == 1


@pytest.mark.quick
def test_status_as_json_is_status_json_with_more_facts_from_the_ledger(gallery, web):
    (web.root / "1.jpg").write_bytes(jpeg(1))
    gallery.list({"One": web.url("1.jpg"), "Gone": web.url("gone.jpg"), "Local": "none.jpg"}).build()
    run = gallery.run("status", "--json")
    assert (run.code, run.err) == (0, "")
    report = json.loads(run.out)
    extras = {
        photo["name"]: {key: photo.pop(key) for key in ("attempts", "checked", "etag", "moved")}
        for photo in report["photos"]
    }
    assert report == gallery.status()
    assert extras["One"]["etag"].strip('W/"')
    assert extras["Gone"]["attempts"] >= 1
    assert extras["One"]["checked"].endswith("Z")
    assert extras["One"]["moved"] is None


def test_status_before_the_first_build_lists_every_photo_as_new(three_photos):
    run = three_photos.run("status", "--json")
    assert run.code == 0, run.err
    assert [photo["state"] for photo in json.loads(run.out)["photos"]] == ["new"] * 3
    assert three_photos.run("status").code == 0
    assert not three_photos.site.exists()


def test_status_without_a_manifest_exits_with_66(gallery):
    assert gallery.run("status").code == 66


def test_status_works_while_a_build_runs(gallery):
    for number in range(150):
        (gallery.folder / f"{number}.jpg").write_bytes(jpeg(number))
    gallery.list({f"Photo {number}": f"{number}.jpg" for number in range(150)})
    process = gallery.program.start("build", cwd=gallery.folder)
    codes, deadline = [], time.monotonic() + TIMEOUT
    try:
        while process.poll() is None:
            assert time.monotonic() < deadline, "the build does not end"
            codes.append(gallery.run("status").code)
        _, err = process.communicate(timeout=TIMEOUT)
    finally:
        process.kill()
    assert process.returncode == 0, err
    assert codes
    assert set(codes) == {0}


def test_a_full_disk_behind_standard_output_exits_with_74(three_photos):
    three_photos.build()
    run = three_photos.run("status", "--json", prefix=("sh", "-c", 'exec "$@" > /dev/full', "sh"))
    assert run.code == 74
    assert "standard output" in run.err


def test_status_takes_the_options_that_affect_its_output(three_photos):
    three_photos.build("--title", "Club")
    run = three_photos.run("status", "--json", "--title", "Club", "-o", "public", "--state", ".gallerygen")
    assert run.code == 0, run.output
    assert json.loads(run.out)["title"] == "Club"


@pytest.mark.parametrize(("option", "value"), [
    ("--quality", "70"), ("--filter", "none"), ("--widths", "100"), ("--per-page", "5"), ("--language", "de"),
    ("--jobs", "1")])
def test_status_refuses_options_for_work_that_it_does_not_do(three_photos, option, value):
    run = three_photos.run("status", option, value)
    assert run.code == 64
    assert f"Unknown option '{option}'" in run.err
    assert three_photos.run("check", option, value).code == 0


def test_status_accepts_and_checks_a_settings_file_with_settings_of_builds(three_photos):
    (three_photos.folder / "gallerygen.yaml").write_text("quality: 70\ntitle: Club\n")
    three_photos.build()
    assert json.loads(three_photos.run("status", "--json").out)["title"] == "Club"
    (three_photos.folder / "gallerygen.yaml").write_text("quality: 101\n")
    assert three_photos.run("status").code == 78
