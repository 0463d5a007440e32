internal import Downloads
internal import Foundation
internal import PhotoModel
internal import TestSupport
import Testing

@Suite("A known original is revalidated, and downloaded only if it changed", .timeLimit(.minutes(1)))
struct RevalidationTests {
    /// Behaves as a correct server: it sends 304 to the validators of its picture.
    private func server(etag: String, lastModified: String, body: String) throws -> ScriptedServer {
        try ScriptedServer { request in
            let isSame =
                request.headers["if-none-match"].map { $0 == etag }
                ?? (request.headers["if-modified-since"] == lastModified)
            let fields = ["ETag: \(etag)", "Last-Modified: \(lastModified)"]
            return isSame ? ScriptedResponse(304, fields) : ScriptedResponse(200, fields, text: body)
        }
    }

    private let date = "Wed, 21 Oct 2015 07:28:00 GMT"

    @Test("ETag and date are sent back unchanged, and a 304 leaves the original as it is")
    func notModified() async throws {
        let server = try server(etag: "W/\"a b\"", lastModified: date, body: "picture")
        let first = try Rig()
        let known = try #require(await first.fetch(server.url()).known)
        #expect(known.metadata == CacheMetadata(etag: "W/\"a b\"", lastModified: date))

        let second = try Downloader(
            store: first.store, limits: .roomy, options: Rig.options, client: .tests,
            startedAt: Rig.now)
        let outcome = await withCheckedContinuation { continuation in
            let source = Source(location: .remote(server.url()), shown: "")
            _ = second.fetch(source, known: known) { continuation.resume(returning: $0) }
        }
        #expect(outcome.untimed == .unchanged(known))
        let request = try #require(server.log.value.requests.last)
        #expect(request.headers["if-none-match"] == "W/\"a b\"" && request.headers["if-modified-since"] == date)
        #expect(second.statistics.notModified == 1 && second.statistics.bytes == 0)
    }

    @Test("A 304 may bring new validators, and those that it leaves out stay")
    func refreshed() async throws {
        let server = try ScriptedServer { request in
            request.headers["if-none-match"] == nil
                ? ScriptedResponse(200, ["ETag: W/\"old\"", "Last-Modified: then"], text: "picture")
                : ScriptedResponse(304, ["ETag: W/\"new\""])
        }
        let rig = try Rig()
        let known = try #require(await rig.fetch(server.url("/photo.jpg?first")).known)
        let outcome = await rig.fetch(server.url(), known: known)
        var expected = known
        expected.metadata.etag = "W/\"new\""
        #expect(outcome == .unchanged(expected))
    }

    @Test(
        "A 304 with the strong ETag of another version is not believed, and the known ETag is kept",
        arguments: ["\"old\"", "W/\"old\""])
    func otherVersion(etag: String) async throws {
        let server = try ScriptedServer { request in
            switch (request.target, request.headers["if-none-match"]) {
            case (_, nil): ScriptedResponse(200, ["ETag: \(etag)"], text: "picture")
            case ("/one", _): ScriptedResponse(304, ["ETag: \"new\"", "Cache-Control: max-age=3600"])
            default: ScriptedResponse(304, ["ETag: \(etag.dropFirst(etag.hasPrefix("W/") ? 2 : 0))"])
            }
        }
        let rig = try Rig()
        let known = try #require(await rig.timedFetch(server.url("/first")).known)
        let doubtful = await rig.timedFetch(server.url("/one"), known: known)
        #expect(doubtful == .unchanged(known.untimed))
        let believed = await rig.timedFetch(server.url("/another"), known: known)
        #expect(believed.known?.metadata.validated != nil)
    }

    @Test("A 304 with a first ETag, to a request with a date, is believed, unless it names another date")
    func firstETag() async throws {
        let server = try ScriptedServer { request in
            guard request.headers["if-modified-since"] != nil else {
                return ScriptedResponse(200, ["Last-Modified: then"], text: "picture")
            }
            let date = request.target == "/later" ? ["Last-Modified: later"] : []
            return ScriptedResponse(304, ["ETag: \"first\"", "Cache-Control: max-age=3600"] + date)
        }
        let rig = try Rig()
        let known = try #require(await rig.timedFetch(server.url("/first")).known)
        let believed = await rig.timedFetch(server.url("/again"), known: known)
        #expect(believed.known?.metadata.etag == "\"first\"" && believed.known?.metadata.freshUntil != nil)
        #expect(await rig.timedFetch(server.url("/later"), known: known) == .unchanged(known.untimed))
    }

    @Test(
        "An ETag is sent back byte for byte, even if it is no UTF-8", arguments: [[0xE9], [0xC3, 0xA9], [0x80, 0xFF]])
    func bytes(letters: [UInt8]) async throws {
        let tag = [UInt8(ascii: "\"")] + letters + [UInt8(ascii: "\"")]
        let heads = Observed<[[UInt8]]>([])
        let server = try ScriptedServer { connection in
            while let request = try connection.readRequest() {
                heads.update { $0.append(request.head) }
                try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 7\r\nETag: ")
                try connection.send(tag + Array("\r\n\r\npicture".utf8))
            }
        }
        let rig = try Rig()
        let known = try #require(await rig.fetch(server.url("/first")).known)
        _ = await rig.fetch(server.url(), known: known)
        #expect(heads.value.last?.firstRange(of: Array("If-None-Match: ".utf8) + tag + [0x0D]) != nil)
    }

    @Test("An ETag that is a star is ignored")
    func star() async throws {
        let server = try ScriptedServer { _ in ScriptedResponse(200, ["ETag: *"], text: "picture") }
        let rig = try Rig()
        let known = try #require(await rig.fetch(server.url("/first")).known)
        #expect(known.metadata.etag == nil)
        _ = await rig.fetch(server.url(), known: known)
        #expect(server.log.value.requests.last?.headers["if-none-match"] == nil)
    }

    @Test("If the stored copy is lost, the original is requested without conditions")
    func lostOriginal() async throws {
        let server = try server(etag: "\"v1\"", lastModified: date, body: "picture")
        let rig = try Rig()
        let known = try #require(await rig.fetch(server.url("/first")).known)
        try rig.store.remove(known.original.digest)
        #expect(await rig.fetch(server.url(), known: known) == .stored(known))
        #expect(server.log.value.requests.last?.headers["if-none-match"] == nil)
        #expect(rig.store.contains(known.original.digest))
    }

    @Test("A stored copy that was cut short counts as lost")
    func damagedOriginal() async throws {
        let server = try server(etag: "\"v1\"", lastModified: date, body: "picture")
        let rig = try Rig()
        let known = try #require(await rig.fetch(server.url("/first")).known)
        try Data("pic".utf8).write(to: URL(filePath: rig.store.path(of: known.original.digest)))
        #expect(await rig.fetch(server.url(), known: known) == .stored(known))
        #expect(try rig.content(of: known.original) == "picture")
    }

    @Test("If a server without validators sends the same bytes again, nothing is written twice")
    func sameBytes() async throws {
        let server = try ScriptedServer { _ in ScriptedResponse(200, text: "picture") }
        let rig = try Rig()
        let known = try #require(await rig.fetch(server.url("/first")).known)
        let path = rig.store.path(of: known.original.digest)
        let before = try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
        #expect(await rig.fetch(server.url(), known: known) == .stored(known))
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int == before)
        #expect(try rig.temporaryFiles.isEmpty)
    }

    @Test("A picture that changed is stored beside the old one")
    func changed() async throws {
        let server = try ScriptedServer { ScriptedResponse(200, ["ETag: \"\($0.target)\""], text: $0.target) }
        let rig = try Rig()
        let old = try #require(await rig.fetch(server.url("/old")).known)
        let outcome = await rig.fetch(server.url("/new"), known: old)
        guard case .stored(let new) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(new.original != old.original && new.metadata.etag == "\"/new\"")
        #expect(Set(try rig.store.digests()) == [old.original.digest, new.original.digest])
    }

    @Test("Two addresses with the same picture share one file")
    func sharedFile() async throws {
        let server = try ScriptedServer { _ in ScriptedResponse(200, text: "picture") }
        let rig = try Rig()
        async let first = rig.fetch(server.url("/a"))
        async let second = rig.fetch(server.url("/b"))
        let originals = await [first.known?.original, second.known?.original]
        #expect(originals[0] != nil && originals[0] == originals[1])
        #expect(try rig.store.digests().count == 1)
    }

    @Test(
        "A recorded validator with control characters, which could forge a field, is not sent",
        arguments: ["\"a\"\r\nX-Forged: 1", "\"é\"\r\nX-Forged: 1", "\"a\u{7F}\"", "\"\u{85}\u{0}\""])
    func forgedValidator(etag: String) async throws {
        let server = try ScriptedServer { _ in ScriptedResponse(200, text: "picture") }
        let rig = try Rig()
        var known = try #require(await rig.fetch(server.url("/first")).known)
        known.metadata = CacheMetadata(etag: etag, lastModified: "a\nX-Forged: 2")
        _ = await rig.fetch(server.url(), known: known)
        let headers = try #require(server.log.value.requests.last?.headers)
        #expect(headers["x-forged"] == nil && headers["if-none-match"] == nil && headers["if-modified-since"] == nil)
    }

    @Test("Conditions of one transfer are not sent with the next over the same connection")
    func conditionsDoNotLeak() async throws {
        let server = try server(etag: "\"v1\"", lastModified: date, body: "picture")
        let rig = try Rig(.roomy { $0.total = 1 })
        let known = try #require(await rig.fetch(server.url("/first")).known)
        _ = await rig.fetch(server.url("/second"), known: known)
        _ = await rig.fetch(server.url("/third"))
        #expect(server.log.value.requests.map { $0.headers["if-none-match"] } == [nil, "\"v1\"", nil])
    }
}
