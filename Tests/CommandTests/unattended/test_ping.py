"""--ping: the beginning and the exit code of each build go to a service such as Healthchecks."""

import signal
import time

import pytest
from check_service import CheckService
from program import exit_code
from scripted_server import held
from pictures import jpeg
from waiting import TIMEOUT


@pytest.fixture
def service():
    with CheckService() as service:
        yield service


@pytest.mark.quick
def test_a_build_pings_its_start_and_its_exit_code_with_the_summary(three_photos, service):
    three_photos.list({"One": "1.jpg", "Gone": "gone.jpg"})
    three_photos.build("--quiet", "--ping", service.url)
    assert service.paths() == ["/secret-uuid/start", "/secret-uuid/0"]
    assert service.pings[0].body == b""
    body = service.pings[1].body.decode()
    assert body.startswith("2 photos: 1 filtered, 1 failed") and "Gone: " in body and "[missing-file]" in body
    assert all(ping.agent.startswith("gallerygen/") for ping in service.pings)


def test_the_exit_code_is_that_of_the_build(three_photos, service):
    three_photos.list({"One": "1.jpg", "Gone": "gone.jpg"})
    three_photos.build("--ping", service.url, "--strict", expect=1)
    three_photos.manifest.write_text("this is no property list")
    three_photos.build("--ping", service.url, expect=65)
    three_photos.manifest.unlink()
    three_photos.build("--ping", service.url, expect=66)
    assert [path.rpartition("/")[2] for path in service.paths()] == ["start", "1", "start", "65", "start", "66"]
    assert b"photos.plist:1:1" in service.pings[3].body


def test_a_failed_publication_is_pinged_with_the_summary_and_the_error(three_photos, service):
    (three_photos.folder / "www").write_text("in the way")
    three_photos.build("--ping", service.url, "--publish", "www", expect=74)
    assert service.paths()[-1] == "/secret-uuid/74"
    body = service.pings[-1].body.decode()
    assert body.startswith("3 photos: 3 filtered") and "Not a directory" in body


def test_a_query_stays_at_the_end_of_the_address(three_photos, service):
    three_photos.build("--ping", service.url + "?create=1")
    assert service.paths() == ["/secret-uuid/start?create=1", "/secret-uuid/0?create=1"]


def test_a_dry_run_and_check_ping_nobody(three_photos, service):
    three_photos.build("--ping", service.url, "--dry-run")
    assert three_photos.run("check", "--ping", service.url).code == 0
    assert service.pings == []


def test_a_long_summary_is_cut_between_two_characters(gallery, service):
    gallery.list({f"{number} {'ä' * 5_000}": f"{number}.jpg" for number in range(20)})
    gallery.build("--ping", service.url)
    body = service.pings[1].body
    assert 99_990 <= len(body) <= 100_000
    body.decode()


@pytest.mark.parametrize("status", [301, 404, 500])
def test_a_service_that_answers_with_an_error_is_a_warning(three_photos, status):
    with CheckService(status) as service:
        run = three_photos.build_unaffected_by("--quiet", "--ping", service.url)
        assert len(run.lines()) == 1 and f"it answered with status {status}" in run.err
        assert "secret" not in run.err, "whoever knows the address can report in the user's name"


def test_a_service_that_is_down_is_a_warning(three_photos):
    with CheckService() as service:
        url = service.url
    run = three_photos.build_unaffected_by("--quiet", "--ping", url)
    assert len(run.lines()) == 1 and "ping: 127.0.0.1" in run.err and "connect" in run.err


def test_a_service_that_does_not_exist_is_a_warning(three_photos):
    run = three_photos.build_unaffected_by("--quiet", "--ping", "http://no-such-host.invalid/uuid")
    assert len(run.lines()) == 1 and "no-such-host.invalid" in run.err


@pytest.mark.alone
def test_a_service_that_hangs_holds_up_a_build_for_no_more_than_ten_seconds(three_photos):
    with CheckService(holds=True) as service:
        run = three_photos.build("--quiet", "--ping", service.url)
        assert len(run.lines()) == 1 and "imeout" in run.err
        assert run.seconds < 15


@pytest.mark.alone
@pytest.mark.parametrize("holds", [False, True], ids=["answers", "hangs"])
def test_an_interrupted_build_is_pinged_within_two_seconds(gallery, scripted, holds):
    gallery.list({"One": scripted.on("/1.jpg", held(scripted, jpeg(1)))})
    with CheckService(holds=holds) as service:
        process = gallery.program.start("build", "--ping", service.url, cwd=gallery.folder)
        try:
            scripted.wait_for("/1.jpg")
            start = time.monotonic()
            process.send_signal(signal.SIGTERM)
            _, err = process.communicate(timeout=TIMEOUT)
            assert time.monotonic() - start < 2
            assert "without waiting" not in err, "the program ended by itself and not by its deadline"
            assert exit_code(process.returncode) == 143
            assert service.paths()[-1] == "/secret-uuid/143"
        finally:
            process.kill()
            process.communicate()


@pytest.mark.parametrize("url", ["hc-ping.com/x", "ftp://example.org/x", "https://a:b@example.org/x", "https:///x"])
def test_an_address_that_is_none_is_refused(three_photos, url):
    run = three_photos.build("--ping", url, expect=64)
    assert "--ping" in run.err and "a:b" not in run.err
