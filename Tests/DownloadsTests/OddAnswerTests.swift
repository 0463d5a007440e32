internal import Downloads
internal import PhotoModel
internal import TestSupport
import Testing

@Suite("A malformed response fails its own photo alone, and is read as libcurl reads it", .timeLimit(.minutes(1)))
struct OddAnswerTests {
    private static let picture = "Content-Length: 7\r\n\r\npicture"

    /// Sends `answer` for any target but `/good.jpg`, which gets a picture.
    private func server(_ answer: String) throws -> ScriptedServer {
        try ScriptedServer { connection in
            while let request = try connection.readRequest() {
                guard request.target != "/good.jpg" else {
                    try connection.send(ScriptedResponse(200, text: "picture"))
                    continue
                }
                try connection.send(answer)
                return
            }
        }
    }

    private static let unreadable: [String] = [
        "HTTP/1.1 200 OK\r\n X-Folded: a\r\n\(picture)", "HTTP/1.1 200 OK\r\n\tX-Folded: a\r\n\(picture)",
        "HTTP/1.1 200 OK\r\n \r\n\(picture)",
        "HTTP/1.1 103 Early Hints\r\n Link: a\r\n\r\nHTTP/1.1 200 OK\r\n\(picture)",
        "HTTP/1.1 100 Continue\r\n\tA: b\r\n\r\nHTTP/1.1 200 OK\r\n\(picture)",
        "HTTP/1.1 302 Found\r\n Location: /good.jpg\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 302 Found\r\n X: a\r\nLocation: /good.jpg\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7\r\npicture\r\n0\r\nno colon\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7\r\npicture\r\n0\r\n X: folded\r\n\r\n",
        "HTTP/1.1 404 Not Found\r\n A: b\r\nContent-Length: 0\r\n\r\n",
        "\r\nHTTP/1.1 200 OK\r\n\(picture)", " HTTP/1.1 200 OK\r\n\(picture)",
    ]

    @Test(
        "A response that libcurl reports as a bad argument ends no other photo's fetch",
        arguments: unreadable)
    func badArgument(answer: String) async throws {
        let server = try server(answer)
        let rig = try Rig()
        switch await rig.fetch(server.url()) {
        // Newer versions of libcurl accept some of these responses.
        case .failed(.interrupted), .failed(.notFound), .failed(.httpStatus(302)), .stored: break
        case let outcome: Issue.record("\(outcome)")
        }
        #expect(await rig.fetch(server.url("/good.jpg")).known != nil)
    }

    /// libcurl before 8.1.1 appends the line to a header field of the previous transfer, whose memory it has freed.
    /// Only AddressSanitizer detects that.
    @Test("A folded first line is not appended to the previous response", arguments: [1, 3])
    func foldedAfterAnother(perHost: Int) async throws {
        let server = try ScriptedServer { connection in
            while let request = try connection.readRequest() {
                switch request.target {
                case "/first": try connection.send(ScriptedResponse(302, ["Location: /folded", "X-Last: value"]))
                case "/folded": try connection.send("HTTP/1.1 200 OK\r\n folded: yes\r\n\(Self.picture)")
                default: try connection.send(ScriptedResponse(200, ["X-Last: value"], text: "picture"))
                }
            }
        }
        let rig = try Rig(.roomy { $0.perHost = perHost })
        for _ in 0..<20 {
            #expect(await rig.fetch(server.url("/good.jpg")).known != nil)
            switch await rig.fetch(server.url("/first")) {
            case .failed(.interrupted), .stored: break
            case let outcome: Issue.record("\(outcome)")
            }
        }
    }

    struct Reading: Sendable {
        let answer: String
        let failure: Failure?

        init(_ answer: String, _ failure: Failure?) { (self.answer, self.failure) = (answer, failure) }
    }

    private static let readings: [Reading] = [
        Reading("HTTP/1.1 200 OK\r\nHTTP/1.1 404: x\r\n\(picture)", nil),
        Reading("HTTP/1.1 200 OK\r\nHTTP/x: y\r\n\(picture)", nil),
        Reading("HTTP/1.1 200 OK\r\nHTTP/1.1 302 a: b\r\nLocation: /good.jpg\r\n\(picture)", nil),
        Reading("HTTP/1.1 404 Not Found\r\nHTTP/1.1 200 OK: x\r\n\(picture)", .notFound(status: 404)),
        Reading(chunked("200 OK", "HTTP/1.1 404: x"), nil), Reading(chunked("200 OK", "HTTP/x: y"), nil),
        Reading(chunked("404 Not Found", "HTTP/1.1 200 OK: x"), .notFound(status: 404)),
        Reading(chunked("404 Not Found", "HTTP/1.1 206 Partial: x"), .notFound(status: 404)),
        Reading(chunked("500 Broken", "HTTP/1.1 302 a: x\r\nLocation: /good.jpg"), .httpStatus(500)),
        Reading("HTTP/1.1 103 Early\r\nHTTP/1.1 404: x\r\n\r\nHTTP/1.1 200 OK\r\n\(picture)", nil),
        Reading("HTTP/1.1 103 Early\r\n\rnoise\nHTTP/1.1 200 OK\r\n\(picture)", nil),
        Reading("HTTP/1.1 103 Early\r\n\rnoise\nHTTP/1.1 404 Not Found\r\n\(picture)", .notFound(status: 404)),
        Reading("HTTP/1.1 103 Early\r\nETag: \"early\"\r\n\r\nHTTP/1.1 200 OK\r\n\(picture)", nil),
        Reading(
            "HTTP/1.1 100 Go\r\n\r\nHTTP/1.1 103 Early\r\n\r\nHTTP/1.1 410 Gone\r\n\(picture)", .notFound(status: 410)),
    ]

    @Test(
        "No line within a header or a trailer begins another response",
        arguments: readings)
    func oneReading(row: Reading) async throws {
        let server = try server(row.answer)
        let rig = try Rig()
        let outcome = await rig.fetch(server.url())
        if let failure = row.failure {
            #expect(outcome == .failed(failure))
        } else {
            let known = try #require(outcome.known, "\(outcome)")
            #expect(try rig.content(of: known.original) == "picture")
            #expect(known.metadata == CacheMetadata())
        }
    }

    private static func chunked(_ status: String, _ trailer: String) -> String {
        "HTTP/1.1 \(status)\r\nTransfer-Encoding: chunked\r\n\r\n7\r\npicture\r\n0\r\n\(trailer)\r\n\r\n"
    }

    @Test("A second status line after a redirect gives no access to an address with a user")
    func secondStatusLine() async throws {
        let inner = try ScriptedServer { _ in ScriptedResponse(200, text: "picture") }
        let outer = try server(
            "HTTP/1.1 302 Found\r\nLocation: http://jo:s3cr3t@127.0.0.1:\(inner.port)/\r\n"
                + "HTTP/1.1 200 a:b\r\nContent-Length: 0\r\n\r\n")
        #expect(
            try await Rig().fetch(outer.url()) == .failed(.badAddress(.redirectToUser)))
        let folder = TemporaryFolder()
        let path = try folder.write("machine 127.0.0.1 login jo password s3cr3t\n", to: "netrc")
        let rig = try Rig(client: ClientProfile(userAgent: "tests/1", netrc: path))
        #expect(await rig.fetch(outer.url()).known == nil)
        #expect(inner.targets.isEmpty)
    }

    @Test("An address longer than 64 KB is invalid, however it is written", arguments: ["a", "ü", "%41", "b."])
    func longAddress(piece: String) async throws {
        let long = String(repeating: piece, count: 1_000_000)
        for url in [
            "http://\(long)/", "http://127.0.0.1/\(long)", "http://127.0.0.1/?\(long)", "http://\(long)@127.0.0.1/",
        ] {
            #expect(try await Rig().fetch(url) == .failed(.badAddress(.tooLong)))
        }
    }
}
