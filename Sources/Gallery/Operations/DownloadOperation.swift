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
    private let services: BuildServices
    private let handle = Mutex<FetchHandle?>(nil)
    private let followUp = Mutex<FollowUp>(FollowUp())

    private struct FollowUp {
        /// Called once when the downloader has queued the request, or will not get it.
        var onBegin: (@Sendable () -> Void)?
        /// Called once when there is no original, before the operation finishes.
        var onFailure: (@Sendable () -> Void)?
        /// Called once after the operation has finished.
        var onFinish: (@Sendable () -> Void)?
    }

    init(record: PhotoRecord, services: BuildServices) {
        self.record = record
        self.services = services
        super.init()
        name = "download \(record.slug)"
    }

    /// Sets an action that is called once, if there is no original to filter.
    func whenThereIsNothingToFilter(_ action: @escaping @Sendable () -> Void) {
        followUp.withLock { $0.onFailure = action }
    }

    /// Sets an action that is called once, when the downloader has the request or will not get it.
    func whenBegun(_ action: @escaping @Sendable () -> Void) {
        followUp.withLock { $0.onBegin = action }
    }

    /// Sets an action that is called once, after the operation has finished.
    func whenFinished(_ action: @escaping @Sendable () -> Void) {
        followUp.withLock { $0.onFinish = action }
    }

    override func begin() {
        defer { noteBegun() }
        switch record.photo.source {
        case .failure(let failure):
            fail(failure)
            end()
        case .success(let source):
            let conditions = services.conditions(record)
            let handle = services.downloader.fetch(
                source, known: conditions.known, refused: conditions.refused, wait: conditions.wait,
                keepingAnswer: !services.isAskedOnce(record)
            ) { [self] outcome in
                record.update { $0.wasAsked = conditions.wasAsked(outcome) }
                receive(outcome)
            }
            self.handle.withLock { $0 = handle }
            // `cancel()` may have been called between the check of `isCancelled` and the handle.
            if isCancelled { handle.cancel() }
        }
    }

    package override func cancel() {
        super.cancel()
        handle.withLock { $0 }?.cancel()
    }

    override func didCancelBeforeStart() {
        noteBegun()
        giveUp()
    }

    private func noteBegun() {
        let action = followUp.withLock { $0.onBegin.take() }
        action?()
    }

    /// Handles the answer. The operation finishes when the answer is in the ledger, so that a finished download is
    /// not repeated after a kill.
    private func receive(_ outcome: FetchOutcome) {
        switch outcome {
        case .unchanged(let original), .stored(let original, _):
            let fetched = services.fetched(original, of: record)
            record.update {
                $0.state = .downloaded
                $0.original = original.original.digest
                $0.fetched = fetched
            }
            return services.remember(original, of: record) { [self] in end() }
        case .postponed(let wait):
            fail(.httpStatus(wait.status))
            record.update { $0.postponed = wait.until }
            return services.remember(wait, of: record) { [self] in end() }
        case .refused(let refused):
            fail(refused.failure)
            return services.remember(refused, of: record) { [self] in end() }
        case .failed(let failure): fail(failure)
        case .storeFailed(let error): services.stop(GalleryError(error))
        case .cancelled: break
        }
        end()
    }

    /// A failure leaves the last good picture where there is one, and a placeholder where there is none.
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

    private func end() {
        // Pictures without an original stay as they are.
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
