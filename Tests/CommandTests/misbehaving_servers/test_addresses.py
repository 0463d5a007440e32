"""Addresses that photos must not have: a manifest from the network reaches only the public internet, whatever the
spelling of an address, the name that resolves to it, or the redirect that leads to it."""

import plistlib

import pytest
from misbehaving_server import MisbehavingServer
from misbehaviour import PICTURE, Misbehaviour, problems
from connection_scripts import answering, manifest_server, ok, redirect

GOOD = answering(ok(PICTURE))
PUBLIC = "93.184.216.34"
NAMES = {
    "photos.example.com": [PUBLIC],
    "intranet.example.com": ["10.1.2.3"],
    "home.example.com": ["127.0.0.1"],
    "home6.example.com": ["192.168.7.7"],
    "six.example.com": ["fd12:3456::1"],
    "else.example.com": ["127.8.8.8"],
    "homesix.example.com": ["::1"],
    "any.example.com": ["0.0.0.0"],
    "link.example.com": ["169.254.7.7"],
    "homemapped.example.com": ["::ffff:127.0.0.1"],
    "mapped.example.com": ["::ffff:192.168.1.1"],
    "metadata.google.internal": ["169.254.169.254"],
    "metadata.google.internal.": ["169.254.169.254"],
    # No server listens at the first address, so a client that connects has used the second.
    "both.example.com": ["93.184.216.99", "127.0.0.1"],
    "either.example.com": ["127.0.0.1", PUBLIC],
    # Public at the first lookup, and private from the second on.
    "rebound.example.com": f"{PUBLIC}|127.0.0.1",
}
PRIVATE = {
    "loopback": "127.0.0.1",
    "loopback that is not 127.0.0.1": "127.8.8.8",
    "loopback as one number": "2130706433",
    "loopback in hexadecimal": "0x7f000001",
    "loopback in hexadecimal parts": "0x7f.0x0.0x0.0x1",
    "loopback in octal": "0177.0.0.1",
    "loopback as one octal number": "017700000001",
    "loopback in two parts": "127.1",
    "loopback in full-width digits": "１２７.０.０.１",
    "loopback of IPv6": "[::1]",
    "loopback of IPv6 at length": "[0:0:0:0:0:0:0:1]",
    "loopback mapped into IPv6": "[::ffff:127.0.0.1]",
    "loopback mapped into IPv6 in hexadecimal": "[::ffff:7f00:1]",
    "loopback compatible with IPv6": "[::127.0.0.1]",
    "loopback by 6to4": "[2002:7f00:1::]",
    "loopback by NAT64": "[64:ff9b::7f00:1]",
    "loopback by a NAT64 of one's own": "[64:ff9b:1::7f00:1]",
    "loopback by Teredo": "[2001:0:7f00:1::80ff:fffe]",
    "loopback by ISATAP": "[2a00::5efe:7f00:1]",
    "any address": "0.0.0.0",
    "any address as a number": "0",
    "any address of IPv6": "[::]",
    "this network": "0.1.2.3",
    "the network 10": "10.0.0.1",
    "the network 172.16": "172.31.255.254",
    "the network 192.168": "192.168.1.1",
    "link-local": "169.254.1.1",
    "the metadata of a cloud": "169.254.169.254",
    "the metadata of a cloud as one number": "2852039166",
    "the metadata of a cloud over IPv6": "[fd00:ec2::254]",
    "the services of a cloud": "168.63.129.16",
    "carrier-grade NAT": "100.100.100.200",
    "benchmarks": "198.18.0.1",
    "documentation": "192.0.2.1",
    "multicast": "224.0.0.251",
    "broadcast": "255.255.255.255",
    "unique local": "[fd12:3456::1]",
    "link-local of IPv6": "[fe80::1]",
    "site-local of IPv6": "[fec0::1]",
    "multicast of IPv6": "[ff02::1]",
    "documentation of IPv6": "[2001:db8::1]",
}


# Either reason is right, as long as nothing is contacted.
ODD = {
    "loopback with a dot at its end": ("127.0.0.1.", ("blocked-address", "dns")),
    "loopback in percents": ("%31%32%37.0.0.1", ("blocked-address", "bad-address")),
    "loopback behind the name of another": ("photos.example.com@127.0.0.1", ("blocked-address", "bad-address")),
    "loopback with a zone": ("[::1%25lo]", ("blocked-address", "bad-address")),
    "loopback and a backslash": ("photos.example.com\\@127.0.0.1", ("blocked-address", "bad-address", "dns")),
}


def blocked(name, host, expected="blocked-address", **options):
    options = {"is_reached": False, "recovers": False, "from_url": True, "names": NAMES} | options
    return Misbehaviour(name, GOOD, expected, address=f"http://{host}:{{port}}/photo.jpg", **options)


def redirected_to(name, host, address="http://photos.example.com:{port}/photo.jpg", **options):
    """The named server redirects to its own port at the host, where a request would succeed."""

    def script(connection):
        connection.request()
        connection.send(redirect(f"http://{host}:{connection.server.port}/inside.jpg"))

    options = {"requests": 1, "recovers": False, "names": NAMES} | options
    return Misbehaviour(name, script, "blocked-address", address=address, **options)


def rebound(connection):
    """Redirects to the same name at another port, so that the client looks up the name again. A request there would
    succeed."""
    connection.request()
    with MisbehavingServer(GOOD, host="rebound.example.com") as other:
        connection.send(redirect(other.url("/inside.jpg")))
        connection.hold()


def allowed(name, host="127.0.0.1", script=GOOD, **options):
    return Misbehaviour(
        name, script, "filtered", requests=1, names=NAMES, address=f"http://{host}:{{port}}/photo.jpg", **options)


def inside(connection):
    """Redirects the first request to another private name, and sends the picture there."""
    if connection.request().path.startswith("/photo.jpg"):
        connection.send(redirect(f"http://home6.example.com:{connection.server.port}/inside.jpg"))
    else:
        connection.send(ok(PICTURE))


ROWS = [
    *[blocked(f"a manifest from the network names {name}", host) for name, host in PRIVATE.items()],
    *[blocked(f"a manifest from the network names {name}", host, codes) for name, (host, codes) in ODD.items()],
    *[
        blocked(f"a manifest from the network names {host}", host)
        for host in (
            "localhost",
            "LOCALHOST",
            "photos.localhost",
            "intranet.example.com",
            "home.example.com",
            "six.example.com",
            "mapped.example.com",
            "metadata.google.internal",
            "metadata.google.internal.",
        )
    ],
    *[
        blocked(f"a manifest from the network names {name} over a proxy", host, is_proxy=True)
        for name, host in (
            ("loopback", "127.0.0.1"),
            ("loopback as one number", "2130706433"),
            ("the network 10", "10.0.0.1"),
            ("loopback mapped into IPv6", "[::ffff:127.0.0.1]"),
            ("the metadata of a cloud", "169.254.169.254"),
            ("a local name", "photos.localhost"),
        )
    ],
    blocked("the second address of a public name is private", "both.example.com"),
    *[
        redirected_to(f"a public server redirects a manifest from the network to {host}", host, from_url=True)
        for host in (
            "127.0.0.1",
            "localhost",
            "photos.localhost",
            "intranet.example.com",
            "[::1]",
            "[::ffff:127.0.0.1]",
            "2130706433",
            "169.254.169.254",
        )
    ],
    *[
        blocked(f"a local manifest names {name}{how}", host, from_url=False, flags=flags)
        for how, flags in (("", ()), (" with --allow-private", ("--allow-private",)))
        for name, host in (
            ("a name of loopback", "home.example.com"),
            ("a name of metadata", "metadata.google.internal"),
            ("a name of another loopback", "else.example.com"),
            ("a name of loopback of IPv6", "homesix.example.com"),
            ("a name of the unspecified address", "any.example.com"),
            ("a name of link-local", "link.example.com"),
            ("a name of loopback mapped into IPv6", "homemapped.example.com"),
            ("a local name", "photos.localhost"),
        )
    ],
    *[
        blocked(
            f"a manifest from the network names {host} with --allow-private",
            host,
            flags=("--allow-private",),
        )
        for host in (
            "127.0.0.1",
            "localhost",
            "home.example.com",
            "[::1]",
            "0.0.0.0",
            "169.254.169.254",
            "any.example.com",
            "metadata.google.internal",
            "100.100.100.200",
            "[fd00:ec2::254]",
            "[::ffff:127.0.0.1]",
        )
    ],
    *[
        redirected_to(f"a public server redirects a local manifest to {host}", host)
        for host in ("127.0.0.1", "localhost", "home.example.com", "[::ffff:127.0.0.1]", "0x7f000001")
    ],
    redirected_to(
        "a public server redirects to a private one with --allow-private", "127.0.0.1", flags=("--allow-private",)
    ),
    redirected_to("a private server redirects to another name", "localhost", "http://127.0.0.1:{port}/photo.jpg"),
    *[
        Misbehaviour(
            f"a public name is private at the second lookup, for a manifest from {whom}",
            rebound,
            "blocked-address",
            requests=1,
            recovers=False,
            names=NAMES,
            address="http://rebound.example.com:{port}/photo.jpg",
            from_url=from_url,
        )
        for whom, from_url in (("the network", True), ("this machine", False))
    ],
    allowed("a local manifest names loopback"),
    allowed("a local manifest names localhost", "localhost"),
    allowed("a local manifest names loopback as one number", "2130706433"),
    allowed("a local manifest names a name that is private", "intranet.example.com"),
    allowed(
        "a manifest from the network names a private name with --allow-private",
        "intranet.example.com",
        from_url=True,
        flags=("--allow-private",),
    ),
    allowed("a manifest from the network names a public server", "photos.example.com", from_url=True),
    allowed("a manifest from the network names a public address", PUBLIC, from_url=True),
    allowed("the first address of a public name is private", "either.example.com", from_url=True),
    allowed(
        "a private server redirects to another with --allow-private",
        "intranet.example.com",
        script=inside,
        flags=("--allow-private",),
    ),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_an_address_is_contacted_or_refused(row, trials):
    assert problems(row, trials.outcome(row)) == []


@pytest.mark.parametrize("is_local_first", [True, False])
def test_a_build_trusts_local_lists_and_not_lists_from_the_network(gallery, is_local_first):
    """A local list may name private addresses; a list from the network in the same build may not."""
    with MisbehavingServer(GOOD) as server, MisbehavingServer(GOOD, host="localhost") as other:
        gallery.list({"Ours": server.url("/ours.jpg"), "Both": server.url("/a/../both.jpg")})
        theirs = {"Theirs": server.url("/theirs.jpg"), "Shared": server.url("/both.jpg"), "Local": other.url("/1.jpg")}
        with manifest_server(plistlib.dumps(theirs)) as manifests:
            lists = [str(gallery.manifest), manifests.url("/photos.plist")]
            gallery.build(*(lists if is_local_first else lists[::-1]), "-o", "public", "--retries", "0")
        assert gallery.reasons() == {"Theirs": "blocked-address", "Local": "blocked-address"}
        assert sorted(request.path for request in server.requests) == ["/both.jpg", "/ours.jpg"]
        assert other.connections == 0


def test_a_photo_whose_host_becomes_private_between_two_builds_stays_and_is_stale(gallery, program, fake_network):
    """The manifest comes from the network."""
    with MisbehavingServer(GOOD, host="photos.example.com") as server:
        gallery.list({"Photo": server.url("/photo.jpg")})
        with manifest_server(gallery.manifest.read_bytes()) as manifests:
            for addresses in ([PUBLIC], ["127.0.0.1"]):
                gallery.build(
                    manifests.url("/photos.plist"), env=fake_network.environment({"photos.example.com": addresses}))
        assert gallery.photos()["Photo"]["stale"]["code"] == "blocked-address"
        assert server.connections == 1
