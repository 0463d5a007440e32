import GRDB
import Ledger
import PhotoModel
import TestSupport
import Testing

/// Rows of photos, addresses and originals are numbered in the order in which they are first recorded.
@Suite("The numbered rows of a ledger") struct NumberingTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path + "/ledger.sqlite" }

    private func open() throws -> Ledger { try Ledger(path: path, gallery: "one") }

    private func photo(_ name: String, slug: String = "x") -> PhotoRow {
        PhotoRow(key: Digest(of: name), slug: slug, state: .filtered, since: 1, checked: 1)
    }

    private func digests(_ column: String, of table: String) throws -> [Digest] {
        try DatabaseQueue(path: path).read { database in
            try String.fetchAll(
                database, sql: "SELECT \(column) FROM \(table) ORDER BY \(table == "photo" ? "number" : "rowid")"
            ).map {
                try #require(Digest(hex: $0))
            }
        }
    }

    @Test(
        "Rows are in the order of their first record, whatever their digests, and keep their position when they change")
    func order() throws {
        let names = (0..<50).map { "photo \($0)" }
        let ledger = try open()
        for slug in ["x", "y"] {
            for name in names {
                try ledger.record(
                    photo(name, slug: slug),
                    original: OriginalRow(sha256: Digest(of: name + "o"), width: slug == "x" ? 1 : 2))
                try ledger.record(SourceRow(key: Digest(of: name + "s"), sha256: nil, bytes: slug == "x" ? 1 : 2))
            }
        }
        #expect(try digests("key", of: "photo") == names.map { Digest(of: $0) })
        #expect(try digests("sha256", of: "original") == names.map { Digest(of: $0 + "o") })
        #expect(try digests("key", of: "source") == names.map { Digest(of: $0 + "s") })
        let snapshot = try ledger.snapshot()
        #expect(snapshot.photos.values.allSatisfy { $0.slug == "y" })
        #expect(snapshot.originals.values.allSatisfy { $0.width == 2 })
        #expect(snapshot.sources.values.allSatisfy { $0.bytes == 2 })
    }

    @Test("A ledger that was opened again updates its rows, whether it has read them or not", arguments: [true, false])
    func reopened(isRead: Bool) throws {
        try open().record(photo("a"), original: OriginalRow(sha256: "o", width: 1))
        let ledger = try open()
        if isRead { _ = try ledger.snapshot() }
        try ledger.record(photo("b"), original: nil)
        try ledger.record(photo("a", slug: "y"), original: OriginalRow(sha256: "o", width: 2))
        let snapshot = try ledger.snapshot()
        #expect(snapshot.photos == [Digest(of: "a"): photo("a", slug: "y"), Digest(of: "b"): photo("b")])
        #expect(snapshot.originals.mapValues(\.width) == ["o": 2])
        #expect(try digests("key", of: "photo") == ["a", "b"])
    }

    @Test("Rows that another process has written meanwhile are found", arguments: [JournalMode.writeAhead, .rollback])
    func others(journal: JournalMode) throws {
        let one = try Ledger(path: path, gallery: "one", journal: journal)
        let other = try Ledger(path: path, gallery: "one", journal: journal)
        _ = (try one.snapshot(), try other.snapshot())
        try one.record(SourceRow(key: "a", sha256: nil, bytes: 1))
        try other.record(SourceRow(key: "b", sha256: nil, bytes: 2))
        try one.record(SourceRow(key: "c", sha256: nil, bytes: 3))
        try other.record(SourceRow(key: "a", sha256: nil, bytes: 4))
        try one.forget(sources: ["b"], originals: [])
        try other.record(SourceRow(key: "c", sha256: nil, bytes: 5))
        #expect(try one.snapshot().sources.mapValues(\.bytes) == ["a": 4, "c": 5])
        #expect(try other.snapshot().sources.mapValues(\.bytes) == ["a": 4, "c": 5])
    }

    @Test("Rows are found by their table, and by more than the first digits of their digest")
    func alike() throws {
        let one = try #require(Digest(hex: String(repeating: "a", count: 64)))
        // The digests differ in the last of the bits that a lookup uses, and in the bits that it does not use.
        let other = try #require(Digest(hex: String(repeating: "a", count: 31) + String(repeating: "e", count: 33)))
        let photo = PhotoRow(key: one, slug: "x", state: .filtered, since: 1, checked: 1)
        let ledger = try open()
        try ledger.record(photo, original: OriginalRow(sha256: one, width: 1))
        try ledger.record(SourceRow(key: one, sha256: nil, bytes: 1))
        try ledger.record(SourceRow(key: other, sha256: nil, bytes: 2))
        try ledger.forget(sources: [one], originals: [])
        try ledger.record(photo, original: OriginalRow(sha256: one, width: 2))
        try ledger.record(SourceRow(key: one, sha256: nil, bytes: 3))
        let snapshot = try ledger.snapshot()
        #expect(snapshot.photos == [one: photo])
        #expect(snapshot.originals.mapValues(\.width) == [one: 2])
        #expect(snapshot.sources.mapValues(\.bytes) == [one: 3, other: 2])
    }

    @Test("Rows belong to their gallery")
    func galleries() throws {
        let (one, two) = (try open(), try Ledger(path: path, gallery: "two"))
        try one.record(photo("a", slug: "one"), original: nil)
        try two.record(photo("b", slug: "two"), original: nil)
        try two.record(photo("a", slug: "two"), original: nil)
        try one.record(photo("b", slug: "one"), original: nil)
        #expect(try one.snapshot().photos.values.map(\.slug) == ["one", "one"])
        #expect(try two.snapshot().photos.values.map(\.slug) == ["two", "two"])
    }

    @Test("A photo that was removed gets a new number when it returns")
    func forgotten() throws {
        let ledger = try open()
        for name in ["a", "b", "c"] { try ledger.record(photo(name), original: nil) }
        let known = try ledger.snapshot().photos
        try ledger.record(
            publication: nil, photos: [photo("d"), photo("c", slug: "y"), photo("a")], replacing: known, albums: [:])
        try ledger.record(photo("b"), original: nil)
        #expect(
            try ledger.snapshot().photos == [
                Digest(of: "a"): photo("a"), Digest(of: "b"): photo("b"), Digest(of: "c"): photo("c", slug: "y"),
                Digest(of: "d"): photo("d"),
            ])
        #expect(try digests("key", of: "photo") == ["a", "c", "d", "b"])
    }

    @Test(
        "Two rows of one digest, and a table without a number left, are refused",
        arguments: [
            // The sums are those of RowChecksum, computed independently.
            ("twice", [(1, -127_667_753_849_923_175), (2, -1_613_932_643_372_580_001)], "2, -1741600397222503176"),
            ("number", [(Int64.max, 8_921_414_088_721_101_271)], "1, 8921414088721101271"),
        ] as [(String, [(number: Int64, sum: Int64)], String)])
    func impossible(problem: String, rows: [(number: Int64, sum: Int64)], total: String) throws {
        try open().close()
        let photos = rows.map { "('one', \($0.number), '\(Digest(of: "a"))', 'x', 'filtered', 1, 0, \($0.sum), 1)" }
            .joined(separator: ", ")
        // An undamaged index would refuse the second row of a digest.
        try SQLite.execute(
            """
            DROP INDEX photo_by_key;
            INSERT INTO photo (gallery, number, key, slug, state, since, attempts, sum, checked) VALUES \(photos);
            INSERT INTO total VALUES ('photo', 'one', \(total));
            """, at: path)
        let error = #expect(throws: LedgerError.self) {
            let ledger = try open()
            _ = try ledger.snapshot()
            try ledger.record(photo("b"), original: nil)
        }
        guard case .unreadable(_, let detail) = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(detail.contains(problem), "\(detail)")
    }
}
