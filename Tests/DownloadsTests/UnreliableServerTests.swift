internal import Downloads
internal import Foundation
internal import PhotoModel
internal import TestSupport
import Testing

@Suite("A server that fails a third of the time", .timeLimit(.minutes(2)))
struct UnreliableServerTests {
    private static let photos = 200

    private struct Picture {
        let body: [UInt8]
        let etag: String
    }

    /// Each path has a picture of its own, from one kilobyte to a size of many pieces.
    private static let pictures = Dictionary(
        uniqueKeysWithValues: (0..<photos).map { number in
            let piece = (0..<97).map { UInt8(truncatingIfNeeded: $0 &* number &+ number >> 3) }
            let body = Array(repeatElement(piece, count: 10 + number * 37 % 600).joined())
            return ("/\(number).jpg", Picture(body: body, etag: "\"\(Digest(of: body).prefix(12))\""))
        })

    /// Behaves as a correct server, with conditional and range requests, except where the seed makes the n-th request
    /// for a path fail.
    private func server(seed: UInt64) throws -> ScriptedServer {
        let asked = Observed<[String: UInt64]>([:])
        return try ScriptedServer { connection in
            while let request = try connection.readRequest() {
                guard let picture = Self.pictures[request.target] else { return }
                let number = asked.update { asked in
                    asked[request.target, default: 0] += 1
                    return asked[request.target] ?? 0
                }
                var random = SeededRandom(seed: seed &+ number &* 7919 &+ UInt64(picture.body.count) &* 104_729)
                let isGood = Int.random(in: 0..<3, using: &random) > 0
                if isGood {
                    try connection.send(answer(request, picture))
                } else if try fail(connection, request, picture, &random) {
                    return
                }
            }
        }
    }

    private func answer(_ request: ScriptedRequest, _ picture: Picture) -> ScriptedResponse {
        let (body, etag) = (picture.body, picture.etag)
        if request.headers["if-none-match"] == etag { return ScriptedResponse(304, ["ETag: \(etag)"]) }
        let start = request.headers["range"].flatMap { Int($0.dropFirst(6).dropLast()) } ?? 0
        guard start > 0, start < body.count, request.headers["if-range"] == etag else {
            return ScriptedResponse(200, ["ETag: \(etag)"], body: body)
        }
        let range = "Content-Range: bytes \(start)-\(body.count - 1)/\(body.count)"
        return ScriptedResponse(206, ["ETag: \(etag)", range], body: Array(body[start...]))
    }

    /// - Returns: true if the failure closes the connection.
    private func fail(
        _ connection: ScriptedConnection, _ request: ScriptedRequest, _ picture: Picture, _ random: inout SeededRandom
    ) throws -> Bool {
        let good = answer(request, picture)
        let body = picture.body
        switch Int.random(in: 0..<7, using: &random) {
        case 0: try connection.send(ScriptedResponse(503, text: "busy"))
        case 1: try connection.send(ScriptedResponse(429, ["Retry-After: 0"]))
        case 2 where request.headers["range"] != nil: try connection.send(ScriptedResponse(416))
        case 3 where request.headers["range"] != nil:
            let wrong = "Content-Range: bytes 0-\(good.body.count - 1)/\(body.count)"
            try connection.send(ScriptedResponse(206, [wrong], body: good.body))
        case 4:
            connection.reset()
            return true
        case 5:
            try connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\nzz")
            return true
        default:
            // The header announces the whole body, of which only a part is sent.
            let head = ["HTTP/1.1 \(good.status) Cut"] + good.headers + ["Content-Length: \(good.body.count + 1)"]
            try connection.send(head.joined(separator: "\r\n") + "\r\n\r\n")
            try connection.send(Array(good.body.prefix(Int.random(in: 0...body.count, using: &random))))
            return true
        }
        return false
    }

    @Test(
        "After three builds every picture is stored, and none was ever wrong or lost", arguments: [20_261_121, 7, 42])
    func threeBuilds(seed: UInt64) async throws {
        let server = try server(seed: seed)
        let first = try Rig()
        var known: [String: CachedOriginal] = [:]
        for build in 1...3 {
            let rig = try Rig(.roomy { $0.retries = 3 }, over: first.store)
            let started = Self.pictures.keys.sorted().map { ($0, rig.start(server.url($0), known: known[$0])) }
            for (target, fetch) in started {
                let outcome = await fetch.outcome
                if let found = outcome?.known {
                    let expected = try #require(Self.pictures[target])
                    let etag = "\"\(found.original.digest.prefix(12))\""
                    #expect(etag == expected.etag, "seed \(seed), build \(build)")
                    #expect(rig.store.contains(found.original.digest, bytes: found.original.bytes))
                    known[target] = found
                } else {
                    guard case .failed = outcome else {
                        Issue.record("\(target) ended as \(String(describing: outcome)), seed \(seed)")
                        continue
                    }
                }
            }
            #expect(rig.downloader.statistics.retries > 0)
            rig.downloader.shutdown()
            #expect(try rig.temporaryFiles.isEmpty)
        }
        #expect(known.count == Self.photos, "seed \(seed)")
    }
}
