internal import Foundation
internal import Ledger
internal import Manifest
internal import PhotoModel
internal import Site

/// What a build did to the output folder.
package struct PublicationResult: Sendable {
    /// Paths in the output folder.
    package var written: [String] = []
    package var removed: [String] = []
    /// What could not be tidied up; the site is not touched by it.
    package var warnings: [String] = []
}

/// Brings the output folder up to date with the records of a build, and the ledger with the output folder.
struct Publication: Sendable {
    let options: BuildOptions
    let list: PhotoList
    let albumSlugs: [AlbumIdentity: String]
    let records: [PhotoRecord]
    let memory: LedgerMemory
    let derivatives: DerivativeCache
    let locks: GalleryLocks

    private var remembered: SiteRow? { memory.site }

    /// - Parameter isCancelled: asked for every file, until the first one is put in place.
    /// - Throws: `GalleryError.interrupted` when it was cancelled; the output folder is then what it was.
    func run(isCancelled: () -> Bool) throws(GalleryError) -> PublicationResult {
        let rows = records.map { $0.row(now: options.now.seconds) }
        var content = content(rows)
        let digest = content.digest
        if let remembered, remembered.content == digest {
            content.updated = Timestamp(seconds: remembered.updated)
        } else if let updated = try memory.updated(of: content, options) {
            content.updated = updated
        }
        let pictures = Set(rows.flatMap { row in row.pictures.map(\.fileName) })
        try locks.lockOutput()
        let result = try publish(content, digest: digest, pictures: pictures, isCancelled: isCancelled)
        let site = result.map { result in
            SiteRow(
                output: options.output, content: digest, templates: options.templates.digest,
                updated: content.updated.seconds, owned: result.owned)
        }
        var warnings = result?.untidy ?? []
        do {
            // What is not tidy yet is not remembered as done, so that the next build goes over it again.
            try remember(warnings.isEmpty ? site : nil, rows: rows)
        } catch  where result != nil {
            // The new site is in place and is not taken back: all that is lost is some work of the next build.
            warnings.append(error.message)
        }
        return PublicationResult(
            written: result?.written ?? [], removed: result?.removed ?? [],
            warnings: warnings.map {
                "the site is up to date, but not all is tidied up; the next build does that: \($0)"
            }
                + derivatives.prune(keeping: pictures))
    }

    /// - Returns: nil if everything stands there as it should.
    private func publish(
        _ content: SiteContent, digest: Digest, pictures: Set<String>, isCancelled: () -> Bool
    ) throws(GalleryError) -> PublishedFiles? {
        do {
            var publisher = try Publisher(output: options.output, owned: try memory.owned(in: options.output))
            if isAsItWas(digest) && publisher.isComplete { return nil }
            try derivatives.sync()
            for name in pictures.sorted() {
                if isCancelled() { throw GalleryError.interrupted }
                try publisher.publish(picture: "images/" + name, from: derivatives.path(of: name))
            }
            let renderer = try SiteRenderer(content: content, templates: options.templates)
            try renderer.files { file in
                if isCancelled() { throw GalleryError.interrupted }
                try publisher.publish(file)
            }
            try claim(publisher.claims)
            let result = try publisher.finish(keeping: [])
            return PublishedFiles(
                written: result.written, removed: result.removed, untidy: result.untidy.map(\.description),
                owned: result.owned.mapValues { OwnedRow(file: $0) })
        } catch let error as SiteError {
            throw .site(error)
        } catch let error as GalleryError {
            throw error
        } catch {
            throw .bug(String(describing: error))
        }
    }

    /// Whether the pages that stand in the output folder were made from the same data and templates.
    private func isAsItWas(_ digest: Digest) -> Bool {
        remembered?.content == digest && remembered?.templates == options.templates.digest
    }

    /// Says what is about to appear in the output folder, so that after a kill in the middle it is still known as ours.
    private func claim(_ files: [String: OwnedFile]) throws(GalleryError) {
        guard !files.isEmpty else { return }
        do {
            try memory.ledger.record(claims: files.mapValues { OwnedRow(file: $0) }, output: options.output)
        } catch {
            throw GalleryError(error)
        }
    }

    private func content(_ rows: [PhotoRow]) -> SiteContent {
        SiteContent(
            settings: options.siteSettings(list),
            albums: list.manifest.albums.map { SiteAlbum(path: $0, slug: albumSlugs[AlbumIdentity($0)] ?? "") },
            photos: zip(records, rows).map {
                var photo = SitePhoto(record: $0, row: $1, facts: $0.progress.facts)
                photo.thumb = options.ratings.thumb(ofSlug: photo.slug)
                return photo
            },
            updated: options.now)
    }

    private func remember(_ site: SiteRow?, rows: [PhotoRow]) throws(GalleryError) {
        var albums: [String: String] = [:]
        for (album, slug) in albumSlugs { albums[ledgerKey(album: album.path)] = slug }
        do {
            try memory.ledger.record(publication: site, photos: rows, replacing: memory.snapshot.photos, albums: albums)
        } catch {
            throw GalleryError(error)
        }
    }
}

/// What one run of the publisher did.
private struct PublishedFiles {
    let written: [String]
    let removed: [String]
    let untidy: [String]
    let owned: [String: OwnedRow]
}
