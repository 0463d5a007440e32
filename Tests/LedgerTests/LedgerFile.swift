import GRDB
import Ledger
import PhotoModel
import TestSupport

/// Files of ledgers as earlier versions of the program wrote them, with the same photos in each.
enum LedgerFile {
    static let original = Digest(of: "original")
    private static let facts =
        #"{"edition":3,"format":"jpeg","hasTransparency":false,"height":200,"width":320}"#

    /// Creates a ledger as version 1.0.0 wrote it.
    static func makeVersion3(at path: String) throws {
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
    static func makeVersion7(at path: String) throws {
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

    /// Removes the columns that version 15 did not have, and gives the site and its file the checksums of version 15,
    /// which are those of version 7.
    private static let withoutPublications = """
        ALTER TABLE owned DROP COLUMN replaced;
        ALTER TABLE owned DROP COLUMN publication;
        ALTER TABLE site DROP COLUMN publication;
        \(sumsWithoutPublications)
        PRAGMA user_version = 15;
        """

    private static let sumsWithoutPublications = """
        UPDATE site SET sum = -1655877721692857618;
        UPDATE total SET sum = -1655877721692857618 WHERE name = 'site';
        UPDATE owned SET sum = -2936724359103259699;
        UPDATE total SET sum = -2936724359103259699 WHERE name = 'owned';
        """

    /// Creates a ledger as version 15 wrote it, whose publications had no numbers.
    static func makeVersion15(at path: String) throws {
        try makeVersion7(at: path)
        try Ledger(path: path, gallery: "one").close()
        try SQLite.execute(withoutPublications, at: path)
    }

    /// Creates a ledger as version 14 wrote it, with its checksums of addresses, which then did not say where their
    /// validators came from.
    static func makeVersion14(at path: String, marks: [PhotoMark] = []) throws {
        try makeVersion7(at: path)
        let ledger = try Ledger(path: path, gallery: "one")
        if !marks.isEmpty {
            guard var photo = try ledger.snapshot().photos["a"] else { return }
            photo.marks = marks
            try ledger.record(photo, original: nil)
        }
        ledger.close()
        try SQLite.execute(
            withoutPublications + """
                ALTER TABLE source DROP COLUMN responder;
                UPDATE source SET sum = 923259337480056125 WHERE key = '\(Digest(of: "s"))';
                UPDATE source SET sum = -6074586595990151745 WHERE key = '\(Digest(of: "t"))';
                UPDATE source SET sum = -8817166717670210100 WHERE key = '\(Digest(of: "u"))';
                UPDATE total SET sum = 4478250097529245896 WHERE name = 'source';
                PRAGMA user_version = 14;
                """, at: path)
    }

    /// Creates a ledger as version 13 wrote it, with its checksums of pictures, which then were all of the current
    /// original.
    static func makeVersion13(at path: String, marks: [PhotoMark] = []) throws {
        try makeVersion14(at: path, marks: marks)
        try SQLite.execute(
            """
            DROP TABLE version;
            ALTER TABLE picture DROP COLUMN version;
            UPDATE picture SET sum = 28993213318483241;
            UPDATE total SET sum = 28993213318483241 WHERE name = 'picture';
            PRAGMA user_version = 13;
            """, at: path)
    }

    /// Creates a ledger as version 11 wrote it, with its checksums of addresses, which then had nothing of moves.
    static func makeVersion11(at path: String) throws {
        try makeVersion13(at: path)
        try SQLite.execute(
            """
            DROP TABLE mark;
            ALTER TABLE source DROP COLUMN moved;
            UPDATE source SET sum = 4823341020918112820 WHERE key = '\(Digest(of: "s"))';
            UPDATE source SET sum = 2756596570535779207 WHERE key = '\(Digest(of: "t"))';
            UPDATE source SET sum = -232400490842659787 WHERE key = '\(Digest(of: "u"))';
            UPDATE total SET sum = 7347537100611232240 WHERE name = 'source';
            PRAGMA user_version = 11;
            """, at: path)
    }

    /// Creates a ledger as version 8 wrote it, with its checksums of the rows that have another form now.
    static func makeVersion8(at path: String) throws {
        try makeVersion7(at: path)
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
            \(sumsWithoutPublications)
            """, at: path)
    }
}
