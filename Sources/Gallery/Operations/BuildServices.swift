package import Downloads
internal import Foundation
package import Imaging
package import Ledger
package import PhotoModel
internal import Synchronization

/// What the operations of one build share: the store, the downloader, the darkroom, the ledger, and the first error
/// that stops the build.
package final class BuildServices: Sendable {
    package let store: OriginalStore
    let downloader: Downloader
    let renderer: DerivativeRenderer
    /// Whether everything is done again, whatever is remembered.
    let isForced: Bool
    private let journal: LedgerJournal
    private let now: Int64
    /// Nil if any address may be asked for by several photos.
    private let repeated: SharedSources?
    /// What this build adds to what was remembered.
    private let learnt: Mutex<Learnt>
    private let stopping = BuildAbort()

    private struct Learnt {
        /// What the last builds remembered of addresses.
        var remembered: [Digest: SourceRow]
        var sources: [Digest: SourceRow] = [:]
    }

    package init(
        store: OriginalStore, downloader: Downloader, derivatives: DerivativeCache, ledger: Ledger,
        snapshot: LedgerSnapshot, sources: [Digest: SourceRow]? = nil, budget: MemoryBudget, now: Int64,
        isForced: Bool = false, repeated: SharedSources? = nil
    ) {
        self.store = store
        self.downloader = downloader
        self.isForced = isForced
        self.now = now
        self.repeated = repeated
        renderer = DerivativeRenderer(
            store: store, downloader: downloader, derivatives: derivatives, originals: snapshot.originals,
            budget: budget,
            isForced: isForced)
        learnt = Mutex(Learnt(remembered: sources ?? snapshot.sources))
        journal = LedgerJournal(ledger) { [stopping] in stopping.stop(GalleryError($0)) }
    }

    /// The first error that stopped the build, if one did.
    var failure: GalleryError? { stopping.error }

    func whenStopped(_ action: @escaping @Sendable () -> Void) { stopping.whenStopped(action) }

    /// Ends the build: the disk or the ledger refuses, so that no photo could be finished.
    func stop(_ reason: GalleryError) { stopping.stop(reason) }

    // What is remembered of addresses

    /// What is to be asked about a photo's address.
    func conditions(_ record: PhotoRecord) -> FetchConditions {
        FetchConditions(record, row: row(record), isForced: isForced)
    }

    private func row(_ record: PhotoRecord) -> SourceRow? {
        guard let key = record.sourceKey else { return nil }
        return learnt.withLock { $0.sources[key] ?? $0.remembered[key] }
    }

    /// When a photo's address gave an original for the first time, seconds since 1970: now, unless it is the one that
    /// is remembered, of which it may not be known.
    func fetched(_ known: CachedOriginal, of record: PhotoRecord) -> Int64? {
        if let row = row(record), row.sha256 == known.original.digest { return row.fetched }
        // A local file has another address once its gallery was moved.
        if let shown = record.remembered, shown.sha256 == known.original.digest { return shown.fetched }
        return now
    }

    /// What a photo goes on showing when it cannot be had now.
    /// - Throws: `GalleryError.storage` where the disk does not say what there is.
    func lastGood(of record: PhotoRecord) throws(GalleryError) -> StaleFallback? {
        do {
            if let row = record.remembered, let shown = row.sha256 {
                if try !store.isGone(shown) { return .original(shown, fetched: row.fetched) }
                let isWhole = !row.pictures.isEmpty && row.pictures.allSatisfy { renderer.holds($0.fileName) }
                return isWhole ? .pictures(row) : nil
            }
            guard let row = record.sourceKey.flatMap({ key in learnt.withLock { $0.remembered[key] } }),
                let given = row.sha256, try !store.isGone(given)
            else { return nil }
            return .original(given, fetched: row.fetched)
        } catch {
            throw GalleryError(error)
        }
    }

    // What is learnt

    /// Whether an answer is nothing to be recorded, as `remember` would find as well, but later. The time of the last
    /// look only counts where the user says how long an original is fresh.
    func isKnown(_ answer: CachedOriginal, asked conditions: FetchConditions) -> Bool {
        !downloader.options.maxAge.countsFromLastLook && conditions.isAnswered(asRemembered: answer)
    }

    /// Records what a photo's address gave, if that is news.
    /// - Parameter action: called when it is in the ledger.
    func remember(_ known: CachedOriginal, of record: PhotoRecord, then action: @escaping @Sendable () -> Void) {
        guard let key = record.sourceKey else { return action() }
        var row = known.row(key: key)
        row.fetched = fetched(known, of: record)
        remember(row, then: action)
    }

    /// Records what a photo's address gave and was not taken, if that is news.
    func remember(_ refused: RefusedContent, of record: PhotoRecord, then action: @escaping @Sendable () -> Void) {
        guard let key = record.sourceKey else { return action() }
        remember(refused.row(key: key, after: row(record)), then: action)
    }

    /// Records that the server of a photo's address wants to be left alone.
    func remember(_ wait: RetryAfter, of record: PhotoRecord, then action: @escaping @Sendable () -> Void) {
        guard let key = record.sourceKey else { return action() }
        remember(wait.row(key: key, after: row(record)), then: action)
    }

    private func remember(_ row: SourceRow, then action: @escaping @Sendable () -> Void) {
        let old = learnt.withLock { $0.sources[row.key] ?? $0.remembered[row.key] }
        // The time of the last look only counts where the user says how long an original is fresh; otherwise thousands
        // of unchanged photos would be written down again in each build.
        guard downloader.options.maxAge.countsFromLastLook ? row != old : row.isNews(after: old) else {
            return action()
        }
        learnt.withLock { $0.sources[row.key] = row }
        journal.record(.source(row), then: action)
    }

    /// Records how a photo stands, if its pages will show it. What they do not show is recorded with the publication.
    func remember(_ record: PhotoRecord) {
        let row = record.row(now: now)
        let hasNewFacts = row.sha256.map { renderer.takeUnrecorded(of: $0) } ?? false
        guard hasNewFacts || (record.remembered.map { !row.rendersLike($0) } ?? true) else { return }
        let facts = record.progress.facts
        let original = facts.flatMap { facts in row.sha256.map { facts.row(of: $0) } }
        // To find out that it is there already, the ledger would have to look for each in another place of a large
        // table.
        journal.record(.photo(row, original.flatMap { renderer.isRecorded($0) ? nil : $0 }))
        record.noteRecorded(row)
    }

    /// Returns when all that was learnt is in the ledger, or could not be written and stopped the build.
    func flush() { journal.flush() }

    /// Whether no other photo of the build asks for the address of this one.
    func isAskedOnce(_ record: PhotoRecord) -> Bool { repeated?.isUnique(record) ?? false }

    /// The operations of a photo have ended: what only they needed goes.
    func finalize(_ record: PhotoRecord) {
        record.finalize(now: now)
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
        }
        renderer.forgetFacts()
    }
}
