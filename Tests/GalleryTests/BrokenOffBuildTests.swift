import Foundation
import Gallery
import Manifest
import PhotoModel
import Site
import TestSupport
import Testing

@Suite("Builds that are refused or interrupted") struct BrokenOffBuildTests {
    @Test("A build that is cancelled while files are being staged leaves the site as it was")
    func cancelledPublication() throws {
        let gallery = try TestGallery.ofThree()
        try gallery.build()
        let before = try gallery.published()
        gallery.filter = "invert(1)"
        gallery.entries.removeLast()
        let build = Collected<Build>()
        let options = try gallery.options()
        let interrupted = Build(options) { event in
            // The publication follows after the second photo, the last one.
            if case .finished = event, build.all.count == 2 { build.all.first?.cancel() }
            if case .finished = event { build.add(build.all[0]) }
        }
        build.add(interrupted)
        do {
            _ = try interrupted.run()
            Issue.record("the build was not interrupted")
        } catch GalleryError.interrupted {
            #expect(try gallery.published() == before)
        }
        try gallery.build()
    }

    @Test("A build that is cancelled leaves the site as it was, keeps its downloads, and the next one completes it")
    func cancelledDownloads() throws {
        let gallery = TestGallery()
        try gallery.add("Dandelions", sample: "dandelions.jpg")
        try gallery.build()
        let before = try gallery.published()
        for number in 0..<10 { try gallery.add("Photo \(number)", sample: "nuthatch.jpg", as: "\(number).jpg") }
        let options = try gallery.options()
        let build = Collected<Build>()
        let interrupted = Build(options) { event in
            if case .finished = event { build.all.first?.cancel() }
        }
        build.add(interrupted)
        do {
            _ = try interrupted.run()
        } catch GalleryError.interrupted {
            #expect(try gallery.published() == before)
        }
        let report = try gallery.build()
        #expect(report.counts == [.filtered: 11])
    }

    @Test("A build does not publish into a folder into which another build is publishing")
    func onePublicationAtATime() throws {
        let gallery = try TestGallery.ofThree()
        try gallery.build()
        gallery.filter = "none"
        do {
            let lock = try FolderLock(folder: gallery.output)
            #expect(throws: GalleryError.self) { try gallery.build() }
            lock?.release()
        }
        try gallery.build()
    }

    @Test("A build locks the output folder before it reads anything, even if it has just created the folder")
    func outputHeldFromTheStart() throws {
        let gallery = try TestGallery.ofThree()
        try gallery.state.create()
        try gallery.folder.write(String(repeating: "not a database ", count: 1000), to: ".gallerygen/ledger.sqlite")
        let isRefused = Collected<Bool>()
        let output = gallery.output
        try gallery.build { event in
            // The warning is about the ledger: the locks are taken, and nothing has been read yet.
            guard case .warning = event else { return }
            do {
                _ = try FolderLock(folder: output)?.release()
                isRefused.add(false)
            } catch {
                isRefused.add(true)
            }
        }
        #expect(isRefused.all == [true])
    }

    @Test("A build that fails leaves no output folder where there was none")
    func outputThatWasMade() throws {
        let gallery = try TestGallery.ofThree()
        gallery.entries = []
        #expect(throws: GalleryError.self) { try gallery.build() }
        #expect(!FileManager.default.fileExists(atPath: gallery.output))
    }

    @Test("A build of a missing manifest creates nothing")
    func missingManifest() throws {
        let gallery = TestGallery()
        var options = try gallery.options()
        options.manifests = [.file(path: gallery.folder.path + "/nowhere/photos.plist", shown: "photos.plist")]
        options.state = StateFolder(path: gallery.folder.path + "/nowhere/.gallerygen")
        #expect(throws: GalleryError.self) { try Build(options, emit: { _ in }).run() }
        #expect(!FileManager.default.fileExists(atPath: gallery.folder.path + "/nowhere"))
    }

    @Test("A build refuses to begin while another build holds the state folder")
    func oneAtATime() throws {
        let gallery = try TestGallery.ofThree()
        try gallery.state.create()
        let lock = try FolderLock(path: gallery.state.lock, holder: "the first build")
        #expect(throws: GalleryError.self) { try gallery.build() }
        do {
            try gallery.build()
        } catch GalleryError.locked(_, let holder) {
            #expect(holder == "the first build")
        }
        lock.release()
        try gallery.build()
    }

    @Test("A manifest without a photo is refused, and the site stays as it was")
    func emptyManifest() throws {
        let gallery = try TestGallery.ofThree()
        try gallery.build()
        let before = try gallery.published()
        gallery.entries = []
        #expect(throws: GalleryError.self) { try gallery.build() }
        #expect(try gallery.published() == before)
    }

    @Test("A build does not overwrite a foreign file, and its error names the file")
    func foreignFile() throws {
        let gallery = try TestGallery.ofThree()
        try gallery.folder.write("mine", to: "public/index.html")
        do {
            try gallery.build()
            Issue.record("the foreign file was overwritten")
        } catch GalleryError.site(let error) {
            #expect(error.description.contains("index.html"))
        }
        #expect(try gallery.published().keys.sorted() == ["index.html"])
    }
}
