package import Downloads
internal import Foundation
package import Imaging
package import Ledger
internal import PhotoModel
internal import Synchronization

/// What the operations of one build share: the store, the downloader, the derivatives, the ledger, and the first error
/// that stops the build.
package final class Workshop: Sendable {
    package let store: OriginalStore
    let downloader: Downloader
    let derivatives: DerivativeCache
    /// What the photos that are filtered at once may hold together.
    private let budget: MemoryBudget
    private let ledger: Ledger
    private let now: Int64
    /// What the last builds learned of addresses and originals; this build adds to it.
    private let memory: Mutex<LedgerSnapshot>
    /// Originals whose facts were read in this build and are not recorded yet.
    private let readAgain = Mutex<Set<Digest>>([])
    private let error = Mutex<GalleryError?>(nil)
    private let developments = Mutex(0)
    private let developing = NSCondition()
    private let underDevelopment = Mutex<Set<Development>>([])

    /// One run of the derivative maker, as far as another one would be the same.
    private struct Development: Hashable {
        let original: Digest
        let options: DerivativeOptions
    }
    private let onStop = Mutex<(@Sendable () -> Void)?>(nil)

    package init(
        store: OriginalStore, downloader: Downloader, derivatives: DerivativeCache, ledger: Ledger,
        snapshot: LedgerSnapshot, budget: MemoryBudget, now: Int64
    ) {
        self.store = store
        self.downloader = downloader
        self.derivatives = derivatives
        self.ledger = ledger
        self.budget = budget
        self.now = now
        memory = Mutex(snapshot)
    }

    /// The first error that stopped the build, if one did.
    var failure: GalleryError? { error.withLock { $0 } }

    func whenStopped(_ action: @escaping @Sendable () -> Void) {
        onStop.withLock { $0 = action }
    }

    /// Ends the build: the disk or the ledger refuses, so that no photo could be finished.
    func stop(_ reason: GalleryError) {
        error.withLock { if $0 == nil { $0 = reason } }
        onStop.withLock { $0 }?()
    }

    /// How many photos had derivatives made.
    var developed: Int { developments.withLock { $0 } }

    func known(_ source: Source) -> KnownOriginal? {
        memory.withLock { $0.sources[source.rowKey] }.flatMap { KnownOriginal(row: $0) }
    }

    /// What the server of an address asked for in an earlier build.
    func wait(_ source: Source) -> ServerWait? {
        memory.withLock { $0.sources[source.rowKey] }.flatMap { ServerWait(row: $0) }
    }

    /// Records what an address gave, if that is news.
    func remember(_ known: KnownOriginal, of source: Source) { remember(known.row(key: source.rowKey)) }

    /// Records that the server of an address wants to be left alone.
    func remember(_ wait: ServerWait, of source: Source) {
        let key = source.rowKey
        remember(wait.row(key: key, after: memory.withLock { $0.sources[key] }))
    }

    private func remember(_ row: SourceRow) {
        let old = memory.withLock { memory in
            defer { memory.sources[row.key] = row }
            return memory.sources[row.key]
        }
        // The time of the last look only counts where the user says how long an original is fresh; otherwise thousands
        // of unchanged photos would be written down again in each build.
        guard downloader.terms.maxAge == .auto ? row.isNews(after: old) : row != old else { return }
        recording { () throws(LedgerError) in try ledger.record(row) }
    }

    /// Records how a photo stands, if that is news.
    func remember(_ record: PhotoRecord) {
        let row = record.row(now: now)
        let facts = record.progress.facts
        let hasNewFacts = row.sha256.map { original in readAgain.withLock { $0.remove(original) != nil } } ?? false
        guard row.isNews(after: record.remembered) || hasNewFacts else { return }
        recording { () throws(LedgerError) in
            try ledger.record(row, original: facts.flatMap { facts in row.sha256.map { facts.row(of: $0) } })
        }
    }

    /// Makes what is missing of an original's derivatives. Of several photos with the same picture and options the first
    /// makes them, and the others wait for it.
    /// - Returns: the facts of the original, and all its derivatives.
    func develop(
        _ original: Digest, options: DerivativeOptions, isCancelled: @Sendable () -> Bool
    ) throws(ImagingError) -> (facts: PictureFacts, pictures: [PublishedPicture], profileProblem: ProfileProblem?) {
        let work = Development(original: original, options: options)
        developing.lock()
        while underDevelopment.withLock({ $0.contains(work) }) { developing.wait() }
        underDevelopment.withLock { _ = $0.insert(work) }
        developing.unlock()
        defer {
            developing.lock()
            underDevelopment.withLock { _ = $0.remove(work) }
            developing.broadcast()
            developing.unlock()
        }
        let path = store.path(of: original)
        let maker = DerivativeMaker(options: options)
        let facts = try facts(of: original, at: path, maker: maker, maxPixels: options.maxPixels)
        let specs = DerivativeSpec.all(original: original, picture: facts, options: options)
        let missing = specs.filter { derivatives.bytes(of: $0.fileName) == nil }
        var profileProblem: ProfileProblem?
        if !missing.isEmpty {
            try requireIntact(original)
            let cost = maker.estimatedCost(of: try maker.header(ofOriginalAt: path))
            let made = try budget.withRoom(for: cost) { () throws(ImagingError) in
                try maker.make(missing, original: path, into: derivatives.folder, isCancelled: isCancelled)
            }
            developments.withLock { $0 += 1 }
            for (spec, bytes) in made.bytes { derivatives.add(spec.fileName, bytes: bytes) }
            profileProblem = made.profileProblem
        }
        let pictures = specs.map { spec in
            PublishedPicture(
                fileName: spec.fileName, width: spec.width, height: spec.height,
                bytes: derivatives.bytes(of: spec.fileName) ?? 0, isUnfiltered: spec.kind == .unfiltered,
                colour: spec == specs.first ? derivatives.colour(of: spec.fileName) : nil)
        }
        return (facts, pictures, profileProblem)
    }

    private func facts(of original: Digest, at path: String, maker: DerivativeMaker, maxPixels: Int)
        throws(ImagingError)
        -> PictureFacts
    {
        if let json = memory.withLock({ $0.originals[original] }),
            let facts = PictureFacts(json: json, edition: PictureFacts.edition), facts.width * facts.height <= maxPixels
        {
            return facts
        }
        try requireIntact(original)
        let facts = try maker.facts(ofOriginalAt: path)
        memory.withLock { $0.originals[original] = facts.json }
        readAgain.withLock { _ = $0.insert(original) }
        return facts
    }

    /// What an earlier build stored may have been damaged since, and might be decoded all the same.
    /// - Throws: `ImagingError.read` with `ENOENT` for one that is gone, or damaged and therefore removed.
    private func requireIntact(_ original: Digest) throws(ImagingError) {
        do {
            if try downloader.hasIntact(original) { return }
        } catch .write(let path, let code) {
            throw .read(path: path, errno: code)
        } catch {
            throw .read(path: store.path(of: original), errno: EIO)
        }
        throw .read(path: store.path(of: original), errno: ENOENT)
    }

    private func recording(_ work: () throws(LedgerError) -> Void) {
        do {
            try work()
        } catch {
            stop(GalleryError(error))
        }
    }
}

extension GalleryError {
    init(_ error: LedgerError) {
        switch error {
        case .unreadable(let path, let detail), .storage(let path, let detail):
            self = .storage(path: path, detail: detail)
        }
    }
}
