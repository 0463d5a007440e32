internal import Downloads
internal import Foundation
internal import Ledger
internal import Manifest
internal import PhotoModel
internal import Synchronization

/// Brings a photo's original into the store: downloads it, or learns that it is unchanged.
///
/// `@unchecked Sendable`: what it adds to `AsynchronousOperation` is constant or behind a lock.
package final class DownloadOperation: AsynchronousOperation, @unchecked Sendable {
    package let record: PhotoRecord
    private let workshop: Workshop
    private let ticket = Mutex<FetchTicket?>(nil)
    private let followUp = Mutex<FollowUp>(FollowUp())

    private struct FollowUp {
        /// Called once when the photo cannot be had, before the operation finishes.
        var onFailure: (@Sendable () -> Void)?
        /// Called once after the operation has finished.
        var onFinish: (@Sendable () -> Void)?
    }

    init(record: PhotoRecord, workshop: Workshop) {
        self.record = record
        self.workshop = workshop
        super.init()
        name = "download \(record.slug)"
    }

    /// Sets what is called, once, when there is no original to filter.
    func whenThereIsNothingToFilter(_ action: @escaping @Sendable () -> Void) {
        followUp.withLock { $0.onFailure = action }
    }

    /// Sets what is called, once, after the operation has finished.
    func whenFinished(_ action: @escaping @Sendable () -> Void) {
        followUp.withLock { $0.onFinish = action }
    }

    override func begin() {
        switch record.photo.source {
        case .failure(let failure):
            settle(failure)
            end()
        case .success(let source):
            let known = known(source)
            let wait = workshop.wait(source)
            let ticket = workshop.downloader.fetch(source, known: known, wait: wait) { [self] outcome in
                // Nobody is asked about an original that is still fresh, or while the server wants to be left alone.
                let asItWas: [FetchOutcome?] = [known.map { .unchanged($0) }, wait.map { .postponed($0) }]
                let wasAsked = !source.isRemote || !asItWas.contains(outcome)
                receive(outcome, from: source, wasAsked: wasAsked)
                end()
            }
            self.ticket.withLock { $0 = ticket }
            // cancel() may have come between the look at isCancelled and the ticket.
            if isCancelled { ticket.cancel() }
        }
    }

    /// What is remembered of the address. What did not turn out well the last time is asked for again, however fresh its
    /// server calls it.
    private func known(_ source: Source) -> KnownOriginal? {
        var known = workshop.known(source)
        if source.isRemote, mayHaveArrivedDamaged { return nil }
        if source.isRemote, record.remembered?.state == .failed || record.remembered?.stale != nil {
            known?.validators.validated = nil
        }
        return known
    }

    /// What could not be decoded may have been damaged on its way, which a server that says "unchanged" does not know: so
    /// the whole is asked for again, a few times.
    private var mayHaveArrivedDamaged: Bool {
        guard let remembered = record.remembered, remembered.attempts <= Self.mostDoubts,
            let reason = remembered.reason ?? remembered.stale?.reason
        else { return false }
        return [.truncated, .corrupt].contains(reason.code)
    }

    private static let mostDoubts = 3

    package override func cancel() {
        super.cancel()
        ticket.withLock { $0 }?.cancel()
    }

    override func didCancelBeforeStart() { giveUp() }

    private func receive(_ outcome: FetchOutcome, from source: Source, wasAsked: Bool) {
        record.update { $0.wasAsked = wasAsked }
        switch outcome {
        case .unchanged(let original), .stored(let original, _):
            workshop.remember(original, of: source)
            record.update {
                $0.state = .downloaded
                $0.original = original.original.digest
            }
        case .failed(let failure): settle(failure)
        case .postponed(let wait):
            workshop.remember(wait, of: source)
            settle(.httpStatus(wait.status))
        case .storeFailed(let error): workshop.stop(GalleryError(error))
        case .cancelled: break
        }
    }

    /// A failure leaves the last good picture where there is one, and a placeholder where there is none.
    private func settle(_ failure: Failure) {
        if let lastGood = record.lastGood, workshop.store.contains(lastGood) {
            record.update {
                $0.state = .downloaded
                $0.original = lastGood
                $0.staleness = failure
            }
        } else {
            record.fail(failure)
            workshop.remember(record)
        }
    }

    private func end() {
        if record.progress.original == nil { giveUp() }
        finish()
    }

    private func giveUp() {
        let action = followUp.withLock { followUp in
            defer { followUp.onFailure = nil }
            return followUp.onFailure
        }
        action?()
    }

    override func didFinish() {
        let action = followUp.withLock { followUp in
            defer { followUp.onFinish = nil }
            return followUp.onFinish
        }
        action?()
    }
}
