internal import Downloads
internal import Foundation
internal import PhotoModel
internal import TestSupport
import Testing

@Suite("A transfer yields exactly the bytes of the picture, within the limits", .timeLimit(.minutes(1)))
struct TransferTests {
    @Test(
        "Downloaded bytes are stored under their SHA-256, whatever their number",
        arguments: [1, 1000, 64 * 1024, 64 * 1024 + 1, 300_000])
    func stored(size: Int) async throws {
        let body = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        let server = try ScriptedServer { _ in ScriptedResponse(200, ["ETag: \"v1\""], body: body) }
        let rig = try Rig()
        let original = StoredOriginal(digest: Digest(of: body), bytes: Int64(size))
        let known = CachedOriginal(original: original, metadata: CacheMetadata(etag: "\"v1\""))
        #expect(await rig.fetch(server.url()) == .stored(known))
        #expect(try Data(contentsOf: URL(filePath: rig.store.path(of: original.digest))) == Data(body))
        #expect(rig.store.contains(original.digest, bytes: Int64(size)))
        #expect(try rig.temporaryFiles.isEmpty)
        #expect(rig.downloader.statistics.bytes == Int64(size))
    }

    @Test("Chunks are joined, and trailers are not taken for header fields of the picture")
    func chunkedWithTrailer() async throws {
        let server = try ScriptedServer { connection in
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: ETag\r\n\r\n")
            try connection.send("3\r\nabc\r\n2\r\nde\r\n0\r\nETag: \"late\"\r\n\r\n")
        }
        let rig = try Rig()
        let known = try #require(await rig.fetch(server.url()).known)
        #expect(try rig.content(of: known.original) == "abcde")
        #expect(known.metadata == CacheMetadata())
    }

    @Test("Redirects are followed, and only the validators of the last response count")
    func redirects() async throws {
        let server = try ScriptedServer { request in
            switch request.target {
            case "/start": ScriptedResponse(301, ["Location: /middle", "ETag: \"start\""], text: "moved")
            case "/middle": ScriptedResponse(307, ["Location: /end", "Last-Modified: yesterday"])
            default: ScriptedResponse(200, ["ETag: \"end\""], text: "picture")
            }
        }
        let known = try #require(await Rig().fetch(server.url("/start")).known)
        let end = Responder.target(Digest(of: server.url("/end")))
        #expect(known.metadata == CacheMetadata(etag: "\"end\"", responder: end))
        #expect(server.targets == ["/start", "/middle", "/end"])
    }

    @Test("Redirects end at the limit", arguments: [0, 1, 4])
    func redirectLoop(limit: Int) async throws {
        let server = try ScriptedServer { _ in ScriptedResponse(302, ["Location: /again"]) }
        let rig = try Rig(.roomy { $0.maxRedirects = limit })
        #expect(await rig.fetch(server.url()) == .failed(.tooManyRedirects(limit: limit)))
        #expect(server.targets.count == limit + 1)
    }

    @Test(
        "Only redirects to http and https are followed",
        arguments: [("file:///etc/passwd", "file"), ("ftp://example.org/a", "ftp"), ("gopher://127.0.0.1/a", "gopher")])
    func redirectScheme(location: String, scheme: String) async throws {
        let server = try ScriptedServer { _ in ScriptedResponse(302, ["Location: \(location)"]) }
        #expect(try await Rig().fetch(server.url()) == .failed(.unsupportedScheme(scheme)))
    }

    @Test("After a redirect, a failure names the new host")
    func redirectToNowhere() async throws {
        let host = String(repeating: "y", count: 64) + ".invalid"
        let server = try ScriptedServer { _ in ScriptedResponse(302, ["Location: http://\(host)/"]) }
        #expect(try await Rig().fetch(server.url()) == .failed(.dns(host: host)))
    }

    @Test("The time to connect after a redirect does not count as a stall")
    func redirectToSlowConnection() async throws {
        let port = try UnansweringPort()
        let server = try ScriptedServer { _ in
            ScriptedResponse(302, ["Location: http://127.0.0.1:\(port.port)/"])
        }
        let rig = try Rig(
            .roomy {
                $0.stallTimeout = .seconds(2)
                $0.connectTimeout = .seconds(3)
            })
        #expect(await rig.fetch(server.url()) == .failed(.timeout(seconds: 3)))
    }

    @Test("A picture may have exactly as many bytes as the limit, and not one more")
    func cap() async throws {
        let server = try ScriptedServer { request in
            ScriptedResponse(200, text: String(repeating: "x", count: request.target == "/fits" ? 1000 : 1001))
        }
        let rig = try Rig(.roomy { $0.maxBytes = 1000 })
        #expect(await rig.fetch(server.url("/fits")).known?.original.bytes == 1000)
        #expect(await rig.fetch(server.url("/over")) == .failed(.tooLarge(limit: 1000)))
    }

    @Test("A body whose Content-Length exceeds the limit is not downloaded")
    func capByHeader() async throws {
        let server = try ScriptedServer { connection in
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n")
            connection.waitForClose()
        }
        let rig = try Rig(.roomy { $0.maxBytes = 1000 })
        #expect(await rig.fetch(server.url()) == .failed(.tooLarge(limit: 1000)))
        await server.log.wait { $0.openConnections == 0 }
    }

    @Test("A body without end or length is cut off at the limit, and leaves no file", arguments: [true, false])
    func endlessBody(isChunked: Bool) async throws {
        let server = try ScriptedServer { connection in
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\n" + (isChunked ? "Transfer-Encoding: chunked\r\n\r\n" : "\r\n"))
            let piece = String(repeating: "x", count: 0x1000)
            while true { try connection.send(isChunked ? "1000\r\n\(piece)\r\n" : piece) }
        }
        let rig = try Rig(.roomy { $0.maxBytes = 100_000 })
        #expect(await rig.fetch(server.url()) == .failed(.tooLarge(limit: 100_000)))
        await server.log.wait { $0.openConnections == 0 }
        #expect(try rig.temporaryFiles.isEmpty)
        #expect(rig.downloader.statistics.bytes < 200_000)
    }

    @Test("Connections are reused, even after an error page")
    func keepAlive() async throws {
        let server = try ScriptedServer { request in
            ScriptedResponse(request.target == "/missing" ? 404 : 200, text: request.target)
        }
        let rig = try Rig()
        for path in ["/one", "/missing", "/two", "/three"] { _ = await rig.fetch(server.url(path)) }
        #expect(server.log.value.connections == 1)
        let statistics = rig.downloader.statistics
        #expect(statistics.connections == 1 && statistics.transfers == 4 && statistics.notModified == 0)
    }

    @Test("Spaces and characters outside ASCII in an address are encoded as a browser encodes them")
    func encoding() async throws {
        let server = try ScriptedServer { _ in ScriptedResponse(200, text: "picture") }
        let rig = try Rig()
        _ = await rig.fetch(server.url("/Bäume am See.jpg?größe=1 2#teil"))
        #expect(server.targets == ["/B%C3%A4ume%20am%20See.jpg?gr%C3%B6%C3%9Fe=1%202"])
    }

    @Test("A host name outside ASCII is looked up in its ASCII form")
    func internationalHost() async throws {
        // The label is too long in its ASCII form, so that no name server is asked.
        let outcome = try await Rig().fetch("http://\(String(repeating: "ü", count: 50)).invalid/")
        guard case .failed(.dns(let host)) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(host.hasPrefix("xn--"))
    }

    @Test("A picture that a proxy has transformed (203) is accepted")
    func transformed() async throws {
        let server = try ScriptedServer { _ in ScriptedResponse(203, ["ETag: \"v1\""], text: "picture") }
        let rig = try Rig()
        let known = try #require(await rig.fetch(server.url()).known)
        #expect(try rig.content(of: known.original) == "picture")
        #expect(known.metadata.etag == "\"v1\"")
    }

    @Test("Users and passwords in addresses are not sent, and a redirect to such an address is refused")
    func users() async throws {
        let inner = try ScriptedServer { _ in ScriptedResponse(200, text: "picture") }
        let port = inner.port
        let outer = try ScriptedServer { _ in
            ScriptedResponse(302, ["Location: http://photos.example@127.0.0.1:\(port)/"])
        }
        let rig = try Rig()
        for user in ["jo:secret", "photos.example", ":"] {
            #expect(await rig.fetch("http://\(user)@127.0.0.1:\(port)/\(user.count)").known != nil)
        }
        #expect(inner.log.value.requests.count == 3)
        #expect(inner.log.value.requests.allSatisfy { $0.headers["authorization"] == nil })
        #expect(await rig.fetch(outer.url()) == .failed(.badAddress(.redirectToUser)))
        #expect(inner.log.value.requests.count == 3)
    }

    @Test("No failure contains user, password, path or query", arguments: ["http", "https"])
    func secrets(scheme: String) async throws {
        let server = try ScriptedServer { connection in
            while let request = try connection.readRequest() {
                guard request.target != "/secret?token=secret" else { return }
                try connection.send(ScriptedResponse(302, ["Location: file:///secret"]))
            }
        }
        let rig = try Rig(.roomy { $0.connectTimeout = .seconds(1) })
        let authority = "secret:secret@127.0.0.1"
        let addresses = [
            "\(scheme)://\(authority):\(server.port)/secret?token=secret",
            "\(scheme)://\(authority):\(server.port)/other/secret", "\(scheme)://\(authority):99999/secret",
            "\(scheme)://\(authority):1/secret", "secret://\(authority)/secret#secret",
        ]
        for address in addresses {
            let outcome = await rig.fetch(address)
            guard case .failed(let failure) = outcome else {
                Issue.record("\(outcome)")
                continue
            }
            if case .unsupportedScheme("secret") = failure { continue }
            #expect(!String(describing: failure).contains("secret"))
            #expect(!Reason(failure).message.contains("secret"))
        }
    }
}
