internal import Foundation
internal import Imaging
internal import Ledger
internal import Manifest
internal import PhotoModel
package import Site

/// The changes of a build in the output folder.
package struct PublicationResult: Sendable {
    /// The paths of written files, relative to the output folder.
    package var written: [String] = []
    package var removed: [String] = []
    /// The changes of files since the build began. They are collected only if `BuildOptions.listsChanges` says so.
    package var files = FileChanges()
    /// The number of files of earlier publications that stay for cached pages.
    package var retained = 0
    /// The number of earlier files and folders whose permissions were repaired.
    package var repaired = 0
    /// The table of the site's files. It is kept, because its release takes time in a large gallery.
    var table: any Sendable = ()
    /// The warnings about the site of another gallery that was replaced, and about files that could not be removed.
    package var warnings: [String] = []
}

/// Brings the output folder up to date with the records of a build, and the ledger with the output folder.
struct Publication: Sendable {
    let options: BuildOptions
    let list: PhotoList
    let albumSlugs: [AlbumIdentity: String]
    let records: [PhotoRecord]
    let session: LedgerSession
    /// The files in the output folder as the plan found them; nil if the ledger does not know the folder.
    let scanned: ScannedFiles?
    /// The ledger keys of photos that have left the list or have another key now.
    let unlisted: BackgroundTask<[Digest]>
    let derivatives: DerivativeCache
    let plan: Plan
    let inputs: SiteInputs
    let commitState: CommitState

    var title: String { options.siteSettings(list).title }
    private var remembered: SiteRow? { session.site }

    /// - Parameters:
    ///   - live: the publication that has published the site while it was built; nil if there was none.
    ///   - isCancelled: whether the build was cancelled. It is polled before each file, until the first one is moved
    ///     into place.
    /// - Throws: `GalleryError.interrupted` if the build was cancelled. The output folder is unchanged then.
    func run(after live: LivePublication?, isCancelled: () -> Bool) throws(GalleryError) -> PublicationResult {
        derivatives.discardIndex()
        let rows = records.map { $0.row(now: options.now.seconds) }
        guard live != nil || hasVisibleChange(rows) else {
            try remember(nil, changed: [], rows: rows, isDone: true)
            return PublicationResult()
        }
        var content = content(rows)
        if let updated = try session.updated(of: content, options) { content.updated = updated }
        // While the pages are prepared, this thread compares the output folder with the record of it. The pages use the
        // records, so their preparation must have ended before an error releases them.
        let preparing = BackgroundTask { [content] () throws(GalleryError) in try preparedPages(of: content) }
        defer { preparing.wait() }
        var publisher = try publisher(owned: live?.owned)
        let missing = keepPictures(rows, in: &publisher)
        let pages = try preparing.value()
        let (digest, updated) = (pages.digest, pages.updated)
        // The work that follows leaves cores idle. All derivatives of this build exist, so they can be listed now.
        let listing = BackgroundTask { unusedDerivatives(rows) }
        defer { listing.wait() }
        let (result, repair) = try publish(
            consume pages, pictures: missing, with: &publisher, skipsUnchanged: live == nil, isCancelled: isCancelled)
        let changed = publisher.changed.union(live?.changed ?? [])
        let site = result.map { _ in
            SiteRow(
                output: options.output, content: digest, templates: options.templates.digest,
                updated: updated.seconds, inputs: inputs.text, owned: publisher.owned(at: changed))
        }
        var warnings = result?.removalFailures.map(\.description) ?? []
        do {
            // Unfinished removals are not recorded as done, so that the next build repeats them.
            try remember(warnings.isEmpty ? site : nil, changed: changed, rows: rows, isDone: warnings.isEmpty)
        } catch  where result != nil && !error.isDamage {
            // The new site is in place and stays there. All that is lost is some work, which the next build repeats.
            warnings.append(error.message)
        }
        // Replaced files are removed while the ledger is written. If this process is killed, the next build does that.
        publisher.finishRemoval()
        var files = live?.changes ?? FileChanges()
        if options.listsChanges, let result { files.add(result) }
        return PublicationResult(
            written: result?.written ?? [], removed: result?.removed ?? [], files: files,
            retained: result?.retained ?? 0, repaired: repair.count, table: publisher.table,
            warnings: replacement(of: live?.unrecordedPhotos ?? publisher.unrecordedPhotos)
                + warnings.map { "the site is up to date, but the next build must remove some files: \($0)" }
                + refusals(repair) + prune(try listing.value()))
    }

    /// The warning about a site that is probably another gallery's, because the list has fewer than half of its photos.
    /// - Parameter photos: the names of the photos of a site that was replaced and is not the recorded one.
    private func replacement(of photos: [String]) -> [String] {
        guard !photos.isEmpty else { return [] }
        let listed = Set(records.lazy.map { $0.photo.name })
        let known = photos.count { listed.contains($0) }
        guard known * 2 < photos.count else { return [] }
        return [
            "the site in \(options.output) was another one, with \(counted(photos.count, "photo")), of which this list "
                + "has \(known). It was replaced. Give each gallery a folder of its own with --output"
        ]
    }

    /// The warning about files whose permissions could not be set to those of the site.
    private func refusals(_ repair: PermissionRepair) -> [String] {
        guard let failure = repair.failure, let permissions = options.permissions else { return [] }
        let others = repair.refused > 1 ? " (and \(repair.refused - 1) more)" : ""
        return [
            "the site is up to date, but not all its files could be set to mode \(permissions): "
                + "\(failure.description)\(others) Only the owner of a file can change its permissions"
        ]
    }

    /// The derivatives that no photo shows any more, neither of this gallery nor of another one with the same state
    /// folder.
    private func unusedDerivatives(_ rows: [PhotoRow]) -> DerivativeCache.Unused {
        do throws(LedgerError) {
            return derivatives.unused(except: try pictures(rows, and: session.ledger.picturesOfOthers()))
        } catch {
            // The files that the other galleries need are unknown, so all stay.
            return DerivativeCache.Unused(problem: GalleryError(error).message)
        }
    }

    /// Removes derivatives.
    /// - Returns: the messages about derivatives that could not be found or removed.
    private func prune(_ unused: DerivativeCache.Unused) -> [String] {
        [unused.problem].compactMap(\.self) + derivatives.remove(unused)
    }

    /// The names of all picture files of this gallery and of others. They are released as soon as the folder of
    /// derivatives is listed, because there can be several for each photo.
    private func pictures(_ rows: [PhotoRow], and others: Set<String>) -> ReferencedFiles {
        // Nearly every photo has at least one picture.
        var names = ReferencedFiles(others, expected: rows.count)
        for row in rows { names.insert(row.pictures) }
        return names
    }

    /// Whether any page might have to change, or the plan found pages or pictures missing in the output folder.
    private func hasVisibleChange(_ rows: [PhotoRow]) -> Bool {
        !plan.site.isEmpty || plan.photos.contains(where: \.hasLostPictures)
            || zip(rows, records).contains { row, record in record.isVisibleChange(row) }
    }

    /// - Parameter owned: the files that a live publication owns; nil if there was none, so that the plan's scan or
    ///   the ledger's record is used.
    private func publisher(owned: [String: OwnedFile]?) throws(GalleryError) -> Publisher {
        do throws(SiteError) {
            if owned == nil, !options.isForced, let scanned,
                let publisher = try Publisher(
                    output: options.output, scanned: scanned, permissions: options.permissions)
            {
                return publisher
            }
        } catch {
            throw .site(error)
        }
        let files = if let owned { owned } else { try session.owned(in: options.output) }
        do throws(SiteError) {
            return try Publisher(
                output: options.output, owned: files, permissions: options.permissions, comparesAll: options.isForced)
        } catch {
            throw .site(error)
        }
    }

    /// The pages of a site before they are rendered.
    private struct PreparedPages: Sendable {
        let renderer: SiteRenderer
        /// The keys of the photos' pages.
        let photoKeys: [Digest]
        /// The digest of the content.
        let digest: Digest
        /// The time of the site's last change.
        let updated: Timestamp
    }

    private func preparedPages(of content: SiteContent) throws(GalleryError) -> PreparedPages {
        var content = content
        let outline = SiteOutline(content, withLists: true)
        let digest = outline.digest(of: content)
        if let remembered, remembered.content == digest {
            content.updated = Timestamp(seconds: remembered.updated)
        }
        do throws(SiteError) {
            let renderer = try SiteRenderer(
                content: content, outline: consume outline, templates: options.templates)
            return PreparedPages(
                renderer: renderer, photoKeys: renderer.photoKeys(), digest: digest, updated: content.updated)
        } catch {
            throw .site(error)
        }
    }

    /// - Parameters:
    ///   - pictures: the paths of the pictures that the site does not have yet; all paths if every file is compared.
    ///   - skipsUnchanged: whether nothing is published if the output folder shows the content already.
    /// - Returns: the result, which is nil if the site is already as it should be, and the repair of permissions, which
    ///   is made in any case.
    private func publish(
        _ pages: consuming PreparedPages, pictures: [String], with publisher: inout Publisher, skipsUnchanged: Bool,
        isCancelled: () -> Bool
    ) throws(GalleryError) -> (PublishResult?, PermissionRepair) {
        do {
            if skipsUnchanged && isUnchanged(pages.digest) && publisher.isComplete && plan.expired == 0 {
                return (nil, publisher.repairPermissions())
            }
            try derivatives.sync()
            for path in pictures {
                if isCancelled() { throw GalleryError.interrupted }
                let name = String(path.dropFirst(PublishedImages.folder.count))
                try publisher.publish(picture: path, from: derivatives.path(of: name))
            }
            try stagePages(consume pages, with: &publisher, isCancelled: isCancelled)
            try publisher.retainOld(for: options.retention)
            let result = try commit(&publisher, keeping: [])
            return (result, publisher.repairPermissions())
        } catch {
            throw GalleryError(publishing: error)
        }
    }

    /// Renders and stages all files except pictures. The renderer is released when this function returns, so that the
    /// commit can use its memory.
    private func stagePages(
        _ pages: consuming PreparedPages, with publisher: inout Publisher, isCancelled: () -> Bool
    ) throws {
        let writer = publisher.pageWriter
        try pages.renderer.outputs(
            keep: publisher.keepPages, dataFiles: publisher.dataFiles, photoKeys: pages.photoKeys,
            prepare: writer.prepare
        ) { output in
            if isCancelled() { throw GalleryError.interrupted }
            try publisher.publish(output)
        }
    }

    /// Makes the pictures that the site has already part of the new one. A site has no pictures if visitors load them
    /// from the store of a shared build.
    ///
    /// The order of the list is roughly the order in which the files were written and lie on the disk. Names are
    /// hashes, so in their order each file would dirty another block of inodes.
    /// - Returns: the paths of the pictures to be published, in that order.
    private func keepPictures(_ rows: [PhotoRow], in publisher: inout Publisher) -> [String] {
        guard options.sharing?.picturesAt == nil else { return [] }
        var missing: [String] = []
        // The paths of all pictures at once would take up 100 bytes for each of them.
        for start in stride(from: 0, to: rows.count, by: Self.photosAtOnce) {
            let part = rows[start..<min(start + Self.photosAtOnce, rows.count)]
            let paths = part.flatMap { row in row.pictures.map { PublishedImages.folder + $0.fileName } }
            missing += publisher.keep(pictures: paths)
        }
        return missing
    }

    /// The number of photos whose pictures are looked up with one call.
    private static let photosAtOnce = 1_000

    /// Whether the pages in the output folder were rendered from the same data and templates.
    private func isUnchanged(_ digest: Digest) -> Bool {
        remembered?.content == digest && remembered?.templates == options.templates.digest && !options.isForced
    }

    /// Records the files that are about to appear in the output folder. If the build is killed in the middle, the next
    /// one still recognises them as the site's own.
    func claim(_ files: some Sequence<(key: String, value: FileClaim)>) throws(GalleryError) {
        guard files.contains(where: { _ in true }) else { return }
        do {
            try session.ledger.record(claims: files, output: options.output)
        } catch {
            throw GalleryError(error)
        }
    }

    /// Claims the staged files while they are written to the disk, and moves them into place. If a foreign file is in
    /// the way, the claims are withdrawn. Otherwise the next build would take whatever is at these paths for the site's
    /// own files. From then on, the process waits for the end of the build, unless the caller calls
    /// `commitState.end()`.
    func commit(_ publisher: inout Publisher, keeping: Set<String>) throws -> PublishResult {
        publisher.startWriteback()
        try claim(publisher.claims())
        commitState.begin()
        do {
            return try publisher.finish(keeping: keeping)
        } catch {
            commitState.end()
            if !publisher.unownedClaims.isEmpty {
                try session.ledger.disown(publisher.unownedClaims, output: options.output)
            }
            throw error
        }
    }

    private func content(_ rows: [PhotoRow]) -> SiteContent {
        let originals = session.snapshot.originals
        return SiteContent(
            settings: options.siteSettings(list),
            albums: list.siteAlbums(albumSlugs),
            photos: SitePhotos(count: records.count) { options.sitePhoto(records[$0], rows[$0], originals) },
            updated: options.now)
    }

    /// The site as it can be shown before any work is done.
    var contentBeforeBuild: SiteContent {
        var content = content(
            records.map { record in
                var row = record.rowBeforeBuild(now: options.now.seconds)
                // This build renders missing files again.
                let missing = row.pictures.filter { derivatives.bytes(of: $0.fileName) == nil }
                if missing.contains(where: { $0.version == nil }) {
                    row.pictures = []
                } else if !missing.isEmpty {
                    row.pictures.removeAll { missing.contains($0) }
                }
                return row
            })
        content.settings.isLive = true
        return content
    }

    /// A finished photo as its pages show it.
    func photo(_ record: PhotoRecord) -> SitePhoto {
        let row = record.row(now: options.now.seconds)
        return options.sitePhoto(record, row, session.snapshot.originals)
    }

    /// - Parameters:
    ///   - changed: the paths at which the files of `site` can differ from the ledger.
    ///   - isDone: whether the output folder shows the rows.
    private func remember(
        _ site: SiteRow?, changed: Set<String>, rows: [PhotoRow], isDone: Bool
    ) throws(GalleryError) {
        var albums: [String: String] = [:]
        for (album, slug) in albumSlugs { albums[ledgerKey(album: album.path)] = slug }
        let known = records.map { record in record.remembered.flatMap { $0.key == record.key ? $0 : nil } }
        let unlisted = try unlisted.value()
        do {
            try session.ledger.record(
                publication: site, changed: changed, inputs: isDone ? (options.output, inputs.text) : nil, photos: rows,
                replacing: known, removing: unlisted, albums: albums)
        } catch {
            throw GalleryError(error)
        }
    }
}

extension GalleryError {
    /// Converts an error of a publication.
    init(publishing error: any Error) {
        switch error {
        case let error as SiteError: self = .site(error)
        case let error as GalleryError: self = error
        default: self = .bug(String(describing: error))
        }
    }
}
