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
    /// Whether everything is done again, whatever is remembered.
    let isForced: Bool
    /// What the photos that are filtered at once may hold together.
    private let budget: MemoryBudget
    private let journal: LedgerJournal
    private let now: Int64
    /// Nil if any address may be asked for by several photos.
    private let repeated: RepeatedAddresses?
    /// What this build adds to what was remembered.
    private let learnt: Mutex<Learnt>
    /// By digest: the facts of each original, as JSON.
    private let originals: [Digest: String]
    private let stopping = Stopping()
    private let turns = Turns<Development>()

    private struct Learnt {
        /// What the last builds remembered of addresses.
        var remembered: [String: SourceRow]
        var sources: [String: SourceRow] = [:]
        var facts: [Digest: KnownFacts] = [:]
        /// Originals whose facts were read in this build and are not recorded yet.
        var readAgain: Set<Digest> = []
        var developed: Set<Development> = []
        var developments = 0
    }

    /// Held apart: most places of a large table are empty.
    private final class KnownFacts: Sendable {
        let facts: PictureFacts

        init(_ facts: PictureFacts) { self.facts = facts }
    }

    /// One run of the derivative maker, as far as another one would be the same.
    private struct Development: Hashable {
        let original: Digest
        let options: DerivativeOptions
    }

    package init(
        store: OriginalStore, downloader: Downloader, derivatives: DerivativeCache, ledger: Ledger,
        snapshot: LedgerSnapshot, sources: [String: SourceRow]? = nil, budget: MemoryBudget, now: Int64,
        isForced: Bool = false, repeated: RepeatedAddresses? = nil
    ) {
        self.store = store
        self.downloader = downloader
        self.derivatives = derivatives
        self.isForced = isForced
        self.budget = budget
        self.now = now
        self.repeated = repeated
        originals = snapshot.originals
        learnt = Mutex(Learnt(remembered: sources ?? snapshot.sources))
        journal = LedgerJournal(ledger) { [stopping] in stopping.stop(GalleryError($0)) }
    }

    /// The first error that stopped the build, if one did.
    var failure: GalleryError? { stopping.error }

    func whenStopped(_ action: @escaping @Sendable () -> Void) { stopping.whenStopped(action) }

    /// Ends the build: the disk or the ledger refuses, so that no photo could be finished.
    func stop(_ reason: GalleryError) { stopping.stop(reason) }

    /// How many photos had derivatives made.
    var developed: Int { learnt.withLock { $0.developments } }

    // What is remembered of addresses

    /// What is to be asked about a photo's address.
    func question(_ record: PhotoRecord) -> Question { Question(record, row: row(record), isForced: isForced) }

    private func row(_ record: PhotoRecord) -> SourceRow? {
        guard let key = record.sourceKey else { return nil }
        return learnt.withLock { $0.sources[key] ?? $0.remembered[key] }
    }

    /// When a photo's address gave an original for the first time, seconds since 1970: now, unless it is the one that is
    /// remembered, of which it may not be known.
    func fetched(_ known: KnownOriginal, of record: PhotoRecord) -> Int64? {
        guard let row = row(record), row.sha256 == known.original.digest else { return now }
        return row.fetched
    }

    // What is learnt

    /// Whether an answer is nothing to be recorded, as `remember` would find as well, but later. The time of the last look
    /// only counts where the user says how long an original is fresh.
    func isKnown(_ answer: KnownOriginal, asked question: Question) -> Bool {
        downloader.terms.maxAge == .auto && question.isAnswered(asRemembered: answer)
    }

    /// Records what a photo's address gave, if that is news.
    /// - Parameter action: called when it is in the ledger.
    func remember(_ known: KnownOriginal, of record: PhotoRecord, then action: @escaping @Sendable () -> Void) {
        guard let key = record.sourceKey else { return action() }
        var row = known.row(key: key)
        row.fetched = fetched(known, of: record)
        remember(row, then: action)
    }

    /// Records that the server of a photo's address wants to be left alone.
    func remember(_ wait: ServerWait, of record: PhotoRecord, then action: @escaping @Sendable () -> Void) {
        guard let key = record.sourceKey else { return action() }
        remember(wait.row(key: key, after: row(record)), then: action)
    }

    private func remember(_ row: SourceRow, then action: @escaping @Sendable () -> Void) {
        let old = learnt.withLock { $0.sources[row.key] ?? $0.remembered[row.key] }
        // The time of the last look only counts where the user says how long an original is fresh; otherwise thousands
        // of unchanged photos would be written down again in each build.
        guard downloader.terms.maxAge == .auto ? row.isNews(after: old) : row != old else { return action() }
        learnt.withLock { $0.sources[row.key] = row }
        journal.record(.source(row), then: action)
    }

    /// Records how a photo stands, if its pages will show it. What they do not show is recorded with the publication.
    func remember(_ record: PhotoRecord) {
        let row = record.row(now: now)
        let hasNewFacts =
            row.sha256.map { original in learnt.withLock { $0.readAgain.remove(original) != nil } } ?? false
        guard hasNewFacts || (record.remembered.map { !row.looksLike($0) } ?? true) else { return }
        let facts = record.progress.facts
        journal.record(.photo(row, facts.flatMap { facts in row.sha256.map { facts.row(of: $0) } }))
        record.noteRecorded(row)
    }

    /// Returns when all that was learnt is in the ledger, or could not be written and stopped the build.
    func flush() { journal.flush() }

    /// Whether no other photo of the build asks for the address of this one.
    func isAskedOnce(_ record: PhotoRecord) -> Bool { repeated?.lack(record) ?? false }

    /// The operations of a photo have ended: what only they needed goes.
    func settle(_ record: PhotoRecord) {
        record.settle(now: now)
        guard let key = record.sourceKey, isAskedOnce(record) else { return }
        learnt.withLock { learnt in
            learnt.remembered[key] = nil
            learnt.sources[key] = nil
        }
    }

    /// Lets go of what is known of addresses and originals: no photo is worked on after this.
    func forgetPhotos() {
        downloader.forgetAnswers()
        learnt.withLock { learnt in
            learnt.remembered = [:]
            learnt.sources = [:]
            learnt.facts = [:]
        }
    }

    // Derivatives

    /// What an original is going to cost; nil where it is not known before it is worked on, or is no picture, which then shows.
    func weigh(_ original: Digest, options: DerivativeOptions) -> PictureWeight? {
        do {
            return try DerivativeMaker(options: options).weigh(originalAt: store.path(of: original))
        } catch {
            return nil
        }
    }

    /// Makes what is missing of an original's derivatives. Of several photos with the same picture and options the first
    /// makes them, and the others wait for it.
    /// - Parameter header: of the original, where it was read before.
    /// - Returns: the facts of the original, and all its derivatives.
    func develop(
        _ original: Digest, header: PictureHeader?, options: DerivativeOptions, isCancelled: @Sendable () -> Bool
    ) throws(ImagingError) -> (facts: PictureFacts, pictures: [PublishedPicture], profileProblem: ProfileProblem?) {
        let work = Development(original: original, options: options)
        return try turns.take(work) { () throws(ImagingError) in
            try develop(work, header: header, isCancelled: isCancelled)
        }
    }

    private func develop(
        _ work: Development, header weighed: PictureHeader?, isCancelled: @Sendable () -> Bool
    ) throws(ImagingError) -> (facts: PictureFacts, pictures: [PublishedPicture], profileProblem: ProfileProblem?) {
        let path = store.path(of: work.original)
        let maker = DerivativeMaker(options: work.options)
        // Read once, where the facts or the cost are not known without it.
        var header: PictureHeader?
        func readHeader() throws(ImagingError) -> PictureHeader {
            if let header { return header }
            try requireIntact(work.original)
            let read = if let weighed { weighed } else { try self.header(ofOriginalAt: path, maker) }
            header = read
            return read
        }
        var facts: PictureFacts
        if let known = knownFacts(work) {
            facts = known
        } else {
            facts = try readHeader().presumedFacts
            learnt.withLock { _ = $0.readAgain.insert(work.original) }
        }
        var specs = DerivativeSpec.all(original: work.original, picture: facts, options: work.options)
        var profileProblem: ProfileProblem?
        while case let missing = self.missing(specs, of: work), !missing.isEmpty {
            let cost = maker.estimatedCost(of: try readHeader())
            let made = try budget.withRoom(for: cost) { () throws(ImagingError) in
                facts.hasTransparency
                    ? try maker.make(missing, original: path, into: derivatives.folder, isCancelled: isCancelled)
                    : try maker.makeOpaque(missing, original: path, into: derivatives.folder, isCancelled: isCancelled)
            }
            if let made {
                note(made, of: work)
                profileProblem = made.profileProblem
                break
            }
            // It is not opaque, which only its pixels could tell: so it has others.
            facts.hasTransparency = true
            specs = DerivativeSpec.all(original: work.original, picture: facts, options: work.options)
        }
        learnt.withLock { $0.facts[work.original] = KnownFacts(facts) }
        let pictures = specs.map { spec in
            PublishedPicture(
                fileName: spec.fileName, width: spec.width, height: spec.height,
                bytes: derivatives.bytes(of: spec.fileName) ?? 0, isUnfiltered: spec.kind == .unfiltered,
                colour: spec == specs.first ? derivatives.colour(of: spec.fileName) : nil)
        }
        return (facts, pictures, profileProblem)
    }

    /// Reads a header, within the budget where that takes much.
    private func header(ofOriginalAt path: String, _ maker: DerivativeMaker) throws(ImagingError) -> PictureHeader {
        let cost = try maker.estimatedCost(ofHeaderAt: path)
        guard cost > 0 else { return try maker.header(ofOriginalAt: path) }
        return try budget.withRoom(for: cost) { () throws(ImagingError) in try maker.header(ofOriginalAt: path) }
    }

    /// A forced build makes all of them, but those of one original once.
    private func missing(_ specs: [DerivativeSpec], of work: Development) -> [DerivativeSpec] {
        let isToDoAgain = isForced && !learnt.withLock { $0.developed.contains(work) }
        return isToDoAgain ? specs : specs.filter { derivatives.bytes(of: $0.fileName) == nil }
    }

    private func note(_ made: MadeDerivatives, of work: Development) {
        learnt.withLock {
            $0.developments += 1
            if isForced { $0.developed.insert(work) }
        }
        for (spec, bytes) in made.bytes { derivatives.add(spec.fileName, bytes: bytes) }
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

    /// The facts of an original without opening it; nil where nothing is remembered, or it is larger than allowed.
    private func knownFacts(_ work: Development) -> PictureFacts? {
        let known =
            learnt.withLock { $0.facts[work.original] }?.facts
            ?? originals[work.original].flatMap { PictureFacts(json: $0, edition: PictureFacts.edition) }
        return known.flatMap { $0.width * $0.height <= work.options.maxPixels ? $0 : nil }
    }
}

extension GalleryError {
    init(_ error: LedgerError) {
        switch error {
        case .unreadable(let path, let detail): self = .damagedLedger(path: path, detail: detail)
        case .storage(let path, let detail): self = .storage(path: path, detail: detail)
        }
    }
}
