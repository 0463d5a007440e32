import GRDB
import Ledger
import PhotoModel
import TestSupport
import Testing

@Suite("A ledger whose publications have no numbers") struct PublicationMigrationTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path + "/ledger.sqlite" }
    private let original = LedgerFile.original

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

    @Test("A ledger of version 15 is not migrated if a file's row is damaged, and stays as it is")
    func damagedVersion15() throws {
        try LedgerFile.makeVersion15(at: path)
        try SQLite.execute("UPDATE owned SET bytes = 11", at: path)
        #expect(throws: LedgerError.self) { try Ledger(path: path, gallery: "one") }
        let columns = try DatabaseQueue(path: path).read { database in
            try String.fetchAll(database, sql: "SELECT name FROM pragma_table_info('owned')")
        }
        #expect(!columns.contains("publication"))
    }
}
