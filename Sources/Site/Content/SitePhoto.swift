package import PhotoModel

/// A photo as the site shows it.
package struct SitePhoto: Hashable, Sendable {
    package var name: String
    /// The name of the photo's page without ".html". It is unique in the site and contains no "/".
    package var slug: String
    /// The names of the albums that contain the photo, outermost first; empty for a photo in no album.
    package var album: [String]
    package var details: PhotoDetails
    /// The address in the form that may be shown: without user, password, query and fragment.
    package var source: String
    /// An http or https URL that is safe to link to; nil for files and for addresses that can't be fetched.
    package var sourceLink: String?
    package var state: PhotoState
    /// Why the photo failed; nil if it did not.
    package var reason: Reason?
    /// The time at which the photo entered its state.
    package var since: Timestamp
    /// The time at which the photo recovered from a failure or from being stale; nil after any other change.
    package var recovered: Timestamp?
    /// Since when and why the photo could not be refreshed, if the site shows an earlier picture; nil otherwise.
    package var stale: Stale?
    /// The marks of the picture, in the order of their codes.
    package var marks: [PhotoMark]
    /// The width of the upright original, in pixels; nil if the original was never downloaded.
    package var width: Int?
    /// The height of the upright original, in pixels; nil if the original was never downloaded.
    package var height: Int?
    /// The photo's derivatives, narrowest first; empty if there is no picture to show.
    package var images: [SiteImage]
    /// The unfiltered picture, if it is published.
    package var original: SiteImage?
    /// The earlier originals that are kept, the latest first.
    package var versions: [SiteVersion]
    /// The digest of the original as it was downloaded.
    package var sha256: Digest?
    /// The time of the download; nil for a local file, or if the time is unknown.
    package var downloaded: Timestamp?
    /// The mean colour of the picture, "#rrggbb", which is shown until the picture is loaded.
    package var colour: String?
    /// The time at which the photo was taken, by the camera's clock: "2025-08-17T14:03:22", ISO 8601 without a time
    /// zone (EXIF 2.32, DateTimeOriginal).
    package var taken: String?
    /// The make and model of the camera.
    package var camera: String?
    package var lens: String?
    /// The known values of the exposure: "1/250 s, f/8, ISO 100, 35 mm".
    package var exposure: String?
    /// The position of the entry in its list, "photos.plist:13"; only set for photos that need attention.
    package var manifestPosition: String?
    /// The time until which the server has asked clients to wait.
    package var retryAfter: Timestamp?
    /// The vote for the photo from the file that `--ratings` names.
    package var vote: Vote?

    package init(
        name: String, slug: String, album: [String] = [], details: PhotoDetails = PhotoDetails(), source: String,
        sourceLink: String? = nil, state: PhotoState, reason: Reason? = nil, since: Timestamp,
        recovered: Timestamp? = nil, stale: Stale? = nil, marks: [PhotoMark] = [],
        width: Int? = nil, height: Int? = nil, images: [SiteImage] = [], original: SiteImage? = nil,
        versions: [SiteVersion] = [], sha256: Digest? = nil, downloaded: Timestamp? = nil, colour: String? = nil,
        taken: String? = nil, camera: String? = nil,
        lens: String? = nil, exposure: String? = nil, manifestPosition: String? = nil, retryAfter: Timestamp? = nil,
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
        self.recovered = recovered
        self.stale = stale
        self.marks = marks
        self.width = width
        self.height = height
        self.images = images
        self.original = original
        self.versions = versions
        self.sha256 = sha256
        self.downloaded = downloaded
        self.colour = colour
        self.taken = taken
        self.camera = camera
        self.lens = lens
        self.exposure = exposure
        self.manifestPosition = manifestPosition
        self.retryAfter = retryAfter
        self.vote = vote
    }
}

extension SitePhoto {
    /// The paths of all the photo's pictures, in every format.
    package var picturePaths: [String] {
        (images + [original].compactMap(\.self) + versions.compactMap(\.image)).flatMap(\.paths)
    }

    /// The mark that is shown where there is room for one.
    package var foremostMark: PhotoMark? {
        [.suspicious, .changed, .frozen, .archived].lazy.compactMap { self.marks[$0] }.first
    }

    /// The colour that fills the picture's box until the picture is loaded: "#8a7a66". A transparent picture, which is
    /// published as PNG, has none.
    var placeholderColour: String? {
        guard let colour, images.last?.path.hasSuffix(".png") == false else { return nil }
        return colour
    }
}

/// A visitor's vote for a photo: thumbs up or thumbs down.
package enum Vote: String, Hashable, Sendable {
    case up, down
}

/// An earlier original of a photo that has changed at its source.
package struct SiteVersion: Hashable, Sendable {
    /// The digest of the original.
    package let sha256: Digest
    /// The time at which the original was received; nil if unknown.
    package let downloaded: Timestamp?
    /// The filtered picture in the largest width; nil if the page does not show it.
    package let image: SiteImage?

    package init(sha256: Digest, downloaded: Timestamp?, image: SiteImage?) {
        self.sha256 = sha256
        self.downloaded = downloaded
        self.image = image
    }
}

/// A published picture: a JPEG, or a PNG if the picture is transparent.
package struct SiteImage: Hashable, Sendable {
    /// The width in pixels.
    package let width: Int
    /// The height in pixels.
    package let height: Int
    /// The path relative to the site: "images/…".
    package let path: String
    /// The size of the file in bytes.
    package let bytes: Int64
    /// The same picture as WebP, if WebP is published.
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
package struct SiteEncoding: Hashable, Sendable {
    /// The path relative to the site: "images/…".
    package let path: String
    /// The size of the file in bytes.
    package let bytes: Int64

    package init(path: String, bytes: Int64) {
        self.path = path
        self.bytes = bytes
    }
}

/// Since when a photo could not be refreshed, and why.
package struct Stale: Hashable, Sendable {
    package let since: Timestamp
    package let reason: Reason

    package init(since: Timestamp, reason: Reason) {
        self.since = since
        self.reason = reason
    }
}
