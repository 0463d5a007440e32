internal import GRDB
internal import PhotoModel

/// Writes records as rows of the ledger. Each row is found by its complete key.
enum LedgerWriter {
    static func save(location url: String?, of key: Digest, _ change: inout LedgerTransaction) throws {
        if let url {
            try change.save(LocationRecord(source: key, url: url))
        } else {
            try change.delete(LocationRecord.self, [key])
        }
    }

    static func save(_ photo: PhotoRow, gallery: String, _ change: inout LedgerTransaction) throws {
        if let recipe = photo.recipe { try change.save(RecipeRecord(recipe)) }
        let known = try change.number(of: photo.key, gallery: gallery)
        let number = try known ?? change.newNumber(gallery: gallery)
        let pictures = photo.pictures.enumerated().map { position, picture in
            PictureRecord(picture, gallery: gallery, photo: number, position: position)
        }
        let versions = photo.versions.enumerated().map { position, version in
            VersionRecord(version, gallery: gallery, photo: number, position: position)
        }
        let record = PhotoTableRecord(photo, gallery: gallery, number: number)
        if known == nil {
            try change.insert(record)
            for picture in pictures { try change.insert(picture) }
            for version in versions { try change.insert(version) }
        } else {
            try change.save(record)
            for picture in pictures { try change.save(picture) }
            for version in versions { try change.save(version) }
            try forget(PictureRecord.self, of: number, from: pictures.count, gallery: gallery, &change)
            try forget(VersionRecord.self, of: number, from: versions.count, gallery: gallery, &change)
            let current = Set(photo.marks.map(\.code.rawValue))
            try forgetMarks(of: number, except: current, gallery: gallery, &change)
        }
        for mark in photo.marks { try change.save(MarkRecord(mark, gallery: gallery, photo: number)) }
    }

    private static func remove(_ photo: Digest, gallery: String, _ change: inout LedgerTransaction) throws {
        guard let number = try change.number(of: photo, gallery: gallery) else { return }
        try change.delete(PhotoTableRecord.self, in: gallery, [gallery, number])
        try forget(PictureRecord.self, of: number, from: 0, gallery: gallery, &change)
        try forget(VersionRecord.self, of: number, from: 0, gallery: gallery, &change)
        try forgetMarks(of: number, except: [], gallery: gallery, &change)
    }

    /// Removes the marks of a photo, including those that only a newer version knows.
    private static func forgetMarks(
        of photo: Int64, except kept: Set<String>, gallery: String, _ change: inout LedgerTransaction
    ) throws {
        for code in try change.markCodes(ofPhoto: photo, gallery: gallery) where !kept.contains(code) {
            try change.delete(MarkRecord.self, in: gallery, [gallery, photo, code])
        }
    }

    /// Removes the rows of a photo in a table whose keys end with a position.
    private static func forget<Record: LedgerRecord>(
        _ type: Record.Type, of photo: Int64, from first: Int, gallery: String, _ change: inout LedgerTransaction
    ) throws {
        var position = first
        while try change.delete(type, in: gallery, [gallery, photo, position]) { position += 1 }
    }

    /// Increases the revision of a gallery, because a row of a photo has changed in a way that is visible. Pages that
    /// were rendered before might be out of date.
    static func raiseRevision(gallery: String, _ change: inout LedgerTransaction) throws {
        let revision = try LedgerReader.revision(change.flushed(), gallery: gallery)
        try change.save(RevisionRecord(gallery: gallery, revision: revision &+ 1))
    }

    /// Writes the rows that have changed, and removes the rows of photos that have left the list.
    /// - Returns: whether any photo looks different now.
    static func replacePhotos(
        _ photos: [PhotoRow], replacing known: [PhotoRow?], removing gone: [Digest], gallery: String,
        _ change: inout LedgerTransaction
    ) throws -> Bool {
        precondition(photos.count == known.count, "each photo has its row")
        let checkTime = try LedgerReader.checkTime(change.flushed(), gallery: gallery)
        let newCheckTime = newCheckTime(photos, replacing: known, after: checkTime)
        if newCheckTime != checkTime { try change.save(CheckTimeRecord(gallery: gallery, checked: newCheckTime)) }
        var differs = !gone.isEmpty
        for (photo, old) in zip(photos, known) {
            guard let old else {
                try save(photo, gallery: gallery, &change)
                differs = true
                continue
            }
            if photo.differsOnlyInTime(from: old) {
                if photo.checked == newCheckTime && old.checked <= newCheckTime { continue }
                // If the new check time of the gallery is earlier, it no longer covers all photos, and their own
                // recorded times are too old.
                if photo.checked == old.checked && newCheckTime >= checkTime { continue }
                try change.execute(check, [photo.checked, gallery, photo.key])
            } else {
                try save(photo, gallery: gallery, &change)
                differs = differs || !photo.rendersLike(old)
            }
        }
        for key in gone { try remove(key, gallery: gallery, &change) }
        return differs
    }

    /// The new check time of the gallery (`CheckTimeRecord`): the time at which all photos were checked, if that was
    /// one time and no recorded time is later. Otherwise it is the recorded value, or 0 if a photo has an earlier time.
    private static func newCheckTime(_ photos: [PhotoRow], replacing known: [PhotoRow?], after checkTime: Int64)
        -> Int64
    {
        guard let first = photos.first?.checked else { return checkTime }
        let isOfAll = photos.allSatisfy { $0.checked == first } && known.allSatisfy { ($0?.checked ?? first) <= first }
        if isOfAll { return first }
        return photos.allSatisfy { $0.checked >= checkTime } ? checkTime : 0
    }

    /// Changes the column that the row's checksum does not cover.
    static let check = "UPDATE photo SET checked = ? WHERE gallery = ? AND key = ?"

    static func replaceAlbums(_ albums: [String: String], gallery: String, _ change: inout LedgerTransaction) throws {
        let known = try LedgerReader.albums(change.flushed(), gallery: gallery)
        for (path, slug) in albums where known[path] != slug {
            try change.save(AlbumRecord(gallery: gallery, path: path, slug: slug))
        }
        for path in known.keys where albums[path] == nil {
            try change.delete(AlbumRecord.self, in: gallery, [gallery, path])
        }
    }

    /// Writes the row of an output folder, and those of its files at the given paths. The files that were claimed are
    /// the site's from now on, and the publication is completed.
    static func save(_ site: SiteRow, changed: Set<String>, _ change: inout LedgerTransaction) throws {
        var site = site
        let recorded = try LedgerReader.site(change.flushed(), output: site.output, withFiles: false)
        site.publication = (recorded?.publication ?? 0) &+ 1
        try change.save(site)
        for path in changed.sorted() {
            if let file = site.owned[path] {
                // A file that an interrupted publication has left unknown, and that is kept, has no digest here.
                let record = OwnedRecord(
                    FileClaim(file), at: path, output: site.output, publication: site.publication)
                try change.save(record)
            } else {
                try change.delete(OwnedRecord.self, in: site.output, [site.output, path])
            }
        }
    }

    /// Records the inputs of pages that have not changed.
    static func recordInputs(
        _ inputs: String, of output: String, revision: Int64, _ change: inout LedgerTransaction
    ) throws {
        guard var site = try LedgerReader.site(change.flushed(), output: output, withFiles: false) else { return }
        site.inputs = inputs
        site.revision = revision
        try change.save(site)
    }

    static func claim(
        _ claims: some Sequence<(key: String, value: FileClaim)>, output: String, _ change: inout LedgerTransaction
    ) throws {
        // From now on, the folder's content is not the recorded one, until the publication is recorded.
        let nothing = Digest(of: "")
        var site =
            try LedgerReader.site(change.flushed(), output: output, withFiles: false)
            ?? SiteRow(output: output, content: nothing, templates: nothing, updated: 0, owned: [:])
        site.content = nothing
        site.inputs = nil
        try change.save(site)
        let publication = site.publication &+ 1
        for (path, claim) in claims {
            try change.save(OwnedRecord(claim, at: path, output: output, publication: publication))
        }
    }

    static func forget(output: String, _ change: inout LedgerTransaction) throws {
        try change.deleteAll(OwnedRecord.self, in: output)
        try change.delete(SiteRow.self, [output])
    }
}
