internal import Downloads
internal import Foundation
internal import PhotoModel
internal import TestSupport
import Testing

@Suite("A cancelled fetch ends at once at every stage, and leaves nothing behind", .timeLimit(.minutes(1)))
struct CancellationTests {
    /// The stage at which the server lets a transfer hang.
    enum Stage: String, CaseIterable, CustomTestStringConvertible {
        case handshake, header, body
        var testDescription: String { rawValue }
    }

    /// A server whose transfers come as far as `stage`, and hang there.
    private func server(_ stage: Stage) throws -> ScriptedServer {
        try ScriptedServer { connection in
            if stage != .handshake {
                _ = try connection.readRequest()
                try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n")
            }
            if stage == .body { try connection.send("\r\n" + String(repeating: "x", count: 100_000)) }
            connection.waitForClose()
        }
    }

    private func reached(_ stage: Stage, _ server: ScriptedServer, _ rig: Rig) async throws {
        await server.log.wait { stage == .handshake ? $0.connections == 1 : $0.requests.count == 1 }
        // The temporary file exists as soon as the first bytes of the body have arrived.
        while stage == .body, !Task.isCancelled, try rig.temporaryFiles.isEmpty { await Task.yield() }
    }

    @Test(
        "A fetch that is cancelled ends at once at every stage, and leaves nothing behind",
        arguments: Stage.allCases)
    func handle(stage: Stage) async throws {
        let server = try server(stage)
        let rig = try Rig()
        let started = rig.start(server.url(scheme: stage == .handshake ? "https" : "http"))
        try await reached(stage, server, rig)
        started.handle.cancel()
        #expect(await started.outcome == .cancelled)
        await server.log.wait { $0.openConnections == 0 }
        rig.downloader.shutdown()
        #expect(try rig.temporaryFiles.isEmpty)
        #expect(started.answers.value == [.cancelled])
    }

    @Test(
        "Cancelling all fetches ends each at once at every stage, and leaves nothing behind",
        arguments: Stage.allCases)
    func all(stage: Stage) async throws {
        let server = try server(stage)
        let rig = try Rig()
        let started = rig.start(server.url(scheme: stage == .handshake ? "https" : "http"))
        try await reached(stage, server, rig)
        rig.downloader.cancelAll()
        #expect(await started.outcome == .cancelled)
        await server.log.wait { $0.openConnections == 0 }
    }

    #if os(Linux)
        @Test("A fetch that is cancelled while it connects ends at once")
        func connecting() async throws {
            // A separate process keeps other tests from taking the threads that this one needs in the time that is
            // measured.
            let ended = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                await LeakReport.reporting(within: 50) { try await CancellationTests.cancelConnecting() }
            }
            try LeakReport.expectNone(ended)
        }

        private static func cancelConnecting() async throws {
            let port = try UnansweringPort()
            let others = attempts
            let rig = try Rig()
            let started = rig.start("http://127.0.0.1:\(port.port)/")
            while attempts <= others, started.answers.value.isEmpty { await Task.yield() }
            let begin = ContinuousClock.now
            rig.downloader.shutdown()
            let outcome = await started.outcome
            let duration = ContinuousClock.now - begin
            guard outcome == .cancelled, duration < .seconds(2) else {
                throw LeakReport(description: "\(outcome as Any) after \(duration)")
            }
        }

        /// The number of this process's sockets whose connection request nobody has answered.
        private static var attempts: Int {
            (0..<1024).count { descriptor in
                // The first byte of `tcp_info` is the state; TCP_SYN_SENT is 2 (include/net/tcp_states.h).
                var (state, size) = (UInt8(0), socklen_t(1))
                return getsockopt(Int32(descriptor), Int32(IPPROTO_TCP), TCP_INFO, &state, &size) == 0 && state == 2
            }
        }
    #endif

    @Test("A fetch that is cancelled in the queue sends no request")
    func queued() async throws {
        let gate = Gate()
        let server = try ScriptedServer { request in
            gate.wait()
            return ScriptedResponse(200, text: request.target)
        }
        let rig = try Rig(.roomy { $0.total = 1 })
        let started = ["/1", "/2", "/3"].map { rig.start(server.url($0)) }
        started[1].handle.cancel()
        #expect(await started[1].outcome == .cancelled)
        gate.open()
        #expect(await started[0].outcome?.known != nil)
        #expect(await started[2].outcome?.known != nil)
        #expect(server.targets == ["/1", "/3"])
    }

    @Test("A transfer that several fetches share goes on until the last of them is cancelled")
    func shared() async throws {
        let gate = Gate()
        let server = try ScriptedServer { request in
            gate.wait()
            return ScriptedResponse(200, text: request.target)
        }
        let rig = try Rig()
        let (first, second) = (rig.start(server.url()), rig.start(server.url()))
        await server.log.wait { $0.pending == 1 }
        first.handle.cancel()
        #expect(await first.outcome == .cancelled)
        gate.open()
        #expect(await second.outcome?.known != nil)
        second.handle.cancel()
        first.handle.cancel()
        rig.downloader.shutdown()
        #expect(first.answers.value.count == 1 && second.answers.value.count == 1)
    }

    @Test("An address that was cancelled can be fetched again, by the same downloader")
    func again() async throws {
        let gate = Gate()
        let server = try ScriptedServer { connection in
            guard let request = try connection.readRequest() else { return }
            gate.wait()
            try connection.send(ScriptedResponse(200, text: request.target))
        }
        let rig = try Rig()
        let cancelled = rig.start(server.url())
        await server.log.wait { $0.pending == 1 }
        rig.downloader.cancelAll()
        let again = rig.start(server.url())
        gate.open()
        #expect(await cancelled.outcome == .cancelled)
        #expect(await again.outcome?.known != nil)
    }

    @Test("After shutdown every fetch is answered, and a second shutdown does nothing")
    func shutdown() async throws {
        let server = try server(.body)
        let rig = try Rig()
        let started = (0..<100).map { rig.start(server.url("/\($0)")) }
        rig.downloader.shutdown()
        for one in started { #expect(one.answers.value == [.cancelled]) }
        rig.downloader.shutdown()
        #expect(await rig.fetch(server.url()) == .cancelled)
        #expect(await rig.fetch(file: rig.folder) == .cancelled)
        #expect(try rig.temporaryFiles.isEmpty)
    }

    @Test("The last reference to the downloader may be released in a completion handler")
    func releasedByAnswer() async throws {
        let server = try ScriptedServer { request in ScriptedResponse(200, text: request.target) }
        let folder = NSTemporaryDirectory() + "downloads-tests-" + UUID().uuidString
        let store = try OriginalStore(root: folder)
        let held = Observed<Downloader?>(
            try Downloader(
                store: store, limits: .roomy, options: Rig.options, client: .tests,
                startedAt: Rig.now))
        let source = Source(location: .remote(server.url()), shown: "")
        await withCheckedContinuation { continuation in
            _ = held.value?.fetch(source, known: nil) { _ in
                held.update { $0 = nil }
                continuation.resume()
            }
        }
        await server.log.wait { $0.openConnections == 0 }
        try FileManager.default.removeItem(atPath: folder)
    }
}
