import Foundation
import Ledger
import PhotoModel
import TestSupport
import Testing

@Suite("Marks in the ledger") struct MarkTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path + "/ledger.sqlite" }

    private let frozen = PhotoMark.frozen(since: Timestamp(seconds: 7), expectedWithin: 86_400)
    private let suspicious = PhotoMark(
        .suspicious, since: Timestamp(seconds: 8), .verbatim, ["text": .text("Odd.")], withheld: "w")

    private func photo(_ marks: [PhotoMark]) -> PhotoRow {
        PhotoRow(key: "a", slug: "lake", state: .filtered, since: 1, marks: marks, checked: 2)
    }

    @Test("The marks of a photo are recorded with its row, and each change of them increases the revision")
    func recording() throws {
        for marks in [[frozen, suspicious], [suspicious], [], [frozen]] {
            let ledger = try Ledger(path: path, gallery: "one")
            let revision = try ledger.snapshot().revision
            try ledger.record(photo(marks), original: nil)
            ledger.close()
            let snapshot = try #require(try Ledger(reading: path, gallery: "one")).snapshot()
            #expect(snapshot.photos["a"]?.marks == marks)
            #expect(snapshot.revision == revision + 1)
        }
    }

    @Test("The marks of a photo that left the list are removed, and those of another gallery stay")
    func removal() throws {
        let other = try Ledger(path: path, gallery: "two")
        try other.record(photo([frozen]), original: nil)
        other.close()
        let ledger = try Ledger(path: path, gallery: "one")
        try ledger.record(photo([frozen, suspicious]), original: nil)
        try ledger.record(publication: nil, photos: [], replacing: [], removing: ["a"], albums: [:])
        #expect(try ledger.snapshot().photos.isEmpty)
        ledger.close()
        #expect(try Ledger(path: path, gallery: "two").snapshot().photos["a"]?.marks == [frozen])
    }

    @Test(
        "A ledger with a damaged or lost mark is unreadable",
        arguments: [
            "UPDATE mark SET since = 9", "DELETE FROM mark", "DELETE FROM photo", "UPDATE mark SET withheld = sentence",
        ])
    func damage(statement: String) throws {
        let ledger = try Ledger(path: path, gallery: "one")
        try ledger.record(photo([frozen]), original: nil)
        ledger.close()
        try SQLite.execute(statement, at: path)
        let error = #expect(throws: LedgerError.self) { try Ledger(path: path, gallery: "one").snapshot() }
        guard case .unreadable = error else {
            Issue.record("\(error as Any)")
            return
        }
    }
}
