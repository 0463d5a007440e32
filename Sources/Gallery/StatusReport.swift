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
    package init(_ options: BuildOptions) throws(GalleryError) {
        let (ledger, snapshot) = try Self.open(options.state)
        let list = try PhotoList(try Self.local(options, snapshot), allowsEmpty: true)
        let records = list.records(options: options.derivatives, snapshot: snapshot)
        let albumSlugs = list.albumSlugs(snapshot: snapshot)
        var extras: [String: StatusExtras] = [:]
        var photos: [SitePhoto] = []
        for record in records {
            let row = record.remembered ?? record.row(now: options.now.seconds)
            let facts = row.sha256.flatMap { snapshot.originals[$0] }.flatMap { PictureFacts(json: $0) }
            photos.append(SitePhoto(record: record, row: row, facts: facts))
            extras[row.slug] = StatusExtras(
                attempts: row.attempts, checked: record.remembered.map { Timestamp(seconds: $0.checked) },
                etag: record.rowKey.flatMap { snapshot.sources[$0]?.etag })
        }
        let site = try Self.site(ledger, output: options.output)
        content = SiteContent(
            settings: options.siteSettings(list),
            albums: list.manifest.albums.map { SiteAlbum(path: $0, slug: albumSlugs[AlbumIdentity($0)] ?? "") },
            photos: photos,
            updated: Timestamp(seconds: site?.updated ?? options.now.seconds))
        self.extras = extras
    }

    /// The report in the form of status.json, with attempts, checked and etag added to each photo.
    package func json() -> [UInt8] { statusJSON(content, extras: extras) }

    private static func open(_ state: StateFolder) throws(GalleryError) -> (Ledger?, LedgerSnapshot) {
        guard FileManager.default.fileExists(atPath: state.ledger) else { return (nil, LedgerSnapshot()) }
        do {
            let ledger = try Ledger(path: state.ledger)
            return (ledger, try ledger.snapshot())
        } catch {
            throw GalleryError(error)
        }
    }

    private static func site(_ ledger: Ledger?, output: String) throws(GalleryError) -> SiteRow? {
        do {
            return try ledger?.site(output: output)
        } catch {
            throw GalleryError(error)
        }
    }

    /// The manifests as far as they are on this machine; of a remote one, the copy that the last build kept.
    private static func local(
        _ options: BuildOptions, _ snapshot: LedgerSnapshot
    ) throws(GalleryError) -> [ManifestBytes] {
        var read: [ManifestBytes] = []
        for input in options.manifests {
            if let bytes = try input.localBytes() {
                read.append(ManifestBytes(origin: input.origin, bytes: bytes))
            } else {
                let store = try OriginalStore.opening(options.state.originals)
                let bytes = try input.keptCopy(in: store, snapshot)
                read.append(ManifestBytes(origin: input.origin, bytes: bytes))
            }
        }
        return read
    }
}
