"""Requests through a proxy: which go through it, which hosts are refused, and the messages when the proxy fails."""

import plistlib
import threading

import pytest
from pictures import jpeg
from proxies import Proxy, SocksProxy, refusing_tunnels
from scripted_server import picture, response
from connection_scripts import manifest_server
from waiting import TIMEOUT
from web_server import free_port

PICTURE = jpeg(1)
PUBLIC = "93.184.216.34"
#: Hosts whose spelling alone shows that they are not public.
PRIVATE = [
    "127.0.0.1",
    "169.254.169.254",
    "[::1]",
    "[fd00::1]",
    "[::ffff:10.0.0.1]",
    "10.0.0.1",
    "0x7f.1",
    "2852039166",
    "localhost",
    "intranet",
    "printer.local",
    "metadata.google.internal",
    # With a dot at the end, libcurl takes these for names, but resolvers take them for addresses.
    "10.0.0.1.",
    "127.1.",
    "0177.0.0.1.",
    "010.0.0.1.",
    "2130706433.",
    "0x7f000001.",
    "169.254.169.254.",
    "localhost.",
    "printer.local.",
    "256.0.0.1",
    "1.2.3.4.5",
    "nas.lan",
    "nas.home",
    "www.corp",
    "www.intranet",
    "db.private",
    "me.localdomain",
    "box.home.arpa",
]


@pytest.fixture
def proxy():
    with Proxy(refusing_tunnels(PICTURE)) as proxy:
        yield proxy


def address(host, port=None):
    return f"http://{host}{f':{port}' if port else ''}/1.jpg"


def from_network(gallery, hosts, port=None, env=None):
    """Builds from a list that comes from the network, so that its hosts are untrusted. The list is fetched without the
    proxy."""
    with manifest_server(plistlib.dumps({host: address(host, port) for host in hosts})) as manifests:
        return gallery.build(
            manifests.url("/photos.plist").replace("localhost", "127.0.0.1"), "--retries", "0",
            env={"no_proxy": "127.0.0.1"} | (env or {}))


def failures(gallery):
    """Name → code and message of each failed photo."""
    return {name: (photo["reason"]["code"], photo["reason"]["message"])
            for name, photo in gallery.photos().items() if photo["reason"]}


def test_the_environment_names_proxies_and_hosts_without_one(gallery, scripted, proxy):
    direct = scripted.on("/direct.jpg", picture(jpeg(2)))
    gallery.list({"Far": "http://photos.invalid/far.jpg", "Safe": "https://photos.invalid/safe.jpg", "Near": direct})
    proxied = {"http_proxy": proxy.url(), "https_proxy": proxy.url(), "no_proxy": "127.0.0.1"}
    gallery.build("--retries", "0", env=proxied)
    assert sorted(proxy.targets) == ["http://photos.invalid/far.jpg", "photos.invalid:443"]
    assert scripted.counts() == {"/direct.jpg": 1}
    assert gallery.reasons() == {"Safe": "connect"}
    proxy.targets.clear()
    gallery.build("--retries", "0", "--max-age", "1ms", env={"all_proxy": proxy.url()})
    assert len(proxy.targets) == 3


@pytest.mark.parametrize("host", ["127.0.0.1", "proxy.example.com"], ids=["private", "public"])
@pytest.mark.parametrize("is_same_port", [False, True], ids=["", "the port of the photos"])
def test_through_a_proxy_private_hosts_are_refused_and_public_ones_are_requested(
        gallery, proxy, fake_network, host, is_same_port):
    """This holds for private and public proxies, and if the photos have the port of the proxy."""
    names = fake_network.environment({"proxy.example.com": [PUBLIC]})
    public = ["photos.invalid", PUBLIC, "www.lan.invalid"]
    port = proxy.port if is_same_port else 8099
    from_network(gallery, [*PRIVATE, *public], port, env=names | {"http_proxy": proxy.url(host)})
    assert sorted(proxy.targets) == sorted(address(name, port) for name in public)
    assert gallery.reasons() == dict.fromkeys(PRIVATE, "blocked-address")


@pytest.mark.parametrize("is_same_port", [False, True], ids=["", "the port of the photos"])
def test_through_a_proxy_redirects_lead_only_to_public_hosts(gallery, fake_network, is_same_port):
    targets = ["10.0.0.1", "10.0.0.1.", "localhost", "nas.lan", "photos.invalid"]

    def answer(target):
        host = target.removeprefix("http://").partition("/")[0].partition(":")[0]
        if not host.startswith("to"):
            return response(PICTURE)
        return response(b"", code="302 Found", headers=[f"Location: {address(targets[int(host[2:3])], port)}"])

    with Proxy(answer) as proxy:
        port = proxy.port if is_same_port else 8099
        gallery.list({target: address(f"to{number}.invalid", port) for number, target in enumerate(targets)})
        names = fake_network.environment({"proxy.example.com": [PUBLIC]})
        gallery.build("--retries", "0", env=names | {"http_proxy": proxy.url("proxy.example.com")})
        first = {address(f"to{number}.invalid", port) for number in range(len(targets))}
        assert set(proxy.targets) - first == {address("photos.invalid", port)}
    assert gallery.reasons() == dict.fromkeys(targets[:-1], "blocked-address")


def test_a_host_without_proxy_that_resolves_to_the_proxys_address_is_blocked(gallery, proxy, fake_network):
    names = fake_network.environment({"photos.example.com": ["127.0.0.1"]})
    from_network(gallery, ["photos.example.com"], proxy.port, env=names | {
        "http_proxy": proxy.url(), "no_proxy": "127.0.0.1, .EXAMPLE.com"})
    assert proxy.targets == []
    assert gallery.reasons() == {"photos.example.com": "blocked-address"}


@pytest.mark.parametrize("scheme", ["socks5", "SOCKS5", "socks5h", "socks4", "socks4a", "socks"])
def test_a_socks_proxy_gets_names_to_look_up_itself(gallery, fake_network, scheme):
    """The proxy must not get an address that was looked up here, because such an address was not checked."""
    names = fake_network.environment({"photos.example.com": [PUBLIC], "inside.example.com": ["10.1.2.3"]})
    with SocksProxy(lambda _: response(PICTURE), scheme) as proxy:
        from_network(gallery, ["photos.example.com", "inside.example.com", "10.1.2.3", "10.1.2.3."], env=names | {
            "all_proxy": proxy.url()})
        assert sorted(proxy.targets) == [("name", "inside.example.com"), ("name", "photos.example.com")]
    assert gallery.reasons() == {"10.1.2.3": "blocked-address", "10.1.2.3.": "blocked-address"}


def test_a_redirect_from_http_to_https_goes_through_the_proxy_for_https(gallery):
    to_https = response(b"", code="302 Found", headers=["Location: https://b.invalid/1.jpg"])
    with Proxy(lambda _: to_https) as plain, Proxy(refusing_tunnels(PICTURE)) as secure:
        gallery.list(
            {"One": "http://a.invalid/1.jpg", "Two": "https://c.invalid/2.jpg", "Three": "http://d.invalid/3.jpg"}
        )
        proxied = {"http_proxy": plain.url(), "HTTPS_PROXY": secure.url()}
        gallery.build("--retries", "0", "--downloads", "1", env=proxied)
        assert sorted(plain.targets) == ["http://a.invalid/1.jpg", "http://d.invalid/3.jpg"]
        assert sorted(secure.targets) == ["b.invalid:443", "b.invalid:443", "c.invalid:443"]


def test_the_user_and_password_of_a_proxy_are_sent_only_to_it(gallery, scripted):
    """Neither a server without proxy nor the proxy for the other scheme gets them."""
    to_https = response(b"", code="302 Found", headers=["Location: https://b.invalid/1.jpg"])
    with Proxy(lambda _: to_https) as plain, Proxy(refusing_tunnels(PICTURE)) as secure:
        gallery.list({
            "One": "http://a.invalid/1.jpg", "Two": "https://c.invalid/2.jpg", "Three": "http://d.invalid/3.jpg",
            "Near": scripted.on("/direct.jpg", picture(PICTURE))})
        run = gallery.build("--retries", "0", "--downloads", "1", "--verbose", env={
            "http_proxy": plain.url(user="jo:s3cr3t@"), "https_proxy": secure.url(), "no_proxy": "127.0.0.1"})
    assert plain.authorizations == ["Basic am86czNjcjN0"] * 2
    assert sorted(secure.targets) == ["b.invalid:443", "b.invalid:443", "c.invalid:443"]
    assert secure.authorizations == [None] * 3
    assert scripted.counts() == {"/direct.jpg": 1}
    assert not any("am86" in value for request in scripted.requests for value in request.headers.values())
    assert "s3cr3t" not in run.output


@pytest.mark.parametrize(("variables", "is_asked"), [
    ({"ALL_PROXY": "proxy"}, True), ({"http_proxy": "", "all_proxy": "proxy"}, True), ({"HTTP_PROXY": "proxy"}, False),
    ({"https_proxy": "proxy"}, False), ({"http_proxy": "proxy", "NO_PROXY": "*"}, False),
    ({"http_proxy": "proxy", "no_proxy": "", "NO_PROXY": "a.invalid, .0.0.1"}, True),
    ({"http_proxy": "proxy", "no_proxy": "127.0.0.0/8"}, False),
], ids=str)
def test_the_proxy_variables_have_the_meanings_that_curl_gives_them(gallery, scripted, proxy, variables, is_asked):
    gallery.list({"One": scripted.on("/1.jpg", picture(PICTURE))})
    gallery.build(
        "--retries", "0", env={name: proxy.url() if value == "proxy" else value for name, value in variables.items()}
    )
    assert (len(proxy.targets), scripted.counts().total()) == ((1, 0) if is_asked else (0, 1))
    assert gallery.reasons() == {}


@pytest.mark.parametrize("code", ["403 No", "407 Who are you?", "502 Bad Gateway"])
def test_the_message_for_a_refused_tunnel_names_the_proxy_and_its_status(gallery, code):
    with Proxy(refusing_tunnels(PICTURE, code)) as proxy:
        gallery.list({"One": "https://photos.invalid/1.jpg"})
        run = gallery.build("--retries", "0", "--verbose", env={"https_proxy": proxy.url(user="jo:s3cr3t@")})
    assert failures(gallery) == {
        "One": ("connect", f"The proxy 127.0.0.1 refused to connect to photos.invalid (status {code[:3]}).")}
    assert "s3cr3t" not in run.output + (gallery.site / "status.json").read_text()


def test_the_message_for_a_proxy_that_requires_a_password_names_it(gallery):
    with Proxy(
        lambda _: response(b"", code="407 Who are you?", headers=['Proxy-Authenticate: Basic realm="x"'])
    ) as proxy:
        gallery.list({"One": "http://photos.invalid/1.jpg"})
        gallery.build("--retries", "0", env={"http_proxy": proxy.url()})
    assert failures(gallery) == {
        "One": ("http-status", "The proxy 127.0.0.1 requires a user name and a password (status 407).")}


@pytest.mark.parametrize("scheme", ["socks5", "socks4"])
def test_the_message_for_a_refusing_socks_proxy_names_it(gallery, scheme):
    with SocksProxy(None, scheme) as proxy:
        gallery.list({"One": "http://photos.invalid/1.jpg"})
        gallery.build("--retries", "0", env={"all_proxy": proxy.url()})
    assert failures(gallery) == {"One": ("connect", "The proxy 127.0.0.1 could not connect to photos.invalid.")}


@pytest.mark.parametrize("scheme", ["http", "https", "socks5"])
def test_the_message_for_an_unreachable_proxy_names_it_without_its_password(gallery, scheme):
    gallery.list({"One": "http://photos.invalid/1.jpg", "Two": "https://photos.invalid/2.jpg"})
    where = f"{scheme}://jo:s3cr3t@127.0.0.1:{free_port()}"
    run = gallery.build("--retries", "0", "--verbose", env={"all_proxy": where})
    expected = ("connect", "The proxy 127.0.0.1 can't be reached.")
    assert failures(gallery) == {"One": expected, "Two": expected}
    assert "s3cr3t" not in run.output
    run = gallery.build("--retries", "0", "--force", env={"all_proxy": f"{scheme}://jo:s3cr3t@{'x' * 64}.invalid:1"})
    expected = ("dns", f"Unknown proxy {'x' * 64}.invalid: its name could not be looked up.")
    assert failures(gallery) == {"One": expected, "Two": expected}
    assert "s3cr3t" not in run.output


def test_the_message_for_a_silent_proxy_names_it(gallery):
    released = threading.Event()
    gallery.list({"One": "https://photos.invalid/1.jpg"})
    with Proxy(lambda _: b"" if released.wait(TIMEOUT) else b"") as proxy:
        gallery.build("--retries", "0", "--connect-timeout", "1s", env={"all_proxy": proxy.url()})
    released.set()
    assert failures(gallery) == {"One": ("timeout", "The proxy 127.0.0.1 did not connect within 1 s.")}


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_the_certificate_of_a_proxy_is_verified_and_its_message_names_the_proxy(gallery, certificates, scheme):
    gallery.list({"One": f"{scheme}://photos.invalid/1.jpg"})
    for kind, trust in (("wrong name", certificates.trusted), ("good", {})):
        with Proxy(refusing_tunnels(PICTURE), tls=certificates.context(kind)) as proxy:
            gallery.build("--retries", "0", "--force", env=trust | {"all_proxy": proxy.url("localhost")})
            assert proxy.targets == []
        code, sentence = failures(gallery)["One"]
        assert code == "tls" and sentence.startswith("No secure connection to the proxy localhost: ")
    with Proxy(refusing_tunnels(PICTURE), tls=certificates.context("good")) as proxy:
        gallery.build("--retries", "0", "--force", env=certificates.trusted | {"all_proxy": proxy.url("localhost")})
        assert proxy.targets == ["http://photos.invalid/1.jpg" if scheme == "http" else "photos.invalid:443"]
    assert gallery.reasons() == ({} if scheme == "http" else {"One": "connect"})
