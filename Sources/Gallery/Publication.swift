internal import Foundation
internal import Ledger
internal import PhotoModel
internal import Site

/// What a build did to the output folder.
package struct PublicationResult: Sendable {
    /// Paths in the output folder.
    package var written: [String] = []
    package var removed: [String] = []
}

/// Brings the output folder up to date with the records of a build, and the ledger with the output folder.
struct Publication: Sendable {
    let options: BuildOptions
    let list: PhotoList
    let albumSlugs: [[String]: String]
    let records: [PhotoRecord]
    let ledger: Ledger
    let derivatives: DerivativeCache
    let remembered: SiteRow?

    func run() throws(GalleryError) -> PublicationResult {
        let rows = records.map { $0.row(now: options.now.seconds) }
        var content = content(rows)
        let digest = content.digest
        if let remembered, remembered.content == digest {
            content.updated = Timestamp(seconds: remembered.updated)
        }
        let pictures = Set(rows.flatMap { row in row.pictures.map(\.fileName) })
        let result: PublishResult
        do {
            result = try publish(content, pictures: pictures, isAsItWas: isAsItWas(digest))
        } catch {
            throw .site(error)
        }
        try remember(content, digest: digest, rows: rows, owned: result.owned)
        try derivatives.prune(keeping: pictures)
        return PublicationResult(written: result.written, removed: result.removed)
    }

    /// Whether the pages that stand in the output folder were made from the same data and templates.
    private func isAsItWas(_ digest: Digest) -> Bool {
        remembered?.content == digest && remembered?.templates == options.templates.digest
    }

    private func publish(
        _ content: SiteContent, pictures: Set<String>, isAsItWas: Bool
    ) throws(SiteError) -> PublishResult {
        var publisher = try Publisher(
            output: options.output, owned: (remembered?.owned ?? [:]).mapValues { OwnedFile(row: $0) })
        let renderer = try SiteRenderer(content: content, templates: options.templates)
        if isAsItWas && publisher.isComplete { return try publisher.finish(keeping: Set(publisher.owned.keys)) }
        return try publisher.publish(
            pictures: pictures.sorted(), from: { derivatives.stagedPath(of: $0) }, pages: renderer)
    }

    private func content(_ rows: [PhotoRow]) -> SiteContent {
        SiteContent(
            settings: options.siteSettings(list),
            albums: list.manifest.albums.map { SiteAlbum(path: $0, slug: albumSlugs[$0] ?? "") },
            photos: zip(records, rows).map { SitePhoto(record: $0, row: $1, facts: $0.progress.facts) },
            updated: options.now)
    }

    private func remember(
        _ content: SiteContent, digest: Digest, rows: [PhotoRow], owned: [String: OwnedFile]
    ) throws(GalleryError) {
        var albums: [String: String] = [:]
        for (path, slug) in albumSlugs { albums[ledgerKey(album: path)] = slug }
        let row = SiteRow(
            output: options.output, content: digest, templates: options.templates.digest,
            updated: content.updated.seconds, owned: owned.mapValues { OwnedRow(file: $0) })
        do {
            try ledger.record(publication: row, replacing: remembered, photos: rows, albums: albums)
        } catch {
            throw GalleryError(error)
        }
    }
}
