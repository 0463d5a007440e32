import Dispatch
import Downloads
import Foundation
import Gallery
import TestSupport
import Testing

@Suite("Revalidations that begin before the plan is ready", .timeLimit(.minutes(2))) struct EarlyRevalidationTests {
    /// A server that sends the same picture at each address, and wants it revalidated in each build.
    private struct PhotoServer {
        let server: ScriptedServer
        /// If this is false, the server reads conditional requests and never responds.
        let answers = Observed(true)
        private let asked = Observed(0)

        init() throws {
            let picture = try Data(contentsOf: URL(fileURLWithPath: TestGallery.samples + "dandelions.jpg"))
            server = try ScriptedServer { [answers, asked] connection in
                while let request = try connection.readRequest() {
                    let isQuestion = request.headers["if-none-match"] != nil
                    if isQuestion { asked.update { $0 += 1 } }
                    guard answers.value else { return connection.waitForClose() }
                    let fields = ["ETag: \"1\"", "Cache-Control: no-cache"]
                    try connection.send(
                        isQuestion
                            ? ScriptedResponse(304, fields) : ScriptedResponse(200, fields, body: [UInt8](picture)))
                }
            }
        }

        var questions: Int { asked.value }

        func add(_ names: some Sequence<String>, to gallery: TestGallery) {
            for name in names { gallery.entries.append((name, server.url("/\(name).jpg"))) }
        }
    }

    #if os(Linux)
        @Test(
            "If planning fails, the early revalidations end, leave no connection, and record nothing")
        func brokenPlan() async throws {
            // A separate process is needed, since other tests open and close descriptors meanwhile.
            await #expect(processExitsWith: .success) {
                ProcessLimit.begin(seconds: 100)
                try await EarlyRevalidationTests.breakPlans()
            }
        }

        private static func breakPlans() async throws {
            let photos = try PhotoServer()
            let gallery = TestGallery()
            photos.add((0..<100).map { "photo-\($0)" }, to: gallery)
            try gallery.build()
            await photos.server.log.wait { $0.openConnections == 0 }
            let before = try gallery.stamps()
            let descriptors = try Self.descriptors()
            photos.answers.update { $0 = false }
            // A file among the folders of originals makes the scan of the disk fail, after the revalidations have
            // begun.
            let obstacle = gallery.state.originals + "/zz"
            try Data().write(to: URL(fileURLWithPath: obstacle))
            // The build may fail before the transfer thread has sent a request.
            while photos.questions == 0 {
                let start = SuspendingClock.now
                do {
                    try gallery.build()
                    throw Complaint("the plan was made")
                } catch GalleryError.interrupted {
                    throw Complaint("the reason got lost")
                } catch is GalleryError {}
                guard SuspendingClock.now - start < .seconds(10) else { throw Complaint("it waited for the server") }
                await photos.server.log.wait { $0.openConnections == 0 }
                guard try !RunningThreads.names().contains(where: { $0.hasPrefix("downloads") }) else {
                    throw Complaint("a thread is left")
                }
                guard try Self.descriptors() <= descriptors else {
                    throw Complaint("a descriptor is left")
                }
            }
            try FileManager.default.removeItem(atPath: obstacle)
            photos.answers.update { $0 = true }
            let (asked, report) = (photos.questions, try gallery.build())
            guard report.changedNothing, try gallery.stamps() == before else {
                throw Complaint("something was recorded")
            }
            guard photos.questions == asked + 100 else { throw Complaint("a photo was taken for asked") }
            await photos.server.stop()
        }

        private struct Complaint: Error {
            init(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
        }

        private static func descriptors() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        }
    #endif

    @Test("A revalidation never overtakes the downloads of photos that precede it in the list")
    func order() throws {
        let photos = try PhotoServer()
        let gallery = TestGallery()
        let known = (0..<40).map { "known-\($0)" }
        photos.add(known, to: gallery)
        try gallery.build()
        let requests = photos.server.targets.count
        gallery.entries = []
        for (number, name) in known.enumerated() { photos.add(["new-\(number)", name], to: gallery) }
        var options = try gallery.options()
        (options.limits.total, options.limits.perHost) = (1, 1)
        _ = try Build(options, emit: { _ in }).run()
        let wanted = known.enumerated().flatMap { ["/new-\($0).jpg", "/\($1).jpg"] }
        #expect(Array(photos.server.targets.dropFirst(requests)) == wanted)
    }
}
