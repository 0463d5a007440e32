package import PhotoModel

/// The data of all photos that pages of other photos and lists need, and the digests that show whether a page has
/// changed. The outline is made in one pass over the photos. Without the lists it is small enough to keep for all of
/// them.
package struct SiteOutline: Sendable {
    /// The slug of each photo. This array and the next three have the order of the content's photos.
    let slugs: [String]
    /// The digest of the data that a link to each photo shows: its name, address and picture.
    let linkDigests: [Digest]
    /// The digest of all data of each photo.
    let digests: [Digest]
    /// The time of each photo's last change for the feed, in seconds since 1970; nil for a photo that is still new.
    let changes: [Int64?]
    let albums: AlbumHierarchy
    let summary: SiteSummary
    /// Whether any photo has tags.
    let hasTags: Bool
    /// The indices of the photos that need somebody's attention.
    let needingAttention: [Int]
    /// The photos' lines of status.json and of the search list; nil if the outline was made without them.
    private var lists: PhotoLists?

    /// The data that one photo contributes to the outline.
    private struct PhotoSummary {
        let slug: String
        let linkDigest: Digest
        let digest: Digest
        let album: [String]
        let change: Int64?
        let state: PhotoState
        let isStale: Bool
        let marks: [MarkCode]
        let needsAttention: Bool
        let hasTags: Bool
        let hasPicture: Bool
    }

    /// - Parameter withLists: whether the lines of status.json and of the search list are kept, for a site that will be
    ///   published. They take up 0.5 to 1 KB for each photo.
    package init(_ content: SiteContent, withLists: Bool = false) {
        let count = content.photos.count
        var (slugs, linkDigests, digests, changes) = ([String](), [Digest](), [Digest](), [Int64?]())
        slugs.reserveCapacity(count)
        linkDigests.reserveCapacity(count)
        digests.reserveCapacity(count)
        changes.reserveCapacity(count)
        var albums = AlbumHierarchy(albums: content.albums, photoCount: count)
        var summary = SiteSummary()
        var hasTags = false
        var needingAttention: [Int] = []
        var allLists = withLists ? PhotoLists() : nil
        // Each photo is converted once for all of this, because that takes longer than most of what is made of it.
        let summarize = { @Sendable (indices: Range<Int>) in
            var lists = withLists ? PhotoLists() : nil
            let photos = indices.map { index in
                let photo = content.photos[index]
                lists?.add(photo, at: index)
                return Self.summary(of: photo)
            }
            return [(photos: photos, lists: lists)]
        }
        Parallel.forEach(parts: 0..<count, summarize) { part in
            for photo in part.photos {
                if photo.needsAttention { needingAttention.append(slugs.count) }
                slugs.append(photo.slug)
                linkDigests.append(photo.linkDigest)
                digests.append(photo.digest)
                changes.append(photo.change)
                albums.add(photo.album, hasPicture: photo.hasPicture)
                summary.add(
                    photo.state, isStale: photo.isStale, marks: photo.marks, needsAttention: photo.needsAttention)
                hasTags = hasTags || photo.hasTags
            }
            if let lists = part.lists { allLists?.append(lists) }
        }
        self.slugs = slugs
        self.linkDigests = linkDigests
        self.digests = digests
        self.changes = changes
        self.albums = albums
        self.summary = summary
        self.hasTags = hasTags
        self.needingAttention = needingAttention
        lists = allLists
    }

    /// Takes the lines out of the outline, so that they can be released once they are written.
    mutating func takeLists() -> PhotoLists? { lists.take() }

    private static func summary(of photo: SitePhoto) -> PhotoSummary {
        var hasher = CanonicalHasher()
        hasher.add(photo)
        var linkHasher = CanonicalHasher()
        linkHasher.add(photo.name, photo.slug)
        for image in photo.images { linkHasher.add(image) }
        return PhotoSummary(
            slug: photo.slug, linkDigest: linkHasher.finish(), digest: hasher.finish(), album: photo.album,
            change: photo.state == .new ? nil : photo.changed.seconds, state: photo.state,
            isStale: photo.stale != nil, marks: photo.marks.map(\.code), needsAttention: photo.needsAttention,
            hasTags: !photo.details.tags.isEmpty,
            hasPicture: !photo.images.isEmpty)
    }

    /// The digest of everything except `updated` and `isLive`. Two contents with the same digest give the same pages
    /// apart from the time.
    package func digest(of content: SiteContent) -> Digest {
        var hasher = CanonicalHasher()
        let settings = content.settings
        hasher.add(settings.title, settings.baseURL, settings.language, settings.generator, settings.filter)
        hasher.add(settings.perPage)
        // Sites with their own pictures keep the digest that they had before this setting existed.
        if let address = settings.picturesAt { hasher.add("picturesAt", address) }
        hasher.add(content.albums.count)
        for album in content.albums {
            hasher.add(album.path)
            hasher.add(album.slug)
        }
        hasher.add(digests.count)
        for digest in digests { hasher.add(digest) }
        return hasher.finish()
    }

    /// The indices of the photos that changed last, newest first. Photos with the same time are in the order of the
    /// list.
    func latest(_ count: Int) -> [Int] {
        let dated = changes.enumerated().compactMap { index, change in change.map { (-$0, index) } }
        return dated.sorted(by: <).prefix(count).map(\.1)
    }
}
