internal import Imaging
internal import Ledger
internal import Manifest
internal import PhotoModel
package import Site

/// The state and reason of each photo after the last build: the photos of the manifests with their ledger rows.
package struct StatusReport: Sendable {
    package let content: SiteContent
    /// The values that only the ledger has, by slug.
    package let extras: [String: StatusExtras]

    /// Reads manifests and ledger. No server is contacted, and nothing is written.
    /// - Parameter warn: a closure that is called if the ledger is so damaged that a build would set it aside. The
    ///   report is then made from the published site.
    package init(_ options: BuildOptions, warn: (String) -> Void) throws(GalleryError) {
        var options = options
        options.allowsEmpty = true
        let history = try BuildHistory(options, warn: warn)
        let gallery = try GalleryInspection(options, history: history, remote: .lastGood)
        let (list, snapshot) = (gallery.list, gallery.history.snapshot)
        let records = gallery.records()
        let albumSlugs = list.albumSlugs(snapshot: snapshot)
        var extras: [String: StatusExtras] = [:]
        var photos: [SitePhoto] = []
        for record in records {
            let row = record.remembered ?? record.row(now: options.now.seconds)
            let metadata = row.sha256.flatMap { snapshot.originals[$0] }.flatMap { ImageMetadata($0) }
            photos.append(
                SitePhoto(
                    record: record, row: row, metadata: metadata, picturesAt: options.sharing?.picturesAt))
            // The picture can be that of a mirror. A list with another address makes what is known of the old one void.
            let shown = record.hasAddress(row.source) ? row.source : record.sourceKey
            let source = shown.flatMap { snapshot.sources[$0] }
            let first = record.sourceKey.flatMap { snapshot.sources[$0] }
            extras[row.slug] = StatusExtras(
                attempts: row.attempts, checked: record.remembered.map { Timestamp(seconds: $0.checked) },
                etag: source?.etag, moved: first?.moved.map { ShownAddress.url($0) })
        }
        content = SiteContent(
            settings: options.siteSettings(list),
            albums: list.siteAlbums(albumSlugs),
            photos: SitePhotos(photos),
            updated: Timestamp(seconds: history.site?.updated ?? options.now.seconds))
        self.extras = extras
    }

    /// The report in the form of status.json, with `attempts`, `checked`, `etag` and `moved` added to each photo.
    package func json() -> [UInt8] { statusJSON(content, extras: extras) }
}
