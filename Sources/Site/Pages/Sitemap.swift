/// sitemap.xml (sitemaps.org, protocol 0.9) and robots.txt (RFC 9309), which tell search engines where the pages are.
/// Both need absolute addresses, so that there are none without the site's own.
struct Sitemap {
    /// The protocol allows no more in one file. Pages beyond that are found by the links of the others.
    private static let maximumURLs = 50_000
    /// The lines that show that gallerygen wrote a file, if no ledger lists it (`OwnershipRecovery`).
    static let signatures = ["<!-- Written by gallerygen ", "# Written by gallerygen "]

    /// The site's address, with a slash at its end.
    let base: String
    /// Name and version of the program.
    let generator: String

    /// - Parameter paths: of all pages, those first that matter most.
    func file(_ paths: some Sequence<String>) -> SiteFile {
        var text = Array(
            """
            <?xml version="1.0" encoding="utf-8"?>
            <!-- Written by \(generator) -->
            <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">

            """.utf8)
        for path in paths.lazy.prefix(Self.maximumURLs) {
            // The first page is known by the address of the site.
            let address = path == SitePath.index ? base : base + SitePath.encoded(path)
            text += "<url><loc>".utf8
            EscapedText.append(address, to: &text)
            text += "</loc></url>\n".utf8
        }
        text += "</urlset>\n".utf8
        return SiteFile(path: SitePath.sitemap, bytes: text)
    }

    /// - Returns: nil for a site below the root of its host, where no search engine looks for the file.
    var robots: SiteFile? {
        let slashes = base.utf8.count { $0 == UInt8(ascii: "/") }
        guard slashes == 3 else { return nil }
        let text = "# Written by \(generator)\nUser-agent: *\nAllow: /\nSitemap: \(base)\(SitePath.sitemap)\n"
        return SiteFile(path: SitePath.robots, bytes: Array(text.utf8))
    }
}
