import Downloads
import Foundation
import Gallery
import Imaging
import Ledger
import PhotoModel
import TestSupport
import Testing

@Suite("The operations of a build") struct OperationTests {
    private let gallery = TestGallery()

    /// A server that reads each request and never responds.
    private func silentServer(_ arrived: DispatchSemaphore) throws -> ScriptedServer {
        try ScriptedServer { (connection: ScriptedConnection) in
            _ = try connection.readRequest()
            arrived.signal()
            // This read returns when the client closes the connection.
            _ = try connection.readRequest()
        }
    }

    @Test("A download and its filter are joined by a dependency, and end with a filtered photo")
    func pairs() throws {
        try gallery.add("Dandelions", sample: "dandelions.jpg")
        let services = try gallery.services()
        let operations = PendingOperations(services: services, jobs: 1)
        let record = try #require(try gallery.records().first)
        #expect(record.progress.state == .new)
        let photo = operations.add(record)
        #expect(photo.filter.dependencies == [photo.download])
        operations.finish()
        #expect(photo.filter.hasStarted)
        #expect(record.progress.state == .filtered)
        #expect(record.progress.pictures.map(\.width) == [64, 128, 128])
    }

    @Test("A failed download never starts its filter")
    func failedDownload() throws {
        gallery.entries = [("Lighthouse", "lighthose.jpg"), ("Mail", "mailto:somebody@example.invalid")]
        let operations = PendingOperations(services: try gallery.services(), jobs: 1)
        let all = try gallery.records()
        let pairs = all.map { operations.add($0) }
        operations.finish()
        for filter in pairs.map(\.filter) {
            #expect(!filter.hasStarted)
            #expect(filter.isCancelled)
            #expect(filter.isFinished)
        }
        #expect(all.map(\.progress.state) == [.failed, .failed])
        #expect(all.map { $0.progress.failure.map { Reason($0).code } } == [.missingFile, .unsupportedScheme])
    }

    @Test("Photos are requested in the order in which they were added")
    func order() throws {
        let requested = Collected<String>()
        let server = try ScriptedServer { connection in
            while let request = try connection.readRequest() {
                requested.add(request.target)
                try connection.send(ScriptedResponse(404, []))
            }
        }
        let targets = (0..<500).map { "/\($0).jpg" }
        gallery.entries = targets.map { ($0, server.url($0)) }
        let operations = PendingOperations(services: try gallery.services(downloads: 1), jobs: 1)
        operations.suspend()
        for record in try gallery.records() { operations.add(record) }
        // All operations of the queue may start now.
        operations.resume()
        operations.finish()
        #expect(requested.all == targets)
    }

    @Test("A download that is cancelled while it waits never starts its filter, and the photo stays new")
    func cancelledDownload() throws {
        try gallery.add("Dandelions", sample: "dandelions.jpg")
        let operations = PendingOperations(services: try gallery.services(), jobs: 1)
        operations.suspend()
        let record = try #require(try gallery.records().first)
        let photo = operations.add(record)
        photo.download.cancel()
        operations.resume()
        operations.finish()
        #expect(!photo.filter.hasStarted)
        #expect(record.progress.state == .new)
    }

    @Test("A download that is cancelled while the server is silent ends at once, and never starts its filter")
    func cancelledTransfer() throws {
        let arrived = DispatchSemaphore(value: 0)
        let server = try silentServer(arrived)
        gallery.entries = [("Silent", server.url("/silent.jpg"))]
        let operations = PendingOperations(services: try gallery.services(), jobs: 1)
        let record = try #require(try gallery.records().first)
        let photo = operations.add(record)
        arrived.wait()
        photo.download.cancel()
        operations.finish()
        #expect(!photo.filter.hasStarted)
        #expect(record.progress.state == .new)
        #expect(record.progress.failure == nil)
    }

    @Test("The last operation begins only after every download and filter has ended, the failed ones too")
    func lastIsLast() throws {
        for number in 0..<20 { try gallery.add("Photo \(number)", sample: "dandelions.jpg", as: "\(number).jpg") }
        gallery.entries.append(("Lighthouse", "lighthose.jpg"))
        let operations = PendingOperations(services: try gallery.services(), jobs: 2)
        let all = try gallery.records()
        let pairs = all.map { operations.add($0) }
        let ended = Collected<Bool>()
        let last = BlockOperation {
            for photo in pairs { ended.add(photo.download.isFinished && photo.filter.isFinished) }
        }
        operations.finish(with: last)
        #expect(ended.all == Array(repeating: true, count: 21))
        #expect(all.filter { $0.progress.state == .filtered }.count == 20)
    }

    /// The first photo waits for memory until all others are ready, so that the scheduler can compare these.
    @Test(
        "With more than one job, a photo that takes long is begun before any short one that precedes it is done",
        .timeLimit(.minutes(1)), arguments: [(jobs: 2, isEarly: true), (jobs: 1, isEarly: false)])
    func longOneLast(jobs: Int, isEarly: Bool) async throws {
        let sample = try Data(contentsOf: URL(fileURLWithPath: TestGallery.samples + "plum-blossom.png"))
        for number in 0..<8 {
            // The byte after the end of the image makes each file a different original.
            try gallery.folder.write(sample + [UInt8(number)], to: "\(number).png")
            gallery.entries.append(("Photo \(number)", "\(number).png"))
        }
        try gallery.add("Sunset", sample: "mountain-sunset.jpg")
        // The budget has room for one photo.
        let budget = MemoryBudget(limit: 10_000_000)
        let (holder, gate) = (Observed(false), Gate())
        Thread {
            #expect(throws: Never.self) {
                try budget.withReservation(for: 10_000_000) {
                    holder.update { $0 = true }
                    gate.wait()
                }
            }
        }.start()
        await holder.wait { $0 }

        let operations = PendingOperations(services: try gallery.services(budget: budget), jobs: jobs)
        let all = try gallery.records()
        let long = Collected<FilterOperation>()
        // A photo that was chosen has begun, even if its thread has not.
        let hadBegun = Collected<Bool>()
        for record in all.dropLast() {
            operations.add(record) {
                let isFiltered = operations.filtering.contains { $0.name == "Sunset" }
                hadBegun.add(isFiltered || long.all.contains(where: \.hasStarted))
            }
            // Downloads can end in any order, so the first one is awaited.
            while budget.waiting == 0, !Task.isCancelled { await Task.yield() }
        }
        long.add(operations.add(try #require(all.last)).filter)
        while operations.waiting.filters < all.count - jobs || budget.waiting < jobs, !Task.isCancelled {
            await Task.yield()
        }
        gate.open()
        operations.finish()
        #expect(hadBegun.all.prefix(5) == Array(repeating: isEarly, count: 5)[...])
        #expect(all.allSatisfy { $0.progress.state == .filtered })
    }

    @Test("No operation starts while suspended, and all start after resuming")
    func suspension() throws {
        try gallery.add("Dandelions", sample: "dandelions.jpg")
        let operations = PendingOperations(services: try gallery.services(), jobs: 1)
        operations.suspend()
        let record = try #require(try gallery.records().first)
        let photo = operations.add(record)
        #expect(!photo.download.isExecuting && !photo.filter.isExecuting)
        #expect(record.progress.state == .new)
        operations.resume()
        operations.finish()
        #expect(record.progress.state == .filtered)
    }

    @Test(
        "The last operation does not start while suspended, even twice, and runs after resuming unless cancelled",
        arguments: [false, true])
    func lastSuspended(isCancelled: Bool) async throws {
        let operations = PendingOperations(services: try gallery.services(), jobs: 1)
        operations.suspend()
        operations.suspend()
        let isWaiting = Observed(false)
        let ran = Collected<String?>()
        let ended = DispatchSemaphore(value: 0)
        Thread {
            isWaiting.update { $0 = true }
            operations.finish(with: BlockOperation { ran.add(OperationQueue.current?.name) })
            ended.signal()
        }.start()
        await isWaiting.wait { $0 }
        // The wait has a fixed time, because nothing signals that an event will not happen.
        try #require(await hasEnded(ended, after: .milliseconds(300)) == false)
        if isCancelled { operations.cancelAll() }
        operations.resume()
        try #require(await hasEnded(ended, after: .seconds(20)))
        #expect(ran.all == (isCancelled ? [] : ["gallerygen.publication"]))
    }

    /// Whether `ended` is signalled within `time`. A thread waits for the semaphore, as asynchronous code must not
    /// block.
    private func hasEnded(_ ended: DispatchSemaphore, after time: DispatchTimeInterval) async -> Bool {
        await withCheckedContinuation { continuation in
            Thread { continuation.resume(returning: ended.wait(timeout: .now() + time) == .success) }.start()
        }
    }

    @Test("After everything is cancelled, every operation ends, and the last one does not run")
    func cancelAll() throws {
        for number in 0..<50 { try gallery.add("Photo \(number)", sample: "dandelions.jpg", as: "\(number).jpg") }
        let operations = PendingOperations(services: try gallery.services(), jobs: 1)
        operations.suspend()
        let pairs = try gallery.records().map { operations.add($0) }
        let ran = Collected<Bool>()
        operations.cancelAll()
        operations.resume()
        operations.finish(with: BlockOperation { ran.add(true) })
        #expect(pairs.allSatisfy { $0.filter.isFinished && !$0.filter.hasStarted })
        #expect(ran.all.isEmpty)
        #expect(operations.isCancelled)
    }

    @Test(
        "A revalidation that waits for earlier downloads ends when all is cancelled, though they never begin")
    func cancelledQuestion() throws {
        let server = try silentServer(DispatchSemaphore(value: 0))
        gallery.entries = [("Above", server.url("/above.jpg")), ("Asked", server.url("/asked.jpg"))]
        let operations = PendingOperations(services: try gallery.services(), jobs: 1)
        operations.suspend()
        let records = try gallery.records()
        operations.add(try #require(records.first))
        let asked = try #require(records.last)
        let isAsked = DispatchSemaphore(value: 0)
        Thread {
            operations.revalidate(asked)
            isAsked.signal()
        }.start()
        operations.cancelAll()
        operations.resume()
        try #require(isAsked.wait(timeout: .now() + 10) == .success)
        // Builds cancel all operations a second time after their last revalidation.
        operations.cancelAll()
        operations.finish()
    }

    @Test("Cancelling during downloads never lets the last operation run, whichever download ends first")
    func cancelAllUnderWay() throws {
        let arrived = DispatchSemaphore(value: 0)
        let server = try silentServer(arrived)
        gallery.entries = [("Silent", server.url("/silent.jpg"))]
        let records = try gallery.records()
        let ran = Collected<Bool>()
        for _ in 0..<20 {
            let services = try gallery.services()
            let operations = PendingOperations(services: services, jobs: 1)
            for record in records { operations.add(record) }
            arrived.wait()
            let ended = DispatchSemaphore(value: 0)
            Thread {
                operations.finish(with: BlockOperation { ran.add(true) })
                ended.signal()
            }.start()
            operations.cancelAll()
            ended.wait()
        }
        #expect(ran.all.isEmpty)
    }

    @Test("Cancelling ends a thread that waits for room in the queue, and every other operation")
    func cancelAllWhileFull() throws {
        let arrived = DispatchSemaphore(value: 0)
        let server = try silentServer(arrived)
        gallery.entries = (0..<9).map { ("Silent \($0)", server.url("/\($0).jpg")) }
        let operations = PendingOperations(services: try gallery.services(), jobs: 1, slots: 2)
        let records = try gallery.records()
        let ran = Collected<Bool>()
        let ended = DispatchSemaphore(value: 0)
        Thread {
            for record in records {
                operations.waitForSlot()
                if operations.isCancelled { break }
                operations.add(record) { operations.releaseSlot() }
            }
            operations.finish(with: BlockOperation { ran.add(true) })
            ended.signal()
        }.start()
        for _ in 0..<2 { arrived.wait() }
        operations.cancelAll()
        try #require(ended.wait(timeout: .now() + 20) == .success)
        #expect(ran.all.isEmpty)
    }

    @Test("A small build says once that it needs memory, when the 101st photo gets operations")
    func becomesLarge() throws {
        gallery.entries = (0..<103).map { ("Missing \($0)", "missing-\($0).jpg") }
        let events = Collected<Bool>()
        let operations = PendingOperations(services: try gallery.services(needMemory: { events.add(true) }), jobs: 1)
        for (index, record) in try gallery.records().enumerated() {
            operations.add(record)
            #expect(events.all.count == (index < 100 ? 0 : 1))
        }
        operations.finish()
        #expect(events.all.count == 1)
    }

    @Test(
        "The operations of a build, and the objects they share, are released when all have ended",
        .timeLimit(.minutes(1)))
    func released() async throws {
        try gallery.add("Dandelions", sample: "dandelions.jpg")
        weak var kept: BuildServices?
        do {
            let services = try gallery.services()
            kept = services
            let operations = PendingOperations(services: services, jobs: 1)
            for record in try gallery.records() { operations.add(record) }
            operations.finish()
        }
        // A queue releases an operation a little after it has ended.
        while kept != nil, !Task.isCancelled { await Task.yield() }
        #expect(kept == nil)
    }
}
