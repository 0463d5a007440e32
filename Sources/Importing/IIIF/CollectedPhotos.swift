internal import Manifest

/// Collects the photos of several lists, each of which becomes an album of one list.
package struct CollectedPhotos {
    package private(set) var photos: [ImportedPhoto] = []
    /// The bytes that the texts of all photos take in the list.
    private var size = 0

    package init() {}

    /// - Parameter album: the path of the album that gets the photos.
    /// - Throws: `ImportError.listTooLarge` as soon as the list would be too large to be read. The limit holds while
    ///   photos are collected, because each list may be almost as large as the limit.
    package mutating func add(_ more: [ImportedPhoto], in album: [String]) throws(ImportError) {
        for var photo in more {
            photo.album = album
            size += photo.size
            guard size <= ManifestReader.maximumSize else { throw .listTooLarge(limit: ManifestReader.maximumSize) }
            photos.append(photo)
        }
    }
}
