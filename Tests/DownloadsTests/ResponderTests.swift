internal import Downloads
internal import PhotoModel
internal import TestSupport
import Testing

@Suite("Validators are only compared with those of the URL that sent them", .timeLimit(.minutes(1)))
struct ResponderTests {
    /// A server whose address "/photo" leads to a target, if there is one, and whose pictures all have the same
    /// validators, as those of different servers can have.
    private func server(_ target: Observed<String?>) throws -> ScriptedServer {
        try ScriptedServer { request in
            if request.target == "/photo", let target = target.value {
                return ScriptedResponse(302, ["Location: \(target)"])
            }
            let isConditional = request.headers["if-none-match"] != nil || request.headers["if-modified-since"] != nil
            return isConditional
                ? ScriptedResponse(304)
                : ScriptedResponse(200, ["ETag: \"1\"", "Last-Modified: then"], text: "picture")
        }
    }

    private func conditions(_ server: ScriptedServer) -> [String: Bool] {
        Dictionary(
            server.log.value.requests.map { ($0.target, $0.headers["if-none-match"] != nil) }, uniquingKeysWith: { $1 })
    }

    @Test("After a redirect, its target is asked whether it has changed, and the address is not")
    func target() async throws {
        let server = try server(Observed("/a?signature=1"))
        let rig = try Rig()
        let known = try #require(await rig.fetch(server.url("/photo")).known)
        #expect(known.metadata.responder == .target(Digest(of: server.url("/a"))))
        let next = try Rig(over: rig.store)
        #expect(await next.fetch(server.url("/photo"), known: known) == .unchanged(known))
        #expect(conditions(server) == ["/photo": false, "/a?signature=1": true])
    }

    @Test(
        "A target is the same with another query, which can be a signature, and another one with another path",
        arguments: [("/a?signature=2", true), ("/b?signature=1", false), (nil, false)])
    func otherTarget(path: String?, isSame: Bool) async throws {
        let target = Observed<String?>("/a?signature=1")
        let server = try server(target)
        let rig = try Rig()
        let known = try #require(await rig.fetch(server.url("/photo")).known)
        target.update { $0 = path }
        let outcome = try await Rig(over: rig.store).fetch(server.url("/photo"), known: known)
        #expect((outcome == .unchanged(known)) == isSame)
        #expect(outcome.known?.original == known.original)
        #expect(conditions(server)[path ?? "/photo"] == isSame)
    }

    @Test("An address that leads elsewhere for a while is not asked with the validators of that place")
    func maintenance() async throws {
        let target = Observed<String?>("/closed")
        let server = try ScriptedServer { request in
            if request.target == "/photo", let target = target.value {
                return ScriptedResponse(302, ["Location: \(target)"])
            }
            // The server sends 304 for any date that is not before its own.
            if request.headers["if-modified-since"] != nil { return ScriptedResponse(304) }
            let text = request.target == "/closed" ? "<!DOCTYPE html><title>Closed</title>" : "picture"
            return ScriptedResponse(200, ["Last-Modified: today"], text: text)
        }
        let rig = try Rig(options: Self.checked)
        guard case .refused(let refused) = await rig.fetch(server.url("/photo")) else {
            Issue.record("the page was not refused")
            return
        }
        target.update { $0 = nil }
        #expect(try await Rig(options: Self.checked).fetch(server.url("/photo"), refused: refused).known != nil)
    }

    @Test("Refused content of an unknown URL is requested again, and an original of one is not")
    func unknown() async throws {
        let server = try server(Observed(nil))
        let rig = try Rig(options: Self.checked)
        var known = try #require(await rig.fetch(server.url()).known)
        known.metadata.responder = .unknown
        let next = try Rig(options: Self.checked, over: rig.store)
        guard case .unchanged(let confirmed) = await next.fetch(server.url(), known: known) else {
            Issue.record("the request had no conditions")
            return
        }
        #expect(confirmed.metadata.responder == nil)
        let refused = RefusedContent(failure: .notAnImage(.webPage), edition: 1, metadata: known.metadata)
        #expect(try await Rig(options: Self.checked).fetch(server.url(), refused: refused).known != nil)
    }

    @Test("A server that sends 304 to a request without conditions fails the photo, and is not asked for ever")
    func unasked() async throws {
        let server = try ScriptedServer { request in
            let isFirst = request.target == "/first"
            return isFirst
                ? ScriptedResponse(200, ["Last-Modified: today"], text: "<!DOCTYPE html>")
                : ScriptedResponse(304, ["Last-Modified: last year"])
        }
        guard case .refused(let refused) = try await Rig(options: Self.checked).fetch(server.url("/first")) else {
            Issue.record("the page was not refused")
            return
        }
        let outcome = try await Rig(options: Self.checked).fetch(server.url("/second"), refused: refused)
        #expect(outcome == .failed(.httpStatus(304)))
        #expect(server.log.value.requests.count == 3)
    }

    @Test("Refused content is requested again if the server names another version of what has not changed")
    func otherVersion() async throws {
        let isPicture = Observed(false)
        let server = try ScriptedServer { request in
            let fields = ["Last-Modified: \(isPicture.value ? "last year" : "today")"]
            if request.headers["if-modified-since"] != nil { return ScriptedResponse(304, fields) }
            return ScriptedResponse(200, fields, text: isPicture.value ? "picture" : "<!DOCTYPE html>")
        }
        let rig = try Rig(options: Self.checked)
        guard case .refused(let refused) = await rig.fetch(server.url()) else {
            Issue.record("the page was not refused")
            return
        }
        #expect(try await Rig(options: Self.checked).fetch(server.url(), refused: refused) == .refused(refused))
        isPicture.update { $0 = true }
        let changed = try await Rig(options: Self.checked).fetch(server.url(), refused: refused)
        #expect(changed.known?.metadata.lastModified == "last year")
        #expect(server.log.value.requests.count == 4)
    }

    @Test("A 304 with another date to a request with a date is not believed, and the known date is kept")
    func otherDate() async throws {
        let server = try ScriptedServer { request in
            request.headers["if-modified-since"] == nil
                ? ScriptedResponse(200, ["Last-Modified: today"], text: "picture")
                : ScriptedResponse(304, ["Last-Modified: last year", "Cache-Control: max-age=3600"])
        }
        let rig = try Rig()
        let known = try #require(await rig.timedFetch(server.url()).known)
        let next = try Rig(over: rig.store)
        #expect(await next.timedFetch(server.url(), known: known) == .unchanged(known.untimed))
    }

    @Test("A part of a picture is not continued with the rest of another target's")
    func resuming() async throws {
        let target = Observed("/a")
        let server = try ScriptedServer { connection in
            while let request = try connection.readRequest() {
                if request.target == "/photo" {
                    try connection.send(ScriptedResponse(302, ["Location: \(target.value)"]))
                } else if request.headers["range"] != nil {
                    let fields = ["ETag: \"1\"", "Content-Range: bytes 3-6/7"]
                    try connection.send(ScriptedResponse(206, fields, text: "DDDD"))
                } else if request.target == "/a" {
                    try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 7\r\nETag: \"1\"\r\n\r\nAAA")
                    return connection.reset()
                } else {
                    try connection.send(ScriptedResponse(200, ["ETag: \"1\""], text: "BBBBBBB"))
                }
            }
        }
        let rig = try Rig()
        _ = await rig.fetch(server.url("/photo"))
        target.update { $0 = "/b" }
        let next = try Rig(over: rig.store)
        let known = try #require(await next.fetch(server.url("/photo")).known)
        #expect(try next.content(of: known.original) == "BBBBBBB")
    }

    @Test(
        "The form in the ledger is read as it was written, and any other form means an unknown URL",
        arguments: [("*", Responder.unknown), ("", .unknown), (Digest(of: "a").hex, .target(Digest(of: "a")))])
    func text(form: String, responder: Responder) {
        #expect(Responder(text: form) == responder && Responder(text: responder.text) == responder)
    }

    private static let checked: FetchOptions = {
        var options = Rig.options
        options.contentCheck = ContentCheck(edition: 1, inspectedBytes: 64) { bytes in
            bytes.starts(with: "<!DOCTYPE".utf8) ? .notAnImage(.webPage) : nil
        }
        return options
    }()
}
