package import PhotoModel

/// Everything that a site shows. Pages are rendered from the content and the templates.
package struct SiteContent: Sendable {
    package var settings: SiteSettings
    /// The albums, in the order of the list.
    package var albums: [SiteAlbum]
    /// The photos, in the order of the list.
    package var photos: SitePhotos
    /// The time of the last change.
    package var updated: Timestamp

    package init(settings: SiteSettings, albums: [SiteAlbum], photos: SitePhotos, updated: Timestamp) {
        self.settings = settings
        self.albums = albums
        self.photos = photos
        self.updated = updated
    }

    /// The paths of all pictures that the pages refer to, in the order of the photos. The path of a picture that
    /// several photos share appears several times.
    package var picturePaths: some Sequence<String> { photos.lazy.flatMap(\.picturePaths) }
}

/// A named group of photos, which can be part of another album.
package struct SiteAlbum: Hashable, Sendable {
    /// The name of the album, preceded by the names of the albums that contain it, outermost first; never empty.
    package let path: [String]
    /// The name of the album's page without ".html". It is unique in the site and contains no "/".
    package let slug: String

    package init(path: [String], slug: String) {
        self.path = path
        self.slug = slug
    }
}
