internal import PhotoModel
internal import TestSupport
import Testing

@testable internal import Downloads

@Suite("Conditional requests use more connections than downloads, while the host answers well", .timeLimit(.minutes(1)))
struct RequestWindowTests {
    /// Fetches one photo, as an earlier build would have, and returns what it remembers.
    private func known(_ rig: Rig, _ server: ScriptedServer) async throws -> CachedOriginal {
        try #require(await rig.fetch(server.url("/first")).known)
    }

    @Test("Up to four times as many conditional requests as downloads run at one host, and no more")
    func moreThanDownloads() async throws {
        let server = try ScriptedServer { connection in
            while let request = try connection.readRequest() {
                let isKnown = request.headers["if-none-match"] != nil
                try connection.send(
                    isKnown ? ScriptedResponse(304) : ScriptedResponse(200, ["ETag: \"1\""], text: "picture"))
            }
        }
        let rig = try Rig(.roomy { $0.perHost = 2 })
        let known = try await known(rig, server)
        let photos = (0..<80).map { rig.start(server.url("/\($0)"), known: known) }
        for one in photos { #expect(await one.outcome == .unchanged(known)) }
        // The first 304 is never slow, so a third request begins while two others run.
        #expect(server.log.value.mostPending <= 8 && server.log.value.connections > 2)
    }

    @Test("If all conditional requests are answered with a body, no more are sent at once than downloads may run")
    func bodies() async throws {
        let sending = Observed((now: 0, most: 0))
        let server = try ScriptedServer { connection in
            while let request = try connection.readRequest() {
                let isConfirmed = request.target.hasPrefix("/same") && request.headers["if-none-match"] != nil
                if isConfirmed {
                    try connection.send(ScriptedResponse(304))
                    continue
                }
                try connection.send("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 7\r\n\r\n")
                // A client that does not want the body hangs up, even on a busy machine.
                try connection.pause(.milliseconds(400))
                sending.update { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                defer { sending.update { $0.now -= 1 } }
                try connection.pause(.milliseconds(20))
                try connection.send("picture")
            }
        }
        let rig = try Rig(.roomy { $0.perHost = 2 })
        let known = try await known(rig, server)
        let photos = (0..<40).map { rig.start(server.url($0 < 20 ? "/same\($0)" : "/changed\($0)"), known: known) }
        for one in photos { #expect(await one.outcome?.known?.original == known.original) }
        #expect(sending.value.most <= 2)
        // Each request that was broken off was sent again, and no more than one volley of them.
        #expect(server.targets.count <= 1 + 40 + 8)
    }

    @Test("Many hosts with new pictures get no request that has to be sent again")
    func manyHosts() async throws {
        let servers = try (0..<10).map { _ in
            try ScriptedServer { connection in
                while try connection.readRequest() != nil {
                    try connection.send(ScriptedResponse(200, ["ETag: \"1\""], text: "picture"))
                }
            }
        }
        let rig = try Rig(.roomy { $0.total = 2 })
        let known = try await known(rig, servers[0])
        let photos = servers.map { rig.start($0.url("/photo"), known: known) }
        for one in photos { #expect(await one.outcome?.known?.original == known.original) }
        #expect(servers.map(\.targets.count).reduce(0, +) == 1 + servers.count)
    }

    private struct QueuedPhoto: QueuedRequest, Equatable {
        let number: Int
        let isDownload: Bool
        var hasFailed = false
    }

    @Test("After failures in a row, a request that has not failed goes first, however few of them wait")
    func promotion() {
        var queue = TransferQueue<QueuedPhoto>(total: 1, perHost: 1)
        let others = 60..<66
        for number in 0..<100 {
            let photo = QueuedPhoto(number: number, isDownload: true, hasFailed: !others.contains(number))
            queue.append(photo, to: "host")
        }
        func promoted(_ share: Double) -> Int? {
            queue.promote(share, at: "host")
            defer { queue.finished(at: "host", isDownload: true) }
            return queue.next()?.number
        }
        let found = (0..<others.count).map { promoted(Double($0 + 5) / 21) }
        #expect(Set(found) == Set(others))
        #expect(promoted(0.5) == 53, "if all have failed, the one at this share of the queue goes first")
    }

    @Test("Requests that are sent again go before all others, in the order in which they were broken off")
    func puttingBack() {
        var queue = TransferQueue<QueuedPhoto>(total: 1, perHost: 4)
        queue.limit(requests: 4)
        for number in 0..<4 { queue.append(QueuedPhoto(number: number, isDownload: false), to: "host") }
        let began = (0..<3).compactMap { _ in queue.next()?.number }
        for number in 0..<2 {
            queue.finished(at: "host", isDownload: false)
            queue.putBack(QueuedPhoto(number: number, isDownload: true), to: "host")
        }
        var again: [Int] = []
        while let photo = queue.next() {
            again.append(photo.number)
            queue.finished(at: "host", isDownload: photo.isDownload)
        }
        #expect(began == [0, 1, 2] && again == [0, 1, 3])
    }

    @Test("A window grows by one with each answer in time, and is halved by one that is slow or a rejection")
    func growth() {
        var window = RequestWindow(downloads: 6)
        func answer(_ time: Duration, since: SuspendingClock.Instant = .now) {
            window.confirmed(in: time, isMultiplexed: false, opensConnection: false, began: since)
        }
        let start = SuspendingClock.now
        for _ in 0..<30 { answer(.milliseconds(30)) }
        #expect(window.size == 24)
        answer(.milliseconds(101))
        #expect(window.size == 12)
        // The host was as slow for the requests that ran at the same time, so their answers halve nothing.
        answer(.milliseconds(101), since: start)
        #expect(window.size == 12)
        for _ in 0..<5 { answer(.seconds(1)) }
        #expect(window.size == 6)
        window.rejected()
        #expect(window.size == 3)
        answer(.milliseconds(100))
        #expect(window.size == 4)
    }

    @Test("Over HTTP/2 the first answer fills a connection and opens a second, whose first answer fills that too")
    func multiplexed() {
        var window = RequestWindow(downloads: 6)
        func confirm(opensConnection: Bool = false) {
            window.confirmed(
                in: .milliseconds(30), isMultiplexed: true, opensConnection: opensConnection, began: .now)
        }
        confirm(opensConnection: true)
        confirm()
        #expect(window.size == 101)
        confirm(opensConnection: true)
        #expect(window.size == 200)
        window.rejected()
        window.rejected()
        confirm()
        #expect(window.size == 51)
        window.needsDownloads()
        #expect(window.size == 6)
    }

    @Test("Requests run one after the other if only one download may run")
    func one() {
        var window = RequestWindow(downloads: 1)
        window.confirmed(in: .zero, isMultiplexed: true, opensConnection: true, began: .now)
        #expect(window.size == 1)
    }
}
