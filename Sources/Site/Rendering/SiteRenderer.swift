package import PhotoModel
internal import Synchronization

/// Renders the files of a site from its content and the templates.
///
/// The renderer is a class, because several threads use it for each page, and each copy of a structure would count a
/// reference to every value in it.
package final class SiteRenderer: Sendable {
    let content: SiteContent
    let templates: TemplateSet
    let frame: SiteFrame
    let viewer: SiteFile
    /// The outline, without the lines of the lists.
    let outline: SiteOutline
    /// The photos' lines of status.json and of the search list. The first call of `outputs` takes them; nil after that,
    /// and if the outline was made without them.
    private let lists: Mutex<PhotoLists?>
    private let keys: PageFingerprints
    let shards: [PhotoShards.Shard]
    /// The key of the search list: the digest of its data.
    let searchKey: Digest
    /// All pages of all albums.
    let albumParts: [AlbumPart]

    /// A page of an album.
    struct AlbumPart {
        /// The index of the album in the content's albums.
        let album: Int
        /// The number of the page, counted from 1, and the number of pages of the album.
        let pages: (number: Int, count: Int)
    }

    var albums: AlbumHierarchy { outline.albums }

    /// Makes the content of the search list. Without lists, all photos are converted for it.
    func searchScript(_ lists: PhotoLists? = nil) -> [UInt8] { (lists?.search ?? SearchList(content.photos)).script }

    /// Makes status.json. Without lists, all photos are converted for it.
    func statusFile(_ lists: PhotoLists? = nil) -> SiteStream {
        SiteStream(path: SitePath.status) { [content, outline] (emit) throws(SiteError) in
            let lines = lists?.status ?? StatusLines(content.photos)
            try statusJSON(content, counts: outline.summary, lines: lines, emit)
        }
    }

    /// - Parameters:
    ///   - outline: the outline of the content, if the caller has it already.
    ///   - preview: what distinguishes the pages of a preview; nil for a published site.
    /// - Throws: `SiteError.slug` if a photo or album has a slug that can't be the name of a file.
    package init(
        content: SiteContent, outline: SiteOutline? = nil, templates: TemplateSet, preview: PreviewMark? = nil
    ) throws(SiteError) {
        var outline = outline ?? SiteOutline(content)
        lists = Mutex(outline.takeLists())
        if let slug = outline.slugs.first(where: { !SitePath.isUsable(slug: $0) }) { throw .slug(slug) }
        if let album = content.albums.first(where: { !SitePath.isUsable(slug: $0.slug) }) { throw .slug(album.slug) }
        self.content = content
        self.templates = templates
        viewer = ViewerMarkup(settings: content.settings, language: templates.language).script(templates)
        frame = SiteFrame(
            content, hasTags: outline.hasTags, templates: templates, viewer: viewer, preview: preview)
        self.outline = outline
        keys = PageFingerprints(content, outline, frame: frame, templates: templates)
        var common = CanonicalHasher()
        common.add(content.settings.generator, content.settings.language, templates.stringsDigest.hex)
        let recordSettings = common.finish()
        shards = PhotoShards(slugs: outline.slugs, digests: outline.digests, common: recordSettings).shards
        searchKey = PhotoShards.key("search", outline.digests, recordSettings)
        let perPage = max(1, content.settings.perPage)
        albumParts = outline.albums.nodes.enumerated().flatMap { index, node in
            let count = max(1, (node.photos.count + perPage - 1) / perPage)
            return (1...count).map { AlbumPart(album: index, pages: ($0, count)) }
        }
    }

    /// Calls `emit` with every file, one after the other. A file comes before the files that refer to it, and
    /// index.html and the feed come last. status.json is an exception: it comes before the pages, so that its lines
    /// need no memory while pages are rendered. The publisher puts it in place after the pages.
    package func files<Failure: Error>(_ emit: (SiteFile) throws(Failure) -> Void) throws(Failure) {
        try outputs(known: [:]) { (output) throws(Failure) in
            switch output {
            case .file(let file, _): try emit(file)
            case .stream(let stream): try emit(stream.collected)
            case .unchanged, .kept, .prepared: break
            }
        }
    }

    /// Does the same as `files`, but doesn't render a page whose key is known.
    /// - Parameter known: the keys of the pages that the output folder has, by path.
    package func outputs<Failure: Error>(
        known: [String: Digest], _ emit: (SiteOutput) throws(Failure) -> Void
    ) throws(Failure) {
        let dataFiles = known.filter { SitePath.isDataFile($0.key) }.map { ($0.value, $0.key) }
        try outputs(
            keep: { zip($0, $1).map { known[$0] == $1 } }, dataFiles: Dictionary(uniqueKeysWithValues: dataFiles), emit)
    }

    /// - Parameters:
    ///   - keep: keeps those of some pages that the output folder has with these keys, and returns which ones.
    ///     Several threads call it at once, also while earlier files are emitted.
    ///   - dataFiles: the paths of the record files and the search list that the output folder has, by key.
    ///   - photoKeys: the keys of the photos' pages, if the caller has them already.
    ///   - prepare: is applied to most files before they are emitted. Several threads call it at once, also while
    ///     earlier files are emitted.
    package func outputs<Failure: Error>(
        keep: @escaping KeepPages, dataFiles: [Digest: String],
        photoKeys: [Digest]? = nil, prepare: @escaping @Sendable (SiteOutput) -> SiteOutput = { $0 },
        _ emit: (SiteOutput) throws(Failure) -> Void
    ) throws(Failure) {
        // The name is derived from the bytes and not from the key. Different data can give the same bytes, for example
        // if the difference is not shown, and sites with the same bytes should have the same names.
        @Sendable func dataFile(
            _ key: Digest, path: (String) -> String, _ render: () -> [UInt8]
        ) -> (path: String, output: SiteOutput) {
            if let path = dataFiles[key] { return (path, .unchanged(paths: [path])) }
            let bytes = render()
            let path = path(Digest(of: bytes).prefix(16))
            return (path, .file(SiteFile(path: path, bytes: bytes), key: key))
        }
        func whole(_ path: String, _ bytes: [UInt8]) -> SiteOutput {
            .file(SiteFile(path: path, bytes: bytes), key: nil)
        }
        let live = content.settings.isLive ? templates.assets.live : nil
        for asset in templates.assets.all + [viewer, live].compactMap(\.self) { try emit(.file(asset, key: nil)) }
        let (content, language) = (content, templates.language)
        let records = { @Sendable [shards] (number: Int) in
            let (path, output) = dataFile(shards[number].key, path: SitePath.shard) {
                recordsScript(content.photos[shards[number].photos], language)
            }
            return (path: path, output: prepare(output))
        }
        var paths: [String] = []
        let chunkSize = Parallel.largeElementChunkSize
        try Parallel.forEach(shards.indices, chunkSize: chunkSize, records) { (file) throws(Failure) in
            paths.append(file.path)
            try emit(file.output)
        }
        // The lines of the lists are released when this function returns.
        func photoLists() throws(Failure) -> String {
            let lists = lists.withLock { $0.take() }
            let (path, search) = dataFile(searchKey, path: SitePath.searchList) { searchScript(lists) }
            try emit(search)
            try emit(.stream(statusFile(lists)))
            return path
        }
        let keys = photoKeys ?? self.photoKeys()
        let (photoPages, searchPath) = try Parallel.run(
            { [self] in choosePhotoPages(keys, keep) }, whileThisThread: photoLists)
        let names = zip(shards, paths).map { shard, path in
            (hash: path.split(separator: ".")[1], count: shard.photos.count)
        }
        let index = photoIndexScript(names, albums: albums.nodes, searchPath: searchPath)
        try emit(whole(SitePath.photoIndex, index))
        try emit(.kept(paths: photoPages.kept))
        let changed = photoPages.changed
        try Parallel.forEach(
            parts: changed.indices, { [self] in self.photoPages(changed[$0], keys, prepare) }, emit)
        try Parallel.forEach(
            albumParts.indices, chunkSize: chunkSize, { [self] in prepare(albumPage(albumParts[$0], keep)) }, emit)
        let statusPage = StatusPage(content, outline, frame: frame.page(SitePath.statusPage))
        try emit(whole(SitePath.statusPage, templates.render("status", statusPage)))
        for file in sitemapFiles { try emit(.file(file, key: nil)) }
        // The index pages are rendered from the last one to the first, so that index.html comes last.
        try Parallel.forEach(
            0..<pageCount, chunkSize: chunkSize, { [self] in prepare(indexPage(pageCount - $0, keep)) }, emit)
        try emit(whole(SitePath.feed, templates.render("feed", FeedPage(content, outline, templates.language))))
    }

    /// Files for search engines; none without the site's address.
    var sitemapFiles: [SiteFile] {
        guard let base = content.settings.baseURL else { return [] }
        let sitemap = Sitemap(base: base, generator: content.settings.generator)
        let lists = (1...pageCount).lazy.map(SitePath.page)
        let albumPages = albumParts.lazy.map { [albums] part in
            SitePath.album(albums.nodes[part.album].slug, page: part.pages.number)
        }
        let photos = outline.slugs.lazy.map(SitePath.photo)
        let paths = [AnySequence(lists), AnySequence(albumPages), AnySequence(photos)].lazy.joined()
        return [sitemap.file(paths), sitemap.robots].compactMap(\.self)
    }

    private var perPage: Int { max(1, content.settings.perPage) }

    var pageCount: Int { max(1, (content.photos.count + perPage - 1) / perPage) }

    /// Keeps pages that have these keys, parallel to their paths.
    /// - Returns: for each page, whether it is kept.
    package typealias KeepPages = @Sendable (_ paths: [String], _ keys: [Digest]) -> [Bool]

    /// Keeps no page.
    static func keepNone(_ paths: [String], _: [Digest]) -> [Bool] { paths.map { _ in false } }

    /// Renders a page unless it is kept.
    private func output(_ path: String, _ key: Digest, _ keep: KeepPages, _ render: () -> [UInt8]) -> SiteOutput {
        keep([path], [key]) == [true] ? .kept(paths: [path]) : .file(SiteFile(path: path, bytes: render()), key: key)
    }

    func indexPage(_ number: Int, _ keep: KeepPages = keepNone) -> SiteOutput {
        let path = SitePath.page(number)
        let start = (number - 1) * perPage
        let photos = start..<min(start + perPage, content.photos.count)
        return output(path, keys.indexPage((number, pageCount), photos: photos), keep) {
            let pageFrame = frame.page(path)
            let pager = PagerView(number: number, count: pageCount) { pageFrame.root + SitePath.page($0) }
            let page = IndexPage(
                frame: pageFrame, cards: cards(of: photos, root: pageFrame.root), first: start + 1,
                summary: outline.summary, albums: number == 1 ? albums.roots : [], photos: content.photos,
                pager: pager, updated: content.updated)
            return templates.render("index", page)
        }
    }

    func albumPage(_ part: AlbumPart, _ keep: KeepPages = keepNone) -> SiteOutput {
        let node = albums.nodes[part.album]
        let path = SitePath.album(node.slug, page: part.pages.number)
        let start = (part.pages.number - 1) * perPage
        let photos = node.photos.dropFirst(start).prefix(perPage)
        let ancestors = Array(albums.breadcrumbs(to: part.album).dropLast())
        let key = keys.albumPage(node, ancestors: ancestors, part.pages, photos: photos)
        return output(path, key, keep) {
            let pageFrame = frame.page(path)
            let pager = PagerView(number: part.pages.number, count: part.pages.count) {
                pageFrame.root + SitePath.encoded(SitePath.album(node.slug, page: $0))
            }
            let page = AlbumPage(
                frame: pageFrame, node: node, ancestors: ancestors, photos: content.photos,
                cards: cards(of: photos, root: pageFrame.root), first: start + 1, pager: pager)
            return templates.render("album", page)
        }
    }

    private func cards(of photos: some Collection<Int>, root: String) -> [UInt8] {
        var cards: [UInt8] = []
        for (position, index) in photos.enumerated() {
            let view = PhotoView(content.photos[index], root: root, language: templates.language, position: position)
            cards += templates.render("card", view)
        }
        return cards
    }

    /// Keeps the pages of photos that need not be rendered again.
    /// - Returns: the paths of these pages, and the indices of all other photos.
    private func choosePhotoPages(_ keys: [Digest], _ keep: KeepPages) -> (kept: [String], changed: [Int]) {
        var (kept, changed): ([String], [Int]) = ([], [])
        for start in stride(from: 0, to: keys.count, by: Self.keptAtOnce) {
            let part = start..<min(start + Self.keptAtOnce, keys.count)
            let paths = part.map { SitePath.photo(outline.slugs[$0]) }
            for ((index, path), isKept) in zip(zip(part, paths), keep(paths, Array(keys[part]))) {
                if isKept { kept.append(path) } else { changed.append(index) }
            }
        }
        return (kept, changed)
    }

    /// The number of photos whose pages are kept with one call, during which no other file is published.
    private static let keptAtOnce = 1_000

    private func photoPages(
        _ indices: ArraySlice<Int>, _ keys: [Digest], _ prepare: (SiteOutput) -> SiteOutput
    ) -> [SiteOutput] {
        // Each photo is also shown on the pages before and after its own.
        var nearby: [Int: SitePhoto] = [:]
        return indices.map { index in
            if nearby[index - 1] == nil { nearby = [:] } else { nearby[index - 2] = nil }
            let path = SitePath.photo(outline.slugs[index])
            let page = photoPage(index, path) { number in
                guard content.photos.indices.contains(number) else { return nil }
                if let photo = nearby[number] { return photo }
                let photo = content.photos[number]
                nearby[number] = photo
                return photo
            }
            return prepare(.file(SiteFile(path: path, bytes: page), key: keys[index]))
        }
    }

    /// The keys of the pages of all photos, in the order of the content's photos.
    package func photoKeys() -> [Digest] {
        var keys: [Digest] = []
        keys.reserveCapacity(content.photos.count)
        Parallel.forEach(content.photos.indices, photoKey) { keys.append($0) }
        return keys
    }

    private func photoKey(_ index: Int) -> Digest {
        let breadcrumbs = albums.breadcrumbs(toPhoto: index)
        return keys.photoPage(index, breadcrumbs: breadcrumbs, up: listPath(ofPhoto: index, in: breadcrumbs.last))
    }

    /// The path of the page that lists a photo.
    private func listPath(ofPhoto index: Int, in album: AlbumHierarchy.Node?) -> String {
        guard let album else { return SitePath.page(index / perPage + 1) }
        return SitePath.album(album.slug, page: albums.positionsInAlbum[index] / perPage + 1)
    }

    func photoPage(_ index: Int, _ path: String, photo: (Int) -> SitePhoto?) -> [UInt8] {
        guard let shown = photo(index) else { return [] }
        let breadcrumbs = albums.breadcrumbs(toPhoto: index)
        let page = PhotoPage(
            frame: frame.page(path), photo: shown, breadcrumbs: breadcrumbs,
            upPath: listPath(ofPhoto: index, in: breadcrumbs.last), previous: photo(index - 1),
            next: photo(index + 1), position: index + 1, total: content.photos.count)
        return templates.render("photo", page)
    }
}
