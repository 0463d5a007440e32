internal import Downloads
internal import Foundation
internal import PhotoModel
internal import TestSupport
import Testing

@Suite("Request headers: what they say, and to which hosts they go", .timeLimit(.minutes(1)))
struct ClientTests {
    private let everywhere = FetchOptions(policy: .namedHost)

    private func client(_ headers: [(host: String, name: String, value: String)]) throws -> ClientProfile {
        var client = ClientProfile.tests
        for header in headers { try client.headers.add(header.name, header.value, to: header.host) }
        return client
    }

    @Test("The User-Agent is the configured one")
    func userAgent() async throws {
        let server = try ScriptedServer { _ in ScriptedResponse(200, text: "picture") }
        _ = try await Rig(client: ClientProfile(userAgent: "Club/2 (+https://club.example)")).fetch(server.url())
        #expect(server.log.value.requests.first?.headers["user-agent"] == "Club/2 (+https://club.example)")
    }

    @Test("Headers go to their own host at its port, and to no other")
    func hosts() async throws {
        let server = try ScriptedServer { _ in ScriptedResponse(200, text: "picture") }
        let rig = try Rig(
            client: try client([
                ("127.0.0.1", "X-Secure", "secret"), ("http://127.0.0.1", "X-Default-Port", "secret"),
                ("127.0.0.1:\(server.port)", "X-Secure-Port", "secret"),
                ("https://127.0.0.1:\(server.port)", "X-TLS", "secret"),
                ("http://127.0.0.1:\(server.port)", "X-Port", "port"),
                ("http://127.0.0.1:1", "X-Other-Port", "secret"), ("http://example.org", "X-Other", "secret"),
                ("HTTP://LOCALHOST:\(server.port)", "Authorization", "Bearer local"),
            ]))
        _ = await rig.fetch(server.url("/1"))
        _ = await rig.fetch(server.url("/2", host: "LocalHost"))
        let requests = server.log.value.requests
        #expect(requests.map { $0.headers["x-port"] } == ["port", nil])
        #expect(requests.map { $0.headers["authorization"] } == [nil, "Bearer local"])
        #expect(!requests.contains { $0.headers.values.contains("secret") })
    }

    @Test("A redirect to a host that has configured headers sends them, Authorization included")
    func redirectedTo() async throws {
        let far = try ScriptedServer { request in
            request.headers["authorization"] == "Bearer t0ken"
                ? ScriptedResponse(200, text: "p") : ScriptedResponse(401)
        }
        let target = far.url()
        let near = try ScriptedServer { _ in ScriptedResponse(302, ["Location: \(target)"]) }
        let rig = try Rig(client: try client([("http://127.0.0.1:\(far.port)", "Authorization", "Bearer t0ken")]))
        #expect(await rig.fetch(near.url()).known != nil)
        #expect(near.log.value.requests.map { $0.headers["authorization"] } == [nil])
    }

    @Test("A redirect to another host or port drops the headers, and a redirect back restores them")
    func redirects() async throws {
        let steps = Observed<[ScriptedRequest]>([])
        let far = try ScriptedServer { request in
            steps.update { $0.append(request) }
            return ScriptedResponse(302, ["Location: \(request.target.dropFirst(7))"])
        }
        let near = try ScriptedServer { request in
            steps.update { $0.append(request) }
            guard request.target == "/start" else { return ScriptedResponse(200, text: "picture") }
            let back = "http://127.0.0.1:\(request.headers["host"]?.split(separator: ":").last ?? "")/end"
            return ScriptedResponse(302, ["Location: http://127.0.0.1:\(far.port)/?next=\(back)"])
        }
        let rig = try Rig(
            options: everywhere,
            client: try client([
                ("http://127.0.0.1:\(near.port)", "Authorization", "Bearer t0ken"),
                ("http://127.0.0.1:\(near.port)", "X-Token", "t0ken"),
            ]))
        #expect(await rig.fetch(near.url("/start")).known != nil)
        #expect(steps.value.map { $0.headers["x-token"] } == ["t0ken", nil, "t0ken"])
        #expect(steps.value.map { $0.headers["authorization"] } == ["Bearer t0ken", nil, "Bearer t0ken"])
    }

    @Test("Headers are sent together with conditions, and not with the next transfer over the same connection")
    func conditions() async throws {
        let server = try ScriptedServer { request in
            request.headers["if-none-match"] == nil
                ? ScriptedResponse(200, ["ETag: \"1\""], text: request.target) : ScriptedResponse(304)
        }
        let host = "http://127.0.0.1:\(server.port)"
        let first = try Rig(client: try client([(host, "X-Token", "t0ken")]))
        let known = await first.fetch(server.url()).known
        let second = try Rig(over: first.store, client: try client([(host, "X-Token", "t0ken")]))
        #expect(await second.fetch(server.url(), known: known).known != nil)
        _ = await second.fetch(server.url("/other", host: "localhost"))
        let requests = server.log.value.requests
        #expect(requests.map { $0.headers["x-token"] } == ["t0ken", "t0ken", nil])
        #expect(requests.map { $0.headers["if-none-match"] } == [nil, "\"1\"", nil])
    }

    @Test(
        "Headers go by https and to the default port, unless their key says otherwise",
        arguments: [
            ("club.example", ["https://club.example/", "https://CLUB.example:443/a", "https://user@club.example/"]),
            ("https://Club.Example", ["https://club.example/"]),
            ("club.example:8443", ["https://club.example:8443/"]),
            ("http://club.example", ["http://club.example/", "http://club.example:80/", "https://club.example/"]),
            ("http://club.example:8080", ["http://club.example:8080/", "https://club.example:8080/"]),
            ("[::1]:8443", ["https://[::1]:8443/", "https://[0:0::1]:8443/"]),
            ("bücher.example", ["https://b%C3%BCcher.example/", "https://xn--bcher-kva.example/"]),
        ])
    func origins(key: String, sent: [String]) throws {
        var headers = HostHeaders()
        try headers.add("X-Token", "t0ken", to: key)
        let all =
            sent + [
                "http://club.example:443/", "https://club.example:80/", "https://club.example./",
                "https://www.club.example/", "https://club.example@evil.example/", "https://evil.example/club.example",
                "http://club.example:81/", "https://club.example:8444/", "https://[::2]:8443/",
            ]
        for url in all { #expect(headers.lines(for: url).isEmpty != sent.contains(url), "\(url)") }
    }

    @Test(
        "A header is refused if it would end its field, belongs to the transfer, or names no host",
        arguments: [
            ("a\r\nb", "X-Token", "club.example", HostHeaderProblem.controlCharacter),
            ("a\nb", "X-Token", "club.example", .controlCharacter),
            ("a\0", "X-Token", "club.example", .controlCharacter),
            ("", "X-Token", "club.example", .noValue), (" \t ", "X-Token", "club.example", .noValue),
            ("a", "X Token", "club.example", .notAName),
            ("a", "X:Token", "club.example", .notAName), ("a", "", "club.example", .notAName),
            ("a", "Range", "club.example", .reserved), ("a", "host", "club.example", .reserved),
            ("a", "X-Token", "club.example/path", .notAHost), ("a", "X-Token", "jo@club.example", .notAHost),
            ("a", "X-Token", "", .notAHost), ("a", "X-Token", "*.club.example", .notAHost),
            ("a", "X-Token", "club.example:99999", .notAHost), ("a", "X-Token", "https://", .notAHost),
            ("a", "X-Token", "ftp://club.example", .notAHost), ("a", "X-Token", "http://club.example/", .notAHost),
        ])
    func refused(value: String, name: String, host: String, problem: HostHeaderProblem) {
        var headers = HostHeaders()
        #expect(throws: problem) { try headers.add(name, value, to: host) }
    }

    @Test(
        "Users and passwords of a netrc file go to the hosts that it names, and not to the targets of their redirects")
    func netrc() async throws {
        let far = try ScriptedServer { request in
            request.headers["authorization"] == nil
                ? ScriptedResponse(200, text: "picture") : ScriptedResponse(500, text: "the password")
        }
        let near = try ScriptedServer { request in
            guard request.headers["authorization"] == "Basic am86czNjcjN0" else { return ScriptedResponse(401) }
            return request.target == "/end"
                ? ScriptedResponse(200, text: "p") : ScriptedResponse(302, ["Location: /end"])
        }
        let folder = TemporaryFolder()
        // A host without a password must not receive the password of another host.
        let path = try folder.write("machine 127.0.0.1 login jo password s3cr3t\nmachine localhost\n", to: "netrc")
        let rig = try Rig(options: everywhere, client: ClientProfile(userAgent: "tests/1", netrc: path))
        #expect(await rig.fetch(near.url()).known != nil)
        // The target of a redirect is requested like any other address, over a handle that served others before.
        #expect(await rig.fetch(far.url(host: "localhost")).known != nil)
        let without = try Rig(options: everywhere)
        #expect(await without.fetch(near.url()) == .failed(.forbidden(status: 401)))
        let missing = try Rig(client: ClientProfile(userAgent: "tests/1", netrc: folder.path + "/none"))
        #expect(await missing.fetch(near.url()) == .failed(.forbidden(status: 401)))
    }

    @Test("Only text is requested compressed, and its size limit applies to the decompressed bytes")
    func compression() async throws {
        let server = try ScriptedServer { request in
            guard request.headers["accept-encoding"]?.contains("gzip") == true else {
                return ScriptedResponse(200, text: "plain")
            }
            return ScriptedResponse(200, ["Content-Encoding: gzip"], body: Gzip.stored(Array("packed".utf8)))
        }
        let rig = try Rig(
            .roomy { $0.maxBytes = 60 }, options: FetchOptions(policy: .namedHost, allowsCompression: true))
        let packed = try #require(await rig.fetch(server.url()).known)
        #expect(try rig.content(of: packed.original) == "packed")
        let plain = try #require(await Rig().fetch(server.url()).known)
        #expect(plain.original.digest == Digest(of: "plain"))
        let bomb = try ScriptedServer { _ in
            ScriptedResponse(200, ["Content-Encoding: gzip"], body: Gzip.bomb(10_000_000))
        }
        #expect(await rig.fetch(bomb.url()) == .failed(.tooLarge(limit: 60)))
    }
}
