import Foundation
import GRDB
import Gallery
import Imaging
import PhotoModel
import Site
import Synchronization
import TestSupport
import Testing

@Suite("Colour and camera data of photos") struct ImageMetadataTests {
    private let gallery = TestGallery()

    init() throws {
        let exif = ExifSample(
            picture: [0x010F: .text("NIKON"), 0x0110: .text("D90")],
            capture: [
                0x829D: .fractions([(8, 1)]), 0x9003: .text("2019:07:04 12:34:56"), 0xA434: .text("35 mm f/1.8"),
            ])
        let plain = try Data(contentsOf: URL(fileURLWithPath: TestGallery.samples + "nuthatch.jpg"))
        try gallery.folder.write(exif.jpeg(around: plain), to: "nuthatch.jpg")
        gallery.entries.append(("Nuthatch", "nuthatch.jpg"))
        try gallery.add("Plums", sample: "plum-blossom.png")
    }

    private func photos() throws -> [SitePhoto] {
        Array(try StatusReport(try gallery.options(), warn: { Issue.record("\($0)") }).content.photos)
    }

    @Test("The colour shown under a picture is that of the filtered picture")
    func colour() throws {
        gallery.filter = "none"
        try gallery.build()
        let plain = try photos().map(\.colour)
        #expect(plain.allSatisfy { $0?.wholeMatch(of: /#[0-9a-f]{6}/) != nil }, "\(plain)")
        gallery.filter = "invert(1)"
        try gallery.build()
        let inverted = try photos().map(\.colour)
        #expect(zip(plain, inverted).allSatisfy { $0 != $1 })
        gallery.filter = "none"
        try gallery.build()
        #expect(try photos().map(\.colour) == plain)
    }

    @Test("A photo's page shows the camera's data")
    func shot() throws {
        try gallery.build()
        let photo = try #require(try photos().first)
        #expect(photo.taken == "2019-07-04T12:34:56")
        #expect([photo.camera, photo.lens, photo.exposure] == ["NIKON D90", "35 mm f/1.8", "f/8"])
    }

    @Test("The camera's data are on the pages of the build that reads them, and on pages rendered from the ledger")
    func shownAtOnce() throws {
        try gallery.build()
        let page = try #require(try gallery.published()["photo/nuthatch.html"])
        #expect(String(decoding: page, as: UTF8.self).contains("NIKON D90"))
        try FileManager.default.removeItem(atPath: gallery.output)
        try gallery.build()
        #expect(try gallery.published()["photo/nuthatch.html"] == page)
    }

    @Test("A broken colour profile is reported by the build that renders the derivatives, and by no other")
    func brokenProfile() throws {
        let segment = Data([0xFF, 0xE2, 0, 26] + Array("ICC_PROFILE\0".utf8) + [1, 1] + Array("no profile".utf8))
        let plain = try Data(contentsOf: URL(fileURLWithPath: TestGallery.samples + "dandelions.jpg"))
        try gallery.folder.write(plain.prefix(2) + segment + plain.dropFirst(2), to: "dandelions.jpg")
        gallery.entries.append(("Dandelions", "dandelions.jpg"))
        func remarks() throws -> [String] {
            let told = Mutex<[String]>([])
            let report = try gallery.build { event in
                if case .remark(let text) = event { told.withLock { $0.append(text) } }
            }
            #expect(report.failed.isEmpty)
            return told.withLock { $0 }
        }
        let words = "'Dandelions': its colour profile is broken; its colours are treated as sRGB"
        let first = try remarks()
        #expect(first.count == 1 && first[0].hasPrefix("photos.plist:") && first[0].hasSuffix(words), "\(first)")
        #expect(try remarks() == [])
    }

    @Test("Colour and camera data are the same after the ledger is lost")
    func lostLedger() throws {
        try gallery.build()
        let before = try photos()
        let stamps = try gallery.stamps()
        try FileManager.default.removeItem(atPath: gallery.state.path)
        try gallery.build()
        #expect(try photos() == before)
        #expect(try gallery.stamps() == stamps)
    }

    @Test("Colour and camera data are added once to a ledger that has none")
    func olderLedger() throws {
        try gallery.build()
        let (before, stamps) = (try photos(), try gallery.stamps())
        let queue = try DatabaseQueue(path: gallery.state.ledger)
        try queue.write { database in
            try database.execute(
                sql: """
                    UPDATE picture SET colour = NULL;
                    UPDATE original SET edition = NULL, taken = NULL, camera = NULL, lens = NULL, exposure = NULL;
                    """)
            // Such a ledger had neither the recipes of derivatives nor checksums of rows.
            try database.execute(
                sql: OlderLedger.withoutNumbers + OlderLedger.withoutSums + "UPDATE photo SET recipe = NULL")
        }
        try queue.close()
        #expect(try photos().allSatisfy { $0.colour == nil && $0.camera == nil && $0.width != nil })
        try gallery.build()
        #expect(try photos() == before)
        #expect(try gallery.stamps() == stamps)
        let recorded = try DatabaseQueue(path: gallery.state.ledger).read { database in
            try Int.fetchAll(database, sql: "SELECT edition FROM original")
        }
        #expect(recorded == [ImageMetadata.edition, ImageMetadata.edition])
    }
}
