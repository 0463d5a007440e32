internal import Downloads
internal import Foundation
internal import PhotoModel
internal import TestSupport
import Testing

@Suite("A server's Retry-After is obeyed", .timeLimit(.minutes(1)))
struct RetryAfterTests {
    /// Responds once with `status` and `field`, and then serves pictures.
    private func server(_ status: Int, _ field: String) throws -> ScriptedServer {
        let isFirst = Observed(true)
        return try ScriptedServer { _ in
            let wasFirst = isFirst.update { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            return wasFirst ? ScriptedResponse(status, [field]) : ScriptedResponse(200, text: "picture")
        }
    }

    /// A date in the format of HTTP header fields (RFC 9110 §5.6.7).
    private func date(_ moment: Date) -> String {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(identifier: "GMT")
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return format.string(from: moment)
    }

    @Test("A retry waits as many seconds as Retry-After says", arguments: [429, 503])
    func seconds(status: Int) async throws {
        let server = try server(status, "Retry-After: 1")
        let rig = try Rig(.roomy { $0.retries = 1 })
        let begin = ContinuousClock.now
        #expect(await rig.fetch(server.url()).known != nil)
        #expect(ContinuousClock.now - begin >= .seconds(1))
    }

    @Test("A retry waits until the date that Retry-After gives")
    func date() async throws {
        let rig = try Rig(.roomy { $0.retries = 1 }, startedAt: Rig.now)
        let server = try server(429, "Retry-After: \(date(Date(timeIntervalSinceNow: 2.5)))")
        let begin = ContinuousClock.now
        #expect(await rig.fetch(server.url()).known != nil)
        #expect(ContinuousClock.now - begin >= .milliseconds(900))
    }

    @Test(
        "A Retry-After that is past, negative or malformed causes no wait",
        arguments: ["0", "-5", "Wed, 21 Oct 2015 07:28:00 GMT", "soon", "1.5", ""])
    func noWait(value: String) async throws {
        let server = try server(429, "Retry-After: \(value)")
        #expect(try await Rig().fetch(server.url("/once")) == .failed(.httpStatus(429)))
        #expect(try await Rig(.roomy { $0.retries = 1 }).fetch(server.url()).known != nil)
    }

    @Test("The host's other photos wait as well, and photos of other hosts do not")
    func wholeHost() async throws {
        let server = try server(429, "Retry-After: 60")
        let other = try ScriptedServer { _ in ScriptedResponse(200, text: "picture") }
        let rig = try Rig(
            .roomy {
                $0.retries = 1
                $0.total = 1
            })
        let asked = ["/1", "/2", "/3"].map { rig.start(server.url($0)) }
        #expect(await rig.fetch(other.url()).known != nil)
        #expect(server.targets == ["/1"])
        rig.downloader.cancelAll()
        for one in asked { #expect(await one.outcome == .cancelled) }
    }

    @Test("A Retry-After for a photo without retries left also holds the host's other photos")
    func lastTry() async throws {
        let server = try server(429, "Retry-After: 60")
        let rig = try Rig(.roomy { $0.total = 1 })
        let first = rig.start(server.url("/1"))
        let second = rig.start(server.url("/2"))
        guard case .postponed = await first.outcome else {
            Issue.record("the fetch was not postponed")
            return
        }
        second.handle.cancel()
        #expect(await second.outcome == .cancelled)
        #expect(server.targets == ["/1"])
    }

    @Test(
        "A wait too long for a build ends all requests to the host, and postpones each of its photos until that time"
    )
    func wholeHostPostponed() async throws {
        let server = try ScriptedServer { request in
            request.target == "/busy" ? ScriptedResponse(500) : ScriptedResponse(503, ["Retry-After: 3600"])
        }
        let other = try ScriptedServer { _ in ScriptedResponse(200, text: "picture") }
        // The photo that waits for its retry must not wait for two hours.
        let rig = try Rig(
            .roomy {
                $0.retries = 3
                $0.perHost = 1
            }, jitter: { _ in .seconds(7200) })
        let asked = (["/busy"] + (0..<50).map { "/\($0)" }).map { rig.start(server.url($0)) }
        var waits: Set<RetryAfter> = []
        for one in asked {
            guard case .postponed(let wait) = await one.outcome else {
                Issue.record("the fetch was not postponed")
                continue
            }
            waits.insert(wait)
        }
        #expect(waits.count == 1 && waits.first?.status == 503)
        #expect(server.targets == ["/busy", "/0"])
        #expect(await rig.fetch(server.url("/later")) == waits.first.map { .postponed($0) })
        #expect(await rig.fetch(other.url()).known != nil)
    }

    @Test("A Retry-After from the target of a redirect applies to that photo alone")
    func redirected() async throws {
        let busy = try ScriptedServer { _ in ScriptedResponse(503, ["Retry-After: 3600"]) }
        let target = busy.url("/x")
        let server = try ScriptedServer { request in
            request.target == "/away"
                ? ScriptedResponse(302, ["Location: \(target)"]) : ScriptedResponse(200, text: "picture")
        }
        let rig = try Rig(.roomy { $0.retries = 1 })
        guard case .postponed = await rig.fetch(server.url("/away")) else {
            Issue.record("the fetch was not postponed")
            return
        }
        #expect(await rig.fetch(server.url("/here")).known != nil)
    }

    @Test("After a 429 without Retry-After, the host's other photos wait as long as that photo")
    func throttled() async throws {
        let server = try ScriptedServer { request in
            request.target == "/1" ? ScriptedResponse(429) : ScriptedResponse(200, text: "picture")
        }
        let other = try ScriptedServer { _ in ScriptedResponse(200, text: "picture") }
        let rig = try Rig(
            .roomy {
                $0.retries = 1
                $0.total = 1
            }, jitter: { _ in .seconds(3600) })
        let asked = ["/1", "/2", "/3"].map { rig.start(server.url($0)) }
        #expect(await rig.fetch(other.url()).known != nil)
        #expect(server.targets == ["/1"])
        for one in asked { one.handle.cancel() }
    }

    @Test("A host that serves one request at a time loses no photo, however many 429s it sends")
    func servedInTurn() async throws {
        let number = Observed(0)
        let server = try ScriptedServer { _ in
            let number = number.update { number in
                number += 1
                return number
            }
            return number % 2 > 0 ? ScriptedResponse(429) : ScriptedResponse(200, text: "picture")
        }
        let rig = try Rig(
            .roomy {
                $0.retries = 1
                $0.perHost = 1
            })
        let asked = (0..<50).map { rig.start(server.url("/\($0)")) }
        for one in asked { #expect(await one.outcome?.known != nil) }
        #expect(server.targets.count == 100)
    }

    @Test("Of photos that get a 429 at the same time, only one loses a retry")
    func throttledSideBySide() async throws {
        let (photos, volleys) = (6, 3)
        let number = Observed(0)
        let server = try ScriptedServer { _ in
            let number = number.update { number in
                number += 1
                return number
            }
            return number <= photos * volleys ? ScriptedResponse(429) : ScriptedResponse(200, text: "picture")
        }
        let rig = try Rig(
            .roomy {
                $0.retries = volleys - 1
                $0.perHost = photos
            }, jitter: { _ in .milliseconds(100) })
        // The queue is suspended, so that all requests begin together.
        rig.downloader.suspend()
        let asked = (0..<photos).map { rig.start(server.url("/\($0)")) }
        rig.downloader.resume()
        var lost = 0
        for one in asked where await one.outcome?.known == nil { lost += 1 }
        // The same photo may have been the first of each volley.
        #expect(lost <= 1)
    }

    @Test(
        "A wait too long for a build is recorded instead, up to one day",
        arguments: [("61", 61), ("7200", 7200), ("999999", 86_400), ("99999999999999999999999", 86_400)])
    func remembered(value: String, seconds: Int64) async throws {
        let server = try server(503, "Retry-After: \(value)")
        let start = Rig.now
        let rig = try Rig(.roomy { $0.retries = 3 }, startedAt: start)
        guard case .postponed(let wait) = await rig.fetch(server.url()) else {
            Issue.record("the fetch was not postponed")
            return
        }
        #expect(wait.status == 503 && server.targets.count == 1)
        #expect((0...10).contains(wait.until - start / 1_000_000_000 - seconds))
    }

    @Test("Without retries, every wait is recorded")
    func noRetries() async throws {
        let server = try server(429, "Retry-After: 5")
        let outcome = try await Rig().fetch(server.url())
        guard case .postponed(let wait) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(wait.status == 429)
    }

    @Test("A recorded wait is kept until it is over")
    func kept() async throws {
        let server = try ScriptedServer { _ in ScriptedResponse(200, text: "picture") }
        let start = Rig.now
        let now = start / 1_000_000_000
        let rig = try Rig(startedAt: start)
        let wait = RetryAfter(status: 429, until: now + 3000)
        #expect(await rig.fetch(server.url("/kept"), wait: wait) == .postponed(wait))
        #expect(server.targets.isEmpty)
        let over = RetryAfter(status: 429, until: now - 1)
        #expect(await rig.fetch(server.url("/over"), wait: over).known != nil)
        // The clock was set back since then, and a month is longer than any wait that is recorded.
        let absurd = RetryAfter(status: 429, until: now + 30 * 86_400)
        #expect(await rig.fetch(server.url("/absurd"), wait: absurd).known != nil)
    }
}
