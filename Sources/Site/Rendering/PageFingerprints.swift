internal import PhotoModel

/// The keys of all pages. A key is the digest of a page's data, so two pages with the same key have the same bytes.
/// Computing a key takes a small part of the time that rendering the page takes.
struct PageFingerprints: Sendable {
    private let outline: SiteOutline
    private let updated: Timestamp
    /// The digest of the data that all pages show.
    private let site: Digest

    init(_ content: SiteContent, _ outline: SiteOutline, frame: SiteFrame, templates: TemplateSet) {
        self.outline = outline
        updated = content.updated
        var writer = CanonicalHasher()
        let settings = content.settings
        writer.add(settings.title, settings.baseURL, settings.language, settings.generator, settings.filter)
        writer.add(templates.digest.hex, frame.viewer)
        writer.add(frame.hasAlbums ? 1 : 0)
        writer.add(frame.hasTags ? 1 : 0)
        site = writer.finish()
    }

    /// - Parameters:
    ///   - trail: the albums that contain the photo, outermost first.
    ///   - up: the path of the page that lists the photo.
    func photoPage(_ index: Int, trail: [AlbumTree.Node], up: String) -> Digest {
        var writer = begun("photo")
        writer.add(outline.digests[index])
        writer.add(up)
        for album in trail { writer.add(album.name, album.slug) }
        for neighbour in [index - 1, index + 1] {
            let isThere = outline.slugs.indices.contains(neighbour)
            writer.add(isThere ? 1 : 0)
            if isThere { writer.add(outline.linkDigests[neighbour]) }
        }
        writer.add(index)
        writer.add(outline.slugs.count)
        return writer.finish()
    }

    /// - Parameter pages: the number of this page, and the number of all pages of the index.
    func indexPage(_ pages: (number: Int, count: Int), photos: Range<Int>) -> Digest {
        var writer = begun("index")
        add(photos, pages, to: &writer)
        writer.add(outline.slugs.count)
        guard pages.number == 1 else { return writer.finish() }
        let summary = outline.summary
        for count in [summary.failed, summary.stale, summary.new, summary.needingAttention] { writer.add(count) }
        writer.add(updated.seconds)
        for album in outline.albums.roots { add(album, to: &writer) }
        return writer.finish()
    }

    /// - Parameters:
    ///   - ancestors: the albums that contain this album, outermost first.
    ///   - photos: the indices of the photos on this page.
    func albumPage(
        _ node: AlbumTree.Node, ancestors: some Sequence<AlbumTree.Node>, _ pages: (number: Int, count: Int),
        photos: some Sequence<Int>
    ) -> Digest {
        var writer = begun("album")
        add(photos, pages, to: &writer)
        for album in ancestors { writer.add(album.name, album.slug) }
        add(node, to: &writer)
        return writer.finish()
    }

    private func begun(_ kind: String) -> CanonicalHasher {
        var writer = CanonicalHasher()
        writer.add(kind)
        writer.add(site)
        return writer
    }

    private func add(
        _ indices: some Sequence<Int>, _ pages: (number: Int, count: Int), to writer: inout CanonicalHasher
    ) {
        for index in indices { writer.add(outline.digests[index]) }
        writer.add(pages.number)
        writer.add(pages.count)
    }

    /// Adds an album as a list shows it, with the albums in it.
    private func add(_ album: AlbumTree.Node, to writer: inout CanonicalHasher) {
        writer.add(album.name, album.slug)
        writer.add(album.total)
        writer.add(album.cover == nil ? 0 : 1)
        if let cover = album.cover { writer.add(outline.linkDigests[cover]) }
        writer.add(album.children.count)
        for child in album.children { add(child, to: &writer) }
    }
}
