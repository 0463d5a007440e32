package import PhotoModel

/// Everything that a site shows: what its pages are made of, beside the templates.
package struct SiteContent: Sendable {
    package var settings: SiteSettings
    /// In the order in which they are listed.
    package var albums: [SiteAlbum]
    /// In the order in which they are listed.
    package var photos: SitePhotos
    /// The time of the last change.
    package var updated: Timestamp

    package init(settings: SiteSettings, albums: [SiteAlbum], photos: SitePhotos, updated: Timestamp) {
        self.settings = settings
        self.albums = albums
        self.photos = photos
        self.updated = updated
    }

    /// The paths of all pictures that the pages refer to, in the order of the photos: one that several show comes
    /// several times.
    package var picturePaths: some Sequence<String> { photos.lazy.flatMap(\.picturePaths) }
}

/// A named group of photos, which may lie in another one.
package struct SiteAlbum: Hashable, Codable, Sendable {
    /// Its name after the names of the albums it lies in, outermost first; never empty.
    package let path: [String]
    /// The name of its page without ".html": unique in the site, no "/" in it.
    package let slug: String

    package init(path: [String], slug: String) {
        self.path = path
        self.slug = slug
    }
}
