internal import Site

/// The HTTP headers for a file of the site.
package enum FileHeaders {
    private static let contentTypes = [
        "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8",
        "json": "application/json", "xml": "application/xml", "txt": "text/plain; charset=utf-8",
        "svg": "image/svg+xml", "jpg": "image/jpeg", "png": "image/png", "webp": "image/webp",
    ]

    package static func contentType(of path: String) -> String {
        if path == SitePath.feed { return "application/atom+xml" }
        let ending = path.split(separator: ".").last.map(String.init) ?? ""
        return contentTypes[ending] ?? "application/octet-stream"
    }

    /// The value of Cache-Control. A file with a hash in its name never changes. Browsers revalidate all other files
    /// after a minute.
    package static func cacheControl(of path: String) -> String {
        SitePath.isNamedByContent(path) ? "public, max-age=31536000, immutable" : "public, max-age=60"
    }
}
