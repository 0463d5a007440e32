import Downloads
import Foundation
import Gallery
import Imaging
import Ledger
import PhotoModel
import TestSupport
import Testing

/// While a damaged original is downloaded again, its photo holds up no other photo.
@Suite("Originals that are downloaded again", .timeLimit(.minutes(1))) struct RefetchedOriginalTests {
    /// A server that answers 304 at once, and sends a picture for the second time only after its gate opens.
    private struct SlowServer {
        let server: ScriptedServer
        /// The number of second downloads requested.
        let asked = Observed(0)
        let gate = Gate()

        init(answer: @escaping @Sendable (ScriptedResponse) -> ScriptedResponse = { $0 }) throws {
            let picture = try Data(contentsOf: URL(fileURLWithPath: TestGallery.samples + "plum-blossom.png"))
            let served = Observed<Set<String>>([])
            server = try ScriptedServer { [asked, gate] connection in
                while let request = try connection.readRequest() {
                    let fields = ["ETag: \"1\"", "Cache-Control: no-cache"]
                    if request.headers["if-none-match"] != nil {
                        try connection.send(ScriptedResponse(304, fields))
                        continue
                    }
                    // The bytes after the end of the image make each response a different original.
                    let response = ScriptedResponse(200, fields, body: picture + Array(request.target.utf8))
                    if served.update({ $0.insert(request.target).inserted }) {
                        try connection.send(response)
                        continue
                    }
                    asked.update { $0 += 1 }
                    gate.wait()
                    try connection.send(answer(response))
                }
            }
        }
    }

    private let gallery = TestGallery()

    private func operations(jobs: Int) throws -> (PendingOperations, [PhotoRecord]) {
        let options = try gallery.options()
        try options.state.create()
        let ledger = try Ledger(path: options.state.ledger, gallery: "test")
        let snapshot = try ledger.snapshot()
        let store = try OriginalStore.opening(options.state.originals)
        let services = BuildServices(
            store: store, downloader: try Downloader.starting(store, options: options),
            derivatives: DerivativeCache(
                folder: options.state.derivatives, published: options.output + "/images", snapshot: snapshot),
            ledger: ledger, snapshot: snapshot, budget: MemoryBudget(limit: options.memory), now: options.now.seconds)
        let input = try #require(options.manifests.first)
        let list = try PhotoList(
            [ManifestBytes(origin: input.origin, bytes: try #require(try input.localBytes()))], allowsEmpty: true)
        let records = list.records(options: options.derivatives, snapshot: snapshot)
        return (PendingOperations(services: services, jobs: jobs), records)
    }

    /// Damages the originals of photos that an earlier build downloaded from `server`.
    private func damage(_ count: Int, of server: SlowServer) throws {
        for number in 0..<count { gallery.entries.append(("Far \(number)", server.server.url("/\(number).png"))) }
        let (operations, records) = try operations(jobs: 2)
        for record in records { operations.add(record) }
        operations.finish()
        try #require(records.allSatisfy { $0.progress.state == .filtered })
        let originals = gallery.state.originals
        for record in records {
            let digest = try #require(record.progress.original)
            let path = try OriginalStore.opening(originals).path(of: digest)
            var content = try Data(contentsOf: URL(fileURLWithPath: path))
            content[content.count / 2] ^= 1
            try content.write(to: URL(fileURLWithPath: path))
        }
        gallery.filter = "grayscale(1)"
    }

    private func addNearPhotos() throws {
        for number in 0..<6 { try gallery.add("Near \(number)", sample: "dandelions.jpg", as: "\(number).jpg") }
    }

    /// Two waiting photos could block both jobs, and eighty could block all threads that Dispatch has.
    @Test(
        "While an original is downloaded again from a slow server, all other photos are filtered",
        arguments: [(2, 1), (2, 2), (80, 2)])
    func othersGoOn(damaged: Int, jobs: Int) async throws {
        let far = try SlowServer()
        defer { far.gate.open() }
        try damage(damaged, of: far)
        try addNearPhotos()
        let (operations, records) = try operations(jobs: jobs)
        let ended = Observed<[String]>([])
        for record in records.prefix(damaged) {
            operations.add(record) { ended.update { $0.append(record.slug) } }
        }
        // Two transfers may be in progress to one server.
        await far.asked.wait { $0 == 2 }
        for record in records.dropFirst(damaged) {
            operations.add(record) { ended.update { $0.append(record.slug) } }
        }
        await ended.wait { $0.count == 6 }
        #expect(Set(ended.value) == Set((0..<6).map { "near-\($0)" }))
        far.gate.open()
        operations.finish()
        #expect(records.allSatisfy { $0.progress.state == .filtered && $0.progress.staleness == nil })
        #expect(ended.value.count == damaged + 6)
    }

    @Test(
        "A photo whose original arrived while suspended is filtered after resuming, unless cancelled",
        arguments: [false, true])
    func suspended(isCancelled: Bool) async throws {
        let far = try SlowServer()
        defer { far.gate.open() }
        try damage(2, of: far)
        let (operations, records) = try operations(jobs: 1)
        let ends = Observed(0)
        let photos = records.map { operations.add($0) { ends.update { $0 += 1 } } }
        await far.asked.wait { $0 == 2 }
        operations.suspend()
        far.gate.open()
        while operations.waiting.estimates < 2, !Task.isCancelled { await Task.yield() }
        #expect(ends.value == 0)
        if isCancelled { operations.cancelAll() }
        operations.resume()
        operations.finish()
        #expect(ends.value == 2)
        #expect(photos.allSatisfy { $0.filter.isFinished })
        #expect(records.allSatisfy { ($0.progress.state == .filtered) != isCancelled })
    }

    @Test("Cancelling ends the wait for an original at once, and the last operation does not run")
    func cancelled() async throws {
        let far = try SlowServer()
        defer { far.gate.open() }
        try damage(20, of: far)
        let (operations, records) = try operations(jobs: 2)
        let ends = Observed(0)
        let photos = records.map { operations.add($0) { ends.update { $0 += 1 } } }
        await far.asked.wait { $0 == 2 }
        operations.cancelAll()
        let ran = Collected<Bool>()
        operations.finish(with: BlockOperation { ran.add(true) })
        #expect(ran.all.isEmpty)
        #expect(ends.value == 20)
        #expect(photos.allSatisfy { $0.filter.isFinished })
        #expect(records.allSatisfy { $0.progress.failure == nil && $0.progress.staleness == nil })
    }

    @Test("A photo that is cancelled while its original is downloaded again ends alone")
    func cancelledAlone() async throws {
        let far = try SlowServer()
        defer { far.gate.open() }
        try damage(2, of: far)
        let (operations, records) = try operations(jobs: 1)
        let ended = Observed<[String]>([])
        let photos = records.map { record in
            operations.add(record) { ended.update { $0.append(record.slug) } }
        }
        await far.asked.wait { $0 == 2 }
        photos.first?.cancel()
        await ended.wait { $0 == ["far-0"] }
        far.gate.open()
        operations.finish()
        #expect(ended.value == ["far-0", "far-1"])
        #expect(records.map(\.progress.state) == [.downloaded, .filtered])
    }

    @Test("A photo that is gone from its server keeps its pictures, and the others are filtered")
    func lost() async throws {
        let far = try SlowServer { _ in ScriptedResponse(404) }
        try damage(3, of: far)
        try addNearPhotos()
        far.gate.open()
        let (operations, records) = try operations(jobs: 2)
        let ends = Observed(0)
        for record in records { operations.add(record) { ends.update { $0 += 1 } } }
        operations.finish()
        #expect(ends.value == 9)
        for record in records.prefix(3) {
            #expect(record.progress.staleness.map { Reason($0).code } == .notFound)
            #expect(record.progress.pictures.map(\.width) == [64, 128, 128])
        }
        #expect(records.dropFirst(3).allSatisfy { $0.progress.state == .filtered })
    }

    @Test("A disk that cannot store the original ends the build")
    func refusingDisk() async throws {
        let far = try SlowServer()
        defer { far.gate.open() }
        try damage(2, of: far)
        let (operations, records) = try operations(jobs: 2)
        let ends = Observed(0)
        for record in records { operations.add(record) { ends.update { $0 += 1 } } }
        await far.asked.wait { $0 == 2 }
        try FileManager.default.removeItem(atPath: gallery.state.originals)
        try Data().write(to: URL(fileURLWithPath: gallery.state.originals))
        far.gate.open()
        let ran = Collected<Bool>()
        operations.finish(with: BlockOperation { ran.add(true) })
        #expect(operations.isCancelled)
        #expect(ran.all.isEmpty)
        #expect(ends.value == 2)
    }
}
