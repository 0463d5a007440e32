internal import Downloads
internal import Foundation
internal import PhotoModel
internal import TestSupport
import Testing

#if os(Linux)
    @Suite("Shutdown releases every resource", .timeLimit(.minutes(1)))
    struct LeakTests {
        @Test("Shutdown leaves no descriptor, thread or temporary file, at whatever stage the transfers were")
        func nothingLeft() async throws {
            // A separate process is needed, since other tests open and close descriptors meanwhile.
            let ended = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                await LeakReport.reporting(within: 50) {
                    try await LeakTests.run()
                    let before = try OpenDescriptors.paths()
                    for _ in 0..<3 { try await LeakTests.run() }
                    let after = try OpenDescriptors.paths()
                    guard after.count == before.count else {
                        throw LeakReport(description: "\(before) before, \(after) after")
                    }
                }
            }
            try LeakReport.expectNone(ended)
        }

        private static func run() async throws {
            let server = try ScriptedServer { connection in
                while let request = try connection.readRequest() {
                    switch request.target {
                    case "/good": try connection.send(ScriptedResponse(200, text: "picture"))
                    case "/missing": try connection.send(ScriptedResponse(404))
                    case "/half": try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\nhalf")
                    default: connection.waitForClose()
                    }
                }
            }
            let port = try UnansweringPort()
            let rig = try Rig(.roomy { $0.perHost = 16 })
            let started = ["/half", "/silent", "/half?2", "/silent?2"].map { rig.start(server.url($0)) }
            _ = rig.start("http://127.0.0.1:\(port.port)/")
            _ = rig.start(server.url(scheme: "https"))
            for path in ["/good", "/missing"] { _ = await rig.fetch(server.url(path)) }
            guard try RunningThreads.names().contains("downloads") else {
                throw LeakReport(description: "no transfer thread")
            }
            started[0].handle.cancel()
            rig.downloader.shutdown()
            guard try !RunningThreads.names().contains("downloads") else {
                throw LeakReport(description: "the transfer thread is left")
            }
            guard try rig.temporaryFiles.isEmpty else { throw LeakReport(description: "temporary files are left") }
            await server.stop()
        }
    }
#endif
