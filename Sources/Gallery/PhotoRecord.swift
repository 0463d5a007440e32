package import Imaging
package import Ledger
package import Manifest
package import PhotoModel
internal import Synchronization

/// One photo on its way through a build: what was wanted, what is remembered, and how far it has come.
package final class PhotoRecord: Sendable {
    /// How far it has come. Only the photo's own operations change it, one after the other.
    package struct Progress: Sendable {
        package var state: PhotoState = .new
        /// Why it failed.
        package var failure: Failure?
        /// Why the picture shown is the last good one and not a new one.
        package var staleness: Failure?
        /// The original that is to be shown, once it is stored.
        package var original: Digest?
        package var facts: PictureFacts?
        package var pictures: [PublishedPicture] = []
        /// What this build, which made its pictures, found wrong with its colours.
        package var profileProblem: ProfileProblem?
        /// Whether its address was asked in this build.
        package var wasAsked = false
    }

    package let photo: ManifestPhoto
    /// Under which the ledger remembers it.
    package let key: String
    package let slug: String
    package let options: DerivativeOptions
    /// How the last build left it; nil for one that is new.
    package let remembered: PhotoRow?
    private let storage = Mutex(Progress())

    package init(
        photo: ManifestPhoto, key: String, slug: String, options: DerivativeOptions, remembered: PhotoRow?
    ) {
        self.photo = photo
        self.key = key
        self.slug = slug
        self.options = options
        self.remembered = remembered
    }

    package var progress: Progress { storage.withLock { $0 } }

    func update(_ change: (inout sending Progress) -> Void) {
        storage.withLock { change(&$0) }
    }

    /// The original that was shown before and is still good, if there is one.
    var lastGood: Digest? { remembered?.sha256 }

    /// The photo is lost: it gets a placeholder.
    func fail(_ failure: Failure) {
        update {
            $0.state = .failed
            $0.failure = failure
            $0.original = nil
            $0.pictures = []
        }
    }

    /// What the ledger is to remember of it.
    /// - Parameter now: seconds since 1970.
    package func row(now: Int64) -> PhotoRow {
        let progress = self.progress
        let reason = progress.failure.map { Reason($0) }
        let isAsItWas = remembered.map { $0.state == progress.state && $0.reason == reason } ?? false
        let stale = progress.staleness.map { failure in
            StaleMark(since: remembered?.stale?.since ?? now, reason: Reason(failure))
        }
        let isWell = progress.failure == nil && progress.staleness == nil
        return PhotoRow(
            key: key, source: rowKey, slug: slug, state: progress.state, reason: reason,
            since: isAsItWas ? remembered?.since ?? now : now, stale: stale, sha256: progress.original,
            pictures: progress.pictures,
            attempts: isWell ? 0 : min(max(0, remembered?.attempts ?? 0), Int(Int32.max)) + 1,
            checked: progress.wasAsked ? now : remembered?.checked ?? now)
    }
}
