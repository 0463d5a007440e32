"""Photos from web servers, good and bad."""

import plistlib
import re
import resource
import socket
import threading

import pytest
from gallery import text_of
from pictures import jpeg, noise_jpeg
from scripted_server import cut_off, endless, garbage, picture, redirect, response, silent_after, status
from waiting import TIMEOUT


def closed_port():
    """A socket that is bound but does not listen, so that its port refuses connections, and the port."""
    holder = socket.socket()
    holder.bind(("127.0.0.1", 0))
    return holder, holder.getsockname()[1]


@pytest.fixture
def sixty(gallery, web):
    """A list of sixty photos, six of which can't be downloaded, each for a different reason."""
    good = {}
    for number in range(54):
        (web.root / f"{number}.jpg").write_bytes(jpeg(number))
        good[f"Photo {number}"] = web.url(f"{number}.jpg")
    (web.root / "page.jpg").write_text("<!DOCTYPE html><html><body>Please log in</body></html>")
    (web.root / "cut.jpg").write_bytes(noise_jpeg(1, 300, 200)[:20_000])
    (web.root / "empty.jpg").write_bytes(b"")
    (web.root / "large.jpg").write_bytes(noise_jpeg(2, 1200, 1000))
    assert (web.root / "large.jpg").stat().st_size > 1_000_000
    holder, port = closed_port()
    bad = {
        "Gone": (web.url("gone.jpg"), "not-found"),
        "Nobody there": (f"http://127.0.0.1:{port}/x.jpg", "connect"),
        "A page": (web.url("page.jpg"), "not-an-image"),
        "Cut": (web.url("cut.jpg"), "truncated"),
        "Empty": (web.url("empty.jpg"), "not-an-image"),
        "Large": (web.url("large.jpg"), "too-large"),
    }
    addresses = list(good.items())
    for position, (name, (address, _)) in enumerate(bad.items()):
        addresses.insert(position * 9 + 3, (name, address))
    gallery.list(dict(addresses))
    gallery.expected_reasons = {name: reason for name, (_, reason) in bad.items()}
    with holder:
        yield gallery


def open_files(soft, hard):
    return lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def at_the_same_time(count, body):
    """Responds once so many requests have arrived."""
    barrier = threading.Barrier(count)

    def script(connection, request):
        barrier.wait(TIMEOUT)
        connection.sendall(response(body))
    return script


def test_a_low_soft_limit_of_open_files_is_raised_for_the_requested_downloads(gallery, scripted):
    script = at_the_same_time(120, jpeg(1))
    gallery.list({f"Photo {number}": scripted.on(f"/{number}.jpg", script) for number in range(120)})
    few = open_files(100, 4096)
    gallery.build("--downloads", "120", "--downloads-per-host", "120", "--retries", "0", preexec_fn=few)
    assert gallery.status()["counts"]["filtered"] == 120


def test_a_low_hard_limit_of_open_files_reduces_the_downloads_at_once_with_a_warning(gallery, scripted):
    script = at_the_same_time(20, jpeg(1))
    gallery.list({f"Photo {number}": scripted.on(f"/{number}.jpg", script) for number in range(200)})
    few = open_files(200, 200)
    run = gallery.build("--downloads", "300", "--downloads-per-host", "300", "--retries", "0", preexec_fn=few)
    assert gallery.status()["counts"]["filtered"] == 200
    assert "downloads 300" in run.err and "ulimit -n" in run.err


CAPPED = ("--max-bytes", "1MB", "--widths", "100,200")


def test_six_of_sixty_photos_fail_each_with_its_reason_and_the_others_are_published(sixty):
    run = sixty.build(*CAPPED)
    assert sixty.reasons() == sixty.expected_reasons
    assert sixty.status()["counts"] == {"new": 0, "downloaded": 0, "filtered": 54, "failed": 6, "stale": 0}
    assert sixty.files() == sixty.accounted_for()
    assert run.out == ""
    assert re.search(r"\b54\b", run.err) and re.search(r"\b6\b", run.err)
    for name in sixty.expected_reasons:
        line = sixty.line_of(f">{name}<")
        named = [said for said in run.lines() if name in said]
        assert named, f"{name} is not named in:\n{run.err}"
        assert any(re.search(rf":({line}|{line + 1})\b", said) for said in named), named
    index = sixty.page("index.html").text
    for photo in sixty.photos().values():
        if photo["state"] == "failed":
            assert photo["reason"]["message"] in sixty.page(photo["page"]).text
            assert photo["name"] in index


def test_strict_exits_1_with_the_same_site(sixty):
    sixty.build("--strict", *CAPPED, expect=1)
    assert sixty.status()["counts"]["filtered"] == 54
    assert sixty.reasons() == sixty.expected_reasons


def test_a_long_list_of_failures_is_cut_and_followed_by_the_command_that_shows_all(gallery):
    gallery.list({f"Photo {number}": f"{number}.jpg" for number in range(200)})
    run = gallery.build()
    assert len(run.lines()) < 60
    assert "200" in run.err
    assert "gallerygen status" in run.err


def test_each_kind_of_server_failure_has_its_reason(gallery, scripted, web):
    body = noise_jpeg(3, 200, 150)
    scripted.on("/loop.jpg", redirect("/loop.jpg"))
    scripted.on("/moved.jpg", redirect("/good.jpg"))
    addresses = {
        "Good": (scripted.on("/good.jpg", picture(body)), None),
        "Moved": (scripted.url("/moved.jpg"), None),
        "Gone": (scripted.on("/gone.jpg", status(410)), "not-found"),
        "Closed": (scripted.on("/closed.jpg", status(403)), "forbidden"),
        "Log in": (scripted.on("/login.jpg", status(401)), "forbidden"),
        "Broken": (scripted.on("/broken.jpg", status(500)), "http-status"),
        "Teapot": (scripted.on("/teapot.jpg", status(418)), "http-status"),
        "Cut off": (scripted.on("/cut.jpg", cut_off(body)), "interrupted"),
        "Silent": (scripted.on("/silent.jpg", silent_after(scripted, body)), "stalled"),
        "Loop": (scripted.url("/loop.jpg"), "too-many-redirects"),
        "To a file": (scripted.on("/file.jpg", redirect("file:///etc/passwd")), "unsupported-scheme"),
        "Endless": (scripted.on("/endless.jpg", endless), "too-large"),
        "Not encrypted": (web.url("good.jpg").replace("http://", "https://"), "tls"),
        "No such host": ("http://no-such-host.invalid/x.jpg", "dns"),
    }
    gallery.list({name: address for name, (address, _) in addresses.items()})
    gallery.build("--stall-timeout", "1s", "--max-bytes", "2MB")
    assert gallery.reasons() == {name: reason for name, (_, reason) in addresses.items() if reason}
    broken = gallery.photos()["Broken"]["reason"]["message"]
    assert "500" in broken


def test_a_response_that_is_not_http_fails_that_photo_alone(gallery, scripted):
    gallery.list({
        "Garbage": scripted.on("/garbage.jpg", garbage), "Good": scripted.on("/good.jpg", picture(jpeg(1)))})
    gallery.build()
    assert list(gallery.reasons()) == ["Garbage"]


@pytest.mark.quick
def test_an_address_that_several_photos_share_is_requested_once(gallery, scripted):
    address = scripted.on("/shared.jpg", picture(jpeg(1)))
    gallery.list({f"Photo {number}": address for number in range(20)})
    gallery.build()
    assert scripted.counts() == {"/shared.jpg": 1}
    assert gallery.status()["counts"]["filtered"] == 20


def test_users_in_addresses_are_neither_sent_nor_shown_and_redirects_to_them_are_refused(gallery, scripted):
    scripted.on("/private.jpg", picture(jpeg(1)))
    place = f"127.0.0.1:{scripted.port}"
    gallery.list({
        "Private": f"http://user:hunter2@{place}/private.jpg?token=s3cr3t#part",
        "Moved": scripted.on("/moved.jpg", redirect(f"http://user:hunter2@{place}/private.jpg?token=s3cr3t")),
        "Gone": f"http://{place}/gone.jpg?token=s3cr3t",
    })
    run = gallery.build("--verbose")
    assert gallery.reasons() == {"Moved": "bad-address", "Gone": "not-found"}
    private = [request for request in scripted.requests if request.path.startswith("/private.jpg")]
    assert len(private) == 1 and "authorization" not in private[0].headers
    commands = (["status"], ["status", "--json"], ["check"])
    output = run.output + "".join(gallery.run(*command).output for command in commands)
    for secret in ("hunter2", "s3cr3t", "token=", "user:"):
        assert secret not in output
        assert secret.encode() not in text_of(gallery.site)


def test_no_more_transfers_than_allowed_run_at_one_host(gallery, scripted):
    lock, now, most = threading.Lock(), [0], [0]
    body = jpeg(1)

    def counted(connection, request):
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
            if now[0] == 3:
                gathered.set()
        gathered.wait(TIMEOUT)
        with lock:
            now[0] -= 1
        picture(body)(connection, request)

    gathered = threading.Event()
    gallery.list({f"Photo {n}": scripted.on(f"/{n}.jpg", counted) for n in range(12)})
    gallery.build("--downloads", "8", "--downloads-per-host", "3")
    assert most[0] == 3
    assert gallery.status()["counts"]["filtered"] == 12


def test_a_server_with_retry_after_is_not_contacted_and_the_status_page_says_until_when(gallery, scripted):
    scripted.on("/busy.jpg", status(503, "Retry-After: 7200"))
    gallery.list({"Busy": scripted.url("/busy.jpg")}).build("--allow-private")
    assert "Not retried before" in gallery.page("status.html").text
    before = gallery.identities()
    gallery.build("--allow-private")
    assert scripted.counts()["/busy.jpg"] == 1
    assert gallery.identities() == before
    # The status page is rendered again, with the same sentence.
    gallery.build("--allow-private", "--title", "Another title")
    assert "Not retried before" in gallery.page("status.html").text
    scripted.on("/free.jpg", picture(jpeg(1)))
    gallery.list({"Busy": scripted.url("/free.jpg")}).build("--allow-private")
    assert "Not retried before" not in gallery.page("status.html").text


def test_retry_after_holds_for_all_photos_of_a_server_and_good_ones_stay(gallery, scripted):
    photos = {f"Photo {n}": scripted.on(f"/{n}.jpg", picture(jpeg(n))) for n in range(10)}
    gallery.list(photos).build("--downloads-per-host", "1")
    late = {f"Late {n}": scripted.on(f"/late{n}.jpg", picture(jpeg(n))) for n in range(30)}
    gallery.list(photos | late)
    scripted.on("/3.jpg", status(503, "Retry-After: 3600"))
    gallery.build("--downloads-per-host", "1")
    requests = scripted.counts()
    assert [requests[f"/{n}.jpg"] for n in range(10)] == [2, 2, 2, 2, 1, 1, 1, 1, 1, 1]
    assert not any(requests[f"/late{n}.jpg"] for n in range(30))
    waiting = gallery.photos()
    assert gallery.status()["counts"] == {"new": 0, "downloaded": 0, "filtered": 10, "failed": 30, "stale": 7}
    assert {waiting[name]["reason"]["code"] for name in late} == {"http-status"}
    assert {waiting[f"Photo {n}"]["stale"]["message"] for n in range(3, 10)} == {waiting["Late 1"]["reason"]["message"]}
    assert gallery.page("status.html").text.count("Not retried before") == 37
    # The next build requests only the three photos that were revalidated before the 503.
    gallery.build("--downloads-per-host", "1")
    assert sum(scripted.counts().values()) == sum(requests.values()) + 3


def test_a_host_that_accepts_connections_and_never_responds_gets_few_requests(gallery, scripted):
    def silent(connection, _):
        scripted.release.wait(TIMEOUT)

    gallery.list({f"Photo {n}": scripted.on(f"/{n}.jpg", silent) for n in range(40)})
    gallery.build("--stall-timeout", "500ms", "--retries", "3")
    assert set(gallery.reasons().values()) == {"stalled"} and len(gallery.reasons()) == 40
    assert sum(scripted.counts().values()) <= 30


def test_retry_after_of_a_manifests_server_is_obeyed_with_the_last_good_copy(gallery, scripted):
    scripted.on("/a.jpg", picture(jpeg(1)))
    body = f"<plist><dict><key>A</key><string>{scripted.url('/a.jpg')}</string></dict></plist>".encode()
    address = scripted.on("/list.plist", picture(body))
    assert gallery.run("build", address, "--allow-private").code == 0
    scripted.on("/list.plist", status(429, "Retry-After: 7200"))
    for _ in range(3):
        run = gallery.run("build", address, "--allow-private")
        assert run.code == 0, run.output
        assert re.search(r"status 429\..* Not retried before 2\S+Z\. Using the last good copy", run.err)
    run = gallery.run("build", address, "--allow-private", "--dry-run")
    assert run.code == 0 and "Not retried before" in run.err
    assert scripted.counts()["/list.plist"] == 2
    assert gallery.status()["counts"]["filtered"] == 1


def test_retry_after_of_a_manifests_server_is_obeyed_without_a_copy_too(gallery, scripted):
    address = scripted.on("/list.plist", status(503, "Retry-After: 7200"))
    for _ in range(2):
        run = gallery.run("build", address)
        assert run.code == 66
        assert re.search(r"status 503\..* Not retried before 2\S+Z", run.err)
    assert scripted.counts()["/list.plist"] == 1


def test_a_minimum_age_holds_for_photos_and_not_for_lists(gallery, scripted):
    first, second = (scripted.on(f"/{n}.jpg", picture(jpeg(n), headers=(f'ETag: "{n}"',))) for n in (1, 2))

    def serve_list(photos):
        return scripted.on("/list.plist", picture(plistlib.dumps(photos), kind="application/xml"))

    address = serve_list({"One": first})
    gallery.build(address, "--allow-private", "--min-age", "1d")
    serve_list({"One": first, "Two": second})
    gallery.build(address, "--allow-private", "--min-age", "1d")
    assert list(gallery.photos()) == ["One", "Two"]
    gallery.build(address, "--allow-private")
    assert scripted.counts() == {"/list.plist": 3, "/1.jpg": 2, "/2.jpg": 2}


@pytest.mark.parametrize("age", ["0", "0s"])
def test_a_max_age_of_zero_requests_a_photo_in_every_build(age, gallery, scripted):
    gallery.list({"A": scripted.on("/a.jpg", picture(jpeg(1), headers=("Cache-Control: max-age=3600",)))})
    gallery.build("--max-age", age)
    gallery.build("--max-age", age)
    (gallery.folder / "gallerygen.yaml").write_text(f"max-age: {age}\n")
    gallery.build()
    assert scripted.counts()["/a.jpg"] == 3
