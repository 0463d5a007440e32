internal import Downloads
internal import Foundation
internal import PhotoModel
internal import TestSupport
import Testing

@Suite("A redirect is followed by a request like any other", .timeLimit(.minutes(1)))
struct RedirectTests {
    @Test("The limit per host also holds for a host that many redirects lead to")
    func limit() async throws {
        let most = 2
        let everybodyWaits = Observed(0)
        let far = try ScriptedServer { connection in
            while try connection.readRequest() != nil {
                everybodyWaits.update { $0 += 1 }
                // Each request waits until as many are present as the limit allows, and none waits for one more.
                while everybodyWaits.value < most { try connection.pause(.milliseconds(1)) }
                try connection.send(ScriptedResponse(200, text: "picture"))
            }
        }
        let target = far.url()
        let near = try (0..<16).map { _ in
            try ScriptedServer { request in ScriptedResponse(302, ["Location: \(target)?\(request.target.dropFirst())"])
            }
        }
        let rig = try Rig(.roomy { $0.perHost = most })
        let photos = near.enumerated().map { rig.start($1.url("/\($0)")) }
        for photo in photos { #expect(await photo.outcome?.known != nil) }
        #expect(far.log.value.connections <= most && far.log.value.mostPending <= most)
        #expect(Set(far.targets).count == 16)
        #expect(rig.downloader.statistics.transfers == 16)
        withExtendedLifetime(near) {}
    }

    /// Sends the beginning of a picture, and the rest when the gate opens.
    private func slowServer(until gate: Observed<Bool>) throws -> ScriptedServer {
        try ScriptedServer { connection in
            while try connection.readRequest() != nil {
                try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\np")
                while !gate.value { try connection.pause(.milliseconds(1)) }
                try connection.send("icture")
            }
        }
    }

    @Test("A slow host delays only the photos that redirects lead to it", arguments: [1, 6], [4, 16])
    func slowTarget(perHost: Int, total: Int) async throws {
        let gate = Observed(false)
        let slow = try slowServer(until: gate)
        let target = slow.url()
        let near = try (0..<2).map { _ in
            try ScriptedServer { request in ScriptedResponse(302, ["Location: \(target)?\(request.target)"]) }
        }
        let quick = try ScriptedServer { request in ScriptedResponse(200, text: request.target) }
        let rig = try Rig(
            .roomy {
                ($0.total, $0.perHost) = (total, min(perHost, total - 1))
            })
        let led = (0..<40).map { rig.start(near[$0 % 2].url("/\($0)")) }
        let others = (0..<40).map { rig.start(quick.url("/\($0)")) }
        for other in others { #expect(await other.outcome?.known != nil) }
        gate.update { $0 = true }
        for one in led { #expect(await one.outcome?.known != nil) }
        withExtendedLifetime((near, quick, slow, rig)) {}
    }

    @Test(
        "While many photos wait at the target of a host's redirects, that host gets no more requests",
        arguments: [false, true])
    func parked(isByAnother: Bool) async throws {
        let gate = Observed(false)
        let slow = try slowServer(until: gate)
        let target = slow.url()
        let between = try ScriptedServer { _ in ScriptedResponse(302, ["Location: \(target)"]) }
        let next = isByAnother ? between.url() : target
        let near = try ScriptedServer { request in ScriptedResponse(302, ["Location: \(next)?\(request.target)"]) }
        let quick = try ScriptedServer { request in ScriptedResponse(200, text: request.target) }
        let rig = try Rig(.roomy { ($0.total, $0.perHost) = (4, 1) })
        let led = (0..<40).map { rig.start(near.url("/\($0)")) }
        // These downloads finish one after another, so everything that can happen at the other hosts has time to
        // happen.
        for number in 0..<60 { #expect(await rig.fetch(quick.url("/\(number)")).known != nil) }
        // Four transfers may run: four are waiting, one is being served, and one at each host is in progress before it
        // waits.
        #expect(near.targets.count <= 7)
        gate.update { $0 = true }
        for one in led { #expect(await one.outcome?.known != nil) }
        #expect(near.targets.count == 40)
    }

    @Test(
        "The body of a redirect is not awaited, even if it has no end",
        arguments: ["Content-Length: 1000\r\n", "Connection: close\r\n", "Transfer-Encoding: chunked\r\n"])
    func body(field: String) async throws {
        let isDone = Observed(false)
        let far = try ScriptedServer { _ in ScriptedResponse(200, text: "picture") }
        let target = far.url()
        let near = try ScriptedServer { connection in
            guard try connection.readRequest() != nil else { return }
            try connection.send("HTTP/1.1 302 Found\r\nLocation: \(target)\r\n\(field)\r\n")
            while !isDone.value { try connection.pause(.milliseconds(1)) }
        }
        // Waiting for the body would take half a minute until `stalled`; with this timeout it runs into the suite's
        // time limit.
        let rig = try Rig(.roomy { $0.stallTimeout = .seconds(3600) })
        #expect(await rig.fetch(near.url()).known != nil)
        isDone.update { $0 = true }
    }

    @Test("A host that redirects to itself is asked for all its photos")
    func leadsToItself() async throws {
        let server = try ScriptedServer { request in
            request.target.hasPrefix("/end")
                ? ScriptedResponse(200, text: "picture")
                : ScriptedResponse(302, ["Location: /end\(request.target)"])
        }
        for (total, perHost) in [(1, 1), (2, 1), (4, 4), (16, 6)] {
            let rig = try Rig(.roomy { ($0.total, $0.perHost) = (total, perHost) })
            let photos = (0..<40).map { rig.start(server.url("/\($0)")) }
            for photo in photos { #expect(await photo.outcome?.known != nil) }
        }
    }

    @Test("An unreachable host is given up, also if only redirects lead to it")
    func deadTarget() async throws {
        let dead = try RefusingPort()
        let target = dead.url("/x")
        let near = try ScriptedServer { _ in ScriptedResponse(302, ["Location: \(target)"]) }
        let rig = try Rig(.roomy { $0.total = 1 })
        for number in 0..<20 {
            #expect(await rig.fetch(near.url("/\(number)")) == .failed(.connect(host: "127.0.0.1")))
        }
        #expect(near.targets.count == 20)
        #expect(rig.downloader.statistics.transfers == 5)
    }

    @Test("A retry begins at the first address, since the redirect may lead elsewhere by then")
    func retry() async throws {
        let tries = Observed(0)
        let server = try ScriptedServer { request in
            switch request.target {
            case "/start":
                tries.update { $0 += 1 }
                return ScriptedResponse(302, ["Location: /end\(tries.value)"])
            case "/end1": return ScriptedResponse(500)
            default: return ScriptedResponse(200, text: "picture")
            }
        }
        let rig = try Rig(.roomy { $0.retries = 1 })
        #expect(await rig.fetch(server.url("/start")).known != nil)
        #expect(server.targets == ["/start", "/end1", "/start", "/end2"])
    }

    @Test("The shortest freshness along the chain counts")
    func freshness() async throws {
        let server = try ScriptedServer { request in
            request.target == "/start"
                ? ScriptedResponse(302, ["Location: /end", "Cache-Control: max-age=10"])
                : ScriptedResponse(200, ["Cache-Control: max-age=1000"], text: "picture")
        }
        let metadata = try #require(await Rig().timedFetch(server.url("/start")).known).metadata
        let (validated, until) = (try #require(metadata.validated), try #require(metadata.freshUntil))
        #expect((9...11).contains(until - validated))
        let silent = try ScriptedServer { request in
            request.target == "/start"
                ? ScriptedResponse(302, ["Location: /end"])
                : ScriptedResponse(200, ["Cache-Control: max-age=1000"], text: "picture")
        }
        #expect(try await Rig().timedFetch(silent.url("/start")).known?.metadata.freshUntil == nil)
    }

    @Test("The total timeout covers the whole chain")
    func timeout() async throws {
        let server = try ScriptedServer { connection in
            while let request = try connection.readRequest() {
                try connection.pause(.milliseconds(200))
                try connection.send(ScriptedResponse(302, ["Location: \(request.target)x"]))
            }
        }
        let rig = try Rig(
            .roomy {
                $0.timeout = .milliseconds(700)
                $0.maxRedirects = 100
            })
        #expect(await rig.fetch(server.url()) == .failed(.timeout(seconds: 0.7)))
        #expect(server.targets.count <= 5)
    }

    @Test(
        "A redirect counts even if its body never ends or breaks off", arguments: [false, true])
    func body(endless: Bool) async throws {
        let server = try ScriptedServer { connection in
            while let request = try connection.readRequest() {
                guard request.target == "/start" else {
                    try connection.send(ScriptedResponse(200, text: "picture"))
                    continue
                }
                try connection.send("HTTP/1.1 302 Found\r\nLocation: /end\r\nContent-Length: 100000000\r\n\r\n")
                let piece = String(repeating: "x", count: 10_000)
                repeat { try connection.send(piece) } while endless
                return
            }
        }
        #expect(try await Rig().fetch(server.url("/start")).known != nil)
    }

    @Test(
        "The target of a redirect is read as libcurl reads it",
        arguments: [
            ("/a b?c d", "/a%20b?c+d"), ("c", "/x/c"), ("../c", "/c"), ("?q", "/x/y?q"), ("/x/z#f", "/x/z"),
            ("./", "/x/"),
            ("//127.0.0.1:PORT/n", "/n"), ("HTTP://127.0.0.1:PORT/U", "/U"), ("http://127.1:PORT/short", "/short"),
            ("/ü", "/%c3%bc"), ("/z:y", "/z:y"), ("/%2e%2e/d", nil),
        ])
    func location(location: String, target: String?) async throws {
        let server = try ScriptedServer { request in
            guard request.target == "/x/y?1" else {
                return ScriptedResponse(200, text: "picture")
            }
            let port = request.headers["host"]?.split(separator: ":").last ?? ""
            return ScriptedResponse(302, ["Location: \(location.replacing("PORT", with: port))"])
        }
        let outcome = try await Rig().fetch(server.url("/x/y?1"))
        #expect(outcome.known != nil, "\(outcome)")
        if let target { #expect(server.targets.last == target) }
    }

    @Test(
        "A redirect to an invalid or unsupported address fails with its reason",
        arguments: [
            ("", Failure.httpStatus(302)), ("mailto:jo@example.org", .unsupportedScheme("mailto")),
            ("data:image/png;base64,AA==", .unsupportedScheme("data")),
            ("FILE:///etc/passwd", .unsupportedScheme("file")),
            ("javascript:alert(1)", .unsupportedScheme("javascript")),
            ("http://[::1", .badAddress(.invalidOrRedirect)),
            ("http://127.0.0.1:99999/", .badAddress(.invalidOrRedirect)),
        ])
    func nowhere(location: String, failure: Failure) async throws {
        let server = try ScriptedServer { _ in ScriptedResponse(302, ["Location: \(location)"]) }
        #expect(try await Rig().fetch(server.url()) == .failed(failure))
        #expect(server.targets.count == 1)
    }

    @Test("The final location is reported on request, without its query")
    func told() async throws {
        let server = try ScriptedServer { request in
            if request.target == "/start" { return ScriptedResponse(302, ["Location: /deep/list?token=s3cr3t#part"]) }
            return request.headers["if-none-match"] == nil
                ? ScriptedResponse(200, ["ETag: \"1\""], text: "list") : ScriptedResponse(304)
        }
        var options = Rig.options
        options.reportsLocation = true
        let rig = try Rig(options: options)
        let known = try #require(await rig.fetch(server.url("/start")).known)
        #expect(known.location == server.url("/deep/list"))
        let again = try Rig(options: options, over: rig.store)
        guard case .unchanged(let same) = await again.fetch(server.url("/start"), known: known) else {
            Issue.record("the request did not carry the ETag")
            return
        }
        #expect(same.location == server.url("/deep/list"))
        #expect(try await Rig().fetch(server.url("/start")).known?.location == nil)
        #expect(try await Rig(options: options).fetch(server.url("/straight")).known?.location == nil)
    }
}
