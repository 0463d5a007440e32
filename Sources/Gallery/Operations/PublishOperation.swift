package import Foundation
internal import Synchronization

/// Publishes the site once, after all other operations have ended and if nothing stopped the build.
///
/// `@unchecked Sendable`: the properties added to `Operation` are constant or behind a lock.
package final class PublishOperation: Operation, @unchecked Sendable {
    private let publication: Publication
    private let services: BuildServices
    private let live: LivePublication?
    private let outcome = Mutex<PublicationResult?>(nil)

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
            for record in ReplacementCheck.run(publication.records, now: services.now) { live?.show(record) }
            try live?.end()
            let result = try publication.run(after: live, isCancelled: { [self] in isCancelled })
            outcome.withLock { $0 = result }
        } catch .interrupted {
            return
        } catch {
            services.stop(error)
        }
    }
}
