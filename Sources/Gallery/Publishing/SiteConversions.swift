internal import Imaging
internal import Ledger
internal import Manifest
internal import PhotoModel
internal import Site

extension SitePhoto {
    /// The photo as its pages show it.
    /// - Parameter picturesAt: the URL of the folder of pictures, ending in "/"; nil if they are in the site.
    init(record: PhotoRecord, row: PhotoRow, metadata: ImageMetadata?, picturesAt: String? = nil) {
        let photo = record.photo
        let pictures = row.pictures
        let images = PublishedImages(pictures, in: picturesAt ?? PublishedImages.folder)
        self.init(
            name: photo.name, slug: row.slug, album: photo.album, details: photo.details, source: photo.shownSource,
            sourceLink: record.link, state: row.state, reason: row.reason, since: Timestamp(seconds: row.since),
            recovered: row.recovered.map { Timestamp(seconds: $0) },
            stale: row.stale.map { Stale(since: Timestamp(seconds: $0.since), reason: $0.reason) },
            marks: row.marks, width: metadata?.width, height: metadata?.height,
            images: images.filtered, original: images.unfiltered,
            versions: row.versions.map { version in
                SiteVersion(
                    sha256: version.original, downloaded: version.fetched.map { Timestamp(seconds: $0) },
                    image: images.versions[version.original])
            },
            sha256: row.sha256,
            downloaded: record.source?.isRemote == true ? row.fetched.map { Timestamp(seconds: $0) } : nil,
            colour: pictures.first { $0.colour != nil && $0.colour != "transparent" }?.colour, taken: metadata?.taken,
            camera: metadata?.camera, lens: metadata?.lens, exposure: metadata?.exposure)
        // Only a failed photo shows its position in the list, so that a new line in the list does not change the pages
        // of all photos below it.
        if needsAttention { manifestPosition = photo.position.inList }
    }
}

extension TextPosition {
    /// The file and line, such as "photos.plist:13". The folder is left out, because it is private and differs between
    /// machines.
    fileprivate var inList: String {
        let path = file.prefix { $0 != "?" && $0 != "#" }
        return "\(path.split(separator: "/").last.map(String.init) ?? file):\(line)"
    }
}

extension PhotoRecord {
    /// The shown address of a remote source as a link; nil for any other source.
    var link: String? {
        guard case .success(let source) = photo.source, source.isRemote else { return nil }
        // A shortened address is not usable as a link.
        return ShownAddress.isCertain(source.shown) ? WrittenAddress.link(source.shown) : nil
    }
}

extension BuildOptions {
    func siteSettings(_ list: PhotoList) -> SiteSettings {
        var settings = SiteSettings(
            title: title ?? list.manifest.title ?? "Photos", baseURL: baseURL, language: language, perPage: perPage,
            generator: generator, filter: derivatives.filter.isEmpty ? "none" : derivatives.filter.description)
        settings.picturesAt = sharing?.picturesAt
        return settings
    }
}

extension BuildOptions {
    /// A photo as its pages show it.
    /// - Parameter originals: the recorded metadata of originals, for a record that has none.
    func sitePhoto(_ record: PhotoRecord, _ row: PhotoRow, _ originals: [Digest: OriginalRow]) -> SitePhoto {
        let metadata = record.metadata ?? row.sha256.flatMap { originals[$0] }.flatMap { ImageMetadata($0) }
        var photo = SitePhoto(record: record, row: row, metadata: metadata, picturesAt: sharing?.picturesAt)
        photo.vote = ratings.vote(ofSlug: photo.slug)
        photo.retryAfter = record.retryAfter.map { Timestamp(seconds: $0) }
        return photo
    }
}

extension PhotoList {
    func siteAlbums(_ slugs: [AlbumIdentity: String]) -> [SiteAlbum] {
        manifest.albums.map { SiteAlbum(path: $0, slug: slugs[AlbumIdentity($0)] ?? "") }
    }
}
