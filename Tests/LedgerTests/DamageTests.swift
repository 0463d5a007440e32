import Foundation
import GRDB
import Ledger
import PhotoModel
import TestSupport
import Testing

/// A ledger returns what was written into it, or an error, and never anything else.
@Suite("Damage to a ledger") struct DamageTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path + "/ledger.sqlite" }
    private static let output = "/site"
    private static let identity = GalleryIdentity(manifests: [.file("/photos.plist")], output: output)
    private static let otherIdentity = GalleryIdentity(manifests: [.file("/other.plist")], output: "/other")

    /// Everything that can be read from a ledger.
    private struct Contents: Hashable {
        var sources: [Digest: SourceRow]
        var originals: [Digest: OriginalRow]
        var photos: [Digest: PhotoRow]
        var albums: [String: String]
        var revision: Int64
        var site: SiteRow?
        var otherSite: SiteRow?
        var locations: [Digest: String]
        var galleries: [KnownGallery] = []

        /// - Parameter withUncovered: whether values are read that no checksum covers: the times of the last checks,
        ///   and the list of galleries for people.
        init(_ path: String, withUncovered: Bool = false) throws {
            let ledger = try Ledger(path: path, identity: DamageTests.identity)
            let snapshot = try ledger.snapshot()
            (sources, originals, photos) = (snapshot.sources, snapshot.originals, snapshot.photos)
            (albums, revision) = (snapshot.albums, snapshot.revision)
            (site, otherSite) = (try ledger.site(output: DamageTests.output), try ledger.site(output: "/other"))
            locations = snapshot.locations
            if withUncovered {
                galleries = try ledger.galleries()
            } else {
                for key in photos.keys { photos[key]?.checked = 0 }
            }
            ledger.close()
        }
    }

    /// Creates a ledger with two rows in each table, all of them in the database file and none in its log.
    private func fill() throws {
        let other = try Ledger(path: path, identity: Self.otherIdentity)
        try other.record(PhotoRow(key: "other", slug: "sea", state: .failed, since: 1, checked: 2), original: nil)
        other.close()
        let ledger = try Ledger(path: path, identity: Self.identity)
        for number in 1...2 {
            let original = Digest(of: "original \(number)")
            var source = SourceRow(
                key: Digest(of: "s\(number)"), sha256: original, bytes: 5, etag: "\"x\"", lastModified: "yesterday",
                fileStamp: FileStamp(size: 1, modifiedNanoseconds: 2, changedNanoseconds: 3, inode: 4), validated: 7,
                freshUntil: 8)
            source.retryAfter = 9
            source.retryStatus = 503
            source.fetched = 10
            source.caching = "max-age=60"
            source.refusal = "1 not-an-image a web page"
            source.moved = "https://example.org/\(number).jpg"
            source.responder = "*"
            try ledger.record([.source(source), .location(source.key, "https://club.example/\(number).plist")])
            let pictures = [
                PublishedPicture(
                    fileName: "\(number)-320.jpg", width: 320, height: 200, bytes: 4_711, isUnfiltered: false,
                    colour: "#8a7b6c"),
                PublishedPicture(
                    fileName: "\(number)-320.webp", width: 320, height: 200, bytes: 815, isUnfiltered: false),
                PublishedPicture(
                    fileName: "\(number)0-320.jpg", width: 320, height: 200, bytes: 814, content: .version("older")),
            ]
            try ledger.record(
                PhotoRow(
                    key: Digest(of: "p\(number)"), source: source.key, slug: "lake-\(number)", state: .failed,
                    reason: Reason(.timeout(seconds: 30)), since: 11,
                    stale: StaleMark(since: 12, reason: Reason(.timeout(seconds: 30))),
                    marks: [
                        .frozen(since: Timestamp(seconds: 16), expectedWithin: 17),
                        PhotoMark(.suspicious, since: Timestamp(seconds: 18), .frozen, withheld: original),
                    ], sha256: original,
                    pictures: pictures, versions: [PhotoVersion(original: "older", fetched: 19)],
                    recipe: "quality \(number)", recovered: 13, fetched: 14, attempts: 1,
                    checked: 15),
                original: OriginalRow(
                    sha256: original, edition: 3, format: "jpeg", width: number, height: 2, hasTransparency: false,
                    capture: CaptureFields(taken: "then", camera: "NIKON", lens: "35 mm", exposure: "f/8")))
        }
        let file = OwnedFile(digest: Digest(of: "file"), bytes: 16, key: Digest(of: "key"))
        for output in [Self.output, "/other"] {
            try ledger.record(
                publication: SiteRow(
                    output: output, content: Digest(of: "c"), templates: Digest(of: "t"), updated: 17, inputs: "title",
                    owned: ["index.html": file, "feed.xml": file]),
                photos: ledger.snapshot().photos.values.map { photo in
                    // Only the time of the last check differs, so it is recorded once for all photos.
                    var photo = photo
                    photo.checked = 20
                    return photo
                }, replacing: ledger.snapshot().photos,
                albums: ["Summer": "summer", "Winter": "winter"])
        }
        try ledger.record(claims: ["index.html": FileClaim(file, replacing: Digest(of: "older"))], output: Self.output)
        ledger.close()
    }

    @Test("The next migration will keep every value of every table of this version")
    func nextMigration() throws {
        try fill()
        let before = try Contents(path, withUncovered: true)
        // With an older version, this version's tables are migrated as the next version will migrate them.
        try SQLite.execute("PRAGMA user_version = 13", at: path)
        #expect(try Contents(path, withUncovered: true) == before)
    }

    @Test("Damage is noticed in every column of every table, however plausible the changed value is")
    func columns() throws {
        try fill()
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        let columns = try DatabaseQueue(path: path).read { database in
            try String.fetchAll(database, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'").flatMap { table in
                try database.columns(in: table).map { (table, $0.name) }
            }
        }
        #expect(columns.count > 50)
        for (table, column) in columns where (table, column) != ("photo", "checked") {
            try whole.write(to: URL(fileURLWithPath: path))
            let place = table == "owned" && column != "output" ? "WHERE output = '\(Self.output)'" : ""
            try SQLite.execute(
                """
                UPDATE \(table) SET \(column) = CASE
                    WHEN typeof(\(column)) = 'integer' THEN \(column) + 9
                    WHEN length(\(column)) = 64 THEN substr(\(column), 2) || substr(\(column), 1, 1)
                    ELSE \(column) || 'x' END
                \(place)
                """, at: path)
            #expect(throws: LedgerError.self, "\(table).\(column)") { try Contents(path) }
        }
    }

    @Test(
        "A lost row is noticed",
        arguments: [
            "source WHERE key = '\(Digest(of: "s1"))'", "original WHERE width = 1",
            "photo WHERE key = '\(Digest(of: "p1"))'", "picture WHERE photo = 1", "picture WHERE position = 1",
            "mark WHERE photo = 1", "version WHERE photo = 1",
            "mark WHERE code = 'frozen'",
            "album WHERE slug = 'winter'", "gallery", "location WHERE url LIKE '%1%'", "look",
            "site WHERE output = '/other'",
            "site WHERE output = '/site'",
            "owned WHERE path = 'feed.xml'", "recipe WHERE text = 'quality 1'", "total WHERE name = 'photo'",
        ])
    func lostRows(rows: String) throws {
        try fill()
        try SQLite.execute("DELETE FROM \(rows)", at: path)
        #expect(throws: LedgerError.self) { try Contents(path) }
    }

    @Test(
        "Damage never makes data that a gallery refers to look unreferenced",
        arguments: ["DELETE FROM total WHERE name = 'photo'", "UPDATE total SET name = 'phots' WHERE name = 'photo'"])
    func hiddenGallery(damage: String) throws {
        try fill()
        try SQLite.execute(damage, at: path)
        let ledger = try Ledger(path: path, gallery: "another")
        #expect(throws: LedgerError.self) { try ledger.references() }
        #expect(throws: LedgerError.self) { try ledger.picturesOfOthers() }
    }

    @Test("A damaged byte is an error, or changes nothing that is read")
    func bytes() throws {
        try fill()
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        let contents = try Contents(path)
        let seed: UInt64 = 20_261_122
        var random = SeededRandom(seed: seed)
        var refused = 0
        for _ in 0..<400 {
            var damaged = whole
            let place = Int.random(in: 0..<damaged.count, using: &random)
            // Most of a small file is empty, so that most random bytes would hit nothing.
            let used = damaged[place] != 0 ? place : Int.random(in: 0..<damaged.count, using: &random)
            damaged[used] ^= UInt8.random(in: 1...255, using: &random)
            let copy = folder.path + "/damaged.sqlite"
            try damaged.write(to: URL(fileURLWithPath: copy))
            do {
                #expect(try Contents(copy) == contents, "byte \(used) of seed \(seed)")
            } catch is LedgerError {
                refused += 1
            }
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: copy + suffix) }
        }
        #expect(refused > 20, "seed \(seed)")
    }

    @Test(
        "Damage in the constant part of the file's header is noticed before SQLite reads on",
        arguments: [18, 52, 64, 80])
    func header(place: Int) throws {
        try fill()
        var damaged = try Data(contentsOf: URL(fileURLWithPath: path))
        damaged[place] ^= 4
        try damaged.write(to: URL(fileURLWithPath: path))
        #expect(throws: LedgerError.unreadable(path: path, detail: "its header is damaged")) { try Contents(path) }
    }

    @Test("After a change has met damage, every later change is refused, even of undamaged tables")
    func changeAfterDamage() throws {
        try fill()
        let ledger = try Ledger(path: path, gallery: "one")
        try SQLite.execute("DROP TABLE photo", at: path)
        let photo = PhotoRow(key: "a", slug: "a", state: .new, since: 1, checked: 1)
        let first = #expect(throws: LedgerError.self) { try ledger.record(photo, original: nil) }
        if case .unreadable = first {} else { Issue.record("\(first as Any)") }
        let second = #expect(throws: LedgerError.self) { try ledger.record(SourceRow(key: "b", sha256: nil, bytes: 5)) }
        #expect(second == first)
    }
}
