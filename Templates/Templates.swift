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
        "photo-state.mustache": PackageResources.photo_state_mustache,
        "photo.mustache": PackageResources.photo_mustache,
        "placeholder-colour.mustache": PackageResources.placeholder_colour_mustache,
        "placeholder.mustache": PackageResources.placeholder_mustache,
        "search-form.mustache": PackageResources.search_form_mustache,
        "status.mustache": PackageResources.status_mustache,
        "time-retry-after.mustache": PackageResources.time_retry_after_mustache,
        "time-since.mustache": PackageResources.time_since_mustache,
        "time-updated.mustache": PackageResources.time_updated_mustache,
        "view-mode.mustache": PackageResources.view_mode_mustache,
        "viewer.mustache": PackageResources.viewer_mustache,
        "strings/ar.txt": PackageResources.ar_txt,
        "strings/de.txt": PackageResources.de_txt,
        "strings/en.txt": PackageResources.en_txt,
        "strings/es.txt": PackageResources.es_txt,
        "assets/early-preferences.js": PackageResources.early_preferences_js,
        "assets/favicon.svg": PackageResources.favicon_svg,
        "assets/gallery.css": PackageResources.gallery_css,
        "assets/gallery.js": script,
        "assets/live.js": PackageResources.live_js,
        "assets/search.css": PackageResources.search_css,
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
        PackageResources.view_mode_js,
        PackageResources.search_index_js,
        PackageResources.search_form_js,
        PackageResources.information_panel_js,
        PackageResources.picture_js,
        PackageResources.comparison_js,
        PackageResources.slideshow_js,
        PackageResources.keyboard_js,
        PackageResources.viewer_js,
        PackageResources.main_js,
    ].reduce([], +)
}
