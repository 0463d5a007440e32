import Foundation
import GRDB
import Ledger
import PhotoModel
import TestSupport
import Testing

@Suite("A ledger of an older version") struct MigrationTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path + "/ledger.sqlite" }
    private let original = Digest(of: "original")
    private let facts = #"{"edition":3,"format":"jpeg","hasTransparency":false,"height":200,"width":320}"#

    /// Creates a ledger as version 1.0.0 wrote it.
    private func makeVersion3() throws {
        let queue = try DatabaseQueue(path: path)
        let pictures = #"[{"bytes":4711,"fileName":"00-320.jpg","height":200,"isUnfiltered":false,"width":320}]"#
        let stamp = #"{"changedNanoseconds":3,"inode":4,"modifiedNanoseconds":2,"size":1}"#
        try queue.write { database in
            try database.execute(
                sql: """
                    PRAGMA application_id = 1195861358;
                    PRAGMA user_version = 3;
                    CREATE TABLE source (
                        key TEXT PRIMARY KEY NOT NULL, sha256 TEXT, bytes INTEGER NOT NULL,
                        etag TEXT, last_modified TEXT, file_stamp TEXT, validated INTEGER, fresh_until INTEGER,
                        retry_after INTEGER, retry_status INTEGER) WITHOUT ROWID;
                    CREATE TABLE original (sha256 TEXT PRIMARY KEY NOT NULL, facts TEXT NOT NULL) WITHOUT ROWID;
                    CREATE TABLE photo (
                        gallery TEXT NOT NULL, key TEXT NOT NULL, source TEXT, slug TEXT NOT NULL, state TEXT NOT NULL,
                        code TEXT, message TEXT, since INTEGER NOT NULL, stale_since INTEGER, stale_code TEXT,
                        stale_message TEXT, sha256 TEXT, pictures TEXT NOT NULL, attempts INTEGER NOT NULL,
                        checked INTEGER NOT NULL, PRIMARY KEY (gallery, key)) WITHOUT ROWID;
                    CREATE TABLE album (
                        gallery TEXT NOT NULL, path TEXT NOT NULL, slug TEXT NOT NULL,
                        PRIMARY KEY (gallery, path)) WITHOUT ROWID;
                    CREATE TABLE site (
                        output TEXT PRIMARY KEY NOT NULL, content TEXT NOT NULL, templates TEXT NOT NULL,
                        updated INTEGER NOT NULL) WITHOUT ROWID;
                    CREATE TABLE owned (
                        output TEXT NOT NULL, path TEXT NOT NULL, digest TEXT, bytes INTEGER NOT NULL,
                        PRIMARY KEY (output, path)) WITHOUT ROWID;
                    """)
            try database.execute(
                sql: """
                    INSERT INTO source VALUES ('\(Digest(of: "s"))', ?, 5, '"e"', NULL, ?, NULL, 9, NULL, NULL);
                    INSERT INTO source VALUES ('\(Digest(of: "t"))', ?, 5, NULL, NULL, 'no JSON', NULL,
                        NULL, NULL, NULL);
                    INSERT INTO original VALUES (?, '\(facts)');
                    INSERT INTO photo VALUES ('one', '\(Digest(of: "a"))', '\(Digest(of: "s"))', 'lake', 'filtered',
                        NULL, NULL, 7, NULL, NULL, NULL, ?, ?, 0, 8);
                    INSERT INTO album VALUES ('one', 'p', 'summer');
                    INSERT INTO site VALUES ('/site', ?, ?, 6);
                    INSERT INTO owned VALUES ('/site', 'index.html', ?, 10);
                    """,
                arguments: [
                    original.hex, stamp, original.hex, original.hex, original.hex, pictures, original.hex, original.hex,
                    original.hex,
                ])
        }
        try queue.close()
    }

    /// Creates a ledger as version 7 wrote it, with the checksums of that version.
    private func makeVersion7() throws {
        try SQLite.execute(
            """
            PRAGMA application_id = 1195861358;
            PRAGMA user_version = 7;
            CREATE TABLE source (
                key TEXT PRIMARY KEY NOT NULL, sha256 TEXT, bytes INTEGER NOT NULL,
                etag TEXT, last_modified TEXT, file_stamp TEXT, validated INTEGER, fresh_until INTEGER,
                retry_after INTEGER, retry_status INTEGER, fetched INTEGER, sum INTEGER NOT NULL DEFAULT 0
            ) WITHOUT ROWID;
            CREATE TABLE original (
                sha256 TEXT PRIMARY KEY NOT NULL, facts TEXT NOT NULL, sum INTEGER NOT NULL DEFAULT 0
            ) WITHOUT ROWID;
            CREATE TABLE photo (
                gallery TEXT NOT NULL, key TEXT NOT NULL, source TEXT, slug TEXT NOT NULL, state TEXT NOT NULL,
                code TEXT, message TEXT,
                since INTEGER NOT NULL, stale_since INTEGER, stale_code TEXT, stale_message TEXT,
                sha256 TEXT, pictures TEXT NOT NULL, attempts INTEGER NOT NULL, checked INTEGER NOT NULL,
                recipe INTEGER, back INTEGER, fetched INTEGER, sum INTEGER NOT NULL DEFAULT 0,
                PRIMARY KEY (gallery, key)
            ) WITHOUT ROWID;
            CREATE TABLE album (
                gallery TEXT NOT NULL, path TEXT NOT NULL, slug TEXT NOT NULL, sum INTEGER NOT NULL DEFAULT 0,
                PRIMARY KEY (gallery, path)
            ) WITHOUT ROWID;
            CREATE TABLE gallery (
                key TEXT PRIMARY KEY NOT NULL, revision INTEGER NOT NULL, sum INTEGER NOT NULL DEFAULT 0
            ) WITHOUT ROWID;
            CREATE TABLE site (
                output TEXT PRIMARY KEY NOT NULL, content TEXT NOT NULL, templates TEXT NOT NULL,
                updated INTEGER NOT NULL, inputs TEXT, revision INTEGER NOT NULL DEFAULT 0,
                sum INTEGER NOT NULL DEFAULT 0
            ) WITHOUT ROWID;
            CREATE TABLE owned (
                output TEXT NOT NULL, path TEXT NOT NULL, digest TEXT, bytes INTEGER NOT NULL, key TEXT,
                sum INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (output, path)
            ) WITHOUT ROWID;
            CREATE TABLE recipe (id INTEGER PRIMARY KEY NOT NULL, text TEXT NOT NULL, sum INTEGER NOT NULL DEFAULT 0);
            CREATE TABLE total (
                name TEXT NOT NULL, scope TEXT NOT NULL, rows INTEGER NOT NULL, sum INTEGER NOT NULL,
                PRIMARY KEY (name, scope)
            ) WITHOUT ROWID;
            CREATE TABLE look (
                gallery TEXT PRIMARY KEY NOT NULL, checked INTEGER NOT NULL, sum INTEGER NOT NULL DEFAULT 0
            ) WITHOUT ROWID;
            INSERT INTO source VALUES
                ('\(Digest(of: "s"))', '\(original)', 5, '"e"', NULL, '1 2 3 4', NULL, 9, NULL, NULL, NULL,
                    -8437248786459854641),
                ('\(Digest(of: "t"))', '\(original)', 5, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
                    -7357720090210453747),
                ('\(Digest(of: "u"))', '\(original)', 6, '"u"', 'yesterday', '5 6 7 8', 15, 16, 17, 503, 18,
                    2396459589561049327);
            INSERT INTO original VALUES ('\(original)', '\(facts)', -8095717664865305478);
            INSERT INTO photo VALUES
                ('one', '\(Digest(of: "a"))', '\(Digest(of: "s"))', 'lake', 'filtered', NULL, NULL, 7, NULL, NULL, NULL,
                    '\(original)', '00-320.jpg 320 200 4711 f', 0, 8, NULL, NULL, NULL, 6419372415781065584),
                ('two', '\(Digest(of: "b"))', '\(Digest(of: "s"))', 'sea', 'failed', 'timeout', 'it took 30 s', 11, 12,
                    'timeout', 'it took 31 s', '\(original)', '00-320.jpg 320 200 4711 f', 3, 10,
                    203848268222111977, 13, 14,
                    6230760704827256175);
            INSERT INTO recipe VALUES (203848268222111977, 'quality 80', -744066327269162825);
            INSERT INTO album VALUES ('one', 'p', 'summer', -3727356804705319260);
            INSERT INTO site VALUES ('/site', '\(original)', '\(original)', 6, NULL, 0, -1655877721692857618);
            INSERT INTO owned VALUES ('/site', 'index.html', '\(original)', 10, NULL, -2936724359103259699);
            INSERT INTO total VALUES
                ('source', '', 3, 5048234786600292555), ('recipe', '', 1, -744066327269162825),
                ('original', '', 1, -8095717664865305478),
                ('photo', 'one', 1, 6419372415781065584), ('photo', 'two', 1, 6230760704827256175),
                ('album', 'one', 1, -3727356804705319260), ('site', '', 1, -1655877721692857618),
                ('owned', '/site', 1, -2936724359103259699);
            """, at: path)
    }

    /// Creates a ledger as version 8 wrote it, with its checksums of the rows that have another form now.
    private func makeVersion8() throws {
        try makeVersion7()
        try Ledger(path: path, gallery: "one").close()
        try SQLite.execute(OlderLedger.withoutPlaces, at: path)
        try SQLite.execute(
            """
            DROP TABLE source;
            CREATE TABLE source (
                number INTEGER PRIMARY KEY NOT NULL, key TEXT NOT NULL, sha256 TEXT, bytes INTEGER NOT NULL,
                etag TEXT, last_modified TEXT, file_stamp TEXT, validated INTEGER, fresh_until INTEGER,
                retry_after INTEGER, retry_status INTEGER, fetched INTEGER, sum INTEGER NOT NULL
            );
            INSERT INTO source VALUES
                (1, '\(Digest(of: "s"))', '\(original)', 5, '"e"', NULL, '1 2 3 4', NULL, 9, NULL, NULL, NULL,
                    5939290298325478064),
                (2, '\(Digest(of: "t"))', '\(original)', 5, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
                    -1850323445763553308),
                (3, '\(Digest(of: "u"))', '\(original)', 6, '"u"', 'yesterday', '5 6 7 8', 15, 16, 17, 503, 18,
                    565421784261028923);
            UPDATE original SET sum = -5567309841495983919;
            UPDATE photo SET sum = -2151213316655779018 WHERE gallery = 'one';
            UPDATE photo SET sum = 9157167682060020396, message = 'it took 30 s', stale_message = 'it took 31 s'
                WHERE gallery = 'two';
            UPDATE total SET rows = 3, sum = 4654388636822953679 WHERE name = 'source';
            UPDATE total SET sum = -5567309841495983919 WHERE name = 'original';
            UPDATE total SET sum = -2151213316655779018 WHERE name = 'photo' AND scope = 'one';
            UPDATE total SET sum = 9157167682060020396 WHERE name = 'photo' AND scope = 'two';
            """, at: path)
    }

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
                    freshUntil: 9))
        #expect(snapshot.sources["t"] == SourceRow(key: "t", sha256: original, bytes: 5))
        #expect(snapshot.originals == [original: OriginalRow(sha256: original, width: 320)])
        #expect(snapshot.albums == ["p": "summer"])
        let site = try #require(try ledger.site(output: "/site"))
        #expect(site.inputs == nil)
        #expect(site.owned == ["index.html": OwnedRow(digest: original, bytes: 10)])
    }

    @Test("A ledger of version 3 is migrated without losing anything")
    func migration() throws {
        try makeVersion3()
        try expectEverything(in: try Ledger(path: path, gallery: "one"))
        try expectEverything(in: try Ledger(path: path, gallery: "one"))
    }

    @Test("A ledger of each later version is migrated too", arguments: [4, 5, 6, 7, 8])
    func migrationFromLater(version: Int) throws {
        if version == 8 { try makeVersion8() } else { try makeVersion7() }
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

    @Test("Migration keeps the photos of other galleries, and recording goes on")
    func otherGalleries() throws {
        try makeVersion7()
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
                    sha256: original, pictures: pictures, recipe: "quality 80", back: 13, fetched: 14, attempts: 3,
                    checked: 10)
            ])
        #expect(
            other.sources["u"]
                == SourceRow(
                    key: "u", sha256: original, bytes: 6, etag: "\"u\"", lastModified: "yesterday",
                    fileStamp: FileStamp(size: 5, modifiedNanoseconds: 6, changedNanoseconds: 7, inode: 8),
                    validated: 15, freshUntil: 16, retryAfter: 17, retryStatus: 503, fetched: 18))
    }

    @Test(
        "A damaged ledger is not migrated, and stays as it is",
        arguments: [
            "UPDATE photo SET since = since + 1 WHERE gallery = 'two'", "DELETE FROM source WHERE etag IS NULL",
            "DELETE FROM total WHERE scope = 'two'", "UPDATE total SET rows = 2 WHERE name = 'original'",
        ])
    func damaged(damage: String) throws {
        try makeVersion7()
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
        try makeVersion8()
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

    @Test("If version 8 recorded one output folder under two names, the latest record is kept", arguments: [5, 6, 7])
    func twoNamesOfOneFolder(updatedByLink: Int64) throws {
        let files = FileManager.default
        try files.createDirectory(atPath: folder.path + "/real/state", withIntermediateDirectories: true)
        try files.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: "real")
        // This ledger is outside the gallery's folder, so that it records the full names of folders, as version 8
        // always did.
        try files.createDirectory(atPath: folder.path + "/elsewhere/state", withIntermediateDirectories: true)
        let elsewhere = folder.path + "/elsewhere/state/ledger.sqlite"
        let names = ["real", "link", "real/../link"].map { "\(folder.path)/\($0)/public" }
        let old = try Ledger(path: elsewhere, gallery: "one")
        for (name, updated) in zip(names, [6, updatedByLink, 4]) {
            let page = OwnedRow(digest: Digest(of: "\(updated)"), bytes: updated)
            let site = SiteRow(
                output: name, content: original, templates: original, updated: updated,
                owned: ["index.html": page, "only in \(updated).html": page])
            try old.record(publication: site, photos: [], replacing: [], removing: [], albums: [:])
        }
        old.close()
        try SQLite.execute(
            OlderLedger.withoutPlaces
                + "ALTER TABLE source DROP COLUMN caching; ALTER TABLE source DROP COLUMN refusal;", at: elsewhere)
        let path = folder.path + "/real/state/ledger.sqlite"
        try files.moveItem(atPath: elsewhere, toPath: path)
        for ledger in [
            try #require(try Ledger(reading: path, gallery: "one")), try Ledger(path: path, gallery: "one"),
            try Ledger(path: path, gallery: "one"),
        ] {
            for name in names {
                let site = try #require(try ledger.site(output: name))
                let latest = max(6, updatedByLink)
                let page = OwnedRow(digest: Digest(of: "\(latest)"), bytes: latest)
                #expect(site.updated == latest)
                #expect(site.owned == ["index.html": page, "only in \(latest).html": page])
            }
            ledger.close()
        }
    }

    @Test("A ledger whose rows can't be migrated is to be set aside, since each build would refuse it")
    func unmigratable() throws {
        try makeVersion7()
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
        try makeVersion7()
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
        try makeVersion8()
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
        try makeVersion3()
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        try expectEverything(in: try #require(try Ledger(reading: path, gallery: "one")))
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["ledger.sqlite"])
    }

    @Test("A ledger of version 8 has no redirect targets of manifests, and records them after its migration")
    func locations() throws {
        try makeVersion8()
        let migrated = try Ledger(path: path, gallery: "one")
        #expect(try migrated.snapshot().locations == [:])
        try migrated.record([.location("a", "https://club.example/deep/list.plist"), .location("b", nil)])
        #expect(try migrated.snapshot().locations == ["a": "https://club.example/deep/list.plist"])
        try migrated.record([.location("a", nil)])
        #expect(try migrated.snapshot().locations == [:])
    }
}
