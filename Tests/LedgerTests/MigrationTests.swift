import Foundation
import GRDB
import Ledger
import PhotoModel
import TestSupport
import Testing

@Suite("A ledger of an older version") struct MigrationTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path + "/ledger.sqlite" }
    private let original = LedgerFile.original

    private let pictures = [
        PublishedPicture(fileName: "00-320.jpg", width: 320, height: 200, bytes: 4_711, isUnfiltered: false)
    ]

    private func expectEverything(in ledger: Ledger) throws {
        let snapshot = try ledger.snapshot()
        #expect(
            snapshot.photos == [
                "a": PhotoRow(
                    key: "a", source: "s", slug: "lake", state: .filtered, since: 7, sha256: original,
                    pictures: pictures, checked: 8)
            ])
        #expect(
            snapshot.sources["s"]
                == SourceRow(
                    key: "s", sha256: original, bytes: 5, etag: "\"e\"",
                    fileStamp: FileStamp(size: 1, modifiedNanoseconds: 2, changedNanoseconds: 3, inode: 4),
                    freshUntil: 9, responder: "*"))
        #expect(snapshot.sources["t"] == SourceRow(key: "t", sha256: original, bytes: 5))
        #expect(snapshot.originals == [original: OriginalRow(sha256: original, width: 320)])
        #expect(snapshot.albums == ["p": "summer"])
        let site = try #require(try ledger.site(output: "/site"))
        #expect(site.inputs == nil)
        #expect(site.owned == ["index.html": OwnedFile(digest: original, bytes: 10)])
    }

    @Test("A ledger of version 3 is migrated without losing anything")
    func migration() throws {
        try LedgerFile.makeVersion3(at: path)
        try expectEverything(in: try Ledger(path: path, gallery: "one"))
        try expectEverything(in: try Ledger(path: path, gallery: "one"))
    }

    @Test("A ledger of each later version is migrated too", arguments: [4, 5, 6, 7, 8])
    func migrationFromLater(version: Int) throws {
        if version == 8 { try LedgerFile.makeVersion8(at: path) } else { try LedgerFile.makeVersion7(at: path) }
        if version == 6 { try SQLite.execute(OlderLedger.withoutLook, at: path) }
        if version < 6 { try SQLite.execute(OlderLedger.withoutSums, at: path) }
        if version < 5 {
            try SQLite.execute(
                """
                ALTER TABLE source DROP COLUMN fetched;
                ALTER TABLE photo DROP COLUMN back;
                ALTER TABLE photo DROP COLUMN fetched;
                PRAGMA user_version = 4;
                """, at: path)
        }
        try expectEverything(in: try Ledger(path: path, gallery: "one"))
        try expectEverything(in: try Ledger(path: path, gallery: "one"))
    }

    @Test("A ledger of version 11 is migrated, knows of no move, and records one after that")
    func moves() throws {
        try LedgerFile.makeVersion11(at: path)
        let ledger = try Ledger(path: path, gallery: "one")
        try expectEverything(in: ledger)
        var row = try #require(try ledger.snapshot().sources["u"])
        #expect(row.etag == "\"u\"" && row.moved == nil)
        row.moved = "https://example.org/new.jpg"
        try ledger.record(row)
        ledger.close()
        #expect(try Ledger(path: path, gallery: "two").snapshot().sources["u"] == row)
    }

    @Test("A ledger of version 15 is migrated, and what an interrupted publication has left unknown stays so")
    func publications() throws {
        try LedgerFile.makeVersion15(at: path)
        let replaced = Digest(of: "replaced")
        // Version 15 recorded the digest of a replaced file as the key. The sums were computed independently.
        try SQLite.execute(
            """
            INSERT INTO owned (output, path, digest, bytes, key, sum) VALUES
                ('/site', 'a.html', '\(original)', 5, NULL, -6999777687731717542),
                ('/site', 'b.html', NULL, 5, '\(replaced)', -2370148632012496325),
                ('/site', 'c.html', NULL, 5, NULL, 7877025785907385229);
            UPDATE total SET rows = 4, sum = -4429624892940088337 WHERE name = 'owned';
            """, at: path)
        let ledger = try Ledger(path: path, gallery: "one")
        let expected = [
            "index.html": OwnedFile(digest: original, bytes: 10), "a.html": OwnedFile(digest: original, bytes: 5),
            "b.html": OwnedFile(claiming: 5, replacing: replaced), "c.html": OwnedFile(digest: nil, bytes: 5),
        ]
        #expect(try ledger.site(output: "/site")?.owned == expected)
        ledger.close()
        #expect(try Ledger(path: path, gallery: "one").site(output: "/site")?.owned == expected)
    }

    @Test("A ledger of version 14 is migrated, and what it does not say of its validators is unknown")
    func responders() throws {
        try LedgerFile.makeVersion14(at: path)
        let ledger = try Ledger(path: path, gallery: "one")
        try expectEverything(in: ledger)
        var row = try #require(try ledger.snapshot().sources["u"])
        #expect(row.responder == "*")
        row.responder = nil
        try ledger.record(row)
        ledger.close()
        #expect(try Ledger(path: path, gallery: "two").snapshot().sources["u"] == row)
    }

    @Test("A ledger of version 13 is migrated with its marks, has no earlier versions, and records them after that")
    func versions() throws {
        let marks = [PhotoMark.frozen(since: Timestamp(seconds: 7), expectedWithin: 86_400)]
        try LedgerFile.makeVersion13(at: path, marks: marks)
        let ledger = try Ledger(path: path, gallery: "one")
        var photo = try #require(try ledger.snapshot().photos["a"])
        #expect(photo.marks == marks && photo.versions.isEmpty && photo.pictures == pictures)
        photo.versions = [PhotoVersion(original: "v", fetched: 5)]
        photo.pictures.append(
            PublishedPicture(fileName: "11-320.jpg", width: 320, height: 200, bytes: 9, content: .version("v")))
        try ledger.record(photo, original: nil)
        ledger.close()
        #expect(try Ledger(path: path, gallery: "one").snapshot().photos["a"] == photo)
    }

    @Test(
        "A ledger is not migrated if a row is damaged, and stays as it is",
        arguments: [
            (11, "UPDATE source SET etag = 'x' WHERE etag IS NOT NULL", "source", "moved"),
            (13, "UPDATE picture SET width = 321", "picture", "version"),
            (14, "UPDATE source SET etag = 'x' WHERE etag IS NOT NULL", "source", "responder"),
            (15, "UPDATE owned SET bytes = 11", "owned", "publication"),
        ])
    func damagedRow(version: Int, damage: String, table: String, newColumn: String) throws {
        switch version {
        case 11: try LedgerFile.makeVersion11(at: path)
        case 13: try LedgerFile.makeVersion13(at: path)
        case 14: try LedgerFile.makeVersion14(at: path)
        case 15: try LedgerFile.makeVersion15(at: path)
        default: Issue.record("no ledger of version \(version)")
        }
        try SQLite.execute(damage, at: path)
        #expect(throws: LedgerError.self) { try Ledger(path: path, gallery: "one") }
        let sql = "SELECT name FROM pragma_table_info('\(table)')"
        let columns = try DatabaseQueue(path: path).read { try String.fetchAll($0, sql: sql) }
        #expect(!columns.isEmpty && !columns.contains(newColumn))
    }

    @Test("Migration keeps the photos of other galleries, and recording goes on")
    func otherGalleries() throws {
        try LedgerFile.makeVersion7(at: path)
        let ledger = try Ledger(path: path, gallery: "one")
        let new = PhotoRow(key: "c", slug: "c", state: .new, since: 1, checked: 1)
        try ledger.record(new, original: nil)
        var old = try #require(try ledger.snapshot().photos["a"])
        old.slug = "pond"
        try ledger.record(old, original: nil)
        #expect(try ledger.snapshot().photos == ["a": old, "c": new])
        let other = try Ledger(path: path, gallery: "two").snapshot()
        #expect(
            other.photos == [
                "b": PhotoRow(
                    key: "b", source: "s", slug: "sea", state: .failed,
                    reason: Reason(code: .timeout, message: "it took 30 s"), since: 11,
                    stale: StaleMark(since: 12, reason: Reason(code: .timeout, message: "it took 31 s")),
                    sha256: original, pictures: pictures, recipe: "quality 80", recovered: 13, fetched: 14, attempts: 3,
                    checked: 10)
            ])
        #expect(
            other.sources["u"]
                == SourceRow(
                    key: "u", sha256: original, bytes: 6, etag: "\"u\"", lastModified: "yesterday",
                    fileStamp: FileStamp(size: 5, modifiedNanoseconds: 6, changedNanoseconds: 7, inode: 8),
                    validated: 15, freshUntil: 16, retryAfter: 17, retryStatus: 503, fetched: 18, responder: "*"))
    }

    @Test(
        "A damaged ledger is not migrated, and stays as it is",
        arguments: [
            "UPDATE photo SET since = since + 1 WHERE gallery = 'two'", "DELETE FROM source WHERE etag IS NULL",
            "DELETE FROM total WHERE scope = 'two'", "UPDATE total SET rows = 2 WHERE name = 'original'",
        ])
    func damaged(damage: String) throws {
        try LedgerFile.makeVersion7(at: path)
        try SQLite.execute(damage, at: path)
        let error = #expect(throws: LedgerError.self) { try Ledger(path: path, gallery: "one") }
        guard case .unreadable = error else {
            Issue.record("\(error as Any)")
            return
        }
        let (version, tables) = try DatabaseQueue(path: path).read { database in
            (
                try Int.fetchOne(database, sql: "PRAGMA user_version"),
                try String.fetchAll(
                    database, sql: "SELECT name FROM sqlite_schema WHERE name LIKE 'older%'")
            )
        }
        #expect(version == 7)
        #expect(tables.isEmpty)
    }

    @Test(
        "A ledger is not migrated if rows that get new checksums are damaged, and stays as it is",
        arguments: [
            "UPDATE source SET bytes = 6 WHERE number = 1", "DELETE FROM source WHERE number = 2",
            "DELETE FROM total WHERE name = 'source'",
        ])
    func damagedVersion8(damage: String) throws {
        try LedgerFile.makeVersion8(at: path)
        try SQLite.execute(damage, at: path)
        let error = #expect(throws: LedgerError.self) { try Ledger(path: path, gallery: "one") }
        guard case .unreadable = error else {
            Issue.record("\(error as Any)")
            return
        }
        let (version, columns) = try DatabaseQueue(path: path).read { database in
            (
                try Int.fetchOne(database, sql: "PRAGMA user_version"),
                try String.fetchAll(database, sql: "SELECT name FROM pragma_table_info('source')")
            )
        }
        #expect(version == 8 && !columns.contains("caching"))
    }

    @Test(
        "If a version before 9 recorded one output folder under two names, the latest record is kept",
        arguments: [5, 6, 7])
    func twoNamesOfOneFolder(updatedByLink: Int64) throws {
        let files = FileManager.default
        try files.createDirectory(atPath: folder.path + "/real/state", withIntermediateDirectories: true)
        try files.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: "real")
        // This ledger is outside the gallery's folder, so that it records the full names of folders, as these
        // versions always did.
        try files.createDirectory(atPath: folder.path + "/elsewhere/state", withIntermediateDirectories: true)
        let elsewhere = folder.path + "/elsewhere/state/ledger.sqlite"
        let names = ["real", "link", "real/../link"].map { "\(folder.path)/\($0)/public" }
        let old = try Ledger(path: elsewhere, gallery: "one")
        for (name, updated) in zip(names, [6, updatedByLink, 4]) {
            let page = OwnedFile(digest: Digest(of: "\(updated)"), bytes: updated)
            let site = SiteRow(
                output: name, content: original, templates: original, updated: updated,
                owned: ["index.html": page, "only in \(updated).html": page])
            try old.record(publication: site, photos: [], replacing: [], removing: [], albums: [:])
        }
        old.close()
        try SQLite.execute(OlderLedger.withoutNumbers + OlderLedger.withoutSums, at: elsewhere)
        let path = folder.path + "/real/state/ledger.sqlite"
        try files.moveItem(atPath: elsewhere, toPath: path)
        for ledger in [
            try #require(try Ledger(reading: path, gallery: "one")), try Ledger(path: path, gallery: "one"),
            try Ledger(path: path, gallery: "one"),
        ] {
            for name in names {
                let site = try #require(try ledger.site(output: name))
                let latest = max(6, updatedByLink)
                let page = OwnedFile(digest: Digest(of: "\(latest)"), bytes: latest)
                #expect(site.updated == latest)
                #expect(site.owned == ["index.html": page, "only in \(latest).html": page])
            }
            ledger.close()
        }
    }

    @Test("A ledger whose rows can't be migrated is to be set aside, since each build would refuse it")
    func unmigratable() throws {
        try LedgerFile.makeVersion7(at: path)
        try SQLite.execute(
            OlderLedger.withoutSums + "UPDATE source SET sha256 = 'no digest'", at: path)
        for open in [
            { _ = try Ledger(path: path, gallery: "one") }, { _ = try Ledger(reading: path, gallery: "one") },
        ] {
            let error = #expect(throws: LedgerError.self) { try open() }
            guard case .unreadable = error else {
                Issue.record("\(error as Any)")
                continue
            }
        }
    }

    @Test("The sentence of a failure is parsed once, and its values are kept")
    func reasons() throws {
        try LedgerFile.makeVersion7(at: path)
        try SQLite.execute(
            OlderLedger.withoutSums + """
                UPDATE photo SET code = 'too-large', message = 'The file is larger than the limit of 20 MB.',
                    stale_code = 'quantum', stale_message = 'Gone.' WHERE gallery = 'two';
                UPDATE photo SET code = 'too-large', message = 'The file is larger than the limit of 20 MB.',
                    stale_since = 3, stale_code = 'not-an-image', stale_message = 'It was a song.'
                    WHERE gallery = 'one';
                """, at: path)
        let known = try #require(try Ledger(path: path, gallery: "one").snapshot().photos["a"])
        #expect(Reason.areSame(known.reason, Reason(.tooLarge(limit: 20_000_000))))
        #expect(known.reason?.arguments == ["size": .text("20 MB")])
        #expect(known.stale?.reason.message == "It was a song.")
        let unknown = try #require(try Ledger(path: path, gallery: "two").snapshot().photos["b"])
        #expect(unknown.state == .new && unknown.reason == nil, "a photo of a newer program is new again")
    }

    @Test("A migrated ledger records properties of addresses that the old one had no columns for")
    func newColumns() throws {
        try LedgerFile.makeVersion8(at: path)
        let ledger = try Ledger(path: path, gallery: "one")
        var row = try #require(try ledger.snapshot().sources["u"])
        #expect(row.caching == nil && row.refusal == nil)
        (row.caching, row.refusal) = ("max-age=600", "1 not-an-image a web page")
        try ledger.record(row)
        ledger.close()
        #expect(try Ledger(path: path, gallery: "two").snapshot().sources["u"] == row)
    }

    @Test("The recipes of photos are kept")
    func recipes() throws {
        var photo = PhotoRow(key: "a", slug: "a", state: .filtered, since: 1, recipe: "quality 80", checked: 1)
        let ledger = try Ledger(path: path, gallery: "one")
        try ledger.record(photo, original: nil)
        ledger.close()
        // The old version numbered recipes in the order in which they were recorded.
        try SQLite.execute(
            OlderLedger.withoutNumbers + OlderLedger.withoutSums
                + "UPDATE photo SET recipe = 1; UPDATE recipe SET id = 1",
            at: path)
        let migrated = try Ledger(path: path, gallery: "one")
        #expect(try migrated.snapshot().photos["a"]?.recipe == "quality 80")
        photo.slug = "b"
        try migrated.record(photo, original: nil)
        #expect(try migrated.snapshot().photos["a"] == photo)
    }

    @Test("An old ledger can be read without being changed")
    func reading() throws {
        try LedgerFile.makeVersion3(at: path)
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        try expectEverything(in: try #require(try Ledger(reading: path, gallery: "one")))
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["ledger.sqlite"])
    }

    @Test("A ledger of version 8 has no redirect targets of manifests, and records them after its migration")
    func locations() throws {
        try LedgerFile.makeVersion8(at: path)
        let migrated = try Ledger(path: path, gallery: "one")
        #expect(try migrated.snapshot().locations == [:])
        try migrated.record([.location("a", "https://club.example/deep/list.plist"), .location("b", nil)])
        #expect(try migrated.snapshot().locations == ["a": "https://club.example/deep/list.plist"])
        try migrated.record([.location("a", nil)])
        #expect(try migrated.snapshot().locations == [:])
    }
}
