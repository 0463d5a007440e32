package import Downloads
internal import Foundation
package import Imaging
package import Ledger
internal import Manifest
package import PhotoModel
internal import Synchronization

/// The services that the operations of one build share: store, downloader, renderer and ledger, together with the first
/// error that stops the build.
package final class BuildServices: Sendable {
    package let store: OriginalStore
    let downloader: Downloader
    let renderer: DerivativeRenderer
    private let earlier: EarlierPictures
    /// Whether every photo is fetched and rendered again, regardless of the ledger.
    let isForced: Bool
    /// The archive that is asked for copies of pictures whose sources are gone; nil if none is.
    let archive: Wayback?
    /// Is called if a small build turns out to need much memory. Until then `discardCaches` releases nothing, because
    /// that takes time. nil for a build that is not small, or no longer.
    private let needMemory: Mutex<(@Sendable () -> Void)?>
    private let journal: LedgerJournal
    /// The time of the build in seconds since 1970.
    let now: Int64
    /// The ledger's rows of addresses, as they were before and as this build changed them.
    private let answers: Mutex<Answers>
    /// The times of copies that the archive has named, by the digests of its answers; nil for an answer without one.
    private let archiveAnswers = Mutex<[Digest: String?]>([:])
    /// The photos for which a copy of the archive was downloaded.
    private let archived = Mutex<[Digest: GonePhoto]>([:])
    private let stopping = BuildAbort()

    /// The reason why a photo has a copy of the archive, and the query that led to the copy.
    private struct GonePhoto {
        let failure: Failure
        let query: Source
    }

    private struct Answers {
        /// The ledger's rows of addresses at the start of the build.
        var remembered: [Digest: SourceRow]
        var sources: [Digest: SourceRow] = [:]
    }

    package init(
        store: OriginalStore, downloader: Downloader, derivatives: DerivativeCache, ledger: Ledger,
        snapshot: LedgerSnapshot, sources: [Digest: SourceRow]? = nil, budget: MemoryBudget, now: Int64,
        isForced: Bool = false, archive: Wayback? = nil, needMemory: (@Sendable () -> Void)? = nil
    ) {
        self.store = store
        self.downloader = downloader
        self.isForced = isForced
        self.archive = archive
        self.needMemory = Mutex(needMemory)
        self.now = now
        let renderer = DerivativeRenderer(
            store: store, downloader: downloader, derivatives: derivatives, originals: snapshot.originals,
            budget: budget,
            isForced: isForced)
        self.renderer = renderer
        earlier = EarlierPictures(store: store, now: now) { renderer.contains($0) }
        answers = Mutex(Answers(remembered: sources ?? snapshot.sources))
        journal = LedgerJournal(ledger) { [stopping] in stopping.stop(GalleryError($0)) }
    }

    /// The first error that stopped the build; nil if none did.
    var failure: GalleryError? { stopping.error }

    func whenStopped(_ action: @escaping @Sendable () -> Void) { stopping.whenStopped(action) }

    /// Ends the build, because the disk or the ledger refuses writes, so no photo could be finished.
    func stop(_ reason: GalleryError) { stopping.stop(reason) }

    /// Notes that more photos than expected get new pictures.
    func becomeLarge() { needMemory.withLock { $0.take() }?() }

    // MARK: Known addresses

    /// The conditions of the request for an address of a photo.
    func conditions(_ record: PhotoRecord, at source: Source) -> FetchConditions {
        FetchConditions(record, at: source, row: row(of: source.rowKey), now: now, isForced: isForced)
    }

    /// The original that an address delivered last, whether it is stored or not; nil if none is known.
    func rememberedOriginal(of source: Source) -> Digest? { row(of: source.rowKey)?.sha256 }

    /// The row of an address, as this build has changed it; nil if nothing is known of it.
    func row(of key: Digest) -> SourceRow? { answers.withLock { $0.sources[key] ?? $0.remembered[key] } }

    /// The time at which the photo's original was first received, in seconds since 1970. If the ledger knows the
    /// original, this is the recorded time, which can be nil.
    /// - Parameter key: the ledger key of the address that delivered it.
    func fetched(_ known: CachedOriginal, of record: PhotoRecord, at key: Digest) -> Int64? {
        if let row = row(of: key), row.sha256 == known.original.digest { return row.fetched }
        // Moving the gallery changes the addresses of local files.
        if let shown = record.remembered, shown.sha256 == known.original.digest { return shown.fetched }
        return now
    }

    /// The picture of a photo that the last build showed; nil if there is none.
    /// - Throws: `GalleryError.storage` if the disk can't be read.
    func lastShown(of record: PhotoRecord) throws(GalleryError) -> StaleFallback? {
        try earlier.lastShown(of: record)
    }

    /// Whether the files that the last build rendered for a photo are what this build would render from its original.
    func hasRemembered(_ record: PhotoRecord) -> Bool {
        guard let row = record.remembered, row.recipe == record.recipeText,
            row.pictures.allSatisfy({ renderer.contains($0.fileName) })
        else { return false }
        guard record.showsVersions else { return true }
        let shown = Set(row.pictures.lazy.compactMap(\.version))
        return row.versions.prefix(record.versionOptions.kept).allSatisfy { shown.contains($0.original) }
    }

    /// The withheld picture that the user has accepted, if it can be shown. It can't if the list pins another one.
    func acceptedOriginal(of record: PhotoRecord) throws(DownloadsError) -> Digest? {
        try earlier.acceptedOriginal(of: record)
    }

    /// The last good picture of a photo whose source fails now; nil if there is none.
    /// - Throws: `GalleryError.storage` if the disk can't be read.
    func lastGood(of record: PhotoRecord) throws(GalleryError) -> StaleFallback? {
        let answer = record.sourceKey.flatMap { key in answers.withLock { $0.remembered[key] } }
        return try earlier.lastGood(of: record, answer)
    }

    // MARK: Archives

    /// Fetches a URL of the archive: a query for a copy, or a copy.
    func download(
        _ source: Source, policy: AddressPolicy, check: ContentCheck?, maxBytes: Int64 = .max,
        then receive: @escaping @Sendable (FetchOutcome) -> Void
    ) {
        var options = downloader.options
        options.policy = policy
        options.contentCheck = check
        options.maxBytes = maxBytes
        // Cancelling the build ends all transfers of the downloader, so no handle is kept.
        _ = downloader.fetch(
            source, known: nil, refused: nil, wait: nil, options: options, completion: receive)
    }

    /// Reads an answer of the archive and removes it from the store, because it is no original. Several photos can have
    /// the same answer.
    /// - Returns: the time of the copy that the answer names; nil if it names none, or can't be read.
    func takeTimestamp(from answer: Digest) -> String? {
        archiveAnswers.withLock { answers in
            defer { unlink(store.path(of: answer)) }
            if let known = answers[answer] { return known }
            // Without the text, the archive counts as not asked.
            guard let text = try? store.content(of: answer) else { return nil }
            let timestamp = Wayback.timestamp(in: text)
            answers[answer] = .some(timestamp)
            return timestamp
        }
    }

    /// The pause before the archive is asked again for a photo of which it has no usable copy, in seconds.
    private static let archivePause: Int64 = 86_400

    /// Whether the archive had no usable copy within the last day.
    func hadNoCopy(_ query: Source) -> Bool {
        guard !isForced, let end = row(of: query.rowKey)?.retryAfter else { return false }
        return end > now && end - now <= Self.archivePause
    }

    /// Records that the archive has no usable copy. The ledger has it as a pause of the address of the query.
    func rememberNoCopy(_ query: Source, then action: @escaping @Sendable () -> Void) {
        remember(RetryAfter(status: 404, until: now + Self.archivePause), at: query.rowKey, then: action)
    }

    /// Notes why a photo has a copy of the archive.
    func noteCopy(of record: PhotoRecord, instead failure: Failure, _ query: Source) {
        archived.withLock { $0[record.key] = GonePhoto(failure: failure, query: query) }
    }

    /// Gives up a copy of the archive that is not a usable picture.
    /// - Returns: the failure of the photo's source; nil if the photo has no such copy.
    func giveUpCopy(of record: PhotoRecord) -> Failure? {
        guard let gone = archived.withLock({ $0[record.key] }) else { return nil }
        rememberNoCopy(gone.query) {}
        return gone.failure
    }

    // MARK: Recording answers

    /// Whether the ledger already has this answer, so that `remember` would write nothing. The time of the request
    /// matters only if `--max-age` or `--min-age` counts from it.
    func isKnown(_ answer: CachedOriginal, with conditions: FetchConditions) -> Bool {
        !downloader.options.maxAge.countsFromLastCheck && conditions.isAnswered(asRemembered: answer)
    }

    /// Records the answer of an address of a photo, unless the ledger already has it.
    /// - Parameters:
    ///   - key: the ledger key of the address.
    ///   - action: a closure that is called when the answer is in the ledger.
    func remember(
        _ known: CachedOriginal, of record: PhotoRecord, at key: Digest, then action: @escaping @Sendable () -> Void
    ) {
        var row = known.row(key: key)
        row.fetched = fetched(known, of: record, at: key)
        remember(row, then: action)
    }

    /// Records content that was refused, unless the ledger already has it.
    func remember(_ refused: RefusedContent, at key: Digest, then action: @escaping @Sendable () -> Void) {
        remember(refused.row(key: key, after: row(of: key)), then: action)
    }

    /// Records the time until which a server asked not to be contacted.
    func remember(_ wait: RetryAfter, at key: Digest, then action: @escaping @Sendable () -> Void) {
        remember(wait.row(key: key, after: row(of: key)), then: action)
    }

    private func remember(_ row: SourceRow, then action: @escaping @Sendable () -> Void) {
        let old = self.row(of: row.key)
        // The time of the request matters only if `--max-age` or `--min-age` counts from it. Otherwise each build
        // would write thousands of unchanged rows.
        guard downloader.options.maxAge.countsFromLastCheck ? row != old : row.isNews(after: old) else {
            return action()
        }
        answers.withLock { $0.sources[row.key] = row }
        journal.record(.source(row), then: action)
    }

    /// Records a photo's state if its pages show it. Everything else is recorded when the site is published.
    func remember(_ record: PhotoRecord) {
        let row = record.row(now: now)
        let hasNewMetadata = row.sha256.map { renderer.takeUnrecorded(of: $0) } ?? false
        // Whether a replacement is suspicious is known when all answers have arrived. Until then the ledger keeps the
        // earlier picture, also through a kill.
        guard record.replacement == nil else { return rememberMetadata(of: record, row.sha256) }
        guard hasNewMetadata || (record.remembered.map { !row.rendersLike($0) } ?? true) else { return }
        let metadata = record.progress.metadata
        let original = metadata.flatMap { metadata in row.sha256.map { metadata.row(of: $0) } }
        // The snapshot tells whether the metadata is already recorded. A lookup in the ledger would read a random page
        // of a large table for each photo.
        journal.record(.photo(row, original.flatMap { renderer.isRecorded($0) ? nil : $0 }))
        record.didRecord(row)
    }

    private func rememberMetadata(of record: PhotoRecord, _ original: Digest?) {
        guard let metadata = record.progress.metadata, let original else { return }
        let row = metadata.row(of: original)
        if !renderer.isRecorded(row) { journal.record(.original(row)) }
    }

    /// Returns when all answers are in the ledger, or could not be written and stopped the build.
    func flush() { journal.flush() }

    /// Releases the values that only the photo's operations needed. Called when they have ended.
    func finalize(_ record: PhotoRecord) { record.finalize(now: now) }

    /// Releases the rows of addresses and the metadata of originals. After this, only earlier pictures are rendered
    /// again (`PublishOperation`), which needs neither.
    func discardCaches() {
        guard needMemory.withLock({ $0 == nil }) else { return }
        downloader.discardOutcomes()
        answers.withLock { answers in
            answers.remembered = [:]
            answers.sources = [:]
        }
        renderer.discardMetadata()
    }
}
