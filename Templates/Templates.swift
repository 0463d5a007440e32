/// The templates and assets of this folder, embedded in the program so that it runs from anywhere.
package enum EmbeddedTemplates {
    /// By name: "index.mustache", "assets/gallery.css".
    package static let files: [String: [UInt8]] = [
        "album.mustache": PackageResources.album_mustache,
        "albums.mustache": PackageResources.albums_mustache,
        "card.mustache": PackageResources.card_mustache,
        "feed.mustache": PackageResources.feed_mustache,
        "index.mustache": PackageResources.index_mustache,
        "layout.mustache": PackageResources.layout_mustache,
        "pager.mustache": PackageResources.pager_mustache,
        "photo.mustache": PackageResources.photo_mustache,
        "placeholder.mustache": PackageResources.placeholder_mustache,
        "state.mustache": PackageResources.state_mustache,
        "assets/favicon.svg": PackageResources.favicon_svg,
        "assets/gallery.css": PackageResources.gallery_css,
    ]
}
