internal import PhotoModel

/// The keys of all pages. A key is the digest of a page's data, so two pages with the same key have the same bytes.
/// Computing a key takes a small part of the time that rendering the page takes.
struct PageFingerprints: Sendable {
    private let outline: SiteOutline
    private let updated: Timestamp
    /// The digest of the data that all pages of a kind show, and of the templates that render them.
    private let photoPages: Digest
    private let indexPages: Digest
    private let albumPages: Digest

    init(_ content: SiteContent, _ outline: SiteOutline, frame: SiteFrame, templates: TemplateSet) {
        self.outline = outline
        updated = content.updated
        let settings = content.settings
        func pages(_ kind: String, templates names: [String]) -> Digest {
            var hasher = CanonicalHasher()
            hasher.add(kind)
            hasher.add(settings.title, settings.baseURL, settings.language, settings.generator, settings.filter)
            // Sites with their own pictures keep the keys that they had before this setting existed.
            if let address = settings.picturesAt { hasher.add("picturesAt", address) }
            hasher.add(templates.digest(of: names).hex, frame.viewer)
            hasher.add(frame.hasAlbums ? 1 : 0)
            hasher.add(frame.hasTags ? 1 : 0)
            return hasher.finish()
        }
        photoPages = pages("photo", templates: ["photo"])
        indexPages = pages("index", templates: ["index", "card"])
        albumPages = pages("album", templates: ["album", "card"])
    }

    /// - Parameters:
    ///   - breadcrumbs: the albums that contain the photo, outermost first.
    ///   - up: the path of the page that lists the photo.
    func photoPage(_ index: Int, breadcrumbs: [AlbumHierarchy.Node], up: String) -> Digest {
        var hasher = hasher(for: photoPages)
        hasher.add(outline.digests[index])
        hasher.add(up)
        for album in breadcrumbs { hasher.add(album.name, album.slug) }
        for neighbour in [index - 1, index + 1] {
            let isThere = outline.slugs.indices.contains(neighbour)
            hasher.add(isThere ? 1 : 0)
            if isThere { hasher.add(outline.linkDigests[neighbour]) }
        }
        hasher.add(index)
        hasher.add(outline.slugs.count)
        return hasher.finish()
    }

    /// - Parameter pages: the number of this page, and the number of all pages of the index.
    func indexPage(_ pages: (number: Int, count: Int), photos: Range<Int>) -> Digest {
        var hasher = hasher(for: indexPages)
        add(photos, pages, to: &hasher)
        hasher.add(outline.slugs.count)
        guard pages.number == 1 else { return hasher.finish() }
        let summary = outline.summary
        for count in [summary.failed, summary.stale, summary.new, summary.needingAttention] { hasher.add(count) }
        for code in MarkCode.allCases { hasher.add(summary.marks[code] ?? 0) }
        hasher.add(updated.seconds)
        for album in outline.albums.roots { add(album, to: &hasher) }
        return hasher.finish()
    }

    /// - Parameters:
    ///   - ancestors: the albums that contain this album, outermost first.
    ///   - photos: the indices of the photos on this page.
    func albumPage(
        _ node: AlbumHierarchy.Node, ancestors: some Sequence<AlbumHierarchy.Node>, _ pages: (number: Int, count: Int),
        photos: some Sequence<Int>
    ) -> Digest {
        var hasher = hasher(for: albumPages)
        add(photos, pages, to: &hasher)
        for album in ancestors { hasher.add(album.name, album.slug) }
        add(node, to: &hasher)
        return hasher.finish()
    }

    private func hasher(for pages: Digest) -> CanonicalHasher {
        var hasher = CanonicalHasher()
        hasher.add(pages)
        return hasher
    }

    private func add(
        _ indices: some Sequence<Int>, _ pages: (number: Int, count: Int), to hasher: inout CanonicalHasher
    ) {
        for index in indices { hasher.add(outline.digests[index]) }
        hasher.add(pages.number)
        hasher.add(pages.count)
    }

    /// Adds an album as a list shows it, with the albums in it.
    private func add(_ album: AlbumHierarchy.Node, to hasher: inout CanonicalHasher) {
        hasher.add(album.name, album.slug)
        hasher.add(album.total)
        hasher.add(album.cover == nil ? 0 : 1)
        if let cover = album.cover { hasher.add(outline.linkDigests[cover]) }
        hasher.add(album.children.count)
        for child in album.children { add(child, to: &hasher) }
    }
}
