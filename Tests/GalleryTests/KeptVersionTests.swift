import Imaging
import Ledger
import Manifest
import PhotoModel
import TestSupport
import Testing

@testable import Gallery

@Suite("The earlier versions of a photo") struct KeptVersionTests {
    private let address = Source(location: .remote("https://example.org/camera.jpg"), shown: "")

    private func row(
        _ original: String?, _ versions: [String] = [], marks: [PhotoMark] = [], source: Digest? = nil
    ) -> PhotoRow {
        PhotoRow(
            key: "photo", source: source ?? address.rowKey, slug: "camera", state: .filtered, since: 1, marks: marks,
            sha256: original.map { Digest(of: $0) },
            pictures: [picture("now", .filtered)] + versions.map { picture($0, .version(Digest(of: $0))) },
            versions: versions.map { PhotoVersion(original: Digest(of: $0), fetched: 3) }, fetched: 5, checked: 6)
    }

    private func picture(_ name: String, _ content: PublishedPicture.Content) -> PublishedPicture {
        PublishedPicture(fileName: name + ".jpg", width: 4, height: 3, bytes: 2, content: content)
    }

    private func record(
        after row: PhotoRow?, kept: Int, areShown: Bool = true
    ) -> PhotoRecord {
        PhotoRecord(
            photo: ManifestPhoto(
                album: [], name: "Camera", source: .success(address), shownSource: "", addressKey: "",
                details: PhotoDetails(), position: TextPosition(file: "photos.plist", line: 1, column: 1)),
            key: "photo", slug: "camera",
            options: DerivativeOptions(
                widths: [4], quality: 80, filter: .standard, publishesUnfiltered: false, maxPixels: 100),
            remembered: row, versions: VersionOptions(kept: kept, areShown: areShown))
    }

    /// The row of a photo that shows another original now; nil for one that has failed.
    private func next(
        after row: PhotoRow, showing original: String?, kept: Int = 2, mark: PhotoMark? = nil,
        from source: Digest? = nil
    ) -> PhotoRow {
        let record = record(after: row, kept: kept)
        record.update {
            $0.state = original == nil ? .failed : .filtered
            $0.original = original.map { Digest(of: $0) }
            $0.address = original.map { _ in source ?? address.rowKey }
            $0.mark = mark
            $0.fetched = 9
        }
        return record.row(now: 10)
    }

    private func versions(_ row: PhotoRow, among names: [String] = ["a", "b", "c", "d"]) -> [String] {
        row.versions.compactMap { version in names.first { Digest(of: $0) == version.original } }
    }

    @Test("The original that a photo showed before is the first of its versions, with its time")
    func replaced() throws {
        let changed = next(after: row("c", ["b", "a"]), showing: "d")
        #expect(versions(changed) == ["c", "b"])
        #expect(changed.versions.map(\.fetched) == [5, 3])
        #expect(versions(next(after: row("a"), showing: "b", kept: 0)) == [])
        #expect(versions(next(after: row(nil), showing: "b")) == [])
    }

    @Test("An original that is shown again is no version any more")
    func returned() {
        #expect(versions(next(after: row("b", ["a"]), showing: "a")) == ["b"])
        #expect(versions(next(after: row("c", ["b", "a"]), showing: "a")) == ["c", "b"])
        #expect(versions(next(after: row("c", ["b", "a"]), showing: "b", kept: 3)) == ["c", "a"])
    }

    @Test("A photo that has failed or shows the same original keeps its versions")
    func kept() {
        #expect(versions(next(after: row("b", ["a"]), showing: nil)) == ["a"])
        #expect(versions(next(after: row("c", ["b", "a"]), showing: "c")) == ["b", "a"])
        #expect(versions(next(after: row("c", ["b", "a"]), showing: "c", kept: 1)) == ["b"])
        // What an address delivered before it failed is not known to be an earlier version.
        #expect(versions(next(after: row(nil, ["a"]), showing: "c")) == ["a"])
    }

    @Test("A copy of an archive neither becomes a version nor makes one")
    func archived() {
        let mark = PhotoMark.archived(since: Timestamp(seconds: 7), copyOf: "2020")
        #expect(versions(next(after: row("b", ["a"], marks: [mark]), showing: "c")) == ["a"])
        #expect(versions(next(after: row("b", ["a"]), showing: "c", mark: mark)) == ["a"])
    }

    @Test("Another address begins without versions, unless it has the same bytes")
    func otherAddress() {
        #expect(versions(next(after: row("b", ["a"], source: "elsewhere"), showing: "c")) == [])
        #expect(versions(next(after: row("b", ["a"], source: "elsewhere"), showing: "b")) == ["a"])
        #expect(versions(next(after: row(nil, ["a"], source: "elsewhere"), showing: "c")) == [])
        #expect(versions(next(after: row(nil, ["a"], source: "elsewhere"), showing: nil)) == [])
    }

    @Test("The copy of a mirror makes no version")
    func mirror() {
        #expect(versions(next(after: row("b", ["a"]), showing: "c", from: "mirror")) == ["a"])
    }

    @Test("A photo that still shows the picture of an address that left the list keeps that address")
    func addressOfStalePhoto() {
        let record = record(after: row("b", source: "elsewhere"), kept: 1)
        record.update {
            ($0.state, $0.original) = (.filtered, Digest(of: "b"))
            $0.staleness = .httpStatus(404)
        }
        #expect(record.row(now: 10).source == "elsewhere")
    }

    @Test("A version that can't be rendered any more is not kept")
    func unusable() {
        let record = record(after: row("c", ["b", "a"]), kept: 3)
        record.update {
            ($0.original, $0.address) = (Digest(of: "d"), address.rowKey)
            $0.unusableVersions = [Digest(of: "b")]
        }
        #expect(versions(record.row(now: 10)) == ["c", "a"])
    }

    @Test("A row has the pictures of kept versions, and only if they are shown", arguments: [false, true])
    func pictures(areShown: Bool) {
        let record = record(after: row("c", ["b", "a"]), kept: 1, areShown: areShown)
        record.update {
            $0.original = Digest(of: "c")
            $0.pictures = [picture("now", .filtered)] + ["b", "a"].map { picture($0, .version(Digest(of: $0))) }
        }
        #expect(record.row(now: 10).pictures.map(\.fileName) == (areShown ? ["now.jpg", "b.jpg"] : ["now.jpg"]))
    }

    @Test("A photo whose new original is suspicious keeps its versions, within the current settings")
    func suspicious() {
        let record = record(after: row("c", ["b", "a"]), kept: 1, areShown: false)
        record.update { $0.original = Digest(of: "d") }
        record.withhold(Digest(of: "d"), now: 10)
        #expect(versions(record.row(now: 10)) == ["b"])
        #expect(record.row(now: 10).pictures.map(\.fileName) == ["now.jpg"])
    }
}
