/// The templates and assets of this folder, embedded in the program so that it runs from anywhere.
package enum EmbeddedTemplates {
    /// By name: "index.mustache", "assets/gallery.css".
    package static let files: [String: [UInt8]] = [
        "album.mustache": PackageResources.album_mustache,
        "albums.mustache": PackageResources.albums_mustache,
        "card.mustache": PackageResources.card_mustache,
        "feed.mustache": PackageResources.feed_mustache,
        "find.mustache": PackageResources.find_mustache,
        "index.mustache": PackageResources.index_mustache,
        "layout.mustache": PackageResources.layout_mustache,
        "pager.mustache": PackageResources.pager_mustache,
        "photo.mustache": PackageResources.photo_mustache,
        "placeholder.mustache": PackageResources.placeholder_mustache,
        "since.mustache": PackageResources.since_mustache,
        "state.mustache": PackageResources.state_mustache,
        "status.mustache": PackageResources.status_mustache,
        "tone.mustache": PackageResources.tone_mustache,
        "until.mustache": PackageResources.until_mustache,
        "updated.mustache": PackageResources.updated_mustache,
        "viewer.mustache": PackageResources.viewer_mustache,
        "views.mustache": PackageResources.views_mustache,
        "strings/ar.txt": PackageResources.ar_txt,
        "strings/de.txt": PackageResources.de_txt,
        "strings/en.txt": PackageResources.en_txt,
        "strings/es.txt": PackageResources.es_txt,
        "assets/early.js": PackageResources.early_js,
        "assets/favicon.svg": PackageResources.favicon_svg,
        "assets/find.css": PackageResources.find_css,
        "assets/gallery.css": PackageResources.gallery_css,
        "assets/gallery.js": script,
        "assets/live.js": PackageResources.live_js,
        "assets/viewer.css": PackageResources.viewer_css,
    ]

    /// The files of scripts/ as one: a page then waits for one request, and it compresses better. They are classic
    /// scripts because browsers load no modules from the disk.
    private static let script: [UInt8] = [
        PackageResources.photos_js,
        PackageResources.router_js,
        PackageResources.prefetch_js,
        PackageResources.zoom_js,
        PackageResources.ratings_js,
        PackageResources.views_js,
        PackageResources.search_js,
        PackageResources.find_js,
        PackageResources.facts_js,
        PackageResources.picture_js,
        PackageResources.compare_js,
        PackageResources.slideshow_js,
        PackageResources.keys_js,
        PackageResources.viewer_js,
        PackageResources.start_js,
    ].reduce([], +)
}
