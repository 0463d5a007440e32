import Ledger
import PhotoModel
import Testing

@testable import Gallery

@Suite("The report of a build")
struct BuildReportTests {
    @Test("Photos of the whole list are counted, and those that need attention are in its order")
    func wholeList() throws {
        let gallery = TestGallery()
        gallery.entries = [("A", "a.jpg"), ("B", "b.jpg")]
        try gallery.add("C", sample: "dandelions.jpg", as: "c.jpg")
        try gallery.add("D", sample: "plum-blossom.png", as: "d.png")
        gallery.entries += [("E", "e.jpg"), ("F", "f.jpg"), ("G", "a.jpg")]
        let report = try gallery.build()
        #expect(report.failed.map(\.name) == ["A", "B", "E", "F", "G"])
        #expect(report.counts == [.filtered: 2, .failed: 5])
        let names = report.files.map { $0.split(separator: "/").last.map(String.init) ?? "" }
        #expect(names.sorted() == ["a.jpg", "b.jpg", "c.jpg", "d.png", "e.jpg", "f.jpg"])
    }

    @Test("The next check for a change is that of the photo that is due first, wherever it is in the list")
    func nextCheck() throws {
        var world = PlanWorld.lakes
        world.expectedChange = .within(seconds: 60)
        let memory = try world.built()
        for first in world.photos.map(\.name) {
            let records = world.records { name in
                var row = memory.snapshot.photos[Digest(of: name)]
                row?.fetched = world.now + (name == first ? 0 : 10)
                return row
            }
            let report = BuildReport(unchanged: records, lastPublished: nil, now: world.now)
            #expect(report.nextCheckForChange == world.now + 60)
        }
    }

    @Test("A photo of a server is noticed wherever it is in the list")
    func remotePhotos() throws {
        var world = PlanWorld.lakes
        for (names, expected) in [
            (["Stamp", "Leaf"], true), (["Leaf", "Stamp"], true), (["Leaf"], false), ([], false),
        ] {
            world.photos = names.compactMap { name in PlanWorld.lakes.photos.first { $0.name == name } }
            #expect(world.photos.count == names.count)
            let report = BuildReport(unchanged: world.records { _ in nil }, lastPublished: nil, now: world.now)
            #expect(report.hasRemotePhotos == expected)
        }
    }
}
