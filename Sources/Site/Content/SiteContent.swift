package import PhotoModel

/// Everything that a site shows: what its pages are made of, beside the templates.
package struct SiteContent: Hashable, Codable, Sendable {
    package var settings: SiteSettings
    /// In the order in which they are listed.
    package var albums: [SiteAlbum]
    /// In the order in which they are listed.
    package var photos: [SitePhoto]
    /// The time of the last change.
    package var updated: Timestamp

    package init(settings: SiteSettings, albums: [SiteAlbum], photos: [SitePhoto], updated: Timestamp) {
        self.settings = settings
        self.albums = albums
        self.photos = photos
        self.updated = updated
    }

    /// The paths of all pictures that the pages refer to.
    package var picturePaths: Set<String> {
        var paths = Set<String>(minimumCapacity: photos.count * 4)
        for photo in photos { paths.formUnion(photo.picturePaths) }
        return paths
    }
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
