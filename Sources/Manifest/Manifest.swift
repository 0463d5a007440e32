package import PhotoModel

/// A list of photos as its property list has it, checked as far as that is possible without fetching anything.
package struct Manifest: Sendable {
    /// The manifest's name in readable words ("classic-photos.plist" is "Classic Photos"); nil for standard input.
    package let title: String?
    /// The photos in the order of the file, albums flattened in place. No two have the same album, name and address.
    package let photos: [ManifestPhoto]
    /// The path of every album from the outside in, in the order of the file, empty albums too.
    package let albums: [[String]]
    package let warnings: [ManifestDiagnostic]
    /// The absolute folder that relative addresses are meant from; nil if the manifest came from a URL.
    package let folder: String?

    package init(
        title: String?, photos: [ManifestPhoto], albums: [[String]], warnings: [ManifestDiagnostic],
        folder: String? = nil
    ) {
        self.title = title
        self.folder = folder
        self.photos = photos
        self.albums = albums
        self.warnings = warnings
    }
}

/// A photo of the list, before anything is fetched. It is a class, so that the list and everything that a build makes
/// of it share the photo: there may be 100,000.
package final class ManifestPhoto: Sendable {
    /// Names of the albums from the outside in, empty at the top.
    package let album: [String]
    /// Never empty. White space at its ends is trimmed; line breaks and tabs inside are one space.
    package let name: String
    /// `.badAddress` and `.unsupportedScheme` fail this photo alone.
    package let source: Result<Source, Failure>
    /// The address as pages show it: no user, password, query and fragment, a path as it was written, at most
    /// 200 characters; empty if there is none.
    package let shownSource: String
    /// Tells addresses apart, unusable ones too, and is the same on every machine: a relative path is as seen from the
    /// manifest's folder. It may hold secrets and is never shown.
    package let addressKey: String
    /// nil for the many photos of which nothing more is said.
    private let more: More?
    /// The place of the entry: its key in a dict, itself in an array.
    package let position: TextPosition

    package init(
        album: [String], name: String, source: Result<Source, Failure>, shownSource: String, addressKey: String,
        details: PhotoDetails, filter: LocatedText?, position: TextPosition
    ) {
        self.album = album
        self.name = name
        self.source = source
        self.shownSource = shownSource
        self.addressKey = addressKey
        more = details == PhotoDetails() && filter == nil ? nil : More(details: details, filter: filter)
        self.position = position
    }

    private final class More: Sendable {
        let details: PhotoDetails
        let filter: LocatedText?

        init(details: PhotoDetails, filter: LocatedText?) {
            self.details = details
            self.filter = filter
        }
    }

    package var details: PhotoDetails { more?.details ?? PhotoDetails() }

    /// The text of the `filter` key, not parsed.
    package var filter: LocatedText? { more?.filter }
}

/// Text of a manifest that is parsed later, with the place to point at if that fails.
package struct LocatedText: Hashable, Sendable {
    package let text: String
    package let position: TextPosition

    package init(text: String, position: TextPosition) {
        self.text = text
        self.position = position
    }
}
