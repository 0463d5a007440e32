import Foundation
import Gallery
import PhotoModel
import Site
import Testing

@Suite("Files of earlier publications stay for cached pages as long as --keep-old says")
struct KeepOldTests {
    private static let day: Int64 = 86_400

    /// A gallery that was built, and built again with another filter.
    private static func refiltered(keepOld: Duration = .seconds(day)) throws -> (TestGallery, before: Set<String>) {
        let gallery = try TestGallery.ofThree()
        gallery.keepOld = keepOld
        try gallery.build()
        let before = Set(try gallery.published().keys)
        gallery.filter = "grayscale(1)"
        gallery.now += 60
        try gallery.build()
        return (gallery, before)
    }

    @Test("What an earlier page refers to stays for that time, and goes by a build that has nothing else to do")
    func time() throws {
        let (gallery, before) = try Self.refiltered()
        let during = try gallery.published()
        #expect(before.isSubset(of: during.keys))
        #expect(during["kept.json"] != nil)
        gallery.now += Self.day - 1
        #expect(try gallery.build().changedNothing)
        gallery.now += 1
        let report = try gallery.build()
        #expect(report.rendered == 0 && report.publication.written.isEmpty)
        let expected = try Self.refiltered(keepOld: .zero).0.published()
        #expect(Set(report.publication.removed) == Set(during.keys).subtracting(expected.keys))
        #expect(try gallery.published() == expected, "the same site as without")
        #expect(try gallery.build().didNothing)
    }

    @Test("What is shown again while it is kept is not made again, and kept no more")
    func shownAgain() throws {
        let (gallery, before) = try Self.refiltered()
        let gray = Set(try gallery.published().keys).subtracting(before)
        gallery.filter = "sepia(0.8)"
        gallery.now += 60
        #expect(try gallery.build().rendered == 0)
        #expect(try before.union(gray).isSubset(of: gallery.published().keys))
        gallery.now += Self.day
        try gallery.build()
        #expect(Set(try gallery.published().keys) == before)
    }

    @Test("A shorter time, or none, removes what has been kept as long by the next build")
    func shorter() throws {
        let (gallery, _) = try Self.refiltered()
        gallery.keepOld = .seconds(61)
        gallery.now += 60
        #expect(try gallery.build().changedNothing)
        gallery.keepOld = .zero
        #expect(try gallery.build().publication.removed.contains("kept.json"))
        #expect(try gallery.published() == Self.refiltered(keepOld: .zero).0.published())
    }

    @Test("Of a photo that leaves the list the page goes at once, and its pictures stay")
    func photoGone() throws {
        let gallery = try TestGallery.ofThree()
        gallery.keepOld = .seconds(Self.day)
        try gallery.build()
        let before = Set(try gallery.published().keys)
        gallery.entries.removeFirst()
        gallery.now += 60
        try gallery.build()
        #expect(try before.subtracting(gallery.published().keys) == ["photo/dandelions.html"])
    }

    @Test("Kept files are known as ours when the state folder is lost")
    func lostState() throws {
        let (gallery, _) = try Self.refiltered()
        try FileManager.default.removeItem(atPath: gallery.state.path)
        let foreign = gallery.output + "/images/0123456789abcdef-64.jpg"
        try Data("mine".utf8).write(to: URL(fileURLWithPath: foreign))
        gallery.now += 60
        try gallery.build()
        #expect(try gallery.published()["kept.json"] != nil)
        gallery.now += Self.day
        try gallery.build()
        try FileManager.default.removeItem(atPath: foreign)
        #expect(Set(try gallery.published().keys) == Set(try Self.refiltered(keepOld: .zero).0.published().keys))
    }

    @Test("Cleaning removes what is kept too, with the ledger and without", arguments: [true, false])
    func clean(hasLedger: Bool) throws {
        let (gallery, _) = try Self.refiltered()
        if !hasLedger { try FileManager.default.removeItem(atPath: gallery.state.path) }
        _ = try SiteClean(output: gallery.output, state: gallery.state, holder: "this test", warn: { _ in }).run()
        #expect(try gallery.published().isEmpty)
    }

    @Test("A plan says what has been kept long enough, and what stays")
    func plan() throws {
        let (gallery, before) = try Self.refiltered()
        gallery.entries.removeLast()
        try gallery.build()
        let (plain, _) = try Self.refiltered(keepOld: .zero)
        plain.entries.removeLast()
        try plain.build()
        let kept = Set(try gallery.published().keys).subtracting(try plain.published().keys).subtracting(["kept.json"])
            .count
        #expect(kept >= before.filter { $0.hasPrefix("images/") }.count - 2)
        func plan() throws -> PlanReport { try DryRun(gallery.options(), warn: { _ in }).run() }
        #expect(try plan().lines.isEmpty && plan().kept == kept)
        gallery.now += Self.day
        let lines = try plan().lines
        #expect(lines.map(\.reason) == ["site: \(kept) files of earlier publications have been kept long enough"])
        #expect(lines.map(\.work) == ["site: remove old files"])
    }

    @Test("A list of kept files that somebody damaged is made again, and keeps them from then on")
    func damagedList() throws {
        let (gallery, before) = try Self.refiltered()
        try Data("{}".utf8).write(to: URL(fileURLWithPath: gallery.output + "/kept.json"))
        gallery.now += Self.day
        try gallery.build()
        #expect(try before.isSubset(of: gallery.published().keys))
        gallery.now += Self.day
        try gallery.build()
        #expect(try gallery.published()["kept.json"] == nil)
    }
}
