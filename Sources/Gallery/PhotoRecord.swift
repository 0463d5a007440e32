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
        /// When its address gave that, seconds since 1970, as far as it is known.
        package var fetched: Int64?
        package var facts: PictureFacts?
        package var pictures: [PublishedPicture] = []
        /// What this build, which made its pictures, found wrong with its colours.
        package var profileProblem: ProfileProblem?
        /// Whether its address was asked in this build.
        package var wasAsked = false
        /// Until when the server wants to be left alone, seconds since 1970, if it said so.
        package var postponed: Int64?
        /// It stays as the last build left it; of the rest only `wasAsked` counts.
        package var isKept = false
    }

    package let photo: ManifestPhoto
    /// Under which the ledger remembers it.
    package let key: String
    package let slug: String
    package let options: DerivativeOptions
    let recipe: PhotoRecipe
    /// By what its derivatives are made, as the ledger keeps it.
    package var recipeText: String { recipe.text }
    /// The key of its address in the ledger; nil if it has no usable address.
    package let sourceKey: String?
    /// How the last build left it; nil for one that is new.
    package let remembered: PhotoRow?
    private let storage = Mutex(Progress())

    package convenience init(
        photo: ManifestPhoto, key: String, slug: String, options: DerivativeOptions, remembered: PhotoRow?
    ) {
        self.init(photo: photo, key: key, slug: slug, options: options, recipe: nil, remembered: remembered)
    }

    /// - Parameter recipe: that of the options, where the caller has it.
    init(
        photo: ManifestPhoto, key: String, slug: String, options: DerivativeOptions, recipe: PhotoRecipe?,
        remembered: PhotoRow?
    ) {
        self.photo = photo
        self.key = key
        self.slug = slug
        self.options = options
        self.remembered = remembered
        self.recipe = recipe ?? PhotoRecipe(options)
        if case .success(let source) = photo.source { sourceKey = source.rowKey } else { sourceKey = nil }
    }

    /// Its address; nil if that cannot be used.
    var source: Source? {
        guard case .success(let source) = photo.source else { return nil }
        return source
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

    /// Nothing has to be done for it, or there is no news of it.
    func keep(wasAsked: Bool) {
        update {
            $0.isKept = true
            $0.wasAsked = wasAsked
        }
    }

    /// How it stands now.
    var state: PhotoState {
        let progress = self.progress
        return progress.isKept ? remembered?.state ?? progress.state : progress.state
    }

    /// Why it failed, if it did.
    var reason: Reason? {
        let progress = self.progress
        return progress.isKept ? remembered?.reason : progress.failure.map { Reason($0) }
    }

    /// Why the picture shown is an earlier one, if it is.
    var staleReason: Reason? {
        let progress = self.progress
        return progress.isKept ? remembered?.stale?.reason : progress.staleness.map { Reason($0) }
    }

    /// How it stands before anything is done for it in this build.
    /// - Parameter now: seconds since 1970.
    func rowAtFirst(now: Int64) -> PhotoRow {
        guard var row = remembered else { return row(now: now) }
        row.slug = slug
        return row
    }

    /// What the ledger is to remember of it.
    /// - Parameter now: seconds since 1970.
    package func row(now: Int64) -> PhotoRow {
        let progress = self.progress
        if progress.isKept, let remembered { return kept(remembered, checked: progress.wasAsked ? now : nil) }
        let reason = progress.failure.map { Reason($0) }
        let isAsItWas = remembered.map { $0.state == progress.state && $0.reason == reason } ?? false
        let stale = progress.staleness.map { failure in
            StaleMark(since: remembered?.stale?.since ?? now, reason: Reason(failure))
        }
        let isWell = progress.failure == nil && progress.staleness == nil
        // One that came back in the same second was not away: no reader can have seen it.
        let wasAway = remembered.map { ($0.stale?.since ?? ($0.state == .failed ? $0.since : now)) < now } ?? false
        let isSameOriginal = remembered.map { $0.sha256 == progress.original } ?? false
        return PhotoRow(
            key: key, source: sourceKey, slug: slug, state: progress.state, reason: reason,
            since: isAsItWas ? remembered?.since ?? now : now, stale: stale, sha256: progress.original,
            pictures: PictureList(progress.pictures), recipe: progress.pictures.isEmpty ? nil : recipe.text,
            back: !isWell ? nil : wasAway ? now : isAsItWas ? remembered?.back : nil,
            fetched: isSameOriginal ? remembered?.fetched : progress.fetched,
            attempts: isWell ? 0 : min(max(0, remembered?.attempts ?? 0), Int(Int32.max)) + 1,
            checked: progress.wasAsked ? now : remembered?.checked ?? now)
    }

    /// - Parameter checked: seconds since 1970; nil if its address was not asked.
    private func kept(_ remembered: PhotoRow, checked: Int64?) -> PhotoRow {
        let recipe = remembered.pictureList.isEmpty ? nil : recipe.text
        if remembered.key == key, remembered.slug == slug, remembered.source == sourceKey, remembered.recipe == recipe {
            guard let checked else { return remembered }
            var row = remembered
            row.checked = checked
            return row
        }
        return PhotoRow(
            key: key, source: sourceKey, slug: slug, state: remembered.state, reason: remembered.reason,
            since: remembered.since, stale: remembered.stale, sha256: remembered.sha256,
            pictures: remembered.pictureList, recipe: recipe, back: remembered.back, fetched: remembered.fetched,
            attempts: remembered.attempts, checked: checked ?? remembered.checked)
    }
}
