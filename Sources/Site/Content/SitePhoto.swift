package import PhotoModel

/// One photo as the site shows it.
package struct SitePhoto: Hashable, Codable, Sendable {
    package var name: String
    /// The name of its page without ".html": unique in the site, no "/" in it.
    package var slug: String
    /// The names of the albums it is in, outermost first; empty for a photo in none.
    package var album: [String]
    package var details: PhotoDetails
    /// The address as it may be shown: without user, password, query and fragment.
    package var source: String
    /// An http or https URL that is safe to link to; nil for files and for addresses that can't be fetched.
    package var sourceLink: String?
    package var state: PhotoState
    /// Why it failed.
    package var reason: Reason?
    /// When it came into this state.
    package var since: Timestamp
    /// Set when the picture shown is an earlier one that could not be refreshed.
    package var stale: Stale?
    /// Of the upright original, in pixels; nil while it has never been seen.
    package var width: Int?
    package var height: Int?
    /// Its derivatives, narrowest first; empty when there is nothing to show.
    package var images: [SiteImage]
    /// The unfiltered picture, if it is published.
    package var original: SiteImage?
    /// Of the original as it was downloaded.
    package var sha256: Digest?

    package init(
        name: String, slug: String, album: [String] = [], details: PhotoDetails = PhotoDetails(), source: String,
        sourceLink: String? = nil, state: PhotoState, reason: Reason? = nil, since: Timestamp, stale: Stale? = nil,
        width: Int? = nil, height: Int? = nil, images: [SiteImage] = [], original: SiteImage? = nil,
        sha256: Digest? = nil
    ) {
        self.name = name
        self.slug = slug
        self.album = album
        self.details = details
        self.source = source
        self.sourceLink = sourceLink
        self.state = state
        self.reason = reason
        self.since = since
        self.stale = stale
        self.width = width
        self.height = height
        self.images = images
        self.original = original
        self.sha256 = sha256
    }
}

/// One published picture.
package struct SiteImage: Hashable, Codable, Sendable {
    /// In pixels.
    package let width: Int
    package let height: Int
    /// Relative to the site: "images/…".
    package let path: String
    package let bytes: Int64

    package init(width: Int, height: Int, path: String, bytes: Int64) {
        self.width = width
        self.height = height
        self.path = path
        self.bytes = bytes
    }
}

/// Since when a photo could not be refreshed, and why.
package struct Stale: Hashable, Codable, Sendable {
    package let since: Timestamp
    package let reason: Reason

    package init(since: Timestamp, reason: Reason) {
        self.since = since
        self.reason = reason
    }
}
