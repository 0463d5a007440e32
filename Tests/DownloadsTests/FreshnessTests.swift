internal import Downloads
internal import Foundation
internal import PhotoModel
internal import TestSupport
import Testing

@Suite("An original that is fresh is not asked for", .timeLimit(.minutes(1)))
struct FreshnessTests {
    /// 2033-05-18T03:33:20Z, a round number of seconds.
    private static let start: Int64 = 2_000_000_000

    /// One build after another over the same store, `seconds` after `start`.
    private func rig(after seconds: Int64, _ maxAge: MaxAge = .auto) throws -> Rig {
        try Rig(
            terms: FetchTerms(policy: .namedHost, maxAge: maxAge), startedAt: (Self.start + seconds) * 1_000_000_000)
    }

    /// Fetches in one build, and again in another that begins `seconds` later.
    ///
    /// - Returns: the requests of both.
    private func requests(
        _ fields: [String], after seconds: Int64, _ maxAge: MaxAge = .auto
    ) async throws -> [ScriptedRequest] {
        let server = try ScriptedServer { request in
            request.headers["if-none-match"] == nil
                ? ScriptedResponse(200, ["ETag: \"v1\""] + fields, text: "picture") : ScriptedResponse(304, fields)
        }
        let first = try rig(after: 0, maxAge)
        let known = try #require(await first.timedFetch(server.url("/photo.jpg?first")).known)
        let next = try Downloader(
            store: first.store, limits: .roomy, terms: FetchTerms(policy: .namedHost, maxAge: maxAge),
            client: .tests, startedAt: (Self.start + seconds) * 1_000_000_000)
        let outcome = await withCheckedContinuation { continuation in
            let source = Source(location: .remote(server.url()), shown: "")
            _ = next.fetch(source, known: known) { continuation.resume(returning: $0) }
        }
        #expect(outcome.untimed == .unchanged(known.untimed))
        if server.targets.count == 1 { #expect(outcome == .unchanged(known) && next.statistics.fresh == 1) }
        return server.log.value.requests
    }

    @Test(
        "as long as its server allows, and no longer",
        arguments: [
            ("Cache-Control: max-age=3600", 3000, true), ("Cache-Control: max-age=3600", 3700, false),
            ("cache-control: public, MAX-AGE = 3600 , immutable", 3000, true),
            ("Cache-Control: max-age=\"3600\"", 3000, true), ("Cache-Control: private, max-age=3600", 3000, true),
            ("Cache-Control: no-cache, max-age=3600", 0, false), ("Cache-Control: no-store, max-age=3600", 0, false),
            ("Cache-Control: no-cache=\"set-cookie, max-age=9\", max-age=3600", 0, false),
            ("Cache-Control: max-age=0", 0, false), ("Cache-Control: max-age=-5", 0, false),
            ("Cache-Control: max-age=an hour", 0, false), ("Cache-Control: max-age=99999999999999999999", 99999, true),
            ("Cache-Control: s-maxage=3600", 0, false), ("X-Cache-Control: max-age=3600", 0, false),
            ("Cache-Control: max-age=3600, max-age=0", 3000, true),
            ("Expires: Wed, 18 May 2033 04:33:20 GMT", 3000, true),
            ("Expires: Wed, 18 May 2033 04:33:20 GMT", 3700, false),
            ("Expires: Wednesday, 18-May-33 04:33:20 GMT", 3000, true), ("Expires: 0", 0, false),
            ("Expires: Wed May 18 04:33:20 2033", 3000, true), ("Expires: Thu, 01 Jan 1970 00:00:00 GMT", 0, false),
            ("X-Nothing: said", 0, false),
        ])
    func lifetime(field: String, seconds: Int64, isFresh: Bool) async throws {
        let requests = try await requests([field], after: seconds)
        #expect(requests.count == (isFresh ? 1 : 2))
    }

    @Test("the time that a response spent in other caches counts, and its own date")
    func age() async throws {
        let fields = ["Cache-Control: max-age=3600", "Age: 3000"]
        #expect(try await requests(fields, after: 500).count == 1)
        #expect(try await requests(fields, after: 700).count == 2)
        let dated = ["Cache-Control: max-age=3600", "Date: Wed, 18 May 2033 02:43:20 GMT"]
        #expect(try await requests(dated, after: 500).count == 1)
        #expect(try await requests(dated, after: 700).count == 2)
        // The server's clock is an hour fast: Expires is read by the clock that wrote it.
        let fast = ["Date: Wed, 18 May 2033 04:33:20 GMT", "Expires: Wed, 18 May 2033 04:43:20 GMT"]
        #expect(try await requests(fast, after: 500).count == 1)
        #expect(try await requests(fast, after: 700).count == 2)
    }

    @Test("max-age outranks Expires, a field that comes twice is one list, and Vary: * is never fresh")
    func precedence() async throws {
        let late = "Expires: Wed, 18 May 2033 04:33:20 GMT"
        #expect(try await requests([late, "Cache-Control: max-age=60"], after: 100).count == 2)
        #expect(try await requests(["Cache-Control: max-age=60", "Cache-Control: no-cache"], after: 0).count == 2)
        #expect(try await requests(["Cache-Control: max-age=60", "Vary: *"], after: 0).count == 2)
        #expect(try await requests(["Cache-Control: max-age=60", "Vary: Accept-Encoding , *"], after: 0).count == 2)
        #expect(try await requests(["Cache-Control: max-age=60", "Vary: *", "Vary: Accept"], after: 0).count == 2)
        #expect(try await requests(["Cache-Control: max-age=60", "Vary: Accept", "Vary: *"], after: 0).count == 2)
        #expect(try await requests(["Cache-Control: max-age=60", "Vary: Accept"], after: 0).count == 1)
    }

    @Test(
        "for as long as the user says, whatever the server does",
        arguments: [(3600, 3000, true), (3600, 3700, false), (0, 0, false)])
    func fixed(maxAge: Int, seconds: Int64, isFresh: Bool) async throws {
        for field in ["Cache-Control: no-store", "Cache-Control: max-age=99999"] {
            let requests = try await requests([field], after: seconds, .fixed(.seconds(maxAge)))
            #expect(requests.count == (isFresh ? 1 : 2))
        }
    }

    @Test("a clock that was set back proves nothing")
    func clockSetBack() async throws {
        #expect(try await requests(["Cache-Control: max-age=3600"], after: -100).count == 2)
    }

    @Test("a 304 makes it fresh again")
    func refreshed() async throws {
        let server = try ScriptedServer { request in
            request.headers["if-none-match"] == nil
                ? ScriptedResponse(200, ["ETag: \"v1\"", "Cache-Control: max-age=10"], text: "picture")
                : ScriptedResponse(304, ["Cache-Control: max-age=100"])
        }
        let rig = try rig(after: 0)
        var known = try #require(await rig.timedFetch(server.url("/first")).known)
        // As an earlier build, long ago, would have left it.
        known.validators.validated = Self.start - 1000
        known.validators.freshUntil = Self.start - 990
        let again = try #require(await rig.timedFetch(server.url("/second"), known: known).known)
        let validated = try #require(again.validators.validated)
        #expect(server.targets == ["/first", "/second"])
        #expect((0...50).contains(validated - Self.start) && again.validators.freshUntil == validated + 100)
        #expect(await rig.timedFetch(server.url("/third"), known: again) == .unchanged(again))
        #expect(server.targets == ["/first", "/second"])
    }

    @Test("behind a redirect an original is only as fresh as the redirect")
    func redirect() async throws {
        let server = try ScriptedServer { request in
            switch request.target {
            case "/moving": ScriptedResponse(302, ["Location: /end"])
            case "/kept": ScriptedResponse(301, ["Location: /end", "Cache-Control: max-age=60"])
            default: ScriptedResponse(200, ["Cache-Control: max-age=3600"], text: "picture")
            }
        }
        let rig = try rig(after: 0)
        let moving = try #require(await rig.timedFetch(server.url("/moving")).known?.validators)
        let kept = try #require(await rig.timedFetch(server.url("/kept")).known?.validators)
        let end = try #require(await rig.timedFetch(server.url("/end")).known?.validators)
        #expect(moving.validated != nil && moving.freshUntil == nil)
        #expect(kept.freshUntil == kept.validated.map { $0 + 60 })
        #expect(end.freshUntil == end.validated.map { $0 + 3600 })
    }

    @Test("a copy that is lost is fetched, however fresh it was")
    func lost() async throws {
        let server = try ScriptedServer { _ in
            ScriptedResponse(200, ["Cache-Control: max-age=3600"], text: "picture")
        }
        let rig = try rig(after: 0)
        let known = try #require(await rig.timedFetch(server.url("/first")).known)
        try rig.store.remove(known.original.digest)
        #expect(await rig.fetch(server.url("/second"), known: known) == .stored(known.untimed, wasSame: true))
        #expect(rig.store.contains(known.original.digest))
    }
}
