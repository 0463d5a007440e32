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
        /// Called once when the photo's address has its place among those that are asked, or gets none.
        var onBegin: (@Sendable () -> Void)?
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

    /// Sets what is called, once, when the address was handed to the downloader, or when it is clear that it will not be.
    func whenBegun(_ action: @escaping @Sendable () -> Void) {
        followUp.withLock { $0.onBegin = action }
    }

    /// Sets what is called, once, after the operation has finished.
    func whenFinished(_ action: @escaping @Sendable () -> Void) {
        followUp.withLock { $0.onFinish = action }
    }

    override func begin() {
        defer { noteBegun() }
        switch record.photo.source {
        case .failure(let failure):
            settle(failure)
            end()
        case .success(let source):
            let question = workshop.question(record)
            let ticket = workshop.downloader.fetch(
                source, known: question.known, refused: question.refused, wait: question.wait,
                keepingAnswer: !workshop.isAskedOnce(record)
            ) { [self] outcome in
                record.update { $0.wasAsked = question.wasAsked(outcome) }
                receive(outcome)
            }
            self.ticket.withLock { $0 = ticket }
            // cancel() may have come between the look at isCancelled and the ticket.
            if isCancelled { ticket.cancel() }
        }
    }

    package override func cancel() {
        super.cancel()
        ticket.withLock { $0 }?.cancel()
    }

    override func didCancelBeforeStart() {
        noteBegun()
        giveUp()
    }

    private func noteBegun() {
        let action = followUp.withLock { $0.onBegin.take() }
        action?()
    }

    /// It ends when what was learnt is in the ledger: a download that has ended is not repeated after a kill.
    private func receive(_ outcome: FetchOutcome) {
        switch outcome {
        case .unchanged(let original), .stored(let original, _):
            let fetched = workshop.fetched(original, of: record)
            record.update {
                $0.state = .downloaded
                $0.original = original.original.digest
                $0.fetched = fetched
            }
            return workshop.remember(original, of: record) { [self] in end() }
        case .postponed(let wait):
            settle(.httpStatus(wait.status))
            record.update { $0.postponed = wait.until }
            return workshop.remember(wait, of: record) { [self] in end() }
        case .refused(let refused):
            settle(refused.failure)
            return workshop.remember(refused, of: record) { [self] in end() }
        case .failed(let failure): settle(failure)
        case .storeFailed(let error): workshop.stop(GalleryError(error))
        case .cancelled: break
        }
        end()
    }

    /// A failure leaves the last good picture where there is one, and a placeholder where there is none.
    private func settle(_ failure: Failure) {
        do {
            if let lastGood = try workshop.lastGood(of: record) {
                if record.fallBack(on: lastGood, because: failure) != nil { return }
            } else {
                record.fail(failure)
            }
            workshop.remember(record)
        } catch {
            workshop.stop(error)
        }
    }

    private func end() {
        // Pictures that are there without an original stay as they are.
        if record.progress.original == nil || !record.progress.pictures.isEmpty { giveUp() }
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
