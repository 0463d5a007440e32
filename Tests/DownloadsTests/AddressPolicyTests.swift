internal import Downloads
internal import PhotoModel
internal import TestSupport
import Testing

@Suite("A hostile address gets nowhere", .timeLimit(.minutes(1)))
struct AddressPolicyTests {
    private let strict = FetchTerms(policy: .publicOnly)

    @Test(
        "loopback is refused in every spelling before a byte is sent, where only public addresses may be asked",
        arguments: [
            "127.0.0.1", "127.1", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "localhost", "LOCALHOST",
            "[::ffff:127.0.0.1]", "0.0.0.0", "127.0.0.2", "[::ffff:7f00:1]",
        ])
    func spellings(host: String) async throws {
        let server = try ScriptedServer { _ in ScriptedResponse(200, text: "secret") }
        let outcome = try await Rig(terms: strict).fetch(server.url(host: host))
        guard case .failed(.blockedAddress(let named)) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(!named.isEmpty)
        #expect(server.log.value.connections == 0)
    }

    @Test("a host that the address names itself may be private, and lead to itself")
    func named() async throws {
        let server = try ScriptedServer { request in
            request.target == "/start" ? ScriptedResponse(302, ["Location: /end"]) : ScriptedResponse(200, text: "p")
        }
        #expect(try await Rig().fetch(server.url("/start", host: "localhost")).known != nil)
    }

    @Test(
        "a redirect to a private host that nobody named is not followed, over a new connection or an old one",
        arguments: ["localhost", "127.0.0.1", "2130706433"], [false, true])
    func redirect(host: String, isConnected: Bool) async throws {
        let inner = try ScriptedServer { request in ScriptedResponse(200, text: "secret of \(request.target)") }
        let target = inner.url("/inner", host: host)
        let outer = try ScriptedServer { _ in ScriptedResponse(302, ["Location: \(target)"]) }
        let rig = try Rig()
        if isConnected { #expect(await rig.fetch(inner.url("/named", host: host)).known != nil) }
        let outcome = await rig.fetch(outer.url(host: host == "localhost" ? "127.0.0.1" : "localhost"))
        guard case .failed(.blockedAddress) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(inner.targets == (isConnected ? ["/named"] : []))
        #expect(inner.log.value.connections == (isConnected ? 1 : 0))
    }

    @Test("where private networks are allowed, one private host may lead to another")
    func allowed() async throws {
        let inner = try ScriptedServer { _ in ScriptedResponse(200, text: "picture") }
        let target = inner.url(host: "localhost")
        let outer = try ScriptedServer { _ in ScriptedResponse(302, ["Location: \(target)"]) }
        let rig = try Rig(terms: FetchTerms(policy: .privateNetworks))
        #expect(await rig.fetch(outer.url()).known != nil)
    }

    @Test(
        "after a public host nothing private is asked, whatever the policy and whoever was named",
        arguments: [AddressPolicy.publicOnly, .namedHost, .privateNetworks])
    func afterPublic(policy: AddressPolicy) throws {
        var addresses = AddressGuard(policy, host: "photos.example", port: 80)
        let url = "http://photos.example/a.jpg"
        let open = try #require(NetworkAddress("93.184.215.14"))
        let hidden = try #require(NetworkAddress("10.0.0.1"))
        let first = addresses.allowsConnection(to: open, port: 80, for: url)
        let firstRequest = addresses.allowsRequest(to: "93.184.215.14", port: 80, for: url)
        #expect(first && firstRequest)
        let rebound = addresses.allowsConnection(to: hidden, port: 80, for: url)
        #expect(!rebound && addresses.refusedHost == "photos.example")
        let redirected = addresses.allowsRequest(to: "10.0.0.1", port: 80, for: "http://10.0.0.1/")
        #expect(!redirected)
        let elsewhere = addresses.allowsRequest(to: "93.184.215.14", port: 443, for: "https://other.example/")
        #expect(elsewhere)
        #expect(addresses.refusedHost == nil)
    }

    @Test("a private host that was asked first may lead back to itself, and to public ones, but not from there")
    func afterPrivate() throws {
        var addresses = AddressGuard(.namedHost, host: "nas.example", port: 80)
        let first = addresses.allowsRequest(to: "10.0.0.1", port: 80, for: "http://nas.example/")
        let again = addresses.allowsRequest(to: "10.0.0.1", port: 80, for: "http://nas.example/b")
        let away = addresses.allowsRequest(to: "93.184.215.14", port: 80, for: "http://photos.example/")
        #expect(first && again && away)
        let back = addresses.allowsRequest(to: "10.0.0.1", port: 80, for: "http://nas.example/c")
        #expect(!back)
    }

    @Test(
        "behind a proxy hosts are told by their spelling, wherever the proxy is and whatever port it has",
        arguments: ["10.0.0.1", "93.184.215.15"], [3128, 80])
    func proxy(address: String, port: Int) throws {
        let end = try #require(NetworkAddress(address))
        let proxy = Proxy("http://jo:s3cr3t@proxy.example:\(port)")
        for (host, isAllowed) in [
            ("photos.example", true), ("93.184.215.14", true), ("93.184.215.14.", true), ("8.8.8.8.example", true),
            ("127.0.0.1", false), ("[::1]", false), ("[::ffff:10.0.0.1]", false), ("[2606:4700::1111]", true),
            ("0x7f.1", false), ("localhost", false), ("localhost.", false), ("a.localhost", false),
            ("169.254.169.254", false), ("10.0.0.1.", false), ("127.1.", false), ("0177.0.0.1.", false),
            ("0x7f000001.", false), ("010.0.0.1.", false), ("256.0.0.1", false), ("１２７.0.0.1", false),
            ("10。0。0。1", false), ("bücher.example", true), ("intranet", false), ("nas.lan", false),
            ("lan.example", true),
            ("x.localdomain", false), ("x.corp", false), ("x.home", false), ("x.home.arpa", false),
        ] {
            for policy in [AddressPolicy.publicOnly, .privateNetworks] {
                var addresses = AddressGuard(
                    policy, host: "photos.example", port: 80,
                    proxies: Proxies(plain: proxy, exceptions: "other.example"))
                // Over a connection that was made for a public host before, nothing but the name is left to judge by.
                let first = addresses.allowsRequest(to: address, port: port, for: "http://photos.example/")
                let request = addresses.allowsRequest(to: address, port: port, for: "http://\(host)/")
                #expect(first && request == isAllowed, "\(host)")
            }
            var addresses = AddressGuard(
                .publicOnly, host: "photos.example", port: 80,
                proxies: Proxies(plain: proxy, exceptions: "other.example"))
            let connection = addresses.allowsConnection(to: end, port: port, for: "http://\(host)/")
            #expect(connection == isAllowed, "\(host)")
        }
    }

    @Test(
        "what may be asked without the proxy is told by its address",
        arguments: [
            ("photos.example", false), (".photos.example", false), ("a.example, EXAMPLE.", false), ("*", false),
            ("a.example b.example example", false), ("tos.example", true), ("10.0.0.0/8", true),
            ("photos.example.org", true),
            ("", true), (" , ", true),
        ])
    func exceptions(exceptions: String, isAsked: Bool) throws {
        let inner = try #require(NetworkAddress("10.0.0.1"))
        let proxies = Proxies(plain: Proxy("http://10.0.0.1:80"), exceptions: exceptions)
        var addresses = AddressGuard(.publicOnly, host: "photos.example", port: 80, proxies: proxies)
        let found = addresses.allowsConnection(to: inner, port: 80, for: "http://photos.example/")
        #expect(found == isAsked)
        // Neither the port of the proxy, nor that of the address.
        let elsewhere = addresses.allowsConnection(to: inner, port: 8080, for: "http://photos.example/")
        #expect(!elsewhere)
        // Nothing says that https goes by a proxy, too.
        let secure = addresses.allowsConnection(to: inner, port: 80, for: "https://photos.example/")
        #expect(!secure)
    }

    @Test(
        "what is not the public internet is known by its address, on both sides of each border",
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
        #expect(try #require(NetworkAddress(address)).isPublic == isPublic)
        // The forms in which IPv6 carries IPv4: mapped, translated, 6to4, ISATAP.
        #expect(try #require(NetworkAddress("::ffff:\(address)")).isPublic == isPublic)
        #expect(try #require(NetworkAddress("64:ff9b::\(address)")).isPublic == isPublic)
        #expect(try #require(NetworkAddress("2a00:1450::5efe:\(address)")).isPublic == isPublic)
        let parts = address.split(separator: ".").compactMap { UInt16($0) }
        let (high, low) = (parts[0] << 8 | parts[1], parts[2] << 8 | parts[3])
        let sixToFour = "2002:\(String(high, radix: 16)):\(String(low, radix: 16))::1"
        #expect(try #require(NetworkAddress(sixToFour)).isPublic == isPublic)
    }

    @Test(
        "of IPv6 only what was given to somebody to use in public is public",
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
        #expect(try #require(NetworkAddress(address)).isPublic == isPublic)
    }
}
