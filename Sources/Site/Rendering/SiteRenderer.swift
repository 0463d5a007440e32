/// Renders a site's content with templates into files.
package struct SiteRenderer: Sendable {
    private let content: SiteContent
    private let templates: TemplateSet
    private let frame: SiteFrame
    private let viewer: SiteFile
    private let summary: SiteSummary
    private let albums: AlbumTree
    /// Each page of each album.
    private let albumPages: [AlbumPart]

    private struct AlbumPart {
        /// Into the content's albums.
        let album: Int
        /// From 1.
        let number: Int
        /// Of all pages of the album.
        let count: Int
    }

    /// - Throws: `SiteError.slug` if a photo or album has a slug that can't be a file's name.
    package init(content: SiteContent, templates: TemplateSet) throws(SiteError) {
        let slugs = content.photos.lazy.map(\.slug)
        if let slug = slugs.first(where: { !SitePath.isUsable(slug: $0) }) { throw .slug(slug) }
        if let album = content.albums.first(where: { !SitePath.isUsable(slug: $0.slug) }) { throw .slug(album.slug) }
        self.content = content
        self.templates = templates
        viewer = ViewerMarkup(settings: content.settings, language: templates.language).script(templates.engine())
        summary = SiteSummary(content)
        frame = SiteFrame(content, summary, templates: templates, viewer: viewer)
        let albums = AlbumTree(content)
        let perPage = max(1, content.settings.perPage)
        albumPages = albums.nodes.enumerated().flatMap { index, node in
            let count = max(1, (node.photos.count + perPage - 1) / perPage)
            return (1...count).map { AlbumPart(album: index, number: $0, count: count) }
        }
        self.albums = albums
    }

    /// Gives every file to `emit`, one after the other, in the order in which they are to be published: what others
    /// refer to comes before them, and index.html, the feed and status.json come last.
    package func files<Failure: Error>(_ emit: (SiteFile) throws(Failure) -> Void) throws(Failure) {
        // Each worker has an engine of its own: engines learn, and could not share what they learn without waiting.
        let engines = (0..<Parallel.workerCount).map { _ in templates.engine() }
        for asset in templates.assets.all + [viewer] { try emit(asset) }
        try emit(SiteFile(path: SitePath.search, bytes: searchScript(content, templates.language)))
        try Parallel.forEach(content.photos.indices, workers: engines, photoPage, emit)
        try Parallel.forEach(albumPages.indices, workers: engines, { albumPage(albumPages[$0], $1) }, emit)
        let problems = ProblemPage(content, frame: frame.page(SitePath.problems))
        try emit(SiteFile(path: SitePath.problems, bytes: engines[0].render("status", problems)))
        // The first page comes last.
        try Parallel.forEach(0..<pageCount, workers: engines, { indexPage(pageCount - $0, $1) }, emit)
        try emit(SiteFile(path: SitePath.feed, bytes: engines[0].render("feed", FeedPage(content, templates.language))))
        try emit(SiteFile(path: SitePath.status, bytes: statusJSON(content)))
    }

    private var perPage: Int { max(1, content.settings.perPage) }

    private var pageCount: Int { max(1, (content.photos.count + perPage - 1) / perPage) }

    private func indexPage(_ number: Int, _ engine: TemplateEngine) -> SiteFile {
        let path = SitePath.page(number)
        let pageFrame = frame.page(path)
        let start = (number - 1) * perPage
        let page = IndexPage(
            frame: pageFrame,
            cards: cards(of: start..<min(start + perPage, content.photos.count), root: pageFrame.root, engine),
            first: start + 1, summary: summary, albums: number == 1 ? albums.roots : [],
            pager: PagerView(number: number, count: pageCount) { pageFrame.root + SitePath.page($0) },
            updated: content.updated)
        return SiteFile(path: path, bytes: engine.render("index", page))
    }

    private func albumPage(_ part: AlbumPart, _ engine: TemplateEngine) -> SiteFile {
        let node = albums.nodes[part.album]
        let path = SitePath.album(node.slug, page: part.number)
        let pageFrame = frame.page(path)
        let photos = node.photos.dropFirst((part.number - 1) * perPage).prefix(perPage)
        let page = AlbumPage(
            frame: pageFrame, node: node, ancestors: albums.trail(to: content.albums[part.album].path).dropLast(),
            cards: cards(of: photos, root: pageFrame.root, engine),
            pager: PagerView(number: part.number, count: part.count) {
                pageFrame.root + SitePath.encoded(SitePath.album(node.slug, page: $0))
            })
        return SiteFile(path: path, bytes: engine.render("album", page))
    }

    private func cards(of photos: some Collection<Int>, root: String, _ engine: TemplateEngine) -> [UInt8] {
        var cards: [UInt8] = []
        for (place, index) in photos.enumerated() {
            cards += engine.render("card", PhotoView(content.photos[index], root: root, language: templates.language, place: place))
        }
        return cards
    }

    private func photoPage(_ index: Int, _ engine: TemplateEngine) -> SiteFile {
        let photo = content.photos[index]
        let path = SitePath.photo(photo.slug)
        let trail = albums.trail(to: photo.album)
        let page = PhotoPage(
            frame: frame.page(path), photo: photo, trail: trail,
            upPath: trail.last.map { SitePath.album($0.slug, page: albums.places[index] / perPage + 1) } ?? SitePath.page(index / perPage + 1),
            previous: index > 0 ? content.photos[index - 1] : nil,
            next: index + 1 < content.photos.count ? content.photos[index + 1] : nil,
            position: index + 1, total: content.photos.count)
        return SiteFile(path: path, bytes: engine.render("photo", page))
    }
}
