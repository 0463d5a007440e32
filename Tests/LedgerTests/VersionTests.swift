import Foundation
import Ledger
import PhotoModel
import TestSupport
import Testing

@Suite("Earlier versions in the ledger") struct VersionTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path + "/ledger.sqlite" }

    private let newer = PhotoVersion(original: "newer", fetched: 7)
    private let older = PhotoVersion(original: "older", fetched: nil)

    /// A photo that shows the first of its versions.
    private func photo(_ versions: [PhotoVersion]) -> PhotoRow {
        let current = PublishedPicture(fileName: "00-320.jpg", width: 320, height: 200, bytes: 9, content: .filtered)
        let shown = versions.prefix(1).map { version in
            PublishedPicture(
                fileName: "11-320.jpg", width: 320, height: 200, bytes: 8, content: .version(version.original))
        }
        return PhotoRow(
            key: "a", slug: "lake", state: .filtered, since: 1, sha256: "now", pictures: [current] + shown,
            versions: versions, checked: 2)
    }

    @Test("The versions of a photo are recorded in their order, and each change of them increases the revision")
    func recording() throws {
        for versions in [[newer, older], [older], [older, newer], [], [newer]] {
            let ledger = try Ledger(path: path, gallery: "one")
            let revision = try ledger.snapshot().revision
            try ledger.record(photo(versions), original: nil)
            ledger.close()
            let snapshot = try #require(try Ledger(reading: path, gallery: "one")).snapshot()
            #expect(snapshot.photos["a"] == photo(versions))
            #expect(snapshot.revision == revision + 1)
        }
    }

    @Test("The originals and pictures of versions are referred to until the photo has left the list")
    func references() throws {
        let ledger = try Ledger(path: path, gallery: "one")
        try ledger.record(photo([newer, older]), original: nil)
        #expect(try ledger.references().originals == ["now", "newer", "older"])
        #expect(try ledger.references().pictures == ["00-320.jpg", "11-320.jpg"])
        try ledger.record(publication: nil, photos: [], replacing: [], removing: ["a"], albums: [:])
        #expect(try ledger.references().originals.isEmpty)
        try ledger.record(photo([]), original: nil)
        #expect(try ledger.snapshot().photos["a"]?.versions == [], "a new row gets nothing of the old one")
    }

    @Test("The versions of another gallery stay when a gallery is forgotten")
    func otherGallery() throws {
        let other = try Ledger(path: path, gallery: "two")
        try other.record(photo([newer]), original: nil)
        other.close()
        let ledger = try Ledger(path: path, gallery: "one")
        try ledger.record(photo([older]), original: nil)
        let own = try #require(try ledger.galleries().first { $0.key == "one" })
        try ledger.forget(own)
        #expect(try ledger.references().originals == ["now", "newer"])
        ledger.close()
        #expect(try Ledger(path: path, gallery: "two").snapshot().photos["a"] == photo([newer]))
    }

    @Test(
        "A ledger with a damaged or lost version is unreadable",
        arguments: [
            "UPDATE version SET fetched = 9", "DELETE FROM version", "DELETE FROM photo",
            "UPDATE picture SET version = NULL",
        ])
    func damage(statement: String) throws {
        let ledger = try Ledger(path: path, gallery: "one")
        try ledger.record(photo([newer]), original: nil)
        ledger.close()
        try SQLite.execute(statement, at: path)
        let error = #expect(throws: LedgerError.self) { try Ledger(path: path, gallery: "one").snapshot() }
        guard case .unreadable = error else {
            Issue.record("\(error as Any)")
            return
        }
    }
}
