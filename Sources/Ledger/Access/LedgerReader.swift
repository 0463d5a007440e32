internal import GRDB
internal import PhotoModel

/// Reads rows of the ledger. A table is read either in full and in order, or by key.
enum LedgerReader {
    /// Reads the addresses and the facts of originals.
    static func readSources(_ database: Database, into snapshot: inout LedgerSnapshot) throws {
        snapshot.sources = try sources(database)
        snapshot.locations = try rows(LocationRecord.self, database) { ($0.source, $0.url) }
        snapshot.originals = try rows(OriginalRow.self, database) { ($0.sha256, $0) }
    }

    /// Reads the photos and the albums of a gallery.
    static func readPhotos(_ database: Database, of gallery: String, into snapshot: inout LedgerSnapshot) throws {
        snapshot.photos = try photos(database, gallery: gallery)
        snapshot.albums = try albums(database, gallery: gallery)
        snapshot.revision = try revision(database, gallery: gallery)
    }

    static func sources(_ database: Database) throws -> [Digest: SourceRow] {
        try rows(SourceRecord.self, database) { ($0.fields.key, Shared($0.fields)) }
    }

    /// The rows of a table by their keys, all of them or those of one scope.
    private static func rows<Record: LedgerRecord, Key: Hashable, Value>(
        _ type: Record.Type, in scope: String? = nil, _ database: Database, _ entry: (Record) throws -> (Key, Value)
    ) throws -> [Key: Value] {
        let table = Record.databaseTableName
        var rows: [Key: Value] = [:]
        rows.reserveCapacity(try TableTotal.recorded(table, scope ?? "", database).capacity)
        try Record.forEach(in: scope, database) { record in
            let (key, value) = try entry(record)
            guard rows.updateValue(value, forKey: key) == nil else {
                throw DatabaseError.damaged("a row of \(table) is there twice")
            }
        }
        return rows
    }

    /// All galleries with photos, according to the rows or to their totals. Damage to one of the two must not hide a
    /// gallery, because files that no gallery refers to are removed.
    static func galleries(_ database: Database) throws -> Set<String> {
        var galleries = Set(try TableTotal.all(of: PhotoTableRecord.databaseTableName, database).map(\.scope))
        galleries.formUnion(try String.fetchAll(database, sql: selectGalleries))
        return galleries
    }

    static let selectGalleries = "SELECT DISTINCT gallery FROM photo"

    static func photos(_ database: Database, gallery: String) throws -> [Digest: PhotoRow] {
        let recipes = try rows(RecipeRecord.self, database) { ($0.id, $0.text) }
        let checkTime = try checkTime(database, gallery: gallery)
        // Both tables are read in the order of the photos' numbers.
        var pictures: [(photo: Int64, picture: PublishedPicture)] = []
        pictures.reserveCapacity(
            try TableTotal.recorded(PictureRecord.databaseTableName, gallery, database).capacity)
        try PictureRecord.forEach(in: gallery, database) { pictures.append(($0.photo, $0.picture)) }
        var marks: [Int64: [PhotoMark]] = [:]
        var marked: Set<Int64> = []
        try MarkRecord.forEach(in: gallery, database) { record in
            marked.insert(record.photo)
            if let mark = record.mark { marks[record.photo, default: []].append(mark) }
        }
        var versions: [Int64: [PhotoVersion]] = [:]
        try VersionRecord.forEach(in: gallery, database) { versions[$0.photo, default: []].append($0.version) }
        var next = 0
        let photos = try rows(PhotoTableRecord.self, in: gallery, database) { record in
            var photo = record.photo
            let first = next
            while next < pictures.count, pictures[next].photo == record.number { next += 1 }
            photo.pictures = pictures[first..<next].map(\.picture)
            photo.recipe = record.recipe.flatMap { recipes[$0] }
            if marked.remove(record.number) != nil { photo.marks = marks[record.number] ?? [] }
            if let earlier = versions.removeValue(forKey: record.number) { photo.versions = earlier }
            photo.checked = max(photo.checked, checkTime)
            return (photo.key, Shared(photo))
        }
        guard next == pictures.count else { throw DatabaseError.damaged("a picture has no photo") }
        guard marked.isEmpty else { throw DatabaseError.damaged("a mark has no photo") }
        guard versions.isEmpty else { throw DatabaseError.damaged("a version has no photo") }
        return photos
    }

    static func albums(_ database: Database, gallery: String) throws -> [String: String] {
        try rows(AlbumRecord.self, in: gallery, database) { ($0.path, $0.slug) }
    }

    static func revision(_ database: Database, gallery: String) throws -> Int64 {
        // The whole table, which is small, is read and compared with its total. Otherwise a lost row would look like
        // one that never existed.
        try rows(RevisionRecord.self, database) { ($0.gallery, $0.revision) }[gallery] ?? 0
    }

    /// The last time at which all photos of the gallery were checked, in seconds since 1970; 0 if none is recorded. No
    /// photo was last checked before it.
    static func checkTime(_ database: Database, gallery: String) throws -> Int64 {
        // The whole table is read, for the same reason as in `revision`.
        try rows(CheckTimeRecord.self, database) { ($0.gallery, $0.checked) }[gallery] ?? 0
    }

    /// Whether anything is recorded of a gallery.
    static func knows(gallery: String, _ database: Database) throws -> Bool {
        for table in [PhotoTableRecord.databaseTableName, AlbumRecord.databaseTableName] {
            let total = try TableTotal.recorded(table, gallery, database)
            if total.rows != 0 || total.sum != 0 { return true }
        }
        return try revision(database, gallery: gallery) != 0
    }

    /// - Returns: the places of galleries and output folders, by `PlaceRow.name`.
    static func places(_ database: Database) throws -> [ExactText: PlaceRow] {
        try rows(PlaceRow.self, database) { (ExactText($0.name), $0) }
    }

    /// The names of all recorded output folders.
    static func outputs(_ database: Database) throws -> [ExactText] {
        try sites(database).keys.sorted { $0.text < $1.text }
    }

    /// The rows of all output folders, without their files. SQLite compares their names byte by byte.
    private static func sites(_ database: Database) throws -> [ExactText: SiteRow] {
        try rows(SiteRow.self, database) { (ExactText($0.output), $0) }
    }

    /// - Parameter withFiles: whether the list of the site's files is read.
    static func site(_ database: Database, output: String, withFiles: Bool) throws -> SiteRow? {
        // The whole table is read, for the same reason as in `revision`.
        var site = try sites(database)[ExactText(output)]
        if withFiles, let completed = site?.publication {
            site?.owned = try owned(database, output: output, completed: completed)
        }
        return site
    }

    /// - Parameter completed: the number of the last completed publication in the folder.
    private static func owned(
        _ database: Database, output: String, completed: Int64
    ) throws -> [String: OwnedFile] {
        try rows(OwnedRecord.self, in: output, database) { ($0.path, $0.file(completed: completed)) }
    }

    /// Calls `visit` with each file in an output folder.
    /// - Parameter begin: is called before that, with the number of files for which memory should be reserved.
    static func forEachFile(
        _ database: Database, output: String, begin: (Int) throws -> Void, _ visit: (String, OwnedFile) throws -> Void
    ) throws {
        let completed = try site(database, output: output, withFiles: false)?.publication ?? 0
        try begin(TableTotal.recorded(OwnedRecord.databaseTableName, output, database).capacity)
        try OwnedRecord.forEach(in: output, database) { try visit($0.path, $0.file(completed: completed)) }
    }

    static func owned(_ database: Database, output: String, path: String) throws -> OwnedFile? {
        let completed = try site(database, output: output, withFiles: false)?.publication ?? 0
        return try OwnedRecord.one([output, path], database)?.file(completed: completed)
    }
}
