internal import Downloads
internal import Foundation
internal import PhotoModel
internal import TestSupport
import Testing

@Suite("A fresh original is not requested", .timeLimit(.minutes(1)))
struct FreshnessTests {
    /// 2033-05-18T03:33:20Z, a round number of seconds.
    private static let start: Int64 = 2_000_000_000

    /// A build over the same store that begins `seconds` after `start`.
    private func rig(after seconds: Int64, _ maxAge: MaxAge = .auto) throws -> Rig {
        try Rig(
            options: FetchOptions(policy: .namedHost, maxAge: maxAge), startedAt: (Self.start + seconds) * 1_000_000_000
        )
    }

    /// Fetches an address in one build, and again in another build that begins `seconds` later.
    ///
    /// - Returns: the requests of both builds.
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
            store: first.store, limits: .roomy, options: FetchOptions(policy: .namedHost, maxAge: maxAge),
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
        "An original is fresh as long as its server allows, and no longer",
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

    @Test("The response's age in other caches counts, and Expires is relative to the response's own Date")
    func age() async throws {
        let fields = ["Cache-Control: max-age=3600", "Age: 3000"]
        #expect(try await requests(fields, after: 500).count == 1)
        #expect(try await requests(fields, after: 700).count == 2)
        let dated = ["Cache-Control: max-age=3600", "Date: Wed, 18 May 2033 02:43:20 GMT"]
        #expect(try await requests(dated, after: 500).count == 1)
        #expect(try await requests(dated, after: 700).count == 2)
        // The server's clock is an hour fast, so Expires has to be compared with the same clock's Date.
        let fast = ["Date: Wed, 18 May 2033 04:33:20 GMT", "Expires: Wed, 18 May 2033 04:43:20 GMT"]
        #expect(try await requests(fast, after: 500).count == 1)
        #expect(try await requests(fast, after: 700).count == 2)
    }

    @Test("Max-age outranks Expires, a repeated field is one list, and Vary: * is never fresh")
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
        "An original is fresh for as long as the user says, whatever the server says",
        arguments: [(3600, 3000, true), (3600, 3700, false), (0, 0, false)])
    func fixed(maxAge: Int, seconds: Int64, isFresh: Bool) async throws {
        for field in ["Cache-Control: no-store", "Cache-Control: max-age=99999"] {
            let requests = try await requests([field], after: seconds, .fixed(.seconds(maxAge)))
            #expect(requests.count == (isFresh ? 1 : 2))
        }
    }

    @Test(
        "The minimum counts where the server states nothing, and only there",
        arguments: [
            ("X-Nothing: said", 599, 1), ("X-Nothing: said", 600, 2), ("Cache-Control: public", 599, 1),
            ("Cache-Control: no-cache", 0, 2), ("Cache-Control: max-age=0", 0, 2), ("Vary: *", 0, 2),
            ("Cache-Control: max-age=3600", 3000, 1), ("Cache-Control: max-age=10", 300, 2),
        ])
    func minimum(field: String, seconds: Int64, count: Int) async throws {
        #expect(try await requests([field], after: seconds, .server(minimum: .auto)).count == count)
    }

    @Test(
        "An original without validators can have a longer minimum",
        arguments: [
            (MinAge.auto, nil, nil, 86_399, true), (.auto, nil, nil, 86_400, false), (.auto, "\"v1\"", nil, 600, false),
            (.auto, nil, "Wed, 18 May 2033 04:33:20 GMT", 600, false), (MinAge(.seconds(60)), nil, nil, 59, true),
            (MinAge(.seconds(60)), nil, nil, 60, false), (.zero, nil, nil, 0, false),
        ])
    func withoutValidators(
        minimum: MinAge, etag: String?, lastModified: String?, seconds: Int64, isFresh: Bool
    ) {
        let metadata = CacheMetadata(etag: etag, lastModified: lastModified, validated: Self.start)
        #expect(metadata.isFresh(at: Self.start + seconds, .server(minimum: minimum)) == isFresh)
    }

    @Test("After the clock was set back, nothing is fresh")
    func clockSetBack() async throws {
        #expect(try await requests(["Cache-Control: max-age=3600"], after: -100).count == 2)
    }

    @Test("A 304 makes an original fresh again")
    func refreshed() async throws {
        let server = try ScriptedServer { request in
            request.headers["if-none-match"] == nil
                ? ScriptedResponse(200, ["ETag: \"v1\"", "Cache-Control: max-age=10"], text: "picture")
                : ScriptedResponse(304, ["Cache-Control: max-age=100"])
        }
        let rig = try rig(after: 0)
        var known = try #require(await rig.timedFetch(server.url("/first")).known)
        // An earlier build, long ago, would have left this time.
        known.metadata.validated = Self.start - 1000
        known.metadata.freshUntil = Self.start - 990
        let again = try #require(await rig.timedFetch(server.url("/second"), known: known).known)
        let validated = try #require(again.metadata.validated)
        #expect(server.targets == ["/first", "/second"])
        #expect((0...50).contains(validated - Self.start) && again.metadata.freshUntil == validated + 100)
        #expect(await rig.timedFetch(server.url("/third"), known: again) == .unchanged(again))
        #expect(server.targets == ["/first", "/second"])
    }

    /// Downloads an original, and revalidates it in another build `seconds` later.
    private func confirmed(
        _ fields: [String], by confirming: [String], after seconds: Int64
    ) async throws -> CacheMetadata {
        let server = try ScriptedServer { request in
            request.headers["if-none-match"] == nil
                ? ScriptedResponse(200, ["ETag: \"v1\""] + fields, text: "picture") : ScriptedResponse(304, confirming)
        }
        let first = try rig(after: 0)
        var known = try #require(await first.timedFetch(server.url("/first")).known)
        // The original is revalidated even while it is fresh.
        known.metadata.freshUntil = nil
        let next = try Rig(
            options: FetchOptions(policy: .namedHost), startedAt: (Self.start + seconds) * 1_000_000_000,
            over: first.store)
        let outcome = await next.timedFetch(server.url("/again"), known: known)
        guard case .unchanged(let again) = outcome else {
            Issue.record("\(outcome)")
            return known.metadata
        }
        return again.metadata
    }

    /// The fields of the first response, those of a 304 two thousand seconds later, and how many seconds the original
    /// is fresh after that.
    private static let kept: [(fields: [String], confirming: [String], lifetime: Int64)] = [
        (["Cache-Control: max-age=3600"], [], 3600),
        (["Cache-Control: private, max-age=3600", "Age: 3000"], ["Age: 600"], 3000),
        (["Cache-Control: max-age=3600"], ["Vary: Accept"], 3600),
        (["Cache-Control: max-age=3600"], ["Expires: Thu, 01 Jan 1970 00:00:00 GMT"], 3600),
        (["Cache-Control: max-age=3600", "Vary: *"], ["Vary: Accept"], 3600),
        (["Cache-Control: no-cache"], ["Cache-Control: max-age=60"], 60),
        (["Cache-Control: max-age=3600"], ["Cache-Control: max-age=60"], 60),
        // Expires is two hours after the start, and two thousand seconds of them have passed.
        (["Expires: Wed, 18 May 2033 05:33:20 GMT"], [], 5200),
        (["Expires: Wed, 18 May 2033 05:33:20 GMT"], ["Date: Wed, 18 May 2033 04:06:40 GMT"], 5200),
        (["Expires: Wed, 18 May 2033 05:33:20 GMT"], ["Cache-Control: public"], 5200),
        (["Expires: Wed, 18 May 2033 05:33:20 GMT"], ["Expires: Wed, 18 May 2033 04:33:20 GMT"], 1600),
    ]

    private static let never: [(fields: [String], confirming: [String])] = [
        (["Cache-Control: max-age=3600"], ["Cache-Control: no-cache"]),
        (["Cache-Control: max-age=3600"], ["Cache-Control: no-store, max-age=9"]),
        (["Cache-Control: max-age=3600"], ["Vary: *"]), (["Cache-Control: max-age=3600"], ["Cache-Control: public"]),
        (["Cache-Control: no-cache"], []), (["Cache-Control: no-store"], ["Expires: Wed, 18 May 2033 05:33:20 GMT"]),
        (["Cache-Control: max-age=3600", "Vary: *"], []), ([], []),
    ]

    private static let expiredFields: [(fields: [String], confirming: [String])] = [
        (["Expires: Wed, 18 May 2033 03:43:20 GMT"], []), (["Expires: 0"], []), (["Expires: -1"], []),
        (["Expires: Wed, 18 May 2033 05:33:20 GMT"], ["Expires: 0"]),
    ]

    @Test(
        "Caching fields that a 304 leaves out keep their values (RFC 9111 §4.3.4)",
        arguments: kept)
    func bare304(fields: [String], confirming: [String], lifetime: Int64) async throws {
        let metadata = try await confirmed(fields, by: confirming, after: 2000)
        let (validated, freshUntil) = try #require(
            metadata.validated.flatMap { validated in
                metadata.freshUntil.map { (validated, $0) }
            })
        // The time of a validation is absolute, so it is off by the duration of the test itself.
        #expect((0...50).contains(validated - Self.start - 2000))
        #expect((lifetime - 50...lifetime).contains(freshUntil - validated))
        #expect(fields.contains { $0.hasPrefix("Expires") } || freshUntil - validated == lifetime)
    }

    @Test(
        "A 304 that forbids reuse without revalidation, or adds a lifetime where there was none, is obeyed",
        arguments: never)
    func askAlways(fields: [String], confirming: [String]) async throws {
        #expect(try await confirmed(fields, by: confirming, after: 10).freshUntil == nil)
    }

    @Test(
        "An Expires that is no date is in the past, and stays there however many 304s come without one (RFC 9111 §5.3)",
        arguments: expiredFields)
    func expired(fields: [String], confirming: [String]) async throws {
        let metadata = try await confirmed(fields, by: confirming, after: 3600)
        // A server that says this has said something, so a shortest age does not apply.
        #expect(!metadata.isFresh(at: Self.start + 3600, .server(minimum: .auto)))
    }

    @Test("The lifetime of the first response applies to each later 304 without one")
    func bare304Again() async throws {
        let server = try ScriptedServer { request in
            request.headers["if-none-match"] == nil
                ? ScriptedResponse(200, ["ETag: \"v1\"", "Cache-Control: max-age=100"], text: "picture")
                : ScriptedResponse(304)
        }
        let first = try rig(after: 0)
        var known = try #require(await first.timedFetch(server.url()).known)
        for build in 1...6 {
            // Every second build begins when the original is no longer fresh.
            let next = try Rig(
                options: FetchOptions(policy: .namedHost), startedAt: (Self.start + Int64(build) * 80) * 1_000_000_000,
                over: first.store)
            known = try #require(await next.timedFetch(server.url(), known: known).known)
        }
        #expect(server.log.value.requests.count == 4)
    }

    @Test("Behind a redirect, a 304 is fresh for the shortest lifetime along the chain")
    func bare304BehindRedirect() async throws {
        let server = try ScriptedServer { request in
            let isAsking = request.headers["if-none-match"] != nil
            switch request.target {
            case "/brief": return ScriptedResponse(301, ["Location: /end", "Cache-Control: max-age=60"])
            case "/long": return ScriptedResponse(301, ["Location: /end", "Cache-Control: max-age=99999"])
            case "/moving": return ScriptedResponse(302, ["Location: /end"])
            default:
                return isAsking
                    ? ScriptedResponse(304)
                    : ScriptedResponse(200, ["ETag: \"v1\"", "Cache-Control: max-age=3600"], text: "picture")
            }
        }
        for (target, lifetime) in [("/brief", 60), ("/long", 3600), ("/moving", nil)] as [(String, Int64?)] {
            let first = try rig(after: 0)
            var known = try #require(await first.timedFetch(server.url(target)).known)
            known.metadata.freshUntil = nil
            let next = try Rig(
                options: FetchOptions(policy: .namedHost), startedAt: (Self.start + 50) * 1_000_000_000,
                over: first.store
            )
            let again = try #require(await next.timedFetch(server.url(target), known: known).known?.metadata)
            #expect(again.freshUntil == lifetime.flatMap { lifetime in again.validated.map { $0 + lifetime } })
        }
    }

    @Test("Behind a redirect, an original is only as fresh as the redirect")
    func redirect() async throws {
        let server = try ScriptedServer { request in
            switch request.target {
            case "/moving": ScriptedResponse(302, ["Location: /end"])
            case "/kept": ScriptedResponse(301, ["Location: /end", "Cache-Control: max-age=60"])
            default: ScriptedResponse(200, ["Cache-Control: max-age=3600"], text: "picture")
            }
        }
        let rig = try rig(after: 0)
        let moving = try #require(await rig.timedFetch(server.url("/moving")).known?.metadata)
        let kept = try #require(await rig.timedFetch(server.url("/kept")).known?.metadata)
        let end = try #require(await rig.timedFetch(server.url("/end")).known?.metadata)
        #expect(moving.validated != nil && moving.freshUntil == nil)
        #expect(kept.freshUntil == kept.validated.map { $0 + 60 })
        #expect(end.freshUntil == end.validated.map { $0 + 3600 })
    }

    @Test("An original that is lost is downloaded, however fresh it was")
    func lost() async throws {
        let server = try ScriptedServer { _ in
            ScriptedResponse(200, ["Cache-Control: max-age=3600"], text: "picture")
        }
        let rig = try rig(after: 0)
        let known = try #require(await rig.timedFetch(server.url("/first")).known)
        try rig.store.remove(known.original.digest)
        #expect(await rig.fetch(server.url("/second"), known: known) == .stored(known.untimed))
        #expect(rig.store.contains(known.original.digest))
    }
}
