internal import PhotoModel

extension SiteRenderer {
    /// Renders the file at a path, for a preview that renders what it is asked for.
    ///
    /// The files of records and the search list are named by their data and not by their bytes, as they would be in a
    /// published site: otherwise the index of these files could only be made by rendering all of them.
    /// - Parameter path: a path relative to the site, not percent-encoded.
    /// - Returns: nil if the site has no such file. Pictures are not rendered here.
    package func file(at path: String) -> SiteFile? {
        if path.hasPrefix("assets/") { return asset(path) }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count < 3 else { return nil }
        switch parts.count == 2 ? parts[0] : "" {
        case "": return topFile(path)
        case "photo":
            let index = outline.slugs.firstIndex { SitePath.photo($0) == path }
            return index.map { SiteFile(path: path, bytes: photoPage($0, path, photo: photo)) }
        case "page":
            guard let number = Int(parts[1].prefix { $0 != "." }), (2...max(2, pageCount)).contains(number),
                number <= pageCount, SitePath.page(number) == path
            else { return nil }
            return indexPage(number).file
        case "album":
            let part = albumParts.first { SitePath.album(albums.nodes[$0.album].slug, page: $0.pages.number) == path }
            return part.flatMap { albumPage($0).file }
        default: return nil
        }
    }

    /// The link of the first page to the photos that need attention, as the template "attention" renders it. The
    /// photos may have changed since this renderer was made.
    /// - Returns: an empty text if no photo needs attention.
    package func attention(_ summary: SiteSummary) -> String {
        guard summary.needingAttention > 0 else { return "" }
        let pageFrame = frame.page(SitePath.index)
        let page = IndexPage(
            frame: pageFrame, cards: [], first: 1, summary: summary, albums: [], photos: content.photos,
            pager: PagerView(number: 1, count: pageCount) { pageFrame.root + SitePath.page($0) },
            updated: content.updated)
        return String(decoding: templates.render("attention", page), as: UTF8.self)
    }

    private func photo(_ index: Int) -> SitePhoto? {
        content.photos.indices.contains(index) ? content.photos[index] : nil
    }

    private func topFile(_ path: String) -> SiteFile? {
        let bytes: [UInt8]
        switch path {
        case SitePath.index: return indexPage(1).file
        case SitePath.photoIndex:
            let names = shards.map { (hash: Self.name($0.key)[...], count: $0.photos.count) }
            bytes = photoIndexScript(names, albums: albums.nodes, searchPath: searchPath)
        case SitePath.statusPage:
            bytes = templates.render("status", StatusPage(content, outline, frame: frame.page(path)))
        case SitePath.feed: bytes = templates.render("feed", FeedPage(content, outline, templates.language))
        case SitePath.status: return statusFile().collected
        default: return sitemapFiles.first { $0.path == path }
        }
        return SiteFile(path: path, bytes: bytes)
    }

    private func asset(_ path: String) -> SiteFile? {
        let assets = templates.assets
        if let file = (assets.all + [viewer] + assets.preview).first(where: { $0.path == path }) { return file }
        if path == searchPath { return SiteFile(path: path, bytes: searchScript()) }
        guard let shard = shards.first(where: { SitePath.shard(Self.name($0.key)) == path }) else { return nil }
        return SiteFile(path: path, bytes: recordsScript(content.photos[shard.photos], templates.language))
    }

    private var searchPath: String { SitePath.searchList(Self.name(searchKey)) }

    private static func name(_ key: Digest) -> String { String(key.prefix(16)) }
}

extension SiteOutput {
    /// The rendered file; nil if it was not rendered.
    fileprivate var file: SiteFile? { if case .file(let file, _) = self { file } else { nil } }
}
