package import PhotoModel

/// A photo as the site shows it.
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
    /// The time at which the photo entered this state.
    package var since: Timestamp
    /// The time at which the photo recovered from a failure or from being stale; nil after any other change.
    package var back: Timestamp?
    /// Set when the picture shown is an earlier one that could not be refreshed.
    package var stale: Stale?
    /// The width of the upright original, in pixels; nil while it was never received.
    package var width: Int?
    package var height: Int?
    /// Its derivatives, narrowest first; empty when there is nothing to show.
    package var images: [SiteImage]
    /// The unfiltered picture, if it is published.
    package var original: SiteImage?
    /// The digest of the original as it was downloaded.
    package var sha256: Digest?
    /// The time of the download; nil for a local file, and if the time is unknown.
    package var downloaded: Timestamp?
    /// The picture's mean colour, "#rrggbb", shown until the picture is loaded.
    package var colour: String?
    /// The time at which the photo was taken, by the camera's clock: "2025-08-17T14:03:22", ISO 8601 without a zone
    /// (EXIF 2.32, DateTimeOriginal).
    package var taken: String?
    /// Make and model.
    package var camera: String?
    package var lens: String?
    /// The known values of the exposure: "1/250 s, f/8, ISO 100, 35 mm".
    package var exposure: String?
    /// The entry's place in its list, "photos.plist:13"; set only for photos that need attention.
    package var listed: String?
    /// The end of the pause that the server asked for.
    package var postponed: Timestamp?
    /// The vote that `--ratings` gives it.
    package var vote: Vote?

    package init(
        name: String, slug: String, album: [String] = [], details: PhotoDetails = PhotoDetails(), source: String,
        sourceLink: String? = nil, state: PhotoState, reason: Reason? = nil, since: Timestamp, back: Timestamp? = nil,
        stale: Stale? = nil,
        width: Int? = nil, height: Int? = nil, images: [SiteImage] = [], original: SiteImage? = nil,
        sha256: Digest? = nil, downloaded: Timestamp? = nil, colour: String? = nil, taken: String? = nil,
        camera: String? = nil,
        lens: String? = nil, exposure: String? = nil, listed: String? = nil, postponed: Timestamp? = nil,
        vote: Vote? = nil
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
        self.back = back
        self.stale = stale
        self.width = width
        self.height = height
        self.images = images
        self.original = original
        self.sha256 = sha256
        self.downloaded = downloaded
        self.colour = colour
        self.taken = taken
        self.camera = camera
        self.lens = lens
        self.exposure = exposure
        self.listed = listed
        self.postponed = postponed
        self.vote = vote
    }
}

extension SitePhoto {
    /// The paths of all its pictures, in every format.
    package var picturePaths: [String] { (images + [original].compactMap(\.self)).flatMap(\.paths) }

    /// The colour that fills the picture's box until the picture is loaded, "#8a7a66". A transparent picture, which is
    /// one published as PNG, has none.
    var placeholderColour: String? {
        guard let colour, images.last?.path.hasSuffix(".png") == false else { return nil }
        return colour
    }
}

/// A visitor's vote for a photo: thumb up or thumb down.
package enum Vote: String, Hashable, Codable, Sendable {
    case up, down
}

/// A published picture: JPEG, or PNG where the picture is transparent.
package struct SiteImage: Hashable, Codable, Sendable {
    /// In pixels.
    package let width: Int
    package let height: Int
    /// Relative to the site: "images/…".
    package let path: String
    package let bytes: Int64
    /// The same as WebP, where that is published.
    package let webp: SiteEncoding?

    package init(width: Int, height: Int, path: String, bytes: Int64, webp: SiteEncoding? = nil) {
        self.width = width
        self.height = height
        self.path = path
        self.bytes = bytes
        self.webp = webp
    }

    /// The paths of all files of the picture.
    var paths: [String] { [path] + (webp.map { [$0.path] } ?? []) }
}

/// A published picture in another format.
package struct SiteEncoding: Hashable, Codable, Sendable {
    /// Relative to the site: "images/…".
    package let path: String
    package let bytes: Int64

    package init(path: String, bytes: Int64) {
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
