internal import Downloads
internal import Foundation
internal import Ledger
internal import Manifest
internal import PhotoModel
internal import Synchronization

/// Gets a photo's original into the store: downloads it, or learns that it is unchanged.
///
/// `@unchecked Sendable`: the properties added to `AsynchronousOperation` are constant or behind a lock.
package final class DownloadOperation: AsynchronousOperation, @unchecked Sendable {
    package let record: PhotoRecord
    private let services: BuildServices
    private let isRefetch: Bool
    private let firstAddress: Int
    private let earlierFailure: Failure?
    private let handle = Mutex<FetchHandle?>(nil)
    private let beginAction = Mutex<(@Sendable () -> Void)?>(nil)

    /// - Parameters:
    ///   - isRefetch: whether the original was lost from the store, so that all of it is downloaded again.
    ///   - firstAddress: the index of the photo's address to begin with.
    ///   - earlierFailure: the failure of the addresses before it.
    init(
        record: PhotoRecord, services: BuildServices, isRefetch: Bool, from firstAddress: Int = 0,
        after earlierFailure: Failure? = nil
    ) {
        self.record = record
        self.services = services
        self.isRefetch = isRefetch
        self.firstAddress = firstAddress
        self.earlierFailure = earlierFailure
        super.init()
        name = "download \(record.slug)"
    }

    /// Sets an action that is called once: when the downloader has the request, or when it is certain that it will get
    /// none.
    func onBegin(_ action: @escaping @Sendable () -> Void) { beginAction.withLock { $0 = action } }

    /// Whether there is an original to filter. There is none for a photo that keeps its earlier pictures.
    var hasOriginal: Bool {
        let progress = record.progress
        return !isCancelled && progress.original != nil && progress.pictures.isEmpty
    }

    override func begin() {
        defer { didBegin() }
        guard !record.sources.isEmpty else {
            if case .failure(let failure) = record.photo.source { fail(failure) }
            return finish()
        }
        request(firstAddress, after: earlierFailure.map { .failure($0) })
    }

    /// Requests one of the photo's addresses.
    /// - Parameter refusal: the answer of the first address, if that can't be used.
    private func request(_ index: Int, after refusal: UnusableAnswer?) {
        let source = record.sources[index]
        let handle =
            if isRefetch {
                services.downloader.fetchAgain(source) { [self] in receive($0, from: index, after: refusal) }
            } else {
                fetch(source) { [self] in receive($0, from: index, after: refusal) }
            }
        self.handle.withLock { $0 = handle }
        // `cancel()` might have been called after the check in `start()` and before the handle was stored.
        if isCancelled { handle.cancel() }
    }

    /// Why the picture of an address is not shown. It is the photo's failure if no mirror has a better one.
    private enum UnusableAnswer {
        case failure(Failure, retryAfter: Int64? = nil)
        case otherThanPinned(PhotoMark)

        var failure: Failure? { if case .failure(let failure, _) = self { failure } else { nil } }
    }

    package override func cancel() {
        super.cancel()
        handle.withLock { $0 }?.cancel()
    }

    override func didCancelBeforeStart() { didBegin() }

    private func didBegin() {
        let action = beginAction.withLock { $0.take() }
        action?()
    }

    private func fetch(_ source: Source, then receive: @escaping @Sendable (FetchOutcome) -> Void) -> FetchHandle {
        let conditions = services.conditions(record, at: source)
        return services.downloader.fetch(
            source, known: conditions.known, refused: conditions.refused, wait: conditions.wait
        ) { [self] outcome in
            record.update { $0.wasRequested = $0.wasRequested || conditions.wasRequested(outcome) }
            receive(outcome)
        }
    }

    /// Handles the answer of an address. The operation finishes when the answer is in the ledger, so that a finished
    /// download is not repeated after a kill.
    private func receive(_ outcome: FetchOutcome, from index: Int, after refusal: UnusableAnswer?) {
        let time = handle.withLock { $0 }?.transferTime ?? .zero
        record.update { $0.workTime += time }
        let key = record.sources[index].rowKey
        let next: @Sendable (UnusableAnswer) -> Void = { [self] answer in
            let refusal = refusal ?? answer
            guard index + 1 < record.sources.count, !isCancelled else {
                if askArchive(instead: refusal) { return }
                end(refusal)
                return finish()
            }
            request(index + 1, after: refusal)
        }
        switch outcome {
        case .unchanged(let original), .stored(let original):
            if case .stored = outcome { record.update { $0.bytes = original.original.bytes } }
            let mark = record.mark(withholding: original.original.digest, now: services.now)
            if let mark, mark.code == .changed {
                return services.remember(original, of: record, at: key) { next(.otherThanPinned(mark)) }
            }
            if mark.map({ !withhold($0) }) ?? true {
                let fetched = services.fetched(original, of: record, at: key)
                record.update {
                    $0.state = .downloaded
                    $0.original = original.original.digest
                    $0.fetched = fetched
                    $0.staleness = nil
                    ($0.address, $0.addressIndex) = (key, index)
                    $0.earlierFailure = refusal?.failure
                }
            }
            services.remember(original, of: record, at: key) { [self] in finish() }
        case .postponed(let wait):
            let answer = UnusableAnswer.failure(.httpStatus(wait.status), retryAfter: wait.until)
            services.remember(wait, at: key) { next(answer) }
        case .refused(let refused): services.remember(refused, at: key) { next(.failure(refused.failure)) }
        case .failed(let failure): next(.failure(failure))
        case .storeFailed(let error):
            services.stop(GalleryError(error))
            finish()
        case .cancelled: finish()
        }
    }

    // MARK: Archive

    /// Asks the archive for a copy if the photo's source is gone and there is no picture to show.
    /// - Returns: false if the archive is not asked, so that the photo ends.
    private func askArchive(instead answer: UnusableAnswer) -> Bool {
        guard let archive = services.archive, !isCancelled, case .failure(let failure, _) = answer,
            failure.isOfGoneSource,
            let source = record.source, let address = archive.publicAddress(of: source)
        else { return false }
        do {
            guard try services.lastGood(of: record) == nil else { return false }
        } catch {
            services.stop(error)
            return false
        }
        let query = archive.availabilityQuery(for: address)
        guard !services.hadNoCopy(query) else { return false }
        let end: @Sendable () -> Void = { [self] in
            services.rememberNoCopy(query) { [self] in
                self.end(answer)
                finish()
            }
        }
        services.download(query, policy: archive.policy, check: nil, maxBytes: Wayback.maxAnswerBytes) {
            [self] outcome in
            guard let known = outcome.known else { return outcome == .cancelled ? finish() : end() }
            guard let timestamp = services.takeTimestamp(from: known.original.digest) else { return end() }
            let copy = archive.copy(of: address, at: timestamp)
            services.download(copy.source, policy: archive.policy, check: .pictures) { [self] outcome in
                guard let known = outcome.known else { return outcome == .cancelled ? finish() : end() }
                let original = known.original
                guard original.digest == record.photo.pinned ?? original.digest else { return end() }
                services.noteCopy(of: record, instead: failure, query)
                record.update {
                    $0.state = .downloaded
                    $0.original = original.digest
                    $0.fetched = services.now
                    $0.bytes = original.bytes
                    $0.mark = .archived(since: Timestamp(seconds: services.now), copyOf: copy.date)
                }
                finish()
            }
        }
        return true
    }

    /// Ends the photo after none of its addresses had a picture to show.
    private func end(_ answer: UnusableAnswer) {
        switch answer {
        case .failure(let failure, let retryAfter):
            // A copy of an archive can't become stale, unless an accepted picture replaces it. If the disk can't be
            // read, the next look for a picture says so.
            if let row = record.remembered, record.hasAddress(row.source), let archived = row.marks[.archived],
                (try? services.acceptedOriginal(of: record)) == nil, withhold(archived)
            {
                break
            }
            fail(failure)
            if let retryAfter { record.update { $0.retryAfter = retryAfter } }
        case .otherThanPinned(let mark): _ = withhold(mark)
        }
    }

    /// Shows the earlier picture instead of a new original, or a placeholder if only the pinned picture may be shown
    /// and it was never received.
    /// - Returns: false if there is no earlier picture, so that the new one must be shown.
    private func withhold(_ mark: PhotoMark) -> Bool {
        do {
            if let lastGood = try services.lastGood(of: record) {
                if record.withhold(mark, showing: lastGood) == nil { services.remember(record) }
                return true
            }
            guard mark.code == .changed, let original = mark.withheld else { return false }
            record.fail(.otherContent(original))
            services.remember(record)
        } catch {
            services.stop(error)
        }
        return true
    }

    /// Handles a failure. The photo keeps its last good picture if it has one, and gets a placeholder otherwise.
    private func fail(_ failure: Failure) {
        do {
            if let lastGood = try services.lastGood(of: record) {
                if record.fallBack(on: lastGood, because: failure) != nil { return }
            } else {
                record.fail(failure)
            }
            services.remember(record)
        } catch {
            services.stop(error)
        }
    }
}
