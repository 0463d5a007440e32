import Foundation
import TestSupport
import Testing

@testable import ObjectStore

@Suite struct S3StoreTests {
    private let folder = TemporaryFolder()

    /// A server with objects that knows If-None-Match, and HEAD, GET and PUT.
    private static func server(ignoringConditions: Bool = false) throws -> ScriptedStore {
        let objects = Observed<[String: [UInt8]]>([:])
        return try ScriptedStore { _, exchange in
            let key = exchange.request.target
            let there = objects.value[key]
            switch exchange.request.method {
            case "PUT":
                let isConditional = exchange.request.headers["if-none-match"] == "*" && !ignoringConditions
                if isConditional && there != nil { return .preconditionFailed }
                objects.update { $0[key] = exchange.body }
                return .ok
            default:
                guard let there else { return .notFound }
                return ScriptedResponse(200, body: exchange.request.method == "HEAD" ? [] : there)
            }
        }
    }

    @Test("An object is sent once, with its digest, a signature and the headers for browsers")
    func create() throws {
        let server = try Self.server()
        let store = try server.store()
        let file = try folder.write("content", to: "file")
        #expect(try store.create("images/a.jpg", fromFileAt: file))
        let put = try #require(server.all.first { $0.request.method == "PUT" })
        #expect(put.request.target == "/bucket/p/images/a.jpg" && put.body == Array("content".utf8))
        let headers = put.request.headers
        #expect(headers["if-none-match"] == "*" && headers["content-type"] == "image/jpeg")
        #expect(headers["cache-control"] == "public, max-age=31536000, immutable" && headers["expect"] == nil)
        #expect(
            headers["x-amz-content-sha256"] == "ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73")
        let signed = "SignedHeaders=cache-control;content-type;host;if-none-match;x-amz-content-sha256;x-amz-date,"
        #expect(headers["authorization"]?.contains(signed) == true)
        #expect(try !store.create("images/a.jpg", Array("other".utf8)))
        #expect(try store.read("images/a.jpg") == Array("content".utf8) && store.read("images/b.jpg") == nil)
    }

    @Test("Once the server is known to refuse a second object, each object takes one request")
    func oneRequest() throws {
        let server = try Self.server()
        let store = try server.store()
        #expect(try store.create("a", [1]))
        #expect(server.lines == ["HEAD /bucket/p/a", "PUT /bucket/p/a", "PUT /bucket/p/a"])
        #expect(try store.create("b", []) && !store.create("a", [2]))
        #expect(server.lines[3...] == ["PUT /bucket/p/b", "PUT /bucket/p/a"])
    }

    @Test("A server that ignores conditions is asked for the object first")
    func ignoredConditions() throws {
        let server = try Self.server(ignoringConditions: true)
        let store = try server.store()
        #expect(try store.create("a", [1]) && !store.create("a", [2]) && store.create("b", [3]))
        #expect(try store.read("a") == [1])
    }

    @Test("A server that does not implement conditions is asked for the object first")
    func noConditions() throws {
        let objects = Observed<Set<String>>([])
        let server = try ScriptedStore { _, exchange in
            let key = exchange.request.target
            if exchange.request.method == "HEAD" { return objects.value.contains(key) ? .ok : .notFound }
            if exchange.request.headers["if-none-match"] != nil { return .error(501, "NotImplemented") }
            objects.update { $0.insert(key) }
            return .ok
        }
        let store = try server.store()
        #expect(try store.create("a", [1]) && !store.create("a", [1]) && store.create("b", [1]))
        #expect(server.lines.filter { $0.hasPrefix("PUT") }.count == 3)
    }

    @Test(
        "A request is repeated after an error that passes",
        arguments: [
            (503, "SlowDown"), (500, "InternalError"), (400, "RequestTimeout"), (409, "ConditionalRequestConflict"),
            (429, ""),
        ])
    func retries(status: Int, code: String) throws {
        let server = try ScriptedStore { number, _ in
            number == 0 ? .error(status, code) : ScriptedResponse(200, text: "x")
        }
        #expect(try server.store().read("a") == Array("x".utf8) && server.lines.count == 2)
    }

    @Test("The server's wish for a pause is granted")
    func retryAfter() throws {
        let server = try ScriptedStore { number, _ in
            number == 0 ? .error(503, "SlowDown", ["Retry-After: 1"]) : ScriptedResponse(200, text: "x")
        }
        let start = ContinuousClock.now
        #expect(try server.store().read("a") == Array("x".utf8))
        #expect(ContinuousClock.now - start >= .seconds(1))
    }

    @Test("A file is sent again from its beginning after the connection was cut")
    func cutUpload() throws {
        let content = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 / 251) }
        let file = try folder.write(content, to: "file")
        let bodies = Collected<[UInt8]>()
        let server = try ScriptedServer { connection in
            while let request = try connection.readRequest() {
                if request.method == "HEAD" {
                    try connection.send(ScriptedResponse.notFound)
                    continue
                }
                // The first body is cut off before any of it is read.
                if bodies.all.isEmpty {
                    bodies.add([])
                    return connection.reset()
                }
                bodies.add(connection.readBody(of: request))
                try connection.send(ScriptedResponse.ok)
            }
        }
        let configuration = try S3Configuration(
            environment: ScriptedStore.keys, home: nil, endpoint: server.url(""))
        let store = S3Store(bucket: "bucket", prefix: "", configuration: configuration)
        #expect(try store.create("a", fromFileAt: file))
        #expect(bodies.all.dropFirst().allSatisfy { $0 == content } && bodies.all.count == 3)
    }

    @Test("A download that was cut off is repeated, and leaves only a complete file")
    func cutDownload() throws {
        let attempts = Collected<Int>()
        let server = try ScriptedServer { connection in
            while try connection.readRequest() != nil {
                attempts.add(1)
                if attempts.all.count < 3 {
                    try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n0123")
                    return
                }
                try connection.send(ScriptedResponse(200, text: "0123456789"))
            }
        }
        let configuration = try S3Configuration(
            environment: ScriptedStore.keys, home: nil, endpoint: server.url(""))
        let store = S3Store(bucket: "bucket", prefix: "", configuration: configuration)
        #expect(try store.fetch("a", toFileAt: folder.path + "/a"))
        #expect(try folder.bytes(of: "a") == Data("0123456789".utf8) && folder.contents() == ["a"])
    }

    @Test("A download without a length, one that does not exist, and one over a file leave nothing")
    func refusedDownloads() throws {
        let server = try ScriptedStore { _, exchange in
            exchange.request.target.hasSuffix("/none") ? .notFound : ScriptedResponse(200, text: "new")
        }
        let store = try server.store()
        let file = try folder.write("old", to: "file")
        #expect(try !store.fetch("none", toFileAt: folder.path + "/a"))
        #expect(throws: ObjectStoreError.file(path: file, errno: EEXIST)) { try store.fetch("a", toFileAt: file) }
        #expect(try folder.contents() == ["file"] && folder.bytes(of: "file") == Data("old".utf8))
        let endless = try ScriptedServer { connection in
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhalf")
        }
        let configuration = try S3Configuration(
            environment: ScriptedStore.keys, home: nil, endpoint: endless.url(""))
        let other = S3Store(bucket: "bucket", prefix: "", configuration: configuration)
        #expect(throws: ObjectStoreError.connection("the answer was not complete")) {
            try other.fetch("a", toFileAt: folder.path + "/a")
        }
        #expect(try folder.contents() == ["file"])
    }

    @Test("The beginning of an object is requested as a range, and a server that sends everything is cut short")
    func beginnings() throws {
        let server = try ScriptedStore { _, exchange in
            switch exchange.request.target {
            case "/bucket/p/range": ScriptedResponse(206, text: "0123")
            case "/bucket/p/whole": ScriptedResponse(200, body: Array(repeating: 7, count: 5_000_000))
            case "/bucket/p/short": ScriptedResponse(200, text: "0")
            case "/bucket/p/empty": .error(416, "InvalidRange")
            default: .error(404, "NoSuchKey")
            }
        }
        let store = try server.store()
        #expect(try store.read("range", prefix: 4) == Array("0123".utf8))
        #expect(server.all.first?.request.headers["range"] == "bytes=0-3")
        #expect(try store.read("whole", prefix: 4) == [7, 7, 7, 7] && store.read("short", prefix: 4) == [48])
        #expect(try store.read("empty", prefix: 4) == [] && store.read("none", prefix: 4) == nil)
    }

    @Test("Keys are listed without the prefix, and keys of other programs are left out")
    func list() throws {
        let server = try ScriptedStore { _, exchange in
            let isSecond = exchange.request.target.contains("continuation-token=next")
            let keys = isSecond ? ["p/images/a"] : ["p/images/b", "p/images/", "p/images/%C3%A4"]
            return ScriptedResponse(
                200,
                text: "<ListBucketResult><EncodingType>url</EncodingType><IsTruncated>\(!isSecond)</IsTruncated>"
                    + "<NextContinuationToken>next</NextContinuationToken>"
                    + keys.map { "<Contents><Key>\($0)</Key><Size>3</Size></Contents>" }.joined()
                    + "</ListBucketResult>")
        }
        let expected = ["images/a", "images/b"].map { StoredObject(key: $0, bytes: 3) }
        #expect(try server.store().list("images/") == expected)
        #expect(server.lines.first == "GET /bucket/?encoding-type=url&list-type=2&prefix=p%2Fimages%2F")
    }

    @Test("A key that is not allowed is refused before a request is made", arguments: ["a=b", "a+b", "../a", "a/"])
    func keys(key: String) throws {
        let server = try Self.server()
        let store = try server.store()
        let file = try folder.write("x", to: "file")
        #expect(throws: ObjectStoreError.key(key)) { try store.create(key, []) }
        #expect(throws: ObjectStoreError.key(key)) { try store.create(key, fromFileAt: file) }
        #expect(throws: ObjectStoreError.key(key)) { try store.read(key) }
        #expect(server.all.isEmpty)
    }

    @Test(
        "The message of an error says what to do",
        arguments: [
            (403, "AccessDenied", "s3:PutObject"), (403, "InvalidAccessKeyId", "check the access key"),
            (403, "SignatureDoesNotMatch", "check the secret key"), (404, "NoSuchBucket", "create the bucket"),
            (403, "RequestTimeTooSkewed", "set the clock of this machine"), (400, "ExpiredToken", "new credentials"),
        ])
    func messages(status: Int, code: String, advice: String) throws {
        let server = try ScriptedStore { _, _ in .error(status, code) }
        let error = try #require(throws: ObjectStoreError.self) { try server.store().read("a") }
        #expect(error.message.hasPrefix("the store refused: \(code): why") && error.message.contains(advice))
        #expect(server.lines.count == 1)
    }

    @Test("A request that is refused while the clocks differ is reported as an error of the clock")
    func clocks() throws {
        let server = try ScriptedStore { _, _ in
            .error(403, "AccessDenied", ["Date: Fri, 24 May 2013 00:00:00 GMT"])
        }
        func error(_ seconds: Double) -> ObjectStoreError? {
            let time = Date(timeIntervalSince1970: 1_369_353_600 + seconds)
            return #expect(throws: ObjectStoreError.self) { try server.store(now: { time }).read("a") }
        }
        #expect(error(1_000) == .clock(secondsAhead: 1_000, code: "AccessDenied"))
        #expect(error(-3_600) == .clock(secondsAhead: -3_600, code: "AccessDenied"))
        #expect(error(600) == .refused(status: 403, code: "AccessDenied", message: "why"))
    }

    @Test("A removal is repeated if the store fails for one of the keys, and not if it refuses to remove it")
    func failedRemovals() throws {
        func removal(_ code: String) throws -> (ObjectStoreError?, requests: Int) {
            let server = try ScriptedStore { number, _ in
                let error = "<Error><Key>b</Key><Code>\(code)</Code><Message>why</Message></Error>"
                return ScriptedResponse(200, text: "<DeleteResult>\(number == 0 ? error : "")</DeleteResult>")
            }
            let client = S3Client(try server.configuration(), bucket: "bucket", isCancelled: { false })
            do throws(ObjectStoreError) {
                try client.remove(["a", "b"])
                return (nil, server.lines.count)
            } catch {
                return (error, server.lines.count)
            }
        }
        #expect(try removal("InternalError") == (nil, 2))
        #expect(try removal("AccessDenied") == (.refused(status: 200, code: "AccessDenied", message: "why"), 1))
    }

    @Test("A cancellation ends the wait for another attempt")
    func cancelled() throws {
        let server = try ScriptedStore { _, _ in .error(503, "SlowDown", ["Retry-After: 60"]) }
        let store = try server.store(isCancelled: { !server.all.isEmpty })
        #expect(throws: ObjectStoreError.interrupted) { try store.read("a") }
    }
}
