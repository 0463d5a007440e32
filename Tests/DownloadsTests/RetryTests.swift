internal import Downloads
internal import Foundation
internal import PhotoModel
internal import TestSupport
import Testing

@Suite("Only failures that may be temporary are retried", .timeLimit(.minutes(1)))
struct RetryTests {
    /// Fails the first `count` requests, and then serves pictures.
    private func server(
        failing count: Int, _ fail: @escaping @Sendable (ScriptedConnection, Int) throws -> Void
    ) throws -> ScriptedServer {
        let failures = Observed(0)
        return try ScriptedServer { connection in
            while let request = try connection.readRequest() {
                let number = failures.update { failures in
                    failures += 1
                    return failures
                }
                guard number <= count else {
                    try connection.send(ScriptedResponse(200, text: "picture of \(request.target)"))
                    continue
                }
                return try fail(connection, number)
            }
        }
    }

    @Test("A status that may be temporary is retried", arguments: [408, 425, 429, 500, 502, 503, 504, 599])
    func statuses(status: Int) async throws {
        let server = try server(failing: 2) { connection, _ in try connection.send(ScriptedResponse(status)) }
        let rig = try Rig(.roomy { $0.retries = 3 })
        #expect(await rig.fetch(server.url()).known != nil)
        #expect(server.targets.count == 3 && rig.downloader.statistics.retries == 2)
    }

    @Test("A connection that breaks off is retried, at whatever point it broke")
    func interruptions() async throws {
        let beginnings = ["", "HTTP/1.1 200 OK\r\nConte", "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nhalf"]
        let server = try server(failing: 3) { connection, number in
            try connection.send(beginnings[number - 1])
            connection.reset()
        }
        let rig = try Rig(.roomy { $0.retries = 3 })
        let known = try #require(await rig.fetch(server.url()).known)
        #expect(try rig.content(of: known.original) == "picture of /photo.jpg")
        #expect(try rig.temporaryFiles.isEmpty)
    }

    @Test("A TLS handshake that the server closes or resets is retried", arguments: [false, true])
    func handshakes(isReset: Bool) async throws {
        let server = try ScriptedServer { connection in
            // A close resets the connection while the client's greeting is unread. Without waiting for the greeting, a
            // close only ends the connection.
            if isReset { try connection.pause(.seconds(20)) }
        }
        let rig = try Rig(.roomy { $0.retries = 2 })
        #expect(await rig.fetch(server.url(scheme: "https")) == .failed(.interrupted))
        #expect(server.log.value.connections == 3)
    }

    @Test("A stall is retried")
    func stall() async throws {
        let server = try server(failing: 1) { connection, _ in connection.waitForClose() }
        let rig = try Rig(
            .roomy {
                $0.retries = 1
                $0.stallTimeout = .seconds(2)
            })
        #expect(await rig.fetch(server.url()).known != nil)
    }

    @Test("A permanent failure is requested once", arguments: [204, 206, 302, 304, 400, 401, 403, 404, 410, 418, 451])
    func permanentStatuses(status: Int) async throws {
        let server = try ScriptedServer { _ in ScriptedResponse(status, ["Retry-After: 0"]) }
        let rig = try Rig(.roomy { $0.retries = 3 })
        guard case .failed = await rig.fetch(server.url()) else {
            Issue.record("status \(status) is no failure")
            return
        }
        #expect(server.targets.count == 1)
    }

    @Test("A host without TLS, an empty picture, a forbidden redirect and one redirect too many are not retried")
    func permanentFailures() async throws {
        let server = try ScriptedServer { request in
            switch request.target {
            case "/empty": ScriptedResponse(200)
            case "/file": ScriptedResponse(302, ["Location: file:///etc/passwd"])
            case "/private": ScriptedResponse(302, ["Location: http://localhost/"])
            case "/large": ScriptedResponse(200, text: String(repeating: "x", count: 1001))
            default: ScriptedResponse(302, ["Location: /loop"])
            }
        }
        let rig = try Rig(
            .roomy {
                $0.retries = 3
                $0.maxBytes = 1000
            })
        for path in ["/empty", "/file", "/private", "/large", "/loop"] { _ = await rig.fetch(server.url(path)) }
        let plain = try ScriptedServer { connection in
            try connection.send("HTTP/1.1 400 Plain\r\n\r\n")
            connection.waitForClose()
        }
        _ = await rig.fetch(plain.url(scheme: "https"))
        #expect(rig.downloader.statistics.retries == 0)
    }

    @Test("The limits of the waits double up to half a minute, and the waits are random below them")
    func backoff() async throws {
        let limits = Collected<Duration>()
        let server = try ScriptedServer { _ in ScriptedResponse(503) }
        let rig = try Rig(
            .roomy { $0.retries = 8 },
            jitter: { limit in
                limits.add(limit)
                return .zero
            })
        #expect(await rig.fetch(server.url()) == .failed(.httpStatus(503)))
        #expect(server.targets.count == 9)
        #expect(limits.all == [0.5, 1, 2, 4, 8, 16, 30, 30].map { Duration.seconds($0) })
        for _ in 0..<1000 { #expect((.zero ... .seconds(3)).contains(Backoff.fullJitter(.seconds(3)))) }
    }

    @Test("While a photo waits for its retry, others are downloaded")
    func noSlotHeld() async throws {
        let server = try ScriptedServer { request in
            request.target == "/bad" ? ScriptedResponse(503) : ScriptedResponse(200, text: "picture")
        }
        let rig = try Rig(
            .roomy {
                $0.retries = 1
                $0.total = 1
            }, jitter: { _ in .seconds(3600) })
        let waiting = rig.start(server.url("/bad"))
        #expect(await rig.fetch(server.url("/good")).known != nil)
        #expect(waiting.answers.value.isEmpty && server.targets == ["/bad", "/good"])
        waiting.handle.cancel()
        #expect(await waiting.outcome == .cancelled)
    }

    @Test("A photo that waits for its retry can be cancelled at once", arguments: ["ticket", "all", "shutdown"])
    func cancellation(way: String) async throws {
        let server = try ScriptedServer { _ in ScriptedResponse(503) }
        let hasFailed = Observed(false)
        let rig = try Rig(
            .roomy { $0.retries = 1 },
            jitter: { _ in
                hasFailed.update { $0 = true }
                return .seconds(3600)
            })
        let waiting = rig.start(server.url())
        await hasFailed.wait { $0 }
        // The wait is an hour, so an outcome within the time limit of the test can only be that of the cancellation.
        switch way {
        case "ticket": waiting.handle.cancel()
        case "all": rig.downloader.cancelAll()
        default: rig.downloader.shutdown()
        }
        #expect(await waiting.outcome == .cancelled)
        rig.downloader.shutdown()
    }
}
