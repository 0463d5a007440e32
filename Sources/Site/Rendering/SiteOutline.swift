package import PhotoModel

/// The data of all photos that pages of other photos and lists need, and the digests that show whether a page has
/// changed. The outline is made in one pass over the photos, and is small enough to keep for all of them.
package struct SiteOutline: Sendable {
    /// The slug of each photo. This array and the next three have the order of the content's photos.
    let slugs: [String]
    /// The digest of the data that a link to each photo shows: its name, address and picture.
    let linkDigests: [Digest]
    /// The digest of all data of each photo.
    let digests: [Digest]
    /// The time of each photo's last change for the feed, in seconds since 1970; nil for a photo that is still new.
    let changes: [Int64?]
    let albums: AlbumTree
    let summary: SiteSummary
    /// Whether any photo has tags.
    let hasTags: Bool
    /// The indices of the photos that need somebody's attention.
    let needingAttention: [Int]

    /// The data that one photo contributes to the outline.
    private struct Line {
        let slug: String
        let linkDigest: Digest
        let digest: Digest
        let album: [String]
        let change: Int64?
        let state: PhotoState
        let isStale: Bool
        let needsAttention: Bool
        let hasTags: Bool
        let hasPicture: Bool
    }

    package init(_ content: SiteContent) {
        let count = content.photos.count
        var (slugs, linkDigests, digests, changes) = ([String](), [Digest](), [Digest](), [Int64?]())
        slugs.reserveCapacity(count)
        linkDigests.reserveCapacity(count)
        digests.reserveCapacity(count)
        changes.reserveCapacity(count)
        var albums = AlbumTree(albums: content.albums, photoCount: count)
        var summary = SiteSummary()
        var hasTags = false
        var needingAttention: [Int] = []
        let line = { (index: Int) in Self.line(content.photos[index]) }
        Parallel.forEach(0..<count, line) { line in
            if line.needsAttention { needingAttention.append(slugs.count) }
            slugs.append(line.slug)
            linkDigests.append(line.linkDigest)
            digests.append(line.digest)
            changes.append(line.change)
            albums.add(line.album, hasPicture: line.hasPicture)
            summary.add(line.state, isStale: line.isStale, needsAttention: line.needsAttention)
            hasTags = hasTags || line.hasTags
        }
        self.slugs = slugs
        self.linkDigests = linkDigests
        self.digests = digests
        self.changes = changes
        self.albums = albums
        self.summary = summary
        self.hasTags = hasTags
        self.needingAttention = needingAttention
    }

    private static func line(_ photo: SitePhoto) -> Line {
        var writer = CanonicalHasher()
        writer.add(photo)
        var link = CanonicalHasher()
        link.add(photo.name, photo.slug)
        for image in photo.images { link.add(image) }
        return Line(
            slug: photo.slug, linkDigest: link.finish(), digest: writer.finish(), album: photo.album,
            change: photo.state == .new ? nil : photo.changed.seconds, state: photo.state,
            isStale: photo.stale != nil, needsAttention: photo.needsAttention, hasTags: !photo.details.tags.isEmpty,
            hasPicture: !photo.images.isEmpty)
    }

    /// The digest of everything except `updated`. Two contents with the same digest give the same pages apart from the
    /// time.
    package func digest(of content: SiteContent) -> Digest {
        var writer = CanonicalHasher()
        let settings = content.settings
        writer.add(settings.title, settings.baseURL, settings.language, settings.generator, settings.filter)
        writer.add(settings.perPage)
        writer.add(content.albums.count)
        for album in content.albums {
            writer.add(album.path)
            writer.add(album.slug)
        }
        writer.add(digests.count)
        for digest in digests { writer.add(digest) }
        return writer.finish()
    }

    /// The indices of the photos that changed last, newest first. Photos with the same time are in the order of the
    /// list.
    func latest(_ most: Int) -> [Int] {
        let dated = changes.enumerated().compactMap { index, change in change.map { (-$0, index) } }
        return dated.sorted(by: <).prefix(most).map(\.1)
    }
}
