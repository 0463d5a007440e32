internal import Downloads
internal import Foundation
internal import Imaging
internal import Ledger
internal import Manifest
internal import PhotoModel
internal import Synchronization

/// Renders the derivatives of a photo from its stored original. The operation is cancelled, and never starts, if
/// there is no original.
///
/// A damaged original is fetched again. The operation then holds neither a slot nor a thread while its server
/// answers, and continues when `FilterQueue` gives it a slot again.
///
/// `@unchecked Sendable`: what it adds to `AsynchronousOperation` is constant or behind a lock.
package final class FilterOperation: AsynchronousOperation, @unchecked Sendable {
    package let record: PhotoRecord
    private let services: BuildServices
    private let started = Mutex(false)
    /// The download of an original that is fetched again.
    private let handle = Mutex<FetchHandle?>(nil)
    /// The header that `estimateCost` read.
    private let weighed = Mutex<(original: Digest, header: PictureHeader)?>(nil)
    private let placeIsFree = Mutex<(@Sendable () -> Void)?>(nil)
    private let isRestored = Mutex<(@Sendable () -> Void)?>(nil)

    /// Adds its own dependency on `download`, and is cancelled by it when there is nothing to filter.
    init(record: PhotoRecord, download: DownloadOperation, services: BuildServices) {
        self.record = record
        self.services = services
        super.init()
        name = "filter \(record.slug)"
        addDependency(download)
        download.whenThereIsNothingToFilter { [weak self] in self?.cancel() }
    }

    /// Whether rendering has begun.
    package var hasStarted: Bool { started.withLock { $0 } }

    /// Reads the header of the original, which is then reused when the operation runs.
    /// - Returns: the expected time in the units of `FilterScheduler`; 0 if unknown.
    func estimateCost() -> Double {
        guard let original = record.progress.original,
            let weight = services.renderer.estimateCost(original, options: record.options)
        else { return 0 }
        if let header = weight.header { weighed.withLock { $0 = (original, header) } }
        return weight.duration
    }

    /// Sets an action that is called once, when the work is done and the slot is free.
    func whenSlotIsReleased(_ action: @escaping @Sendable () -> Void) {
        placeIsFree.withLock { $0 = action }
    }

    /// Does nothing if the slot was released before, or there is none.
    func releaseSlot() {
        let action = placeIsFree.withLock { placeIsFree in
            defer { placeIsFree = nil }
            return placeIsFree
        }
        action?()
    }

    /// Sets an action that is called at most once, when an original has been fetched again and the operation needs a
    /// slot to continue.
    func whenRestored(_ action: @escaping @Sendable () -> Void) {
        isRestored.withLock { $0 = action }
    }

    override func begin() {
        guard let original = record.progress.original else { return end() }
        started.withLock { $0 = true }
        do {
            try developOrFallBack(original)
            services.remember(record)
        } catch .read(_, ENOENT) where record.progress.original.map({ !services.store.contains($0) }) == true {
            releaseSlot()
            return restore()
        } catch {
            fail(error)
        }
        end()
    }

    /// Continues with the original that was fetched again, or ends if the operation was cancelled meanwhile. Must be
    /// called once after `whenRestored`'s action.
    func proceed() {
        guard !isCancelled, let original = record.progress.original else { return end() }
        do {
            try developOrFallBack(original)
            services.remember(record)
        } catch {
            fail(error)
        }
        end()
    }

    package override func cancel() {
        super.cancel()
        handle.withLock { $0 }?.cancel()
    }

    private func fail(_ error: ImagingError) {
        switch error {
        case .picture(let failure):
            record.fail(failure)
            services.remember(record)
        case .cancelled: break
        case .read(let path, let code), .write(let path, let code):
            services.stop(.storage(path: path, .system(errno: code)))
        }
    }

    /// The slot is released first, so that the next operation does not wait for the observers of this one.
    private func end() {
        releaseSlot()
        finish()
    }

    /// Fetches an original again that is damaged or missing on the disk. If that fails, the answer decides the
    /// photo's state.
    private func restore() {
        guard let source = record.source else { return end() }
        let handle = services.downloader.fetchAgain(source) { [self] outcome in
            guard received(outcome) != nil else { return end() }
            let action = isRestored.withLock { $0.take() }
            if let action { action() } else { end() }
        }
        self.handle.withLock { $0 = handle }
        // `cancel()` may have been called before there was a handle.
        if isCancelled { handle.cancel() }
    }

    /// - Returns: the original to filter now, which the record then holds; nil if there is none.
    private func received(_ outcome: FetchOutcome) -> Digest? {
        switch outcome {
        case .unchanged(let known), .stored(let known, _):
            let fetched = services.fetched(known, of: record)
            services.remember(known, of: record) {}
            record.update {
                $0.original = known.original.digest
                $0.fetched = fetched
                $0.staleness = nil
            }
            return known.original.digest
        case .refused(let refused):
            services.remember(refused, of: record) {}
            return lose(refused.failure)
        case .failed(let failure): return lose(failure)
        case .postponed(let wait):
            services.remember(wait, of: record) {}
            record.update { $0.postponed = wait.until }
            return lose(.httpStatus(wait.status))
        case .storeFailed(let error): services.stop(GalleryError(error))
        case .cancelled: break
        }
        return nil
    }

    /// Handles an original that is lost and can't be fetched again.
    /// - Returns: an earlier original to filter instead, if there is one.
    private func lose(_ failure: Failure) -> Digest? {
        do {
            if let lastGood = try services.lastGood(of: record) {
                if let earlier = record.fallBack(on: lastGood, because: failure) { return earlier }
            } else {
                record.fail(failure)
            }
            services.remember(record)
        } catch {
            services.stop(error)
        }
        return nil
    }

    private func developOrFallBack(_ original: Digest) throws(ImagingError) {
        do {
            try render(original)
        } catch .picture(let failure) {
            try fallBack(from: original, because: failure)
        }
    }

    /// The downloaded file is no usable picture, so the last good picture stays, marked stale.
    private func fallBack(from original: Digest, because failure: Failure) throws(ImagingError) {
        // The address's earlier original was never shown, so its defects are not the reason of this failure.
        if record.remembered?.sha256 == nil, let staleness = record.progress.staleness { throw .picture(staleness) }
        let lastGood: StaleFallback?
        do { lastGood = try services.lastGood(of: record) } catch { return services.stop(error) }
        switch lastGood {
        case .original(original, _), nil: throw .picture(failure)
        case let lastGood?:
            if let earlier = record.fallBack(on: lastGood, because: failure) { try render(earlier) }
        }
    }

    private func render(_ original: Digest) throws(ImagingError) {
        let known = weighed.withLock { weighed in
            defer { weighed = nil }
            return weighed
        }
        let header = known?.original == original ? known?.header : nil
        let result = try services.renderer.render(original, header: header, options: record.options) { [self] in
            isCancelled
        }
        record.update {
            $0.facts = result.facts
            $0.pictures = result.pictures
            $0.profileProblem = result.profileProblem
            $0.state = record.options.filter.isEmpty ? .downloaded : .filtered
        }
    }
}
