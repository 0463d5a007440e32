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
    private static let recipe = "filter sepia/1(0.8)\nwidths 400"

    private static func record(
        state: PhotoState = .filtered, reason: Reason? = nil, stale: StaleMark? = nil, checked: Int64 = 1_700_000_100,
        pictures: [PublishedPicture] = [picture, unfiltered, earlier], etag: String = "\"é\\n/\"", attempts: Int = 2,
        listed: Digest? = "02", validated: Int64 = 1_700_000_080,
        mark: PhotoMark = PhotoMark(.frozen, since: Timestamp(seconds: 1_700_000_050), .frozen)
    ) -> StoredPhoto {
        let row = PhotoRow(
            key: "01", source: "02", slug: "a-photo", state: state, reason: reason, since: 1_700_000_000, stale: stale,
            marks: [mark],
            sha256: pictures.isEmpty ? nil : "0a", pictures: pictures,
            versions: [PhotoVersion(original: "0e", fetched: 1_600_000_000)],
            recipe: Self.recipe, recovered: 1_700_000_060, fetched: 1_700_000_070,
            attempts: attempts, checked: checked)
        let source = SourceRow(
            key: "02", sha256: "0a", bytes: 12_000, etag: etag, lastModified: "Wed, 21 Oct 2015 07:28:00 GMT",
            validated: validated, freshUntil: 1_700_009_000, fetched: 1_700_000_070, caching: "no-cache")
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
        let moved = Self.record(listed: "05")
        #expect(try Self.reread(moved) == moved)
    }

    @Test("A record of an earlier version is that of the address that delivered its picture")
    func earlierVersion() throws {
        let line = #""listed":"\#(try #require(Self.record().listed).hex)","#
        let earlier = try #require(try Self.altered(line, ""))
        #expect(earlier.listed == nil)
        #expect(earlier.isResult(of: "02") && !earlier.isResult(of: "05") && !earlier.isResult(of: nil))
        // So were records for a few days whose picture was that of an earlier address.
        let several = try #require(try Self.altered(line, #""listedAddresses":[],"#))
        #expect(several == earlier)
    }

    @Test("A record is the result of the first address of its list, and of the address that delivered the picture")
    func listedAddress() {
        let mirrored = Self.record(listed: "05")
        #expect(mirrored.isResult(of: "05") && mirrored.isResult(of: "02"))
        #expect(!mirrored.isResult(of: "06") && !mirrored.isResult(of: nil))
        let unusable = Self.record(listed: nil)
        #expect(unusable.isResult(of: nil) && unusable.isResult(of: "02") && !unusable.isResult(of: "06"))
        // The address has failed since then, so another one has more to say.
        let stale = Self.record(
            stale: StaleMark(since: 5, reason: Reason(Failure.timeout(seconds: 30))), listed: "05")
        #expect(stale.isResult(of: "05") && !stale.isResult(of: "02"))
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

    @Test("Times and attempts alone are no new result, and anything else is one")
    func differences() {
        let record = Self.record()
        #expect(!Self.record(checked: 1_800_000_000, attempts: 5).isNews(after: record))
        #expect(Self.record(etag: "\"other\"").isNews(after: record))
        #expect(Self.record(pictures: [Self.picture]).isNews(after: record))
        #expect(Self.record(listed: "05").isNews(after: record))
    }

    @Test("The time of a request is news if it begins the next period of a frozen photo")
    func frozen() {
        let mark = PhotoMark.frozen(since: Timestamp(seconds: 1_600_000_000), expectedWithin: 60)
        let record = Self.record(checked: 1_700_000_000, mark: mark)
        #expect(!record.isNews(after: record))
        #expect(!Self.record(checked: 1_700_000_059, mark: mark).isNews(after: record))
        #expect(Self.record(checked: 1_700_000_060, mark: mark).isNews(after: record))
    }

    @Test("The number of attempts is news as long as it decides whether damaged content is downloaded again")
    func attempts() {
        func failed(_ failure: Failure, attempts: Int) -> StoredPhoto {
            Self.record(state: .failed, reason: Reason(failure), pictures: [], attempts: attempts)
        }
        for known in 1...5 {
            let (before, now) = (failed(.truncated, attempts: known), failed(.truncated, attempts: known + 1))
            #expect(now.isNews(after: before) == (known <= 3))
        }
        #expect(!failed(.httpStatus(404), attempts: 2).isNews(after: failed(.httpStatus(404), attempts: 1)))
    }

    @Test("Of several rows of an address, the one with the latest answer counts", arguments: [0, 1])
    func sharedAddress(first: Int) {
        let results = [1_700_000_080, 1_700_000_090].map { (validated: Int64) in Self.record(validated: validated) }
        var snapshot = LedgerSnapshot()
        snapshot.add([results[first], results[1 - first]])
        #expect(snapshot.sources["02"]?.validated == 1_700_000_090)
    }

    @Test("A picture supersedes a failure, and of two pictures the later one counts")
    func precedence() {
        let failed = Self.record(
            state: .failed, reason: Reason(Failure.timeout(seconds: 30)), checked: 1_800_000_000, pictures: [])
        let later = Self.record(checked: 1_700_000_200)
        #expect(Self.record().supersedes(failed) && !failed.supersedes(Self.record()))
        #expect(later.supersedes(Self.record()) && !Self.record().supersedes(later))
    }

    @Test("Another worker's later result stands for one of the same first address and recipe, and of no other")
    func replacement() {
        let (recipe, later) = (Self.recipe, Self.record(checked: 1_700_000_200))
        #expect(Self.record().isReplaced(by: later, recipe: recipe))
        #expect(!later.isReplaced(by: Self.record(), recipe: recipe))
        #expect(!Self.record(listed: "05").isReplaced(by: later, recipe: recipe))
        #expect(!Self.record().isReplaced(by: Self.record(checked: 1_700_000_200, listed: "05"), recipe: recipe))
        let failed = Self.record(state: .failed, reason: Reason(Failure.timeout(seconds: 30)), pictures: [])
        #expect(failed.isReplaced(by: later, recipe: recipe))
        #expect(!failed.isReplaced(by: later, recipe: "filter none\nwidths 400"))
        #expect(failed.isReplaced(by: failed, recipe: "filter none\nwidths 400"))
    }
}
