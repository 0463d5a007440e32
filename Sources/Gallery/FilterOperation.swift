internal import Downloads
package import Foundation
internal import Imaging
internal import Ledger
internal import PhotoModel
internal import Synchronization

/// Makes the derivatives of a photo from its stored original. It is cancelled, and so never starts, when there is none.
///
/// `@unchecked Sendable`: what it adds to `Operation` is constant or behind a lock.
package final class FilterOperation: Operation, @unchecked Sendable {
    package let record: PhotoRecord
    private let workshop: Workshop
    private let started = Mutex(false)

    /// Adds its own dependency on `download`, and is cancelled by it when there is nothing to filter.
    init(record: PhotoRecord, download: DownloadOperation, workshop: Workshop) {
        self.record = record
        self.workshop = workshop
        super.init()
        name = "filter \(record.slug)"
        addDependency(download)
        download.whenThereIsNothingToFilter { [weak self] in self?.cancel() }
    }

    /// Whether any work was begun.
    package var hasStarted: Bool { started.withLock { $0 } }

    package override func main() {
        guard !isCancelled, let original = record.progress.original else { return }
        started.withLock { $0 = true }
        do {
            do {
                try develop(original)
            } catch .picture(let failure) {
                try fallBack(from: original, because: failure)
            }
        } catch {
            switch error {
            case .picture(let failure): record.fail(failure)
            case .cancelled: return
            case .read(let path, let code), .write(let path, let code):
                workshop.stop(.storage(path: path, detail: String(cString: strerror(code))))
                return
            }
        }
        workshop.remember(record)
    }

    /// What arrived is no usable picture: the last good one stays, marked stale.
    private func fallBack(from original: Digest, because failure: Failure) throws(ImagingError) {
        guard let lastGood = record.lastGood, lastGood != original, workshop.store.contains(lastGood) else {
            throw .picture(failure)
        }
        record.update {
            $0.original = lastGood
            $0.staleness = failure
        }
        try develop(lastGood)
    }

    private func develop(_ original: Digest) throws(ImagingError) {
        let result = try workshop.develop(original, options: record.options) { [self] in isCancelled }
        record.update {
            $0.facts = result.facts
            $0.pictures = result.pictures
            $0.profileProblem = result.profileProblem
            $0.state = record.options.filter.isEmpty ? .downloaded : .filtered
        }
    }
}
