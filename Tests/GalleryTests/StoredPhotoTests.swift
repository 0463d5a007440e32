import Foundation
import Ledger
import PhotoModel
import TestSupport
import Testing

@testable import Gallery

@Suite("The record of a photo in a store") struct StoredPhotoTests {
    private static let picture = PublishedPicture(
        fileName: "0123456789abcdef-400.jpg", width: 400, height: 300, bytes: 9_000, content: .filtered,
        colour: "#a0b1c2")
    private static let unfiltered = PublishedPicture(
        fileName: "0123456789abcdee-400.png", width: 400, height: 300, bytes: 9_000, content: .unfiltered)
    private static let earlier = PublishedPicture(
        fileName: "0123456789abcded-400.webp", width: 400, height: 300, bytes: 9_000, content: .version("0e"),
        colour: "transparent")

    /// A record in which every field has a value that is not its default.
    private static func record(
        state: PhotoState = .filtered, reason: Reason? = nil, stale: StaleMark? = nil, checked: Int64 = 1_700_000_100,
        pictures: [PublishedPicture] = [picture, unfiltered, earlier], etag: String = "\"é\\n/\"", attempts: Int = 2,
        listed: [Digest] = ["02"]
    ) -> StoredPhoto {
        let row = PhotoRow(
            key: "01", source: "02", slug: "a-photo", state: state, reason: reason, since: 1_700_000_000, stale: stale,
            marks: [PhotoMark(.frozen, since: Timestamp(seconds: 1_700_000_050), .frozen)],
            sha256: pictures.isEmpty ? nil : "0a", pictures: pictures,
            versions: [PhotoVersion(original: "0e", fetched: 1_600_000_000)],
            recipe: "filter sepia/1(0.8)\nwidths 400", recovered: 1_700_000_060, fetched: 1_700_000_070,
            attempts: attempts, checked: checked)
        let source = SourceRow(
            key: "02", sha256: "0a", bytes: 12_000, etag: etag, lastModified: "Wed, 21 Oct 2015 07:28:00 GMT",
            validated: 1_700_000_080, freshUntil: 1_700_009_000, fetched: 1_700_000_070, caching: "no-cache")
        let original = OriginalRow(
            sha256: "0a", edition: 3, format: "jpeg", width: 4_000, height: 3_000, hasTransparency: false)
        var record = StoredPhoto(
            photo: row.value, listed: listed, sources: [source.value], original: original, retryAfter: 1_700_005_000)
        record.number = 3
        return record
    }

    private static func reread(_ record: StoredPhoto) throws -> StoredPhoto? { StoredPhoto(json: try record.json) }

    /// The record with one value of its JSON text exchanged.
    private static func altered(_ old: String, _ new: String) throws -> StoredPhoto? {
        let text = String(decoding: try record().json, as: UTF8.self)
        try #require(text.contains(old), "\(text) has no \(old)")
        return StoredPhoto(json: text.replacing(old, with: new).utf8)
    }

    @Test("A record is read as it was written, and its text is always the same line")
    func coding() throws {
        let record = Self.record()
        #expect(try Self.reread(record) == record)
        #expect(try record.json == Self.record().json)
        #expect(try !record.json.contains(UInt8(ascii: "\n")))
        let failed = Self.record(state: .failed, reason: Reason(Failure.httpStatus(503)), pictures: [])
        #expect(try Self.reread(failed) == failed)
        let stale = Self.record(stale: StaleMark(since: 5, reason: Reason(Failure.timeout(seconds: 30))))
        #expect(try Self.reread(stale) == stale)
        let moved = Self.record(listed: ["05", "06"])
        #expect(try Self.reread(moved) == moved)
    }

    @Test("A record of another version counts as none")
    func version() throws {
        #expect(try Self.altered(#""version":1}"#, #""version":2}"#) == nil)
        #expect(try Self.altered(#""number":3"#, #""number":3,"later":true"#) == Self.record())
    }

    @Test("A record that is cut off at any byte counts as none")
    func truncation() throws {
        let json = try Self.record().json
        for count in json.indices { #expect(StoredPhoto(json: json[..<count]) == nil) }
    }

    @Test(
        "A record that no worker can have made counts as none",
        arguments: [
            (#""fileName":"0123456789abcdef-400.jpg""#, #""fileName":"../../0123456789abcdef-400.jpg""#),
            (#""fileName":"0123456789abcdef-400.jpg""#, #""fileName":"index.html""#),
            (##""colour":"#a0b1c2""##, ##""colour":"#a0b1c2;background:url(x)""##),
            (#""bytes":9000"#, #""bytes":0"#), (#""width":400"#, #""width":-1"#),
            (#""checked":1700000100"#, #""checked":9223372036854775807"#), (#""number":3"#, #""number":0"#),
            (#""attempts":2"#, #""attempts":9223372036854775807"#),
            (#""content":"filtered""#, #""content":"other""#), (#""state":"filtered""#, #""state":"failed""#),
            (#""key":""#, #""key":"X"#),
        ])
    func implausible(old: String, new: String) throws {
        #expect(try Self.altered(old, new) == nil)
    }

    @Test("Only a current picture leaves nothing to do")
    func completeness() {
        #expect(Self.record().isComplete)
        #expect(!Self.record(state: .failed, reason: Reason(Failure.timeout(seconds: 30)), pictures: []).isComplete)
        #expect(!Self.record(stale: StaleMark(since: 5, reason: Reason(Failure.timeout(seconds: 30)))).isComplete)
    }

    @Test("Times and attempts alone are no new result, and anything else is one")
    func differences() {
        let record = Self.record()
        #expect(record.differsOnlyInTime(from: Self.record(checked: 1_800_000_000, attempts: 5)))
        #expect(!record.differsOnlyInTime(from: Self.record(etag: "\"other\"")))
        #expect(!record.differsOnlyInTime(from: Self.record(pictures: [Self.picture])))
        #expect(!record.differsOnlyInTime(from: Self.record(listed: ["05"])))
    }

    @Test("A picture supersedes a failure, and of two pictures the later one counts")
    func precedence() {
        let failed = Self.record(
            state: .failed, reason: Reason(Failure.timeout(seconds: 30)), checked: 1_800_000_000, pictures: [])
        let later = Self.record(checked: 1_700_000_200)
        #expect(Self.record().supersedes(failed) && !failed.supersedes(Self.record()))
        #expect(later.supersedes(Self.record()) && !Self.record().supersedes(later))
    }

    @Test("Another worker's later result stands for one of the same addresses, and of no others")
    func replacement() {
        let later = Self.record(checked: 1_700_000_200)
        #expect(Self.record().isReplaced(by: later))
        #expect(!later.isReplaced(by: Self.record()))
        #expect(!Self.record(listed: ["05"]).isReplaced(by: later))
        #expect(!Self.record().isReplaced(by: Self.record(checked: 1_700_000_200, listed: ["05"])))
    }
}
