package import PhotoModel

/// The record of a photo: how the last build left it.
package typealias PhotoRow = Shared<PhotoFields>

package struct PhotoFields: Hashable, Sendable {
    /// The identity of the photo, as the gallery makes it.
    package let key: Digest
    /// The key of its address among the sources; nil if it had none that could be asked.
    package var source: Digest?
    package var slug: String
    package var state: PhotoState
    /// Why it failed; nil unless `state` is `failed`.
    package var reason: Reason?
    /// When the photo entered this state, seconds since 1970.
    package var since: Int64
    /// Why the picture shown could not be refreshed, and since when.
    package var stale: StaleMark?
    /// The original that the published derivatives were made from: the last good one.
    package var sha256: Digest?
    /// The published pictures, as they are kept.
    package var pictureList: PictureList
    /// The recipe of the pictures; nil if unknown.
    package var recipe: String?
    /// When the photo recovered from a failure or from being stale, seconds since 1970; nil after any other change.
    package var back: Int64?
    /// When the original was downloaded, seconds since 1970; nil if unknown.
    package var fetched: Int64?
    /// Failures in a row; 0 for a photo that is well.
    package var attempts: Int
    /// When the address was last requested, seconds since 1970.
    package var checked: Int64

    /// The published pictures.
    package var pictures: [PublishedPicture] { pictureList.pictures }
}

extension PhotoRow {
    package init(
        key: Digest, source: Digest? = nil, slug: String, state: PhotoState, reason: Reason? = nil, since: Int64,
        stale: StaleMark? = nil, sha256: Digest? = nil, pictures: PictureList = PictureList([]), recipe: String? = nil,
        back: Int64? = nil, fetched: Int64? = nil, attempts: Int = 0, checked: Int64
    ) {
        self.init(
            PhotoFields(
                key: key, source: source, slug: slug, state: state, reason: reason, since: since, stale: stale,
                sha256: sha256, pictureList: pictures, recipe: recipe, back: back, fetched: fetched,
                attempts: attempts, checked: checked))
    }

    /// Whether nothing but the time of the last look has changed.
    package func differsOnlyInTime(from old: PhotoRow) -> Bool {
        var alike = old.value
        alike.checked = value.checked
        return alike == value
    }

    /// Whether the pages that show one show the other.
    package func rendersLike(_ other: PhotoRow) -> Bool {
        var alike = other.value
        alike.checked = value.checked
        alike.attempts = value.attempts
        alike.recipe = value.recipe
        alike.source = value.source
        return alike == value
    }
}

/// Since when a photo could not be refreshed, and why.
package struct StaleMark: Hashable, Sendable {
    package let since: Int64
    package let reason: Reason

    package init(since: Int64, reason: Reason) {
        self.since = since
        self.reason = reason
    }
}
