internal import Downloads
internal import Foundation
internal import PhotoModel
internal import TestSupport
import Testing

@Suite("Of a body that is not an image, only the first bytes are downloaded", .timeLimit(.minutes(1)))
struct ContentCheckTests {
    private static let failure = Failure.notAnImage(.text)

    /// Accepts content that begins with a word of fifteen letters.
    private static func check(edition: Int = 1) -> ContentCheck {
        ContentCheck(edition: edition, inspectedBytes: 15) { start in
            String(decoding: start, as: UTF8.self) == "picture picture" ? nil : Self.failure
        }
    }

    private func rig(_ limits: TransferLimits = .roomy, edition: Int = 1, over store: OriginalStore? = nil) throws
        -> Rig
    {
        try Rig(
            limits, options: FetchOptions(policy: .namedHost, contentCheck: Self.check(edition: edition)), over: store)
    }

    private static func refused(_ metadata: CacheMetadata = CacheMetadata(), edition: Int = 1) -> RefusedContent {
        RefusedContent(failure: failure, edition: edition, metadata: metadata)
    }

    private static let picture = Array(String(repeating: "picture ", count: 25_000).utf8)
    private static let page = Array(String(repeating: "a page. ", count: 25_000).utf8)

    private func isUntouched(_ rig: Rig) throws -> Bool {
        let partial = rig.store.root + "/partial"
        let kept =
            FileManager.default.fileExists(atPath: partial)
            ? try FileManager.default.contentsOfDirectory(atPath: partial) : []
        return try rig.store.digests().isEmpty && rig.temporaryFiles.isEmpty && kept.isEmpty
    }

    @Test(
        "A body that is not an image is not read to its end, and none of it is stored",
        arguments: [["Content-Length: 90000000"], []])
    func notTaken(framing: [String]) async throws {
        let sent = Observed(0)
        let server = try ScriptedServer { connection in
            guard try connection.readRequest() != nil else { return }
            let head = ["HTTP/1.1 200 OK", "ETag: \"v1\""] + framing
            try connection.send(head.joined(separator: "\r\n") + "\r\n\r\n")
            // The body has no end: it goes on until the client closes the connection.
            while true {
                try connection.send(Self.page)
                sent.update { $0 += Self.page.count }
            }
        }
        let rig = try rig(.roomy { $0.maxBytes = 100_000_000 })
        #expect(await rig.fetch(server.url()) == .refused(Self.refused(CacheMetadata(etag: "\"v1\""))))
        #expect(rig.downloader.statistics.bytes <= 64 * 1024)
        #expect(try isUntouched(rig))
    }

    @Test("The content check gets the first bytes as a whole, however small the pieces are", arguments: [true, false])
    func pieces(isPicture: Bool) async throws {
        let server = try ScriptedServer { connection in
            guard try connection.readRequest() != nil else { return }
            try connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            for byte in (isPicture ? Self.picture : Self.page)[..<40] {
                try connection.send("1\r\n")
                try connection.send([byte, 0x0D, 0x0A])
            }
            try connection.send("0\r\n\r\n")
        }
        let rig = try rig()
        let outcome = await rig.fetch(server.url())
        if isPicture {
            #expect(outcome.known?.original.digest == Digest(of: Array(Self.picture[..<40])))
        } else {
            #expect(outcome == .refused(Self.refused()))
            #expect(try isUntouched(rig))
        }
    }

    @Test(
        "A body shorter than the bytes that the check needs is judged by the bytes that it has",
        arguments: ["", "p", "a page", "picture pictur"])
    func short(text: String) async throws {
        let server = try ScriptedServer { _ in ScriptedResponse(200, ["ETag: \"v1\""], text: text) }
        let rig = try rig()
        #expect(await rig.fetch(server.url()) == .refused(Self.refused(CacheMetadata(etag: "\"v1\""))))
        #expect(try isUntouched(rig))
    }

    @Test("A body that breaks off within the bytes that the check needs is not judged, and is retried")
    func brokenOff() async throws {
        let server = try ScriptedServer { connection in
            guard try connection.readRequest() != nil else { return }
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 200000\r\n\r\na page")
        }
        let rig = try rig(.roomy { $0.retries = 1 })
        #expect(await rig.fetch(server.url()) == .failed(.interrupted))
        #expect(server.targets.count == 2)
    }

    @Test("A body that breaks off after bytes that are no image is refused, and not retried")
    func brokenOffLater() async throws {
        let server = try ScriptedServer { connection in
            guard try connection.readRequest() != nil else { return }
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\na page, and no picture")
        }
        let rig = try rig(.roomy { $0.retries = 1 })
        #expect(await rig.fetch(server.url()) == .refused(Self.refused()))
        #expect(server.targets.count == 1)
    }

    @Test("A short body is read to its end, so that the connection can be reused")
    func connection() async throws {
        let server = try ScriptedServer { _ in ScriptedResponse(200, body: Array(Self.page[..<60_000])) }
        let rig = try rig(.roomy { $0.total = 1 })
        for number in 1...3 { #expect(await rig.fetch(server.url("/\(number)")) == .refused(Self.refused())) }
        #expect(server.log.value.connections == 1)
    }

    @Test("The next build sends the validators of the refused body, and a 304 costs nothing more")
    func remembered() async throws {
        let changed = "Wed, 21 Oct 2015 07:28:00 GMT"
        let server = try ScriptedServer { request in
            request.headers["if-none-match"] == nil
                ? ScriptedResponse(
                    200, ["ETag: \"v1\"", "Last-Modified: \(changed)", "Cache-Control: max-age=60"], body: Self.page)
                : ScriptedResponse(304)
        }
        let rig = try rig()
        let outcome = await rig.timedFetch(server.url())
        guard case .refused(let refused) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        let next = try self.rig(over: rig.store)
        // A refused body is revalidated even while it is fresh, since its owner may have corrected it.
        #expect(await next.fetch(server.url(), refused: refused) == .refused(refused.untimed))
        let headers = try #require(server.log.value.requests.last?.headers)
        #expect(headers["if-none-match"] == "\"v1\"" && headers["if-modified-since"] == changed)
        #expect(next.downloader.statistics.bytes == 0 && next.downloader.statistics.notModified == 1)
        #expect(try isUntouched(rig))
    }

    @Test("A body that an earlier version of the check refused is downloaded again")
    func otherEdition() async throws {
        let server = try ScriptedServer { request in
            request.headers["if-none-match"] == nil
                ? ScriptedResponse(200, ["ETag: \"v1\""], body: Self.page) : ScriptedResponse(304)
        }
        let rig = try rig(edition: 2)
        let refused = Self.refused(CacheMetadata(etag: "\"v1\""))
        #expect(
            await rig.fetch(server.url(), refused: refused) == .refused(Self.refused(refused.metadata, edition: 2)))
        #expect(server.log.value.requests.map { $0.headers["if-none-match"] } == [nil])
    }

    @Test("An image that replaces a refused body is accepted")
    func mended() async throws {
        let server = try ScriptedServer { _ in ScriptedResponse(200, ["ETag: \"v2\""], body: Self.picture) }
        let rig = try rig()
        let outcome = await rig.fetch(server.url(), refused: Self.refused(CacheMetadata(etag: "\"v1\"")))
        #expect(outcome.known?.original.digest == Digest(of: Self.picture))
        #expect(server.log.value.requests.map { $0.headers["if-none-match"] } == ["\"v1\""])
    }

    @Test("A 304 to a request without conditions is an error")
    func unasked() async throws {
        let server = try ScriptedServer { _ in ScriptedResponse(304) }
        #expect(try await rig().fetch(server.url()) == .failed(.httpStatus(304)))
    }

    @Test("A compressed body is judged by its decompressed bytes", arguments: [true, false])
    func compressed(isPicture: Bool) async throws {
        let content = Array((isPicture ? Self.picture : Self.page)[..<60_000])
        let body = Gzip.stored(content)
        let server = try ScriptedServer { _ in ScriptedResponse(200, ["Content-Encoding: gzip"], body: body) }
        let rig = try rig()
        let outcome = await rig.fetch(server.url())
        #expect(
            isPicture ? outcome.known?.original.digest == Digest(of: content) : outcome == .refused(Self.refused())
        )
    }

    /// Breaks the first response off after `count` bytes, and sends the rest to a request for it.
    private func breaking(_ body: [UInt8], after count: Int) throws -> ScriptedServer {
        try ScriptedServer { connection in
            while let request = try connection.readRequest() {
                guard request.headers["range"] != nil else {
                    try connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\nETag: \"v1\"\r\n\r\n")
                    return try connection.send(Array(body[..<count]))
                }
                let range = "Content-Range: bytes \(count)-\(body.count - 1)/\(body.count)"
                try connection.send(ScriptedResponse(206, [range], body: Array(body[count...])))
            }
        }
    }

    @Test("A resumed download is judged by the beginning that was kept", arguments: [1, 14, 15, 16, 100_000])
    func resumed(count: Int) async throws {
        for body in [Self.picture, Self.page] {
            let server = try breaking(body, after: count)
            // A build without the content check would have left the download in this state.
            let earlier = try Rig()
            #expect(await earlier.fetch(server.url()) == .failed(.interrupted))
            let rig = try rig(over: earlier.store)
            let outcome = await rig.fetch(server.url())
            #expect(server.log.value.requests.last?.headers["range"] == "bytes=\(count)-")
            if body == Self.picture {
                #expect(outcome.known?.original.digest == Digest(of: body))
            } else {
                #expect(outcome == .refused(Self.refused(CacheMetadata(etag: "\"v1\""))))
                #expect(try isUntouched(rig))
            }
        }
    }

    @Test("Every photo of a refused address gets the refusal")
    func shared() async throws {
        let server = try ScriptedServer { _ in ScriptedResponse(200, body: Self.page) }
        let rig = try rig()
        let (first, second) = (rig.start(server.url()), rig.start(server.url()))
        #expect(await first.outcome == .refused(Self.refused()))
        #expect(await second.outcome == .refused(Self.refused()))
        #expect(server.targets.count == 1)
    }

    @Test("A local file that is no image is not copied, however long it is")
    func localFile() async throws {
        let rig = try rig(.roomy { $0.maxBytes = .max })
        let path = try rig.write("a page, and no picture", to: "film.mp4")
        let handle = try FileHandle(forWritingTo: URL(filePath: path))
        // The file is sparse and takes no space on the disk.
        try handle.truncate(atOffset: 5_000_000_000_000)
        try handle.close()
        #expect(await rig.fetch(file: path) == .failed(Self.failure))
        #expect(try isUntouched(rig))
        let short = try rig.write("p", to: "short.jpg")
        #expect(await rig.fetch(file: short) == .failed(Self.failure))
        let picture = try rig.write(String(decoding: Self.picture, as: UTF8.self), to: "picture.jpg")
        #expect(await rig.fetch(file: picture).known?.original.digest == Digest(of: Self.picture))
    }
}
