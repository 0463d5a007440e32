internal import Downloads
internal import Foundation
internal import PhotoModel
internal import TestSupport
import Testing

@Suite("An interrupted transfer is resumed if the server still has the same picture", .timeLimit(.minutes(1)))
struct ResumeTests {
    private static let picture = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    private static let half = 100_000
    private static let strong = ["ETag: \"v1\""]

    /// Breaks the first response off in the middle; `answer` gives all later responses.
    private func server(
        _ fields: [String] = strong, then answer: @escaping @Sendable (ScriptedRequest) -> ScriptedResponse
    ) throws -> ScriptedServer {
        try server(then: answer) { connection in
            let head = ["HTTP/1.1 200 OK", "Content-Length: \(Self.picture.count)"] + fields
            try connection.send(head.joined(separator: "\r\n") + "\r\n\r\n")
            try connection.send(Array(Self.picture[..<Self.half]))
        }
    }

    /// Breaks the connection of the first request off after `first`; `answer` gives all later responses.
    private func server(
        then answer: @escaping @Sendable (ScriptedRequest) -> ScriptedResponse,
        first: @escaping @Sendable (ScriptedConnection) throws -> Void
    ) throws -> ScriptedServer {
        let isFirst = Observed(true)
        return try ScriptedServer { connection in
            while let request = try connection.readRequest() {
                let wasFirst = isFirst.update { isFirst in
                    defer { isFirst = false }
                    return isFirst
                }
                if wasFirst { return try first(connection) }
                try connection.send(answer(request))
            }
        }
    }

    /// The rest of the picture, as a correct server sends it.
    private static func rest(
        _ range: String = "bytes 100000-199999/200000", _ fields: [String] = strong
    ) -> ScriptedResponse {
        ScriptedResponse(206, fields + ["Content-Range: \(range)"], body: Array(picture[half...]))
    }

    private static func whole(_ request: ScriptedRequest) -> ScriptedResponse {
        ScriptedResponse(200, strong, body: picture)
    }

    private func isPicture(_ original: StoredOriginal?) -> Bool { original?.digest == Digest(of: Self.picture) }

    private func keptFiles(_ rig: Rig) throws -> [String] {
        let folder = rig.store.root + "/partial"
        guard FileManager.default.fileExists(atPath: folder) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: folder)
    }

    @Test("A transfer that broke off is resumed in the same build, and only the rest is transferred")
    func sameBuild() async throws {
        let server = try server { _ in Self.rest() }
        let rig = try Rig(.roomy { $0.retries = 1 })
        let known = try #require(await rig.fetch(server.url()).known)
        #expect(isPicture(known.original) && known.metadata.etag == "\"v1\"")
        let request = try #require(server.log.value.requests.last)
        #expect(request.headers["range"] == "bytes=100000-" && request.headers["if-range"] == "\"v1\"")
        #expect(rig.downloader.statistics.bytes == Int64(Self.picture.count))
        #expect(try rig.temporaryFiles.isEmpty && keptFiles(rig).isEmpty)
    }

    @Test("A transfer that broke off is resumed in the next build, with the validators of both responses")
    func nextBuild() async throws {
        let changed = "Wed, 21 Oct 2015 07:28:00 GMT"
        let fields = ["Last-Modified: \(changed)", "Date: Wed, 21 Oct 2015 07:29:00 GMT"]
        let server = try server(fields) { _ in Self.rest("bytes 100000-199999/*", []) }
        let rig = try Rig()
        #expect(await rig.fetch(server.url()) == .failed(.interrupted))
        #expect(try rig.temporaryFiles.isEmpty && keptFiles(rig).count == 2)
        let next = try Rig(over: rig.store)
        let known = try #require(await next.fetch(server.url()).known)
        #expect(isPicture(known.original) && known.metadata.lastModified == changed)
        #expect(server.log.value.requests.last?.headers["if-range"] == changed)
        #expect(try keptFiles(rig).isEmpty)
    }

    @Test("A cancelled transfer is resumed as well")
    func cancelled() async throws {
        let server = try ScriptedServer { connection in
            guard let request = try connection.readRequest() else { return }
            if request.headers["range"] != nil { return try connection.send(ScriptedResponse(404)) }
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 200000\r\nETag: \"v1\"\r\n\r\n")
            try connection.send(Array(Self.picture[..<Self.half]))
            connection.waitForClose()
        }
        let rig = try Rig()
        let started = rig.start(server.url())
        while try rig.arrivedBytes < Self.half / 2, !Task.isCancelled { await Task.yield() }
        rig.downloader.shutdown()
        #expect(await started.outcome == .cancelled)
        #expect(try rig.temporaryFiles.isEmpty && keptFiles(rig).count == 2)
        let next = try Rig(over: rig.store)
        #expect(await next.fetch(server.url()) == .failed(.notFound(status: 404)))
        #expect(server.log.value.requests.last?.headers["if-range"] == "\"v1\"")
    }

    @Test("A server that ignores the range, or has a new version, sends the whole picture, which is accepted")
    func whole() async throws {
        let same = try server(then: Self.whole)
        let new = try server { _ in ScriptedResponse(200, ["ETag: \"v2\""], text: "another picture") }
        let rig = try Rig(.roomy { $0.retries = 1 })
        #expect(isPicture(await rig.fetch(same.url()).known?.original))
        let known = try #require(await rig.fetch(new.url()).known)
        #expect(known.metadata.etag == "\"v2\"")
        #expect(try rig.content(of: known.original) == "another picture")
        #expect(try rig.temporaryFiles.isEmpty && keptFiles(rig).isEmpty)
    }

    @Test(
        "A part that is not the missing one is discarded, and the whole picture is requested again",
        arguments: [
            "bytes 0-99999/200000", "bytes 99999-199998/200000", "bytes 100000-199999/200001",
            "bytes 100000-199998/200000", "bytes 100000-150000/200000", "bytes 100000-199999", "bytes */200000",
            "items 100000-199999/200000", "bytes 100000-99999/200000", "", "bytes 100000-300000/200000",
        ])
    func wrongPart(range: String) async throws {
        let server = try server { request in
            request.headers["range"] == nil ? Self.whole(request) : Self.rest(range)
        }
        let rig = try Rig(.roomy { $0.retries = 1 })
        #expect(isPicture(await rig.fetch(server.url()).known?.original))
        #expect(server.log.value.requests.map { $0.headers["range"] } == [nil, "bytes=100000-", nil])
        #expect(try rig.temporaryFiles.isEmpty && keptFiles(rig).isEmpty)
    }

    @Test(
        "A part of another version is discarded, and so is a compressed part",
        arguments: [
            "ETag: \"v2\"", "Content-Encoding: gzip",
        ])
    func otherVersion(field: String) async throws {
        let server = try server { request in
            request.headers["range"] == nil ? Self.whole(request) : Self.rest("bytes 100000-199999/200000", [field])
        }
        let rig = try Rig(.roomy { $0.retries = 1 })
        #expect(isPicture(await rig.fetch(server.url()).known?.original))
        #expect(server.targets.count == 3)
    }

    /// Breaks off the first response, which does not say how long it is; `answer` gives all later responses.
    ///
    /// - Parameter isChunked: If it is false, the connection stays open and silent, since its end would be that of the
    ///   body.
    private func unsizedServer(
        isChunked: Bool = true, then answer: @escaping @Sendable (ScriptedRequest) -> ScriptedResponse
    ) throws -> ScriptedServer {
        try server(then: answer) { connection in
            let head = ["HTTP/1.1 200 OK"] + Self.strong + (isChunked ? ["Transfer-Encoding: chunked"] : [])
            try connection.send(head.joined(separator: "\r\n") + "\r\n\r\n")
            if isChunked { try connection.send(String(Self.half, radix: 16) + "\r\n") }
            try connection.send(Array(Self.picture[..<Self.half]))
            if !isChunked { connection.waitForClose() }
        }
    }

    /// The part that a server sends: where it ends, what it says of the whole length, and whether the part is accepted.
    private static let unsized: [(end: Int, total: String, isTaken: Bool)] = [
        (200_000, "200000", true), (200_000, "*", false), (150_000, "*", false), (150_000, "200000", false),
    ]

    /// Sends the whole picture, or for a range request the bytes from its beginning to `end`.
    private static func part(_ request: ScriptedRequest, to end: Int, of total: String) -> ScriptedResponse {
        guard let start = request.headers["range"].flatMap({ Int($0.dropFirst(6).dropLast()) }) else {
            return whole(request)
        }
        return ScriptedResponse(
            206, strong + ["Content-Range: bytes \(start)-\(end - 1)/\(total)"], body: Array(picture[start..<end]))
    }

    @Test(
        "After chunks without a known end, a part is accepted only if it says that it contains the end",
        arguments: unsized)
    func chunked(end: Int, total: String, isTaken: Bool) async throws {
        let server = try unsizedServer { Self.part($0, to: end, of: total) }
        let rig = try Rig(.roomy { $0.retries = 1 })
        #expect(isPicture(await rig.fetch(server.url()).known?.original))
        let ranges = server.log.value.requests.map { $0.headers["range"] }
        #expect(ranges == [nil, "bytes=100000-"] + (isTaken ? [] : [nil]))
        #expect(try rig.temporaryFiles.isEmpty && keptFiles(rig).isEmpty)
    }

    @Test(
        "After a body that ends with the connection, a part is accepted only if it says that it contains the end",
        arguments: unsized)
    func closeDelimited(end: Int, total: String, isTaken: Bool) async throws {
        let server = try unsizedServer(isChunked: false) { Self.part($0, to: end, of: total) }
        let rig = try Rig()
        _ = rig.start(server.url())
        while try rig.arrivedBytes < Self.half / 2, !Task.isCancelled { await Task.yield() }
        rig.downloader.shutdown()
        let next = try Rig(.roomy { $0.retries = 1 }, over: rig.store)
        #expect(isPicture(await next.fetch(server.url()).known?.original))
        let ranges = server.log.value.requests.map { $0.headers["range"] != nil }
        #expect(ranges == [false, true] + (isTaken ? [] : [false]))
        #expect(try next.temporaryFiles.isEmpty && keptFiles(next).isEmpty)
    }

    @Test("The total length that a resumed part gives counts for the next part, and nothing else does")
    func unsizedTwice() async throws {
        let server = try unsizedServer { request in
            switch request.headers["range"] {
            case "bytes=100000-":
                ScriptedResponse(
                    206, Self.strong + ["Content-Range: bytes 100000-199999/200000"],
                    body: Array(Self.picture[100_000..<150_000]))
            case "bytes=150000-":
                ScriptedResponse(
                    206, Self.strong + ["Content-Range: bytes 150000-199999/*"], body: Array(Self.picture[150_000...]))
            default: ScriptedResponse(404)
            }
        }
        let rig = try Rig(.roomy { $0.retries = 2 })
        #expect(isPicture(await rig.fetch(server.url()).known?.original))
    }

    @Test(
        "A part whose own fields contradict each other is discarded",
        arguments: [
            ["Content-Range: bytes 100000-199999/200000", "Content-Range: bytes 100000-199998/199999"],
            ["Content-Type: multipart/byteranges; boundary=x"], [],
            ["Content-Range: bytes 100000-199999/200000", "Last-Modified: Wed, 21 Oct 2015 07:28:01 GMT"],
        ])
    func contradiction(fields: [String]) async throws {
        let dated = ["Last-Modified: Wed, 21 Oct 2015 07:28:00 GMT", "Date: Wed, 21 Oct 2015 07:29:00 GMT"]
        let server = try server(dated) { request in
            request.headers["range"] == nil
                ? ScriptedResponse(200, dated, body: Self.picture)
                : ScriptedResponse(206, fields, body: Array(Self.picture[Self.half...]))
        }
        let rig = try Rig(.roomy { $0.retries = 1 })
        #expect(isPicture(await rig.fetch(server.url()).known?.original))
        #expect(server.log.value.requests.map { $0.headers["range"] } == [nil, "bytes=100000-", nil])
    }

    @Test("A part that is longer than the range it names is discarded", arguments: [1, 1000])
    func longer(excess: Int) async throws {
        let server = try server { request in
            request.headers["range"] == nil
                ? Self.whole(request)
                : ScriptedResponse(
                    206, Self.strong + ["Content-Range: bytes 100000-199999/200000"],
                    body: Array(Self.picture[Self.half...]) + [UInt8](repeating: 0, count: excess))
        }
        let rig = try Rig(.roomy { $0.retries = 1 })
        #expect(isPicture(await rig.fetch(server.url()).known?.original))
        #expect(server.log.value.requests.map { $0.headers["range"] } == [nil, "bytes=100000-", nil])
    }

    @Test("A range that the server refuses is given up at once, without costing a retry")
    func refused() async throws {
        let server = try server { request in
            request.headers["range"] == nil ? Self.whole(request) : ScriptedResponse(416)
        }
        let rig = try Rig()
        #expect(await rig.fetch(server.url()) == .failed(.interrupted))
        #expect(isPicture(try await Rig(over: rig.store).fetch(server.url()).known?.original))
        #expect(server.targets.count == 3)
    }

    @Test("A resumed transfer that breaks off again is resumed from there")
    func twice() async throws {
        let server = try server { request in
            switch request.headers["range"] {
            case "bytes=100000-":
                ScriptedResponse(
                    206, Self.strong + ["Content-Range: bytes 100000-199999/200000"],
                    body: Array(Self.picture[100_000..<150_000]))
            case "bytes=150000-":
                ScriptedResponse(
                    206, Self.strong + ["Content-Range: bytes 150000-199999/200000"],
                    body: Array(Self.picture[150_000...]))
            default: ScriptedResponse(404)
            }
        }
        let rig = try Rig(.roomy { $0.retries = 2 })
        #expect(isPicture(await rig.fetch(server.url()).known?.original))
    }

    @Test(
        "Nothing is resumed without a validator that proves the version",
        arguments: [
            [], ["ETag: W/\"v1\""], ["ETag: \"v1\"", "Accept-Ranges: none"],
            ["Last-Modified: Wed, 21 Oct 2015 07:28:00 GMT"],
            ["Last-Modified: Wed, 21 Oct 2015 07:28:00 GMT", "Date: Wed, 21 Oct 2015 07:28:00 GMT"],
            ["Last-Modified: yesterday", "Date: Wed, 21 Oct 2015 07:28:00 GMT"],
        ])
    func noValidator(fields: [String]) async throws {
        let server = try server(fields, then: Self.whole)
        let rig = try Rig(.roomy { $0.retries = 1 })
        #expect(isPicture(await rig.fetch(server.url()).known?.original))
        #expect(server.log.value.requests.last?.headers["range"] == nil)
    }

    @Test("A partial file that was damaged on the disk is not resumed", arguments: ["content", "note", "size"])
    func damaged(part: String) async throws {
        let server = try server { request in
            request.headers["range"] == nil ? Self.whole(request) : Self.rest()
        }
        let rig = try Rig()
        _ = await rig.fetch(server.url())
        for name in try keptFiles(rig) where name.hasSuffix(part == "note" ? ".json" : ".part") {
            let url = URL(filePath: "\(rig.store.root)/partial/\(name)")
            var data = try Data(contentsOf: url)
            if part == "size" { data.append(0) } else { data[data.count / 2] ^= 0xFF }
            try data.write(to: url)
        }
        #expect(isPicture(try await Rig(over: rig.store).fetch(server.url()).known?.original))
        #expect(try rig.temporaryFiles.isEmpty && keptFiles(rig).isEmpty)
    }

    @Test("The size limit applies to the whole picture, not to each part")
    func cap() async throws {
        let server = try server { _ in Self.rest() }
        let rig = try Rig()
        _ = await rig.fetch(server.url())
        let next = try Rig(.roomy { $0.maxBytes = 199_999 }, over: rig.store)
        #expect(await next.fetch(server.url()) == .failed(.tooLarge(limit: 199_999)))
        #expect(try rig.temporaryFiles.isEmpty && keptFiles(rig).isEmpty)
    }

    @Test("The partial file of a picture that is gone is removed, and so is one that no build has resumed")
    func thrownAway() async throws {
        let server = try server { _ in ScriptedResponse(404) }
        let rig = try Rig()
        _ = await rig.fetch(server.url())
        #expect(try keptFiles(rig).count == 2)
        #expect(try await Rig(over: rig.store).fetch(server.url()) == .failed(.notFound(status: 404)))
        #expect(try keptFiles(rig).isEmpty)

        let other = try self.server { _ in ScriptedResponse(404) }
        _ = await rig.fetch(other.url())
        #expect(try keptFiles(rig).count == 2)
        let later = try Rig(startedAt: Rig.now + 8 * 86_400 * 1_000_000_000, over: rig.store)
        _ = await later.fetch(server.url("/any"))
        #expect(try keptFiles(rig).isEmpty)
    }
}
