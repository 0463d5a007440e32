internal import Downloads
internal import Foundation
internal import Imaging
internal import Ledger
internal import Manifest
internal import PhotoModel
package import Site

/// Each photo's state and reason, as the last build left it: the list of the manifests, with what the ledger remembers.
package struct StatusReport: Sendable {
    package let content: SiteContent
    /// Slug → what only the ledger knows.
    package let extras: [String: StatusExtras]

    /// Reads manifests and ledger; asks no server, and writes nothing.
    /// - Parameter warn: told of a ledger that a build would set aside; the report then tells what the site itself
    ///   does.
    package init(_ options: BuildOptions, warn: (String) -> Void) throws(GalleryError) {
        let memory = try BuildHistory(options, warn: warn)
        var snapshot = memory.snapshot
        let local = try ManifestInput.localBytes(of: options.manifests)
        let read = try ManifestInput.read(options.manifests, local: local) { input throws(GalleryError) in
            try input.keptCopy(in: OriginalStore(reading: options.state.originals), snapshot)
        }
        let list = try PhotoList(read, allowsEmpty: true)
        if snapshot.photos.isEmpty { snapshot.photos = try memory.earlierRows(of: list) }
        let records = list.records(options: options.derivatives, snapshot: snapshot)
        let albumSlugs = list.albumSlugs(snapshot: snapshot)
        var extras: [String: StatusExtras] = [:]
        var photos: [SitePhoto] = []
        for record in records {
            let row = record.remembered ?? record.row(now: options.now.seconds)
            let facts = row.sha256.flatMap { snapshot.originals[$0] }.flatMap { ImageMetadata(json: $0) }
            photos.append(SitePhoto(record: record, row: row, facts: facts))
            extras[row.slug] = StatusExtras(
                attempts: row.attempts, checked: record.remembered.map { Timestamp(seconds: $0.checked) },
                etag: record.sourceKey.flatMap { snapshot.sources[$0]?.etag })
        }
        content = SiteContent(
            settings: options.siteSettings(list),
            albums: list.manifest.albums.map { SiteAlbum(path: $0, slug: albumSlugs[AlbumIdentity($0)] ?? "") },
            photos: SitePhotos(photos),
            updated: Timestamp(seconds: memory.site?.updated ?? options.now.seconds))
        self.extras = extras
    }

    /// The report in the form of status.json, with attempts, checked and etag added to each photo.
    package func json() -> [UInt8] { statusJSON(content, extras: extras) }
}
