internal import Downloads
internal import PhotoModel
internal import TestSupport
import Testing

@Suite("Each way in which a server can fail has its own reason", .timeLimit(.minutes(1)))
struct FailureTests {
    @Test(
        "A status without a picture is reported by its number",
        arguments: [
            (404, Failure.notFound(status: 404)), (410, .notFound(status: 410)), (401, .forbidden(status: 401)),
            (403, .forbidden(status: 403)), (500, .httpStatus(500)), (503, .httpStatus(503)), (418, .httpStatus(418)),
            (204, .httpStatus(204)), (206, .httpStatus(206)), (304, .httpStatus(304)), (302, .httpStatus(302)),
        ])
    func statuses(status: Int, failure: Failure) async throws {
        let server = try ScriptedServer { _ in ScriptedResponse(status, text: status == 204 ? "" : "no picture here") }
        #expect(try await Rig().fetch(server.url()) == .failed(failure))
    }

    @Test("An error status counts even when its body never ends or breaks off")
    func errorPages() async throws {
        let endless = try ScriptedServer { connection in
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 404 Gone\r\nTransfer-Encoding: chunked\r\n\r\n")
            while true { try connection.send("400\r\n" + String(repeating: "x", count: 1024) + "\r\n") }
        }
        let cut = try ScriptedServer { connection in
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 503 Busy\r\nContent-Length: 1000\r\n\r\nshort")
        }
        let rig = try Rig()
        #expect(await rig.fetch(endless.url()) == .failed(.notFound(status: 404)))
        #expect(await rig.fetch(cut.url()) == .failed(.httpStatus(503)))
    }

    @Test("A name that cannot be looked up is a DNS failure")
    func unknownName() async throws {
        // A label may have at most 63 letters (RFC 1035 §2.3.4), so this name fails without asking a name server.
        let host = String(repeating: "x", count: 64) + ".invalid"
        #expect(try await Rig().fetch("http://\(host)/photo.jpg") == .failed(.dns(host: host)))
    }

    @Test("A port on which nobody listens is a failure to connect")
    func refused() async throws {
        let port = try RefusingPort()
        #expect(try await Rig().fetch(port.url()) == .failed(.connect(host: "127.0.0.1")))
    }

    @Test("A host that does not accept the connection runs into the connect timeout, not the total timeout")
    func connectTimeout() async throws {
        let port = try UnansweringPort()
        let rig = try Rig(.roomy { $0.connectTimeout = .milliseconds(400) })
        #expect(await rig.fetch("http://127.0.0.1:\(port.port)/") == .failed(.timeout(seconds: 0.4)))
    }

    @Test("A server without TLS at an https address is a TLS failure, whose message leaves out the address")
    func noTLS() async throws {
        let server = try ScriptedServer { connection in
            try connection.send("HTTP/1.1 400 Plain\r\n\r\n")
            connection.waitForClose()
        }
        let outcome = try await Rig().fetch(server.url("/secret.jpg", scheme: "https"))
        guard case .failed(.tls(host: "127.0.0.1", let detail)) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(!detail.isEmpty && !detail.contains("secret") && !detail.contains("127.0.0.1"))
    }

    @Test("A server that stays silent during the TLS handshake runs into the connect timeout")
    func silentHandshake() async throws {
        let server = try ScriptedServer { connection in connection.waitForClose() }
        let rig = try Rig(.roomy { $0.connectTimeout = .milliseconds(400) })
        #expect(await rig.fetch(server.url(scheme: "https")) == .failed(.timeout(seconds: 0.4)))
    }

    @Test("A server that keeps sending, but too slowly, runs into the total timeout")
    func timeout() async throws {
        let server = try ScriptedServer { connection in
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
            while true {
                try connection.send("x")
                try connection.pause(.milliseconds(50))
            }
        }
        let rig = try Rig(.roomy { $0.timeout = .seconds(1) })
        #expect(await rig.fetch(server.url()) == .failed(.timeout(seconds: 1)))
        #expect(try rig.temporaryFiles.isEmpty)
    }

    @Test(
        "A server that falls silent has stalled, at whatever point it stops",
        arguments: [
            "", "HTTP/1.1 200 OK\r\nContent-", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n",
            "HTTP/1.1 200 OK\r\n\r\npart",
        ]
    )
    func stall(beginning: String) async throws {
        let server = try ScriptedServer { connection in
            _ = try connection.readRequest()
            try connection.send(beginning)
            connection.waitForClose()
        }
        let rig = try Rig(.roomy { $0.stallTimeout = .milliseconds(500) })
        #expect(await rig.fetch(server.url()) == .failed(.stalled(seconds: 0.5)))
        #expect(try rig.temporaryFiles.isEmpty)
    }

    @Test("A slow server that sends a byte now and then has not stalled")
    func slowButAlive() async throws {
        let server = try ScriptedServer { connection in
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 14\r\n\r\n")
            for _ in 0..<14 {
                try connection.send("x")
                try connection.pause(.milliseconds(150))
            }
        }
        let rig = try Rig(.roomy { $0.stallTimeout = .milliseconds(1500) })
        #expect(await rig.fetch(server.url()).known?.original.bytes == 14)
    }

    @Test(
        "A connection that ends within a response is an interruption",
        arguments: [
            "", "nothing like HTTP at all\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nshort",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\nzz\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nab",
        ])
    func interrupted(answer: String) async throws {
        let server = try ScriptedServer { connection in
            _ = try connection.readRequest()
            try connection.send(answer)
        }
        let rig = try Rig()
        #expect(await rig.fetch(server.url()) == .failed(.interrupted))
        #expect(try rig.temporaryFiles.isEmpty)
    }

    @Test("A connection that is reset within the body is an interruption")
    func reset() async throws {
        let server = try ScriptedServer { connection in
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nshort")
            connection.reset()
        }
        #expect(try await Rig().fetch(server.url()) == .failed(.interrupted))
    }

    @Test("A header without an end is cut off")
    func endlessHeader() async throws {
        let server = try ScriptedServer { connection in
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\n")
            while true { try connection.send("X-More: " + String(repeating: "x", count: 1000) + "\r\n") }
        }
        #expect(try await Rig().fetch(server.url()) == .failed(.interrupted))
    }

    @Test("An empty body is not an image")
    func emptyBody() async throws {
        let server = try ScriptedServer { _ in ScriptedResponse(200) }
        #expect(try await Rig().fetch(server.url()) == .failed(.notAnImage(.empty)))
    }

    @Test(
        "An address with an unsupported scheme fails without a request",
        arguments: [
            ("ftp://example.org/photo.jpg", Failure.unsupportedScheme("ftp")),
            ("javascript://alert/1", .unsupportedScheme("javascript")),
        ])
    func unsupportedScheme(address: String, failure: Failure) async throws {
        #expect(try await Rig().fetch(address) == .failed(failure))
    }

    @Test(
        "An invalid address is reported as invalid",
        arguments: ["", "photo.jpg", "http://", "http://host:99999/", "http://[::1/", "http://a\u{0}b/"])
    func badAddress(address: String) async throws {
        let outcome = try await Rig().fetch(address)
        switch outcome {
        case .failed(.badAddress): break
        case .failed(.malformedAddress(let detail)): #expect(!detail.isEmpty)
        default: Issue.record("\(outcome)")
        }
    }
}
