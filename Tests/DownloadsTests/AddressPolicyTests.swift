internal import Downloads
internal import PhotoModel
internal import TestSupport
import Testing

@Suite("Addresses that the policy forbids are never contacted", .timeLimit(.minutes(1)))
struct AddressPolicyTests {
    private let strict = FetchOptions(policy: .publicOnly)

    @Test(
        "Where only public addresses are allowed, every spelling of loopback is refused before a byte is sent",
        arguments: [
            "127.0.0.1", "127.1", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "localhost", "LOCALHOST",
            "[::ffff:127.0.0.1]", "0.0.0.0", "127.0.0.2", "[::ffff:7f00:1]",
        ])
    func spellings(host: String) async throws {
        let server = try ScriptedServer { _ in ScriptedResponse(200, text: "secret") }
        let outcome = try await Rig(options: strict).fetch(server.url(host: host))
        guard case .failed(.blockedAddress(let named, _)) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(!named.isEmpty)
        #expect(server.log.value.connections == 0)
    }

    @Test("A host that the list names may be private, and may redirect to itself")
    func named() async throws {
        let server = try ScriptedServer { request in
            request.target == "/start" ? ScriptedResponse(302, ["Location: /end"]) : ScriptedResponse(200, text: "p")
        }
        #expect(try await Rig().fetch(server.url("/start", host: "localhost")).known != nil)
    }

    @Test(
        "A redirect to a private host that the list does not name is not followed, over a new connection or an old one",
        arguments: ["localhost", "127.0.0.1", "2130706433"], [false, true])
    func redirect(host: String, isConnected: Bool) async throws {
        let inner = try ScriptedServer { request in ScriptedResponse(200, text: "secret of \(request.target)") }
        let target = inner.url("/inner", host: host)
        let outer = try ScriptedServer { _ in ScriptedResponse(302, ["Location: \(target)"]) }
        let rig = try Rig()
        if isConnected { #expect(await rig.fetch(inner.url("/named", host: host)).known != nil) }
        let outcome = await rig.fetch(outer.url(host: host == "localhost" ? "127.0.0.1" : "localhost"))
        guard case .failed(.blockedAddress(_, _)) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(inner.targets == (isConnected ? ["/named"] : []))
        #expect(inner.log.value.connections == (isConnected ? 1 : 0))
    }

    @Test(
        "Where private networks are allowed, a redirect still reaches this machine only by the name that the list gives"
    )
    func allowed() async throws {
        let inner = try ScriptedServer { _ in ScriptedResponse(200, text: "picture") }
        let (same, other) = (inner.url(), inner.url(host: "localhost"))
        let outer = try ScriptedServer { request in
            ScriptedResponse(302, ["Location: \(request.target == "/same" ? same : other)"])
        }
        let rig = try Rig(options: FetchOptions(policy: AddressPolicy(isLocallyListed: true, allowsPrivate: true)))
        #expect(await rig.fetch(outer.url("/same")).known != nil)
        #expect(
            await rig.fetch(outer.url("/other")) == .failed(.blockedAddress(host: "localhost", .machine)))
    }

    /// The addresses are a public one, a private one, and one of this machine's link.
    private static let ends = (open: "93.184.216.34", inner: "10.0.0.1", machine: "169.254.169.254")

    @Test(
        "After a public host, no private address is contacted, whatever the policy allows and the list names",
        arguments: [AddressPolicy.publicOnly, .namedHost, .privateNetworks])
    func afterPublic(policy: AddressPolicy) throws {
        var first = ConnectionGuard(policy, written: "photos.example", host: "photos.example", port: 80)
        let isAsked = first.allowsRequest(to: Self.ends.open, port: 80)
        #expect(isAsked && first.hasContactedPublic)
        for host in ["photos.example", "10.0.0.1", "nas.lan"] {
            for end in [Self.ends.inner, Self.ends.machine] {
                var next = ConnectionGuard(
                    policy, written: "photos.example", host: host, port: 80, isAfterPublic: first.hasContactedPublic)
                let connects = next.allowsConnection(to: try #require(IPAddress(end)), port: 80)
                let isAsked = next.allowsRequest(to: end, port: 80)
                #expect(!connects && !isAsked)
                #expect(next.refusal == .blockedAddress(host: host, .afterPublic))
            }
            var elsewhere = ConnectionGuard(
                policy, written: "photos.example", host: host, port: 443, isSecure: true, isAfterPublic: true)
            let isAllowed = elsewhere.allowsRequest(to: Self.ends.open, port: 443)
            #expect(isAllowed && elsewhere.refusal == nil)
        }
    }

    /// A case holds who wrote the address, its host, the host of the request, its IP address, and why the request is
    /// refused.
    struct Asked: Sendable {
        let policy: AddressPolicy
        let (written, host, address): (String, String, String)
        let refusal: AddressRefusal?

        init(_ policy: AddressPolicy, _ written: String, _ host: String, _ address: String, _ refusal: AddressRefusal?)
        {
            self.policy = policy
            (self.written, self.host, self.address) = (written, host, address)
            self.refusal = refusal
        }
    }

    private static let open = AddressPolicy(isLocallyListed: true, allowsPrivate: true)

    private static let asked = [
        // The list is a file on this machine.
        Asked(.namedHost, "nas.example", "nas.example", "10.0.0.1", nil),
        Asked(.namedHost, "nas.example", "nas.example", "127.0.0.1", .machine),
        Asked(.namedHost, "nas.example", "nas.example", "0.0.0.0", .machine),
        Asked(.namedHost, "nas.example", "nas.example", "fe80::1", .machine),
        Asked(.namedHost, "nas.example", "nas.example", "::ffff:127.0.0.1", .machine),
        Asked(.namedHost, "nas.example", "nas.example", "169.254.169.254", .machine),
        Asked(.namedHost, "photos.localhost", "photos.localhost", "127.0.0.1", .machine),
        Asked(.namedHost, "localhost", "localhost", "127.0.0.1", nil),
        Asked(.namedHost, "localhost", "localhost", "::1", nil),
        Asked(.namedHost, "127.0.0.1", "127.0.0.1", "127.0.0.1", nil),
        Asked(.namedHost, "169.254.169.254", "169.254.169.254", "169.254.169.254", nil),
        Asked(.namedHost, "[fe80::1]", "[fe80::1]", "fe80::1", nil),
        Asked(.namedHost, "nas.example", "10.0.0.2", "10.0.0.2", .privateNetwork),
        Asked(.namedHost, "nas.example", "127.0.0.1", "127.0.0.1", .machine),
        Asked(.namedHost, "nas.example", "localhost", "127.0.0.1", .machine),
        Asked(.namedHost, "127.0.0.1", "localhost", "127.0.0.1", .machine),
        // The list is a file on this machine, and private networks are allowed.
        Asked(open, "nas.example", "10.0.0.2", "10.0.0.2", nil),
        Asked(open, "a.example", "a.example", "127.0.0.1", .machine),
        Asked(open, "a.example", "b.example", "fe80::1", .machine),
        // The list comes from the network.
        Asked(.publicOnly, "nas.example", "nas.example", "10.0.0.1", .privateNetwork),
        Asked(.publicOnly, "127.0.0.1", "127.0.0.1", "127.0.0.1", .machine),
        Asked(.publicOnly, "photos.example", "photos.example", "93.184.216.34", nil),
        Asked(.privateNetworks, "nas.example", "nas.example", "10.0.0.1", nil),
        Asked(.privateNetworks, "nas.example", "nas.example", "fd12::1", nil),
        Asked(.privateNetworks, "127.0.0.1", "127.0.0.1", "127.0.0.1", .machine),
        Asked(.privateNetworks, "localhost", "localhost", "::1", .machine),
        Asked(.privateNetworks, "nas.example", "nas.example", "100.100.100.200", .machine),
        // The user named this server, on port 80 or on other ports.
        Asked(server(80, 8080), "127.0.0.1", "127.0.0.1", "127.0.0.1", nil),
        Asked(server(8080), "127.0.0.1", "127.0.0.1", "127.0.0.1", .machine),
        Asked(server(8080), "10.0.0.1", "10.0.0.1", "10.0.0.1", nil),
    ]

    private static func server(_ ports: Int...) -> AddressPolicy {
        AddressPolicy(isLocallyListed: true, ports: Set(ports), allowsPrivate: true)
    }

    @Test(
        "Whether an IP address may be contacted depends on the list's author, the policy and the named host",
        arguments: asked)
    func whoIsAsked(row: Asked) throws {
        var addresses = ConnectionGuard(row.policy, written: row.written, host: row.host, port: 80)
        let connects = addresses.allowsConnection(to: try #require(IPAddress(row.address)), port: 80)
        #expect(connects == (row.refusal == nil))
        let isAsked = addresses.allowsRequest(to: row.address, port: 80)
        #expect(isAsked == (row.refusal == nil))
        #expect(addresses.refusal == row.refusal.map { .blockedAddress(host: row.host, $0) })
    }

    private static let spelled: [(String, AddressRefusal?)] = [
        ("photos.example", nil), ("93.184.215.14", nil), ("93.184.215.14.", nil), ("8.8.8.8.example", nil),
        ("127.0.0.1", .machine), ("[::1]", .machine), ("[::ffff:10.0.0.1]", .privateNetwork),
        ("[2606:4700::1111]", nil), ("0x7f.1", .machine), ("localhost", .machine), ("localhost.", .machine),
        ("a.localhost", .machine), ("169.254.169.254", .machine), ("10.0.0.1.", .privateNetwork),
        ("127.1.", .machine), ("0177.0.0.1.", .machine), ("0x7f000001.", .machine), ("010.0.0.1.", .machine),
        ("256.0.0.1", .machine), ("１２７.0.0.1", .machine), ("10。0。0。1", .privateNetwork),
        ("bücher.example", nil), ("intranet", .privateNetwork), ("nas.lan", .privateNetwork),
        ("lan.example", nil), ("x.localdomain", .privateNetwork), ("x.corp", .privateNetwork),
        ("8.8.8.8%.internal", .machine), ("8.8.8.8%localhost", .machine), ("x.default.svc", .privateNetwork),
        ("x.home", .privateNetwork), ("x.home.arpa", .privateNetwork), ("metadata.google.internal", .machine),
    ]

    @Test(
        "Behind a proxy, hosts are judged by their spelling, whatever the address and port of the proxy",
        arguments: ["10.0.0.1", "93.184.215.15", "127.0.0.1"], [3128, 80])
    func proxy(address: String, port: Int) throws {
        let end = try #require(IPAddress(address))
        let proxies = Proxies(
            plain: Proxy("http://jo:s3cr3t@proxy.example:\(port)"), exceptions: "other.example")
        for (host, refusal) in Self.spelled {
            for isAfterPublic in [true, false] {
                var addresses = ConnectionGuard(
                    .publicOnly, written: host, host: host, port: 80, isAfterPublic: isAfterPublic, proxies: proxies)
                let connects = addresses.allowsConnection(to: end, port: port)
                let isAsked = addresses.allowsRequest(to: address, port: port)
                #expect(connects == (refusal == nil) && isAsked == (refusal == nil), "\(host)")
                let told = refusal.map { Failure.blockedAddress(host: host, isAfterPublic ? .afterPublic : $0) }
                #expect(addresses.refusal == told)
            }
            var open = ConnectionGuard(.privateNetworks, written: host, host: host, port: 80, proxies: proxies)
            let isAsked = open.allowsRequest(to: address, port: port)
            #expect(isAsked == (refusal != .machine), "\(host)")
        }
    }

    @Test(
        "A host that bypasses the proxy is judged by its IP address",
        arguments: [
            ("photos.example", false), (".photos.example", false), ("a.example, EXAMPLE.", false), ("*", false),
            ("a.example b.example example", false), ("tos.example", true), ("10.0.0.0/8", true),
            ("photos.example.org", true),
            ("", true), (" , ", true),
        ])
    func exceptions(exceptions: String, isAsked: Bool) throws {
        let inner = try #require(IPAddress("10.0.0.1"))
        let proxies = Proxies(plain: Proxy("http://10.0.0.1:80"), exceptions: exceptions)
        var addresses = ConnectionGuard(
            .publicOnly, written: "photos.example", host: "photos.example", port: 80, proxies: proxies)
        let found = addresses.allowsConnection(to: inner, port: 80)
        #expect(found == isAsked)
        // The port is neither that of the proxy nor that of the address.
        let elsewhere = addresses.allowsConnection(to: inner, port: 8080)
        #expect(!elsewhere)
        // The environment names no proxy for https.
        var addressesOfTLS = ConnectionGuard(
            .publicOnly, written: "photos.example", host: "photos.example", port: 80, isSecure: true, proxies: proxies)
        let secure = addressesOfTLS.allowsConnection(to: inner, port: 80)
        #expect(!secure)
    }

    @Test(
        "Addresses outside the public internet are recognised on both sides of each range's border",
        arguments: [
            ("0.0.0.0", false), ("0.255.255.255", false), ("1.0.0.0", true), ("9.255.255.255", true),
            ("10.0.0.0", false), ("10.255.255.255", false), ("11.0.0.0", true), ("100.63.255.255", true),
            ("100.64.0.0", false), ("100.100.100.200", false), ("100.127.255.255", false), ("100.128.0.0", true),
            ("126.255.255.255", true), ("127.0.0.1", false), ("128.0.0.0", true), ("169.253.255.255", true),
            ("169.254.169.254", false), ("169.255.0.0", true), ("172.15.255.255", true), ("172.16.0.0", false),
            ("172.31.255.255", false), ("172.32.0.0", true), ("192.0.0.192", false), ("192.0.2.1", false),
            ("192.167.255.255", true), ("192.168.0.0", false), ("192.169.0.0", true), ("198.18.0.0", false),
            ("198.19.255.255", false), ("198.20.0.0", true), ("198.51.100.7", false), ("203.0.113.7", false),
            ("223.255.255.255", true), ("224.0.0.0", false), ("239.255.255.255", false), ("255.255.255.255", false),
            ("168.63.129.16", false), ("168.63.129.15", true),
        ])
    func networks(address: String, isPublic: Bool) throws {
        #expect(try #require(IPAddress(address)).isPublic == isPublic)
        // IPv6 carries IPv4 in these forms: mapped, translated, 6to4, ISATAP.
        #expect(try #require(IPAddress("::ffff:\(address)")).isPublic == isPublic)
        #expect(try #require(IPAddress("64:ff9b::\(address)")).isPublic == isPublic)
        #expect(try #require(IPAddress("2a00:1450::5efe:\(address)")).isPublic == isPublic)
        let parts = address.split(separator: ".").compactMap { UInt16($0) }
        let (high, low) = (parts[0] << 8 | parts[1], parts[2] << 8 | parts[3])
        let sixToFour = "2002:\(String(high, radix: 16)):\(String(low, radix: 16))::1"
        #expect(try #require(IPAddress(sixToFour)).isPublic == isPublic)
    }

    @Test(
        "Of IPv6, only the ranges that are assigned for public use are public",
        arguments: [
            ("::", false), ("::1", false), ("::7f00:1", false), ("::808:808", false), ("64:ff9b:1::808:808", false),
            ("100::1", false), ("2001::1", false), ("2001:0:4136:e378:8000:63bf:3fff:fdd2", false),
            ("2001:1ff:ffff::1", false), ("2001:200::1", true), ("2001:4860:4860::8888", true),
            ("2001:db8::1", false), ("2606:4700::1111", true), ("3fff:0:1::1", false), ("4000::1", false),
            ("5f00::1", false), ("fc00::1", false), ("fd00:ec2::254", false), ("fdff::1", false), ("fe80::1", false),
            ("fe80::1%1", false), ("fec0::1", false), ("ff02::1", false), ("[::1]", false),
            ("2a00:1450::200:5efe:a00:1", false),
        ])
    func networks6(address: String, isPublic: Bool) throws {
        #expect(try #require(IPAddress(address)).isPublic == isPublic)
    }

    @Test(
        "An address of this machine or its link is recognised in every form that carries it",
        arguments: [
            "0.0.0.0", "0.1.2.3", "127.0.0.1", "127.8.8.8", "169.254.1.1", "169.254.169.254", "100.100.100.200",
            "168.63.129.16", "192.0.0.192",
        ])
    func machine(address: String) throws {
        #expect(try #require(IPAddress(address)).scope == .machine)
        let bytes = try address.split(separator: ".").map { try #require(UInt16($0)) }
        let (high, low) = (bytes[0] << 8 | bytes[1], bytes[2] << 8 | bytes[3])
        func hex(_ number: UInt16) -> String { String(number, radix: 16) }
        let (upper, lower) = (hex(high), hex(low))
        for form in [
            "::ffff:\(address)", "::\(address)", "::ffff:0:\(address)", "64:ff9b::\(address)", "64:ff9b:1::\(address)",
            "64:ff9b:1:\(upper):\(hex(low >> 8)):\(hex(low << 8))::", "2002:\(upper):\(lower)::1",
            "2a00::5efe:\(upper):\(lower)", "2a00::200:5efe:\(upper):\(lower)",
            "2001:0:4136:e378:8000:63bf:\(hex(~high)):\(hex(~low))", "2001:0:\(upper):\(lower):8000:63bf:1:1",
        ] {
            let found = try #require(IPAddress(form), "\(form)")
            #expect(found.scope == .machine && !found.isPublic, "\(form)")
        }
    }

    @Test(
        "Each address is in one scope: this machine, a private network, or the public internet",
        arguments: [
            ("10.0.0.1", AddressScope.private), ("192.168.1.1", .private), ("100.64.0.1", .private),
            ("fd12::1", .private),
            ("fec0::1", .private), ("::ffff:10.0.0.1", .private), ("2002:a00:1::1", .private),
            ("224.0.0.251", .private), ("::", .machine), ("::1", .machine), ("fe80::1", .machine),
            ("febf::1", .machine),
            ("ff02::1", .machine), ("fd00:ec2::254", .machine), ("fd20:ce::254", .machine), ("8.8.8.8", .global),
            ("2606:4700::1111", .global), ("2002:808:808::1", .global), ("64:ff9b::8.8.8.8", .global),
        ])
    func scopes(address: String, scope: AddressScope) throws {
        #expect(try #require(IPAddress(address)).scope == scope)
    }
}
