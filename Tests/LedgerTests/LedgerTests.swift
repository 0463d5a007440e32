import Foundation
import Ledger
import PhotoModel
import TestSupport
import Testing

@Suite("The ledger") struct LedgerTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path + "/ledger.sqlite" }

    private func open() throws -> Ledger { try Ledger(path: path, gallery: "one") }

    private func photo(_ key: Digest, slug: String = "lake") -> PhotoRow {
        PhotoRow(key: key, slug: slug, state: .filtered, since: 1_700_000_000, checked: 1_700_000_001)
    }

    @Test("A photo's record is complete after the ledger is opened again")
    func photosAreRemembered() throws {
        let original = Digest(of: "original")
        var well = photo("Summer\u{1F}Lake\u{1F}")
        well.sha256 = original
        well.stale = StaleMark(since: 12, reason: Reason(.timeout(seconds: 30)))
        let pictures = [
            PublishedPicture(
                fileName: "0011-320.jpg", width: 320, height: 200, bytes: 4_711, isUnfiltered: false,
                colour: "#8a7b6c"),
            PublishedPicture(fileName: "2233-320.jpg", width: 320, height: 200, bytes: 815, isUnfiltered: true),
        ]
        well.pictures = pictures
        well.recipe = "filter sepia/1(0.8)\nquality 82"
        var failed = photo("Winter\u{1F}Sjö\u{1F}", slug: "sjo")
        failed.state = .failed
        failed.reason = Reason(.missingFile("sjö \"quoted\".jpg"))
        failed.attempts = 3
        do {
            let ledger = try open()
            try ledger.record(well, original: OriginalRow(sha256: original, width: 1))
            try ledger.record(failed, original: nil)
        }
        let snapshot = try open().snapshot()
        #expect(snapshot.photos == [well.key: well, failed.key: failed])
        #expect(snapshot.photos[well.key]?.pictures == pictures)
        #expect(snapshot.originals == [original: OriginalRow(sha256: original, width: 1)])
    }

    #if os(Linux)
        @Test("After a failed write the ledger refuses every change, and closing it leaves its journal alone")
        func refused() async throws {
            await #expect(processExitsWith: .success) {
                ProcessLimit.begin(seconds: 50)
                let tests = LedgerTests()
                try tests.changeUntilRefused()
                #expect(try LedgerTests.openJournals() == 0)
                #expect(try !Data(contentsOf: URL(fileURLWithPath: tests.path + "-wal")).isEmpty)
                #expect(try Array(tests.open().snapshot().photos.keys) == ["Lake"])
            }
        }

        private func changeUntilRefused() throws {
            let ledger = try open()
            try ledger.record(photo("Lake"), original: nil)
            try #require(Self.openJournals() == 1)
            // A limit on the size of files, which the journal has reached, fails a write as a broken disk does.
            signal(SIGXFSZ, SIG_IGN)
            let files = __rlimit_resource_t(1)
            var limit = rlimit()
            try #require(getrlimit(files, &limit) == 0)
            let usual = limit.rlim_cur
            limit.rlim_cur = 4_096
            try #require(setrlimit(files, &limit) == 0)
            let refusal = #expect(throws: LedgerError.self) { try ledger.record(photo("Sea"), original: nil) }
            limit.rlim_cur = usual
            try #require(setrlimit(files, &limit) == 0)
            if case .storage = refusal {} else { Issue.record("\(refusal as Any)") }
            // The disk has space again, but the failed change may have left wrong data behind.
            let second = #expect(throws: LedgerError.self) { try ledger.record(photo("Hill"), original: nil) }
            #expect(second == refusal)
        }

        private static func openJournals() throws -> Int {
            try OpenDescriptors.paths().count { $0.hasSuffix("ledger.sqlite-wal") }
        }
    #endif

    @Test("The record of an address is replaced by the newest")
    func sourcesAreRemembered() throws {
        let ledger = try open()
        var source = SourceRow(key: "a", sha256: Digest(of: "1"), bytes: 5, etag: "\"x\"", lastModified: "yesterday")
        try ledger.record(source)
        source.etag = nil
        source.fileStamp = FileStamp(size: 5, modifiedNanoseconds: -6, changedNanoseconds: 7, inode: .max)
        try ledger.record(source)
        #expect(try ledger.snapshot().sources == ["a": source])
    }

    @Test("The photos, albums and files of a published site are kept, and removed ones are forgotten")
    func publicationsReplaceOneAnother() throws {
        let ledger = try open()
        let first = SiteRow(
            output: "/site", content: Digest(of: "c1"), templates: Digest(of: "t"), updated: 7, revision: 1,
            publication: 1,
            owned: [
                "index.html": OwnedFile(digest: Digest(of: "i1"), bytes: 10),
                "images/a-320.jpg": OwnedFile(digest: nil, bytes: 20),
            ])
        try ledger.record(
            publication: first, photos: [photo("a"), photo("b", slug: "tea")], replacing: [:],
            albums: ["Summer": "summer"])
        #expect(try ledger.site(output: "/site") == first)

        let second = SiteRow(
            output: "/site", content: Digest(of: "c2"), templates: Digest(of: "t"), updated: 8, revision: 2,
            publication: 2, owned: ["index.html": OwnedFile(digest: Digest(of: "i2"), bytes: 11)])
        try ledger.record(
            publication: second, photos: [photo("b", slug: "tea")],
            replacing: try ledger.snapshot().photos, albums: [:])
        #expect(try ledger.site(output: "/site") == second)
        #expect(try ledger.snapshot().photos.keys.sorted() == ["b"])
        #expect(try ledger.snapshot().albums.isEmpty)
        #expect(try ledger.site(output: "/other") == nil)
    }

    @Test("Of the files of a site, only those that can have changed are written")
    func onlyChangedFilesAreWritten() throws {
        let ledger = try open()
        func site(_ owned: [String: OwnedFile]) -> SiteRow {
            SiteRow(
                output: "/site", content: Digest(of: "c"), templates: Digest(of: "t"), updated: 7, owned: owned)
        }
        func record(_ owned: [String: OwnedFile], changed: Set<String>) throws {
            try ledger.record(
                publication: site(owned), changed: changed, photos: [], replacing: [], removing: [], albums: [:])
        }
        let (old, new) = (OwnedFile(digest: Digest(of: "1"), bytes: 1), OwnedFile(digest: Digest(of: "2"), bytes: 2))
        try record(["a": old, "b": old, "c": old, "d": old], changed: ["a", "b", "c", "d"])
        try record(["a": new, "b": new, "e": new], changed: ["a", "c", "e", "never there"])
        #expect(try ledger.site(output: "/site")?.owned == ["a": new, "b": old, "d": old, "e": new])
    }

    @Test("While the list of files is read, the ledger can be read and changed")
    func readingFilesDoesNotHoldUpOthers() throws {
        let ledger = try open()
        try ledger.record(
            claims: [
                "one": FileClaim(OwnedFile(digest: nil, bytes: 1)), "two": FileClaim(OwnedFile(digest: nil, bytes: 2)),
            ], output: "/site")
        var found: [String] = []
        try ledger.forEachFile(output: "/site") { path, _ in
            found.append(path)
            #expect(throws: Never.self) {
                try ledger.record(photo(Digest(of: path), slug: path), original: nil)
                #expect(try ledger.snapshot().photos.count == found.count)
            }
        }
        #expect(found == ["one", "two"])
    }

    @Test("If the ledger can't be opened once more, it is read with the connection that there is")
    func readingWithOneConnection() throws {
        let ledger = try open()
        try ledger.record(claims: ["one": FileClaim(OwnedFile(digest: nil, bytes: 1))], output: "/site")
        try ledger.record(photo("a"), original: nil)
        try FileManager.default.moveItem(atPath: path, toPath: path + ".moved")
        var found: [String] = []
        try ledger.forEachFile(output: "/site") { path, _ in found.append(path) }
        #expect(try found == ["one"] && ledger.snapshot().photos.count == 1)
    }

    @Test("Two galleries in one state folder neither see nor remove each other's photos")
    func galleriesAreApart() throws {
        let one = try open()
        let other = try Ledger(path: path, gallery: "other")
        try one.record(photo("a"), original: nil)
        try other.record(
            publication: nil, photos: [photo("b", slug: "tea")], replacing: [:], albums: ["Summer": "summer"])
        #expect(try one.snapshot().photos.keys.sorted() == ["a"])
        #expect(try one.snapshot().albums.isEmpty)
        #expect(try other.snapshot().photos.keys.sorted() == ["b"])
    }

    @Test("An empty file, which a build has just created, is no ledger and no error to a reader")
    func emptyFile() throws {
        try Data().write(to: URL(fileURLWithPath: path))
        let reader = try Ledger(reading: path, gallery: "one")
        #expect(reader == nil)
    }

    @Test("A ledger can be read while another process writes, and reading changes nothing")
    func reading() throws {
        let ledger = try open()
        try ledger.record(photo("a"), original: nil)
        let reader = try #require(try Ledger(reading: path, gallery: "one"))
        try ledger.record(photo("b", slug: "tea"), original: nil)
        #expect(try reader.snapshot().photos.count == 2)
        #expect(throws: LedgerError.self) { try reader.record(photo("c", slug: "c"), original: nil) }
    }

    @Test("A ledger without a journal that another process has open is read as it is now")
    func readingRollbackJournal() throws {
        let ledger = try Ledger(path: path, gallery: "one", journal: .rollback)
        try ledger.record(photo("a"), original: nil)
        let reader = try #require(try Ledger(reading: path, gallery: "one", isInUse: true))
        #expect(try reader.snapshot().photos.count == 1)
        try ledger.record(photo("b", slug: "tea"), original: nil)
        #expect(try reader.snapshot().photos.count == 2)
    }

    @Test(
        "A value of another type in any column is an error, and never a crash",
        arguments: [
            "UPDATE photo SET since = 'x'", "UPDATE photo SET state = 'cooked'", "UPDATE picture SET width = 'x'",
            "UPDATE picture SET position = 'x'", "UPDATE picture SET photo = 9", "UPDATE picture SET file_name = x'00'",
            "UPDATE picture SET unfiltered = 'x'", "UPDATE photo SET recipe = 'x'",
            "UPDATE photo SET code = 'no-such-code', reason = ''", "UPDATE photo SET sha256 = 'abc'",
            "UPDATE photo SET attempts = 'many'", "UPDATE site SET content = 'x'", "UPDATE owned SET bytes = 'x'",
            "UPDATE source SET sha256 = 7", "UPDATE original SET sha256 = ''",
        ])
    func damagedRows(statement: String) throws {
        do {
            let ledger = try open()
            let digest = Digest(of: "o")
            try ledger.record(SourceRow(key: "s", sha256: digest, bytes: 1))
            var photo = photo("a")
            photo.pictures = [
                PublishedPicture(fileName: "a.jpg", width: 1, height: 2, bytes: 3, isUnfiltered: false)
            ]
            try ledger.record(photo, original: OriginalRow(sha256: digest, width: 1))
            try ledger.record(claims: ["index.html": FileClaim(OwnedFile(digest: nil, bytes: 1))], output: "/site")
        }
        try SQLite.execute(statement, at: path)
        #expect(throws: LedgerError.self) {
            let ledger = try open()
            _ = try ledger.snapshot()
            _ = try ledger.site(output: "/site")
        }
    }

    @Test("Two output folders of one state folder do not see each other's files")
    func sitesAreApart() throws {
        let ledger = try open()
        func site(_ output: String, _ file: String) -> SiteRow {
            SiteRow(
                output: output, content: Digest(of: output), templates: Digest(of: "t"), updated: 1,
                owned: [file: OwnedFile(digest: nil, bytes: 1)])
        }
        try ledger.record(publication: site("/a", "one"), photos: [], replacing: [:], albums: [:])
        try ledger.record(publication: site("/b", "two"), photos: [], replacing: [:], albums: [:])
        #expect(try ledger.site(output: "/a")?.owned.keys.sorted() == ["one"])
        #expect(try ledger.site(output: "/b")?.owned.keys.sorted() == ["two"])
    }

    @Test("A file that is no database and a failing disk are different errors")
    func rubbishIsUnreadable() throws {
        try Data(repeating: 7, count: 10_000).write(to: URL(fileURLWithPath: path))
        #expect(throws: LedgerError.self) { try open() }
        do {
            _ = try open()
        } catch {
            guard case .unreadable = error as? LedgerError else {
                Issue.record("\(error)")
                return
            }
        }
        do {
            _ = try Ledger(path: folder.path + "/no/such/folder/ledger.sqlite", gallery: "one")
        } catch {
            guard case .storage = error else {
                Issue.record("\(error)")
                return
            }
        }
    }

    @Test(
        "A newer version and a foreign database are refused",
        arguments: ["PRAGMA user_version = 99", "PRAGMA application_id = 5"])
    func foreignFilesAreRefused(statement: String) throws {
        do { _ = try open() }
        try SQLite.execute(statement, at: path)
        #expect(throws: LedgerError.self) { try open() }
    }

    @Test("A file cut at any place or with flipped bits gives rows or an error, and never a crash")
    func damageIsSurvived() throws {
        do {
            let ledger = try open()
            for number in 0..<200 { try ledger.record(photo("photo \(number)", slug: "slug-\(number)"), original: nil) }
        }
        try SQLite.execute("PRAGMA wal_checkpoint(TRUNCATE)", at: path)
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        var random = SeededRandom(seed: 20_261_121)
        var refused = 0
        for trial in 0..<60 {
            var damaged = whole
            if trial % 2 == 0 {
                damaged = damaged.prefix(Int.random(in: 0..<whole.count, using: &random))
            } else {
                for _ in 0..<20 {
                    damaged[Int.random(in: 0..<damaged.count, using: &random)] = UInt8.random(
                        in: 0...255, using: &random)
                }
            }
            let copy = folder.path + "/damaged-\(trial).sqlite"
            try damaged.write(to: URL(fileURLWithPath: copy))
            do {
                _ = try Ledger(path: copy, gallery: "one").snapshot()
            } catch {
                refused += 1
            }
        }
        #expect(refused > 10, "seed 20261121")
    }

    @Test("A ledger with a rollback journal recovers the content of a write-ahead log, and uses its own journal again")
    func journals() throws {
        for journal in [JournalMode.writeAhead, .rollback, .writeAhead] {
            let ledger = try Ledger(path: path, gallery: "one", journal: journal)
            let known = try ledger.snapshot().photos.count
            try ledger.record(photo("\(known)", slug: "photo-\(known)"), original: nil)
            ledger.close()
            #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
        }
        #expect(try open().snapshot().photos.count == 3)
    }

    @Test("Not a byte of another program's database is changed")
    func foreignDatabaseIsLeftAlone() throws {
        try SQLite.execute("CREATE TABLE notes (text)", at: path)
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(throws: LedgerError.self) { _ = try open() }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }
}
