package import PhotoModel

/// What is remembered of a photo: how the last build left it.
package struct PhotoRow: Hashable, Sendable {
    /// The identity of the photo, as an opaque text made by the gallery.
    package let key: String
    /// The key of its address among the sources; nil if it had none that could be asked.
    package var source: String?
    package var slug: String
    package var state: PhotoState
    /// Why it failed; nil unless `state` is `failed`.
    package var reason: Reason?
    /// When it came into this state, seconds since 1970.
    package var since: Int64
    /// Why the picture shown could not be refreshed, and since when.
    package var stale: StaleMark?
    /// The original that the published derivatives were made from: the last good one.
    package var sha256: Digest?
    /// The published pictures, as they are kept.
    package var pictureList: PictureList
    /// What these were made by, as a text of the gallery; nil if that is not known.
    package var recipe: String?
    /// When it was well again after it had failed or was stale, seconds since 1970; nil after any other change.
    package var back: Int64?
    /// When the original came from its address, seconds since 1970; nil where that was not remembered.
    package var fetched: Int64?
    /// Failures in a row; 0 for a photo that is well.
    package var attempts: Int
    /// When its address was last asked, seconds since 1970.
    package var checked: Int64

    /// The published pictures.
    package var pictures: [PublishedPicture] { pictureList.pictures }

    package init(
        key: String, source: String? = nil, slug: String, state: PhotoState, reason: Reason? = nil, since: Int64,
        stale: StaleMark? = nil, sha256: Digest? = nil, pictures: PictureList = PictureList([]), recipe: String? = nil,
        back: Int64? = nil, fetched: Int64? = nil, attempts: Int = 0, checked: Int64
    ) {
        self.key = key
        self.source = source
        self.slug = slug
        self.state = state
        self.reason = reason
        self.since = since
        self.stale = stale
        self.sha256 = sha256
        pictureList = pictures
        self.recipe = recipe
        self.back = back
        self.fetched = fetched
        self.attempts = attempts
        self.checked = checked
    }
}

extension PhotoRow {
    /// Whether nothing but the time of the last look has changed.
    package func differsOnlyInTime(from old: PhotoRow) -> Bool {
        var old = old
        old.checked = checked
        return old == self
    }

    /// Whether the pages that show one show the other.
    package func looksLike(_ other: PhotoRow) -> Bool {
        var other = other
        other.checked = checked
        other.attempts = attempts
        other.recipe = recipe
        other.source = source
        return other == self
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
