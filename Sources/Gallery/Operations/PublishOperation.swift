package import Foundation
internal import PhotoModel
internal import Synchronization

/// Publishes the site once, after all other operations have ended and if nothing stopped the build.
///
/// `@unchecked Sendable`: the properties added to `Operation` are constant or behind a lock.
package final class PublishOperation: Operation, @unchecked Sendable {
    private let publication: Publication
    private let services: BuildServices
    private let live: LivePublication?
    private let outcome = Mutex<PublicationResult?>(nil)
    /// The operation that renders an earlier picture again, if one does.
    private let rendering = Mutex<FilterOperation?>(nil)

    init(publication: Publication, live: LivePublication?, services: BuildServices) {
        self.publication = publication
        self.live = live
        self.services = services
        super.init()
        name = "publish"
    }

    /// The result; nil if the site was not published.
    package var result: PublicationResult? { outcome.withLock { $0 } }

    package override func main() {
        guard !isCancelled, services.failure == nil else { return }
        do {
            for (record, new, isSuspicious) in ReplacementCheck.replacements(publication.records, now: services.now) {
                if isSuspicious { try withhold(new, of: record) }
                guard !isCancelled, services.failure == nil else { return }
                live?.show(record)
            }
            // Earlier pictures that were rendered again are in the ledger before the site shows them.
            services.flush()
            guard services.failure == nil else { return }
            try live?.end()
            let result = try publication.run(after: live, isCancelled: { [self] in isCancelled })
            outcome.withLock { $0 = result }
        } catch .interrupted {
            return
        } catch {
            services.stop(error)
        }
    }

    package override func cancel() {
        super.cancel()
        rendering.withLock { $0 }?.cancel()
    }

    /// Goes back to the earlier picture of a photo, because its new original is suspicious. The files of the last build
    /// are used if the settings are the same and no file is lost. Otherwise the picture is rendered again, one photo
    /// after the other, because this is rare. Without a picture to go back to that the settings allow, the new one
    /// stays.
    private func withhold(_ new: Digest, of record: PhotoRecord) throws(GalleryError) {
        if services.hasRemembered(record) { return record.withhold(new, now: services.now) }
        guard let lastGood = try services.lastShown(of: record), !isCancelled else { return }
        let operation = FilterOperation(record: record, services: services, isRefetch: false)
        rendering.withLock { $0 = operation }
        defer { rendering.withLock { $0 = nil } }
        if isCancelled { operation.cancel() }
        switch operation.withhold(new, showing: lastGood) {
        case .isShown: services.finalize(record)
        // The original is damaged, and is no longer in the store.
        case .originalIsGone: try withhold(new, of: record)
        case .originalIsUnusable, .buildEnds: break
        }
    }
}
