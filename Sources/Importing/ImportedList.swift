package import PhotoModel

/// A photo that a source lists.
package struct ImportedPhoto: Hashable, Sendable {
    /// Names of the albums from the outside in, empty at the top.
    package var album: [String]
    /// nil where the source has none: the list then names the photo after its file.
    package var name: String?
    /// As the list is to have it: an http(s) URL, or a path relative to the folder of the list.
    package var address: String
    package var details: PhotoDetails
    /// A filter chain that has been parsed without an error.
    package var filter: String?

    package init(
        album: [String] = [], name: String? = nil, address: String, details: PhotoDetails = PhotoDetails(),
        filter: String? = nil
    ) {
        self.album = album
        self.name = name
        self.address = address
        self.details = details
        self.filter = filter
    }
}

/// The photos of a source in its order.
package struct ImportedList: Sendable {
    /// How the property list holds the photos of an album.
    package enum Shape: Sendable {
        /// By name in a dict, which may get albums beside them later.
        case dicts
        /// In an array, where names may repeat.
        case arrays
    }

    package var photos: [ImportedPhoto]
    package var shape: Shape
    /// The title of a IIIF manifest; nil for other sources.
    package let title: String?
    /// Whether all of the source could be read. What is missing from a list that is not complete may still be in the
    /// source.
    package var isComplete = true
    /// A sentence for each kind of thing that was left out.
    package var warnings: [String]

    package init(
        photos: [ImportedPhoto], shape: Shape = .arrays, title: String? = nil, warnings: [String] = []
    ) {
        self.photos = photos
        self.shape = shape
        self.title = title
        self.warnings = warnings
    }
}
