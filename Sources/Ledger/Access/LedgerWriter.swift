internal import PhotoModel

/// Writes records as rows of the ledger. Each row is found by its whole key.
enum LedgerWriter {
    static func save(_ source: SourceRow, _ change: inout LedgerTransaction) throws {
        try change.put(
            source.key, into: .source,
            [
                .text(source.sha256?.hex), .number(source.bytes), .text(source.etag),
                .text(source.lastModified), .text(source.fileStamp), .number(source.validated),
                .number(source.freshUntil), .number(source.retryAfter), .number(source.retryStatus),
                .number(source.fetched), .text(source.caching), .text(source.refusal),
            ])
    }

    static func save(location url: String?, of key: Digest, _ change: inout LedgerTransaction) throws {
        guard let url else { return try change.remove(.location, key: .string(key.hex)) }
        try change.put(.location, [.text(key.hex), .text(url)])
    }

    static func save(_ original: OriginalRow, _ change: inout LedgerTransaction) throws {
        try change.put(original.sha256, into: .original, [.text(original.facts)])
    }

    static func save(_ photo: PhotoRow, gallery: String, _ change: inout LedgerTransaction) throws {
        if let recipe = photo.recipe { try change.put(.recipe, [.number(number(ofRecipe: recipe)), .text(recipe)]) }
        try change.put(
            photo.key, into: .photo, in: gallery,
            [
                .text(photo.slug), .text(photo.state.rawValue),
                .text(photo.reason?.code.rawValue), .text(try photo.reason.map(ReasonColumn.text)),
                .number(photo.since),
                .number(photo.stale?.since), .text(photo.stale?.reason.code.rawValue),
                .text(try photo.stale.map { try ReasonColumn.text($0.reason) }), .text(photo.sha256?.hex),
                .text(photo.pictureList.text), .number(photo.attempts), .text(photo.source?.hex),
                .number(photo.recipe.map(number(ofRecipe:))), .number(photo.back), .number(photo.fetched),
            ], uncovered: [.number(photo.checked)])
    }

    /// Photos name their recipe by a number that is made of its text, as the text is the same for most of them.
    static func number(ofRecipe text: String) -> Int64 {
        Digest(of: text).hex.utf8.prefix(16).reduce(0) { $0 << 4 | Int64($1 < 58 ? $1 - 48 : $1 - 87) }
    }

    /// A photo's row has come to look different: pages that were made before may be out of date.
    static func raiseRevision(gallery: String, _ change: inout LedgerTransaction) throws {
        let revision = try LedgerReader.revision(change.flushed(), gallery: gallery)
        try change.put(.gallery, [.text(gallery), .number(revision &+ 1)])
    }

    /// Writes what differs, and removes the rows of photos that are not in the list.
    /// - Returns: whether any photo looks different now.
    static func replacePhotos(
        _ photos: [PhotoRow], replacing known: [PhotoRow?], removing gone: [Digest], gallery: String,
        _ change: inout LedgerTransaction
    ) throws -> Bool {
        precondition(photos.count == known.count, "each photo has its row")
        let look = try LedgerReader.look(change.flushed(), gallery: gallery)
        let newLook = newLook(photos, replacing: known, after: look)
        var (differing, looked) = ([PhotoRow](), [PhotoRow]())
        if newLook != look { try change.put(.look, [.text(gallery), .number(newLook)]) }
        var differs = !gone.isEmpty
        for (photo, old) in zip(photos, known) {
            guard let old else {
                differing.append(photo)
                differs = true
                continue
            }
            if photo.differsOnlyInTime(from: old) {
                if photo.checked == newLook && old.checked <= newLook { continue }
                // A look that is not that of all any more leaves the rows with times that are too old.
                if photo.checked == old.checked && newLook >= look { continue }
                looked.append(photo)
            } else {
                differing.append(photo)
                differs = differs || !photo.rendersLike(old)
            }
        }
        for key in try change.sorted(gone, by: { $0 }, .photo, in: gallery) {
            try change.remove(key, from: .photo, in: gallery)
        }
        for photo in try change.sorted(differing, by: \.key, .photo, in: gallery) {
            try save(photo, gallery: gallery, &change)
        }
        for photo in try change.sorted(looked, by: \.key, .photo, in: gallery) {
            try change.execute(check, [.number(photo.checked), .text(gallery), .text(photo.key.hex)])
        }
        return differs
    }

    /// The time at which all photos were checked, if that was one time, later than all recorded ones; else the recorded
    /// time, or 0 if photos have earlier times.
    private static func newLook(_ photos: [PhotoRow], replacing known: [PhotoRow?], after look: Int64) -> Int64 {
        guard let first = photos.first?.checked else { return look }
        let isOfAll = photos.allSatisfy { $0.checked == first } && known.allSatisfy { ($0?.checked ?? first) <= first }
        if isOfAll { return first }
        return photos.allSatisfy { $0.checked >= look } ? look : 0
    }

    /// Changes what the row's sum does not cover.
    static let check = "UPDATE photo SET checked = ? WHERE gallery = ? AND key = ?"

    static func replaceAlbums(_ albums: [String: String], gallery: String, _ change: inout LedgerTransaction) throws {
        let known = try LedgerReader.albums(change.flushed(), gallery: gallery)
        for (path, slug) in albums where known[path] != slug {
            try change.put(.album, in: gallery, [.text(path), .text(slug)])
        }
        for path in known.keys where albums[path] == nil { try change.remove(.album, in: gallery, key: .string(path)) }
    }

    /// Only files that differ from the recorded ones are written.
    static func save(_ site: SiteRow, _ change: inout LedgerTransaction) throws {
        try saveAlone(site, &change)
        // Compared row by row: the list of a large site is not read into memory a second time.
        var (differing, gone) = ([String](), [String]())
        var found = 0
        try LedgerReader.forEachOwnedRow(change.flushed(), output: site.output) { path, file in
            guard let index = site.owned.index(forKey: path) else { return gone.append(path) }
            found += 1
            let wanted = site.owned[index]
            // As the list holds it already: there may be many.
            if wanted.value != file { differing.append(wanted.key) }
        }
        if found < site.owned.count {
            // Seldom: nearly all files are claimed before they are recorded.
            let known = try LedgerReader.owned(change.flushed(), output: site.output)
            differing += site.owned.keys.filter { known[$0] == nil }
        }
        for path in gone { try change.remove(.owned, in: site.output, key: .string(path)) }
        for path in differing {
            if let file = site.owned[path] { try save(file, at: path, output: site.output, &change) }
        }
    }

    /// Without its files.
    static func saveAlone(_ site: SiteRow, _ change: inout LedgerTransaction) throws {
        try change.put(
            .site,
            [
                .text(site.output), .text(site.content.hex), .text(site.templates.hex), .number(site.updated),
                .text(site.inputs), .number(site.revision),
            ])
    }

    /// Records the inputs of the pages where the pages are unchanged.
    static func mark(_ output: String, inputs: String, revision: Int64, _ change: inout LedgerTransaction) throws {
        guard var site = try LedgerReader.site(change.flushed(), output: output, withFiles: false) else { return }
        site.inputs = inputs
        site.revision = revision
        try saveAlone(site, &change)
    }

    static func claim(
        _ files: some Sequence<(key: String, value: OwnedRow)>, output: String, _ change: inout LedgerTransaction
    ) throws {
        // From now on the recorded content is not that of the folder, until it is recorded again.
        let nothing = Digest(of: "")
        var site =
            try LedgerReader.site(change.flushed(), output: output, withFiles: false)
            ?? SiteRow(output: output, content: nothing, templates: nothing, updated: 0, owned: [:])
        site.content = nothing
        site.inputs = nil
        try saveAlone(site, &change)
        for (path, file) in files { try save(file, at: path, output: output, &change) }
    }

    static func forget(output: String, _ change: inout LedgerTransaction) throws {
        for path in try LedgerReader.owned(change.flushed(), output: output).keys {
            try change.remove(.owned, in: output, key: .string(path))
        }
        try change.remove(.site, key: .string(output))
    }

    private static func save(_ file: OwnedRow, at path: String, output: String, _ change: inout LedgerTransaction)
        throws
    {
        let key = file.key ?? file.digestBefore
        try change.put(
            .owned, in: output, [.text(path), .text(file.digest?.hex), .number(file.bytes), .text(key?.hex)])
    }
}
