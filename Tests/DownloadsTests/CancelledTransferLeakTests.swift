internal import Downloads
internal import Foundation
internal import PhotoModel
internal import TestSupport
import Testing

#if os(Linux)
    @Suite("Cancelled transfers leave nothing behind", .timeLimit(.minutes(5)))
    struct CancelledTransferLeakTests {
        /// The stage at which transfers are cancelled.
        enum Stage: CaseIterable {
            case lookUp, connect, handshake, header, body, backoff, queue
        }

        /// The number of transfers of a round in each stage.
        private static let perStage = 16
        private static let rounds = 9

        @Test(
            "A thousand cancelled transfers leave no descriptor, thread, file or memory, at whatever stage"
        )
        func nothingLeft() async throws {
            // A separate process is needed, since other tests open and close descriptors meanwhile.
            let ended = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                await LeakReport.reporting(within: 280) {
                    // The allocator needs a few rounds until it holds all the memory that it will need.
                    for _ in 0..<3 { try await CancelledTransferLeakTests.cancelOneRound() }
                    let before = try ProcessFigures.settled(threads: 0)
                    for _ in 0..<CancelledTransferLeakTests.rounds {
                        try await CancelledTransferLeakTests.cancelOneRound()
                    }
                    try ProcessFigures.settled(threads: before.threads).expectNoMore(than: before)
                }
            }
            try LeakReport.expectNone(ended)
        }

        private static func cancelOneRound() async throws {
            for stage in Stage.allCases { try await cancel(at: stage) }
        }

        private static func cancel(at stage: Stage) async throws {
            let server = try server(stage)
            let unanswering = try UnansweringPort()
            let rig = try Rig(
                .roomy {
                    $0.total = stage == .queue ? 1 : perStage
                    $0.perHost = $0.total
                    $0.retries = stage == .backoff ? 3 : 0
                }, jitter: { _ in .seconds(30) })
            let started = (0..<perStage).map { number in
                switch stage {
                case .lookUp: rig.start("http://\(number).invalid/")
                case .connect: rig.start("http://127.0.0.1:\(unanswering.port)/\(number)")
                case .handshake: rig.start(server.url("/\(number)", scheme: "https"))
                case .header, .body, .backoff, .queue: rig.start(server.url("/\(number)"))
                }
            }
            try await reached(stage, server, rig)
            for fetch in started.prefix(perStage / 2) { fetch.handle.cancel() }
            rig.downloader.cancelAll()
            for fetch in started {
                let outcome = await fetch.outcome
                // The lookup may have failed before it was cancelled.
                guard outcome == .cancelled || stage == .lookUp else {
                    throw LeakReport(description: "\(stage): \(String(describing: outcome))")
                }
            }
            rig.downloader.shutdown()
            guard try rig.temporaryFiles.isEmpty else {
                throw LeakReport(description: "\(stage): temporary files are left")
            }
            await server.stop()
        }

        /// A server whose transfers come as far as `stage`, and hang there.
        private static func server(_ stage: Stage) throws -> ScriptedServer {
            try ScriptedServer { connection in
                if stage != .handshake {
                    guard try connection.readRequest() != nil else { return }
                    if stage == .backoff { return try connection.send(ScriptedResponse(503, ["Connection: close"])) }
                }
                if stage == .body {
                    try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
                    try connection.send(String(repeating: "x", count: 100_000))
                }
                connection.waitForClose()
            }
        }

        private static func reached(_ stage: Stage, _ server: ScriptedServer, _ rig: Rig) async throws {
            switch stage {
            case .lookUp, .connect: break
            // Transfers that may share a connection wait until the first connection is established.
            case .handshake, .queue: await server.log.wait { $0.connections >= 1 }
            case .header: await server.log.wait { $0.requests.count == perStage }
            case .body: while try rig.temporaryFiles.count < perStage { await Task.yield() }
            case .backoff: while rig.downloader.statistics.retries < perStage { await Task.yield() }
            }
        }
    }

    /// The resources that a process holds.
    private struct ProcessFigures {
        let descriptors: Int
        /// The threads of downloaders and of libcurl's name lookups, without those of the system's pools.
        let threads: Int
        /// The bytes that the allocator has given out; how much it holds back from the system is a matter of chance.
        let allocatedBytes: Int

        init() throws {
            // Threads are counted before descriptors: the descriptors of a thread that ended in between would still be
            // counted.
            threads = try RunningThreads.names().count { $0 == "downloads" }
            descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
            allocatedBytes = try Self.allocatedBytes()
        }

        /// Parses malloc_info(3), the allocator's report of itself, whose last lines give its totals.
        private static func allocatedBytes() throws -> Int {
            typealias MallocInfo = @convention(c) (CInt, UnsafeMutablePointer<FILE>) -> CInt
            let report = try #require(tmpfile())
            defer { fclose(report) }
            let function = try #require(dlsym(UnsafeMutableRawPointer(bitPattern: 0), "malloc_info"))
            #expect(unsafeBitCast(function, to: MallocInfo.self)(0, report) == 0)
            rewind(report)
            let text = try FileHandle(fileDescriptor: fileno(report)).readToEnd() ?? Data()
            let totals = String(decoding: text, as: UTF8.self).components(separatedBy: "</heap>").last ?? ""
            var bytes = 0
            for total in totals.matches(of: /<(?:total|system) type="(\w+)".* size="(\d+)"/) {
                switch total.1 {
                case "current", "mmap": bytes += Int(total.2) ?? 0
                case "fast", "rest": bytes -= Int(total.2) ?? 0
                default: break
                }
            }
            // A report in another format would yield zero each time, and the test could never fail.
            guard bytes > 0 else { throw LeakReport(description: "malloc_info has another form: \(totals)") }
            return bytes
        }

        func expectNoMore(than before: ProcessFigures) throws {
            // The buffers of a thousand transfers take 32 MB.
            guard descriptors == before.descriptors, threads == before.threads,
                allocatedBytes - before.allocatedBytes < 512 * 1024
            else { throw LeakReport(description: "\(before) before, \(self) after") }
        }

        /// Waits for the threads that look up names, which cannot be stopped and end by themselves.
        static func settled(threads: Int) throws -> ProcessFigures {
            while true {
                let figures = try ProcessFigures()
                if figures.threads <= threads { return figures }
                // A pause of 20 ms leaves the processor to other threads.
                poll(nil, 0, 20)
            }
        }
    }
#endif
