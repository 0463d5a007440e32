package import PhotoModel

/// A photo that a source lists.
package struct ImportedPhoto: Hashable, Sendable {
    /// The names of the albums, from the outermost to the innermost; empty at the top level.
    package var album: [String]
    /// The name; nil if the source states none. The list then names the photo after its file.
    package var name: String?
    /// The address in the list: an http(s) URL, or a path relative to the list's folder.
    package var address: String
    package var details: PhotoDetails
    /// A filter chain that has been parsed without errors.
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

/// The photos of a source, in the order of the source.
package struct ImportedList: Sendable {
    /// How the property list stores the photos of an album.
    package enum Shape: Sendable {
        /// The list is a dict of names, to which albums can be added later.
        case dicts
        /// The list is an array, in which names can repeat.
        case arrays
    }

    package var photos: [ImportedPhoto]
    package var shape: Shape
    /// The title of a IIIF manifest; nil for other sources.
    package let title: String?
    /// Whether the whole source could be read. If not, an entry that the list lacks can still be in the source.
    package var isComplete = true
    /// A sentence for each kind of entry that was left out.
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
