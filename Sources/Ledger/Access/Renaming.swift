internal import GRDB

/// Moves rows to another gallery or output folder, or removes them.
extension LedgerWriter {
    /// - Parameter name: the new name of the output folder, under which nothing is recorded.
    static func rename(output: String, to name: String, _ change: inout LedgerTransaction) throws {
        let database = try change.flushed()
        guard let site = try LedgerReader.site(database, output: output, withFiles: false) else { return }
        try change.delete(SiteRow.self, [output])
        try change.delete(PlaceRow.self, [output])
        try change.save(site.renamed(name))
        try change.move(OwnedRecord.self, from: output, to: name)
    }

    /// - Parameter key: the new key of the gallery, under which nothing is recorded.
    static func rename(gallery: String, to key: String, _ change: inout LedgerTransaction) throws {
        let database = try change.flushed()
        let revision = try LedgerReader.revision(database, gallery: gallery)
        let checkTime = try LedgerReader.checkTime(database, gallery: gallery)
        try forgetPlace(gallery: gallery, &change)
        if revision != 0 { try change.save(RevisionRecord(gallery: key, revision: revision)) }
        if checkTime != 0 { try change.save(CheckTimeRecord(gallery: key, checked: checkTime)) }
        try change.move(PhotoTableRecord.self, from: gallery, to: key)
        try change.move(PictureRecord.self, from: gallery, to: key)
        try change.move(VersionRecord.self, from: gallery, to: key)
        try change.move(MarkRecord.self, from: gallery, to: key)
        try change.move(AlbumRecord.self, from: gallery, to: key)
    }

    /// Removes a gallery: its photos, its albums and its place.
    static func forget(gallery: String, _ change: inout LedgerTransaction) throws {
        try forgetPlace(gallery: gallery, &change)
        try change.deleteAll(PhotoTableRecord.self, in: gallery)
        try change.deleteAll(PictureRecord.self, in: gallery)
        try change.deleteAll(VersionRecord.self, in: gallery)
        try change.deleteAll(MarkRecord.self, in: gallery)
        try change.deleteAll(AlbumRecord.self, in: gallery)
    }

    private static func forgetPlace(gallery: String, _ change: inout LedgerTransaction) throws {
        try change.delete(PlaceRow.self, [gallery])
        try change.delete(RevisionRecord.self, [gallery])
        try change.delete(CheckTimeRecord.self, [gallery])
    }
}
