"""What servers notice of the program: who asks, how often, and how fast."""

import time

import pytest
from gallery import text_of
from pictures import jpeg, noise_jpeg
from scripted_server import ScriptedServer, endless, picture, status


@pytest.mark.quick
def test_a_contact_is_added_to_the_user_agent(gallery, scripted):
    gallery.list({"One": scripted.on("/1.jpg", picture(jpeg(1)))})
    gallery.build("--contact", "https://example.org/about")
    gallery.build("--contact", "anna@example.org", "--user-agent", "Camera Club", "--force")
    agents = [request.headers["user-agent"] for request in scripted.requests]
    assert agents[0].startswith("gallerygen/") and agents[0].endswith(" (+https://example.org/about)")
    assert agents[1] == "Camera Club (+anna@example.org)"


@pytest.mark.parametrize("contact", ["a(b", "a)b", "a\\b", "a\nb"])
def test_a_contact_that_would_break_the_header_is_refused(three_photos, contact):
    assert "--contact" in three_photos.build("--contact", contact, expect=64).err


def wants_cookie(connection, request):
    """A picture for those who have the cookie that /set sets."""
    if request.headers.get("cookie") == "pass=abc":
        return picture(jpeg(1))(connection, request)
    return status(302, "Location: /set")(connection, request)


def test_a_cookie_of_a_redirect_is_sent_within_the_transfer_and_never_again(gallery, scripted):
    scripted.on("/set", status(302, "Location: /1.jpg", "Set-Cookie: pass=abc; Path=/"))
    gallery.list({"One": scripted.on("/1.jpg", wants_cookie), "Two": scripted.on("/2.jpg", picture(jpeg(2)))})
    gallery.build("--downloads", "1")
    assert gallery.reasons() == {}
    seen = {}
    for request in scripted.requests:
        seen.setdefault(request.path, []).append(request.headers.get("cookie"))
    assert seen == {"/1.jpg": [None, "pass=abc"], "/set": [None], "/2.jpg": [None]}
    assert b"pass=abc" not in text_of(gallery.folder)


def test_a_cookie_is_not_sent_to_another_host_or_path(gallery, scripted):
    # The server is the proxy of both hosts.
    cookie = "Set-Cookie: pass=abc; Path="
    scripted.on("http://a.example.org/1.jpg", status(302, "Location: http://b.example.org/1.jpg", cookie + "/"))
    scripted.on("http://a.example.org/2.jpg", status(302, "Location: /other/2.jpg", cookie + "/z"))
    scripted.on("http://b.example.org/1.jpg", picture(jpeg(1)))
    scripted.on("http://a.example.org/other/2.jpg", picture(jpeg(2)))
    gallery.list({"One": "http://a.example.org/1.jpg", "Two": "http://a.example.org/2.jpg"})
    gallery.build(env={"http_proxy": scripted.url("")})
    assert gallery.reasons() == {}
    assert [request.headers.get("cookie") for request in scripted.requests] == [None] * 4


def test_a_retry_begins_without_cookies(gallery, scripted):
    answers = [500, 200]

    def target(connection, request):
        code = answers.pop(0)
        return status(500)(connection, request) if code == 500 else picture(jpeg(1))(connection, request)

    scripted.on("/target.jpg", target)
    gallery.list({"One": scripted.on("/1.jpg", status(302, "Location: /target.jpg", "Set-Cookie: a=b; Path=/"))})
    gallery.build()
    assert [(request.path, request.headers.get("cookie")) for request in scripted.requests] == [
        ("/1.jpg", None), ("/target.jpg", "a=b"), ("/1.jpg", None), ("/target.jpg", "a=b")]


def test_requests_to_a_host_keep_the_rate(gallery, scripted):
    times = []

    def timed(connection, request):
        times.append(time.monotonic())
        picture(jpeg(len(times)))(connection, request)

    photos = {f"Photo {number}": scripted.on(f"/{number}.jpg", timed) for number in range(6)}
    # A redirect is a request too.
    photos["Moved"] = scripted.on("/old.jpg", lambda *connection: (
        times.append(time.monotonic()), status(302, "Location: /0.jpg")(*connection)))
    gallery.list(photos)
    gallery.build("--rate", "5")
    assert gallery.reasons() == {} and len(times) == 8
    times.sort()
    # The server notices a request a moment after it was sent.
    assert times[-1] - times[0] >= 7 * 0.2 - 0.1
    assert min(later - earlier for earlier, later in zip(times, times[2:])) >= 0.2


def test_the_rate_holds_for_each_host_alone(gallery, scripted):
    times = {}

    def timed(number):
        def answer(connection, request):
            times[number] = time.monotonic()
            picture(jpeg(number))(connection, request)
        return answer

    with ScriptedServer() as other:
        gallery.list({
            f"Photo {number}": server.on(f"/{number}.jpg", timed(number))
            for number, server in enumerate([scripted, other, scripted, other])})
        gallery.build("--rate", "0.5")
        assert gallery.reasons() == {}
    first, second = sorted([times[0], times[2]]), sorted([times[1], times[3]])
    assert min(first[1] - first[0], second[1] - second[0]) >= 1.9
    # With a common limit, they would be two seconds apart.
    assert abs(first[0] - second[0]) < 1.9


def test_a_failing_photo_does_not_hold_up_the_others_of_its_host(gallery, scripted):
    gallery.list({"One": scripted.on("/1.jpg", status(503)), "Two": scripted.on("/2.jpg", picture(jpeg(2)))})
    gallery.build("--rate", "10", "--retries", "1")
    assert gallery.reasons() == {"One": "http-status"}


@pytest.mark.parametrize("count", [1, 12], ids=["one large photo", "many small ones"])
def test_all_downloads_together_keep_the_limit_on_the_rate(gallery, scripted, count):
    body = noise_jpeg(1, 600, 600)
    assert 150_000 < len(body) < 1_000_000
    size = len(body) // count
    for number in range(count):
        # A JPEG may have anything after its end.
        small = jpeg(number)
        scripted.on(f"/{number}.jpg", picture(small + bytes(size - len(small)) if count > 1 else body))
    gallery.list({f"Photo {number}": scripted.url(f"/{number}.jpg") for number in range(count)})
    seconds = 3
    run = gallery.build("--limit-rate", str(len(body) // seconds), "--stall-timeout", "1s")
    assert gallery.reasons() == {}
    # The first pieces arrive at once.
    assert run.seconds >= seconds - 1
    assert all(photo["sha256"] for photo in gallery.status()["photos"])


def test_a_refused_body_fails_its_photo_alone_under_a_limit_on_the_rate(gallery, scripted):
    long = bytes(300_000)
    scripted.on("/gone.jpg", picture(long, kind="text/html", code="404 Not Found"))
    scripted.on("/endless.jpg", endless)
    scripted.on("/good.jpg", picture(jpeg(1) + long))
    gallery.list({name: scripted.url(f"/{name}.jpg") for name in ["gone", "endless", "good"]})
    gallery.build("--limit-rate", "400kB", "--max-bytes", "350kB", "--retries", "0")
    assert gallery.reasons() == {"gone": "not-found", "endless": "too-large"}


def test_a_cookie_of_the_settings_is_the_only_one_that_is_sent(gallery, scripted):
    scripted.on("/1.jpg", status(302, "Location: /2.jpg", "Set-Cookie: pass=abc; Path=/"))
    scripted.on("/2.jpg", picture(jpeg(1)))
    (gallery.folder / "gallerygen.yaml").write_text(
        f"headers:\n  http://127.0.0.1:{scripted.port}:\n    Cookie: mine=1\n")
    gallery.list({"One": scripted.url("/1.jpg")})
    gallery.build()
    assert [request.headers.get("cookie") for request in scripted.requests] == ["mine=1", "mine=1"]


@pytest.mark.parametrize(("option", "value"), [("--rate", "0"), ("--rate", "fast"), ("--limit-rate", "0")])
def test_rates_that_are_none_are_refused(three_photos, option, value):
    assert option in three_photos.build(option, value, expect=64).err
