internal import Downloads
internal import PhotoModel
internal import TestSupport
import Testing

@Suite("A photo has moved to where the permanent redirects at the beginning of its chain lead", .timeLimit(.minutes(1)))
struct MovedAddressTests {
    /// Serves a chain: `/0` answers with the first status and leads to `/1`, and so on to the picture.
    private static func server(_ statuses: [Int], query: String = "") throws -> ScriptedServer {
        try ScriptedServer { request in
            let number = Int(request.target.prefix { $0 != "?" }.dropFirst()) ?? 0
            guard number < statuses.count else {
                let isKnown = request.headers["if-none-match"] == "\"v1\""
                return ScriptedResponse(isKnown ? 304 : 200, ["ETag: \"v1\""], text: isKnown ? "" : "picture")
            }
            return ScriptedResponse(statuses[number], ["Location: /\(number + 1)\(query)"])
        }
    }

    @Test(
        "Only the permanent redirects that come first count",
        arguments: [
            ([301], 1), ([308], 1), ([301, 308, 301], 3), ([301, 302], 1), ([308, 307, 301], 1), ([302], nil),
            ([303], nil), ([307, 308], nil), ([], nil),
        ] as [([Int], Int?)])
    func chain(statuses: [Int], target: Int?) async throws {
        let server = try Self.server(statuses)
        let rig = try Rig()
        let known = try #require(await rig.fetch(server.url("/0")).known)
        #expect(known.moved == target.map { server.url("/\($0)") })
        // A later build is answered 304 by the end of the same chain.
        let next = try Rig(over: rig.store)
        let again = try #require(await next.fetch(server.url("/0"), known: known).known)
        #expect(again.moved == known.moved)
        #expect(server.log.value.requests.last?.headers["if-none-match"] == "\"v1\"")
    }

    @Test("What is remembered of a move says that there was a query, which may be a secret, and nothing of it")
    func query() async throws {
        let server = try Self.server([301], query: "?token=secret#secret")
        #expect(try await Rig().fetch(server.url("/0")).known?.moved == server.url("/1?"))
    }

    @Test("A move that the server takes back is forgotten with its next answer")
    func takenBack() async throws {
        let server = try Self.server([307])
        let rig = try Rig()
        var known = try #require(await rig.fetch(server.url("/0")).known)
        known.moved = server.url("/1")
        let next = try Rig(over: rig.store)
        let again = try #require(await next.fetch(server.url("/0"), known: known).known)
        #expect(again.moved == nil)
    }
}
