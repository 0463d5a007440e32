internal import Downloads
internal import PhotoModel
internal import TestSupport
import Testing

@Suite("A response that is compressed although nobody asked for it", .timeLimit(.minutes(1)))
struct CompressionTests {
    @Test("A picture is requested without compression")
    func asked() async throws {
        let server = try ScriptedServer { _ in ScriptedResponse(200, text: "picture") }
        _ = try await Rig().fetch(server.url())
        #expect(server.log.value.requests.first?.headers["accept-encoding"] == "identity")
    }

    @Test(
        "A compressed body is decompressed, and its size is that of the decompressed bytes",
        arguments: ["gzip", "x-gzip", "GZIP", "identity, gzip"])
    func unpacked(encoding: String) async throws {
        let server = try ScriptedServer { _ in
            ScriptedResponse(200, ["Content-Encoding: \(encoding)"], body: Gzip.stored(Array("picture".utf8)))
        }
        let rig = try Rig(.roomy { $0.maxBytes = 7 + 100 })
        let known = try #require(await rig.fetch(server.url()).known)
        #expect(known.original == StoredOriginal(digest: Digest(of: "picture"), bytes: 7))
    }

    @Test("The size limit applies to the decompressed body, however small the compressed one is")
    func bomb() async throws {
        let bomb = Gzip.bomb(20_000_000)
        #expect(bomb.count < 150_000)
        let server = try ScriptedServer { _ in ScriptedResponse(200, ["Content-Encoding: gzip"], body: bomb) }
        let rig = try Rig(.roomy { $0.maxBytes = 1_000_000 })
        #expect(await rig.fetch(server.url()) == .failed(.tooLarge(limit: 1_000_000)))
        #expect(rig.downloader.statistics.bytes < 1_100_000)
        #expect(try rig.temporaryFiles.isEmpty)
    }

    @Test(
        "A body that cannot be decompressed is corrupt, and is not requested again",
        arguments: ["gzip", "deflate", "compress", "no-such-coding, gzip", "gzip, gzip, gzip, gzip, gzip, gzip, gzip"])
    func damaged(encoding: String) async throws {
        let server = try ScriptedServer { _ in
            ScriptedResponse(200, ["Content-Encoding: \(encoding)"], text: "\u{FF}\u{D8} not compressed at all")
        }
        let rig = try Rig(.roomy { $0.retries = 3 })
        #expect(await rig.fetch(server.url()) == .failed(.damaged(.contentEncoding)))
        #expect(server.targets.count == 1)
        #expect(try rig.temporaryFiles.isEmpty)
    }

    @Test(
        "A body in an unknown coding is stored as it comes, and costs no retry",
        arguments: ["binary", "UTF-8", "aws-chunked", "none, binary"])
    func noCoding(name: String) async throws {
        let server = try ScriptedServer { request in
            ScriptedResponse(200, request.target == "/plain" ? [] : ["Content-Encoding: \(name)"], text: "picture")
        }
        let rig = try Rig(.roomy { $0.total = 1 })
        let known = try #require(await rig.fetch(server.url()).known)
        #expect(try rig.content(of: known.original) == "picture")
        #expect(server.targets.count == 2)
        // The next transfer over the same handle is decompressed again.
        let packed = try ScriptedServer { _ in
            ScriptedResponse(200, ["Content-Encoding: gzip"], body: Gzip.stored(Array("packed".utf8)))
        }
        let unpacked = try #require(await rig.fetch(packed.url()).known)
        #expect(try rig.content(of: unpacked.original) == "packed")
    }

    @Test("The size limit also applies to a body in an unknown coding")
    func noCodingCap() async throws {
        let server = try ScriptedServer { _ in
            ScriptedResponse(200, ["Content-Encoding: binary"], text: String(repeating: "x", count: 101))
        }
        #expect(try await Rig(.roomy { $0.maxBytes = 100 }).fetch(server.url()) == .failed(.tooLarge(limit: 100)))
    }

    @Test("A compressed transfer that breaks off is not resumed")
    func interrupted() async throws {
        let body = Gzip.stored([UInt8](repeating: 7, count: 60_000))
        let server = try ScriptedServer { connection in
            while let request = try connection.readRequest() {
                let head = "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Encoding: gzip\r\n"
                try connection.send(head + "Content-Length: \(body.count)\r\n\r\n")
                try connection.send(request.headers["range"] == nil ? Array(body[..<30_000]) : [])
                return
            }
        }
        let rig = try Rig(.roomy { $0.retries = 1 })
        #expect(await rig.fetch(server.url()) == .failed(.interrupted))
        #expect(server.log.value.requests.map { $0.headers["range"] } == [nil, nil])
    }
}
