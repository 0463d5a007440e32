import Foundation
import Gallery
import PhotoModel
import Site
import Testing

@Suite("Files of earlier publications are kept for cached pages as long as --keep-old says")
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

    @Test(
        "Files of an earlier page are kept for that time, and removed by a build that has nothing else to do"
    )
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
        #expect(try gallery.published() == expected, "the site is the same as without kept files")
        #expect(try gallery.build().didNothing)
    }

    @Test("A kept file that is shown again is not rendered again, and is no longer a kept file")
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

    @Test("With a shorter time, or none, the next build removes the files that have been kept as long")
    func shorter() throws {
        let (gallery, _) = try Self.refiltered()
        gallery.keepOld = .seconds(61)
        gallery.now += 60
        #expect(try gallery.build().changedNothing)
        gallery.keepOld = .zero
        #expect(try gallery.build().publication.removed.contains("kept.json"))
        #expect(try gallery.published() == Self.refiltered(keepOld: .zero).0.published())
    }

    @Test("The page of a photo that leaves the list is removed at once, and its pictures are kept")
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

    @Test("Kept files are known as our own after the state folder is lost")
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

    @Test("Cleaning removes kept files too, with the ledger and without", arguments: [true, false])
    func clean(hasLedger: Bool) throws {
        let (gallery, _) = try Self.refiltered()
        if !hasLedger { try FileManager.default.removeItem(atPath: gallery.state.path) }
        _ = try SiteClean(output: gallery.output, state: gallery.state, holder: "this test", warn: { _ in }).run()
        #expect(try gallery.published().isEmpty)
    }

    @Test("A plan lists the files that have been kept long enough, and none that are still kept")
    func plan() throws {
        let (gallery, before) = try Self.refiltered()
        gallery.entries.removeLast()
        try gallery.build()
        let (plain, _) = try Self.refiltered(keepOld: .zero)
        plain.entries.removeLast()
        try plain.build()
        let retained = Set(try gallery.published().keys).subtracting(try plain.published().keys).subtracting([
            "kept.json"
        ])
        .count
        #expect(retained >= before.filter { $0.hasPrefix("images/") }.count - 2)
        func plan() throws -> PlanReport { try DryRun(gallery.options(), warn: { _ in }).run() }
        #expect(try plan().lines.isEmpty && plan().retained == retained)
        gallery.now += Self.day
        let lines = try plan().lines
        #expect(lines.map(\.reason) == ["site: \(retained) files of earlier publications have been kept long enough"])
        #expect(lines.map(\.work) == ["site: remove old files"])
    }

    @Test("A damaged list of kept files is written again, and keeps the files from then on")
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
