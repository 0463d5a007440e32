/// Renders a site's content with templates into files.
package struct SiteRenderer: Sendable {
    private let content: SiteContent
    private let templates: TemplateSet
    private let frame: SiteFrame
    private let viewer: SiteFile
    private let summary: SiteSummary
    private let albums: AlbumTree

    /// - Throws: `SiteError.slug` if a photo or album has a slug that can't be a file's name.
    package init(content: SiteContent, templates: TemplateSet) throws(SiteError) {
        let slugs = content.photos.lazy.map(\.slug)
        if let slug = slugs.first(where: { !SitePath.isUsable(slug: $0) }) { throw .slug(slug) }
        if let album = content.albums.first(where: { !SitePath.isUsable(slug: $0.slug) }) { throw .slug(album.slug) }
        self.content = content
        self.templates = templates
        viewer = ViewerMarkup(settings: content.settings).script(templates.engine())
        frame = SiteFrame(content, assets: templates.assets, viewer: viewer)
        summary = SiteSummary(content)
        albums = AlbumTree(content)
    }

    /// Gives every file to `emit`, one after the other, in the order in which they are to be published: what others
    /// refer to comes before them, and index.html, the feed and status.json come last.
    /// - Parameter known: the keys of pages that stand in the site, by path; those that are the same now are not made.
    package func pieces<Failure: Error>(
        known: [String: String], _ emit: (SitePiece) throws(Failure) -> Void
    ) throws(Failure) {
        // Each worker has an engine of its own: engines learn, and could not share what they learn without waiting.
        let engines = (0..<Parallel.workerCount).map { _ in templates.engine() }
        let keys = PageKeys(content, frame: frame, summary: summary, albums: albums, templates: templates)
        for asset in templates.assets.all + [viewer] { try emit(.file(asset)) }
        try emit(
            large(SitePath.search, keys, known) { (emit) throws(SiteError) in try searchScript(content, emit) })
        try Parallel.forEach(
            content.photos.indices, workers: engines, { photoPage($0, Pages(keys, known, $1)) }, emit)
        try Parallel.forEach(
            content.albums.indices, workers: engines, { albumPage($0, Pages(keys, known, $1)) }, emit)
        // The first page comes last.
        try Parallel.forEach(
            0..<pageCount, workers: engines, { indexPage(pageCount - $0, Pages(keys, known, $1)) }, emit)
        try emit(.file(SiteFile(path: SitePath.feed, bytes: engines[0].render("feed", FeedPage(content)))))
        try emit(
            large(SitePath.status, keys, known) { (emit) throws(SiteError) in try statusJSON(content, emit) })
    }

    /// The same, every file made and whole.
    package func files<Failure: Error>(_ emit: (SiteFile) throws(Failure) -> Void) throws(Failure) {
        try pieces(known: [:]) { (piece) throws(Failure) in
            switch piece {
            case .file(let file): try emit(file)
            case .stream(let stream): try emit(stream.whole)
            case .current: break
            }
        }
    }

    private func large(
        _ path: String, _ keys: PageKeys, _ known: [String: String],
        _ make: @escaping (([UInt8]) throws(SiteError) -> Void) throws(SiteError) -> Void
    ) -> SitePiece {
        let key = keys.all(path)
        return known[path] == key ? .current(path: path) : .stream(SiteStream(path: path, key: key, make: make))
    }

    /// What a worker makes pages with, and by what it knows those that it need not make.
    private struct Pages {
        let keys: PageKeys
        let engine: TemplateEngine
        private let known: [String: String]

        init(_ keys: PageKeys, _ known: [String: String], _ engine: TemplateEngine) {
            self.keys = keys
            self.known = known
            self.engine = engine
        }

        func piece(_ path: String, key: String, _ make: () -> [UInt8]) -> SitePiece {
            known[path] == key ? .current(path: path) : .file(SiteFile(path: path, bytes: make(), key: key))
        }
    }

    private var perPage: Int { max(1, content.settings.perPage) }

    private var pageCount: Int { max(1, (content.photos.count + perPage - 1) / perPage) }

    private func indexPage(_ number: Int, _ pages: Pages) -> SitePiece {
        let path = SitePath.page(number)
        let start = (number - 1) * perPage
        let range = start..<min(start + perPage, content.photos.count)
        return pages.piece(path, key: pages.keys.index(number, of: pageCount, photos: range)) {
            let pageFrame = frame.page(path)
            let page = IndexPage(
                frame: pageFrame, cards: cards(of: range, root: pageFrame.root, pages.engine), first: start + 1,
                summary: summary, albums: number == 1 ? albums.roots : [],
                pager: PagerView(number: number, count: pageCount, root: pageFrame.root), updated: content.updated)
            return pages.engine.render("index", page)
        }
    }

    private func albumPage(_ index: Int, _ pages: Pages) -> SitePiece {
        let node = albums.nodes[index]
        let path = SitePath.album(node.slug)
        return pages.piece(path, key: pages.keys.album(index)) {
            let pageFrame = frame.page(path)
            let page = AlbumPage(
                frame: pageFrame, node: node, ancestors: albums.trail(to: content.albums[index].path).dropLast(),
                cards: cards(of: node.photos, root: pageFrame.root, pages.engine))
            return pages.engine.render("album", page)
        }
    }

    private func cards(of photos: some Collection<Int>, root: String, _ engine: TemplateEngine) -> [UInt8] {
        var cards: [UInt8] = []
        for (place, index) in photos.enumerated() {
            cards += engine.render("card", PhotoView(content.photos[index], root: root, place: place))
        }
        return cards
    }

    private func photoPage(_ index: Int, _ pages: Pages) -> SitePiece {
        let photo = content.photos[index]
        let path = SitePath.photo(photo.slug)
        let trail = albums.trail(to: photo.album)
        let upPath = trail.last.map { SitePath.album($0.slug) } ?? SitePath.page(index / perPage + 1)
        return pages.piece(path, key: pages.keys.photo(index, upPath: upPath)) {
            let page = PhotoPage(
                frame: frame.page(path), photo: photo, trail: trail, upPath: upPath,
                previous: index > 0 ? content.photos[index - 1] : nil,
                next: index + 1 < content.photos.count ? content.photos[index + 1] : nil,
                position: index + 1, total: content.photos.count)
            return pages.engine.render("photo", page)
        }
    }
}
