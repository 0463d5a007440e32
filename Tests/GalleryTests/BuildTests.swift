import Foundation
import GRDB
import Gallery
import Manifest
import PhotoModel
import Site
import TestSupport
import Testing

@Suite("The result of a build") struct BuildTests {
    @Test("A build filters the photos it gets, and shows a placeholder with the reason for the others")
    func statesAndReasons() throws {
        let report = try TestGallery.ofThree().build()
        #expect(report.counts == [.filtered: 2, .failed: 1])
        #expect(report.failed.map(\.name) == ["Lighthouse"])
        #expect(report.failed.first?.reason.code == .missingFile)
        #expect(report.failed.first?.reason.message.contains("lighthose.jpg") == true)
        #expect(report.failed.first?.position.line == 4)
    }

    @Test("A second build of an unchanged gallery writes no file and changes no time")
    func nothingToDo() throws {
        let gallery = try TestGallery.ofThree()
        try gallery.build()
        let before = try gallery.stamps()
        gallery.now += 60
        let report = try gallery.build()
        #expect(report.changedNothing)
        #expect(report.rendered == 0)
        #expect(try gallery.stamps() == before)
    }

    @Test("A build that makes a site or removes a page says that it needs memory, and one with another order does not")
    func needsMemory() throws {
        let gallery = TestGallery()
        try gallery.add("Dandelions", sample: "dandelions.jpg")
        try gallery.add("Plum Blossom", sample: "plum-blossom.png")
        func needsMemory() throws -> Bool {
            let events = Collected<Bool>()
            try gallery.build { if case .needsMemory = $0 { events.add(true) } }
            return !events.all.isEmpty
        }
        #expect(try needsMemory())
        #expect(try !needsMemory(), "nothing to do")
        gallery.entries.swapAt(0, 1)
        #expect(try !needsMemory())
        gallery.entries[0].name = "Meadow"
        #expect(try needsMemory(), "the page of the earlier name is removed")
    }

    @Test("A build is released with its last reference, also a small one, which keeps values until then")
    func released() throws {
        let gallery = TestGallery()
        try gallery.add("Dandelions", sample: "dandelions.jpg")
        try gallery.add("Plum Blossom", sample: "plum-blossom.png")
        for _ in 0..<2 {
            var build: Build? = Build(try gallery.options(), emit: { _ in })
            #expect(try build?.run().changedNothing == false)
            weak let kept = build
            build = nil
            #expect(kept == nil)
            gallery.entries.swapAt(0, 1)
        }
    }

    @Test("Another filter renders only the derivatives again")
    func filterChange() throws {
        let gallery = try TestGallery.ofThree()
        try gallery.build()
        let before = try gallery.published()
        gallery.filter = "grayscale(1)"
        gallery.entries.removeLast()
        try FileManager.default.removeItem(atPath: gallery.folder.path + "/dandelions.jpg")
        let report = try gallery.build()
        // The store has the original, so the missing file and the new filter need no download.
        #expect(report.counts == [.filtered: 2])
        #expect(report.stale.map(\.name) == ["Dandelions"])
        #expect(report.rendered == 2)
        let pictures = Set(try gallery.published().keys.filter { $0.hasPrefix("images/") })
        let old = Set(before.keys.filter { $0.hasPrefix("images/") })
        // The unfiltered copies stay, and all filtered ones are new.
        #expect(pictures.intersection(old).count == 2)
        #expect(pictures.count == old.count)
    }

    @Test("A smaller width that is added is rendered, and no other width again")
    func widthChange() throws {
        let gallery = try TestGallery.ofThree()
        try gallery.build()
        let before = Set(try gallery.published().keys.filter { $0.hasPrefix("images/") })
        gallery.widths = [32, 64, 128]
        try gallery.build()
        let after = Set(try gallery.published().keys.filter { $0.hasPrefix("images/") })
        #expect(before.isSubset(of: after))
        #expect(after.count == before.count + 2)
    }

    @Test("A failed photo is tried again, and is shown once it can be fetched")
    func failuresHeal() throws {
        let gallery = try TestGallery.ofThree()
        try gallery.build()
        try FileManager.default.copyItem(
            atPath: TestGallery.samples + "nuthatch.jpg", toPath: gallery.folder.path + "/lighthose.jpg")
        let report = try gallery.build()
        #expect(report.counts == [.filtered: 3])
        #expect(report.rendered == 1)
    }

    @Test("Pictures are published in the order of the list, not of their hashed names")
    func orderOfPictures() throws {
        let gallery = try TestGallery.ofThree()
        gallery.widths = [64]
        let sample = try Data(contentsOf: URL(fileURLWithPath: TestGallery.samples + "plum-blossom.png"))
        for number in 0..<8 {
            // The byte after the end of the image makes each file a different original.
            try gallery.folder.write(sample + [UInt8(number)], to: "\(number).png")
            gallery.entries.append(("Photo \(number)", "\(number).png"))
        }
        let written = try gallery.build().publication.written.filter { $0.hasPrefix("images/") }
        let status = String(decoding: try #require(gallery.published()["status.json"]), as: UTF8.self)
        let places = written.map { status.range(of: $0)?.lowerBound ?? status.endIndex }
        #expect(places.count >= 8 && places == places.sorted() && written != written.sorted())
    }

    @Test("A photo that left the manifest loses all its files, and no other photo does")
    func removal() throws {
        let gallery = try TestGallery.ofThree()
        try gallery.build()
        gallery.entries.removeFirst()
        let report = try gallery.build()
        let files = try gallery.published()
        #expect(files["photo/dandelions.html"] == nil)
        // The photo had a page and three pictures. Files with other names replace the records file and the search
        // index.
        #expect(report.publication.removed.count { !$0.hasPrefix("assets/") } == 4)
        #expect(report.publication.removed.count { $0.hasPrefix("assets/") } == 2)
        let status = try #require(files["status.json"])
        for name in files.keys where name.hasPrefix("images/") {
            #expect(String(decoding: status, as: UTF8.self).contains(name))
        }
        #expect(!(files["index.html"].map { String(decoding: $0, as: UTF8.self).contains("Dandelions") } ?? true))
    }

    @Test("A photo whose file became invalid keeps its last good picture, marked stale with the time and reason")
    func lastGood() throws {
        let gallery = try TestGallery.ofThree()
        try gallery.build()
        let before = try gallery.published()
        try gallery.folder.write("<!DOCTYPE html><title>Gone</title>", to: "dandelions.jpg")
        gallery.now += 60
        var report = try gallery.build()
        #expect(report.counts == [.filtered: 2, .failed: 1])
        #expect(report.stale.first?.reason.code == .notAnImage)
        for (name, bytes) in before where name.hasPrefix("images/") {
            #expect(try gallery.published()[name] == bytes)
        }
        gallery.now += 60
        report = try gallery.build()
        #expect(report.changedNothing)
        try FileManager.default.removeItem(atPath: gallery.folder.path + "/dandelions.jpg")
        try FileManager.default.copyItem(
            atPath: TestGallery.samples + "dandelions.jpg", toPath: gallery.folder.path + "/dandelions.jpg")
        report = try gallery.build()
        #expect(report.stale.isEmpty)
    }

    @Test("The derivatives of an address are rendered once, however many photos name it")
    func sharedAddress() throws {
        let gallery = TestGallery()
        try gallery.add("One", sample: "dandelions.jpg")
        for name in ["Two", "Three"] { gallery.entries.append((name, "dandelions.jpg")) }
        let report = try gallery.build()
        #expect(report.counts == [.filtered: 3])
        #expect(report.rendered == 1)
    }

    @Test("A site is the same, byte for byte, wherever and whenever it is built with the same clock")
    func reproducible() throws {
        let first = try TestGallery.ofThree()
        let second = try TestGallery.ofThree()
        try first.build()
        try second.build()
        #expect(try first.published() == second.published())
    }

    @Test("A build with an unreadable ledger starts a new one, keeps the old file, and makes the same site")
    func unreadableLedger() throws {
        let gallery = try TestGallery.ofThree()
        try gallery.build()
        let before = try gallery.published()
        let ledger = gallery.state.ledger
        for journal in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: ledger + journal) }
        try gallery.folder.write(String(repeating: "not a database ", count: 1000), to: ".gallerygen/ledger.sqlite")
        let warnings = Collected<String>()
        try gallery.build { if case .warning(let text) = $0 { warnings.add(text) } }
        #expect(warnings.all.contains { $0.contains("the ledger can't be used") })
        #expect(try gallery.published() == before)
        #expect(FileManager.default.fileExists(atPath: gallery.state.path + "/ledger.sqlite.unreadable"))
    }

    @Test(
        "A build with damaged rows in the ledger starts a new one, and makes the same site",
        arguments: [
            "UPDATE site SET content = 'x'", "UPDATE owned SET bytes = 'x'", "UPDATE photo SET state = 'cooked'",
            "UPDATE photo SET attempts = 9223372036854775807", "UPDATE original SET width = 0",
            "UPDATE original SET width = -4, height = 0", "UPDATE original SET format = 'jpeg 2000'",
        ])
    func damagedLedger(statement: String) throws {
        let gallery = try TestGallery.ofThree()
        try gallery.build()
        let before = try gallery.published()
        let queue = try DatabaseQueue(path: gallery.state.ledger)
        try queue.write { try $0.execute(sql: statement) }
        try queue.close()
        try gallery.build()
        #expect(try gallery.published() == before)
    }

    @Test("Damaged and removed files of the site are written again")
    func damagedSite() throws {
        let gallery = try TestGallery.ofThree()
        try gallery.build()
        let before = try gallery.published()
        let picture = try #require(before.keys.first { $0.hasPrefix("images/") })
        try Data().write(to: URL(fileURLWithPath: gallery.output + "/" + picture))
        try Data("garbage".utf8).write(to: URL(fileURLWithPath: gallery.output + "/index.html"))
        try FileManager.default.removeItem(atPath: gallery.output + "/photo/dandelions.html")
        try gallery.build()
        #expect(try gallery.published() == before)
    }

    @Test("A build of another list in the same folder keeps what the ledger has recorded about the first")
    func twoGalleries() throws {
        let first = try TestGallery.ofThree()
        first.entries.removeLast()
        try first.build()
        var other = try first.options()
        let list = "<plist><dict><key>Nuthatch</key><string>plum-blossom.png</string></dict></plist>"
        other.manifests = [.file(path: try first.folder.write(list, to: "other.plist"), shown: "other.plist")]
        other.output = first.folder.path + "/other"
        _ = try Build(other, emit: { _ in }).run()
        try FileManager.default.removeItem(atPath: first.folder.path + "/dandelions.jpg")
        let report = try first.build()
        #expect(report.stale.map(\.name) == ["Dandelions"])
        #expect(report.failed.isEmpty)
    }

    @Test("The last good copy of a manifest from a URL is kept, whatever the URL returns later")
    func remoteManifest() throws {
        let answer = Observed<ScriptedResponse>(ScriptedResponse(500))
        let server = try ScriptedServer(answer: { _ in answer.value })
        let gallery = TestGallery()
        var options = try gallery.options()
        options.manifests = [.remote(url: server.url("/list.plist?token=secret"))]
        func build() throws -> [String] {
            let warnings = Collected<String>()
            let build = Build(options) { if case .warning(let text) = $0 { warnings.add(text) } }
            _ = try build.run()
            return warnings.all
        }
        #expect(throws: GalleryError.self) { try build() }
        let list = "<plist><dict><key>Gone</key><string>gone.jpg</string></dict></plist>"
        answer.update { $0 = ScriptedResponse(200, body: Array(list.utf8)) }
        #expect(try build().isEmpty)
        answer.update { $0 = ScriptedResponse(200, body: Array("<!DOCTYPE html><p>Log in</p>".utf8)) }
        #expect(throws: GalleryError.self) { try build() }
        answer.update { $0 = ScriptedResponse(500) }
        let warnings = try build()
        #expect(warnings.count == 1)
        #expect(warnings.allSatisfy { $0.contains("last good copy") && !$0.contains("secret") })
    }
}
