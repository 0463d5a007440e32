package import PhotoModel

/// A list of photos as its property list states it, checked as far as is possible without fetching anything.
package struct Manifest: Sendable {
    /// The manifest's name in readable words ("classic-photos.plist" is "Classic Photos"); nil for standard input.
    package let title: String?
    /// The photos in the order of the file, with albums flattened in place. No two have the same album, name and
    /// address.
    package let photos: [ManifestPhoto]
    /// The path of every album, outermost album first, in the order of the file, including empty albums.
    package let albums: [[String]]
    package let warnings: [ManifestDiagnostic]
    /// The absolute path of the folder that relative addresses refer to; nil if the manifest came from a URL.
    package let folder: String?
    /// Whether two photos might have the same album and name, with other addresses.
    let mayRepeatNames: Bool

    package init(
        title: String?, photos: [ManifestPhoto], albums: [[String]], warnings: [ManifestDiagnostic],
        folder: String? = nil, mayRepeatNames: Bool = true
    ) {
        self.title = title
        self.folder = folder
        self.mayRepeatNames = mayRepeatNames
        self.photos = photos
        self.albums = albums
        self.warnings = warnings
    }
}

/// A photo of the list, before anything is fetched. It is a class so that the list and everything that a build derives
/// from it share the photo: there can be 100,000.
package final class ManifestPhoto: Sendable {
    /// The names of the photo's albums, outermost album first; empty at the top level.
    package let album: [String]
    /// The name of the photo; never empty. White space at its ends is trimmed, and each run of it inside that has a
    /// line break or a tab is one space.
    package let name: String
    /// The source, or the failure of this photo alone: `.badAddress` or `.unsupportedScheme`.
    package let source: Result<Source, Failure>
    /// The address as pages show it: without user, password, query and fragment, with its path as it was written, and
    /// in at most 200 characters; empty if there is none.
    package let shownSource: String
    /// A key that tells addresses apart, including unusable ones, and is the same on every machine: a relative path is
    /// relative to the manifest's folder. The key can contain secrets and is never shown.
    package let addressKey: String
    /// The details and all that follows from other keys; nil for the many photos that have neither.
    private let optionalParts: OptionalParts?
    /// The position of the entry: that of its key in a dict, or its own in an array.
    package let position: TextPosition

    package init(
        album: [String], name: String, source: Result<Source, Failure>, shownSource: String, addressKey: String,
        details: PhotoDetails, extras: Extras = Extras(), position: TextPosition
    ) {
        self.album = album
        self.name = name
        self.source = source
        self.shownSource = shownSource
        self.addressKey = addressKey
        optionalParts =
            details == PhotoDetails() && extras == Extras() ? nil : OptionalParts(details: details, extras: extras)
        self.position = position
    }

    private final class OptionalParts: Sendable {
        let details: PhotoDetails
        let extras: Extras

        init(details: PhotoDetails, extras: Extras) {
            self.details = details
            self.extras = extras
        }
    }

    /// The keys of an entry that decide how the photo is made, and that no page shows as they are.
    package struct Extras: Hashable, Sendable {
        /// The text of the `filter` key, not parsed.
        package var filter: LocatedText?
        /// How soon the photo is expected to change; nil if the default of the gallery applies.
        package var expectedChange: ExpectedChange?
        /// The digest that the original must have; nil if any will do.
        package var pinned: Digest?
        /// The further addresses of the same picture, tried in order.
        package var mirrors: [Source]

        package init(
            filter: LocatedText? = nil, expectedChange: ExpectedChange? = nil, pinned: Digest? = nil,
            mirrors: [Source] = []
        ) {
            self.filter = filter
            self.expectedChange = expectedChange
            self.pinned = pinned
            self.mirrors = mirrors
        }
    }

    package var details: PhotoDetails { optionalParts?.details ?? PhotoDetails() }

    var extras: Extras { optionalParts?.extras ?? Extras() }

    /// The text of the `filter` key, not parsed.
    package var filter: LocatedText? { optionalParts?.extras.filter }

    /// How soon the photo is expected to change; nil if the default of the gallery applies.
    package var expectedChange: ExpectedChange? { optionalParts?.extras.expectedChange }

    /// The digest that the original must have; nil if any will do.
    package var pinned: Digest? { optionalParts?.extras.pinned }

    /// The further addresses of the same picture, tried in order after `source`.
    package var mirrors: [Source] { optionalParts?.extras.mirrors ?? [] }
}

/// Text of a manifest that is parsed later, with the position to report if that fails.
package struct LocatedText: Hashable, Sendable {
    package let text: String
    package let position: TextPosition

    package init(text: String, position: TextPosition) {
        self.text = text
        self.position = position
    }
}
