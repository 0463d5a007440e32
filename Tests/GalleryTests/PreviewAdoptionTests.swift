import Downloads
import Foundation
import Ledger
import PhotoModel
import Site
import TestSupport
import Testing

@testable import Gallery

/// What builds take over from previews, and what they leave to them.
@Suite("What builds take over from previews", .timeLimit(.minutes(2))) struct PreviewAdoptionTests {
    private let gallery: TestGallery

    init() throws {
        gallery = TestGallery()
        try gallery.add("Dandelions", sample: "dandelions.jpg")
        try gallery.add("Plum Blossom", sample: "plum-blossom.png")
    }

    private var preview: StateFolder { gallery.state.preview }
    private var hasPreview: Bool { FileManager.default.fileExists(atPath: preview.ledger) }

    private func names(in folder: String) -> Set<String> {
        Set((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
    }

    /// Runs a preview until all photos are ready.
    private func runPreview(of list: String? = nil) async throws {
        var options = try gallery.options()
        if let list { options.manifests = [.file(path: list, shown: list)] }
        let ready = Observed(0)
        let session = try PreviewSession(
            options, token: "", isCancelled: { false },
            emit: { event in
                if case .progress(let count, _, _) = event { ready.update { $0 = count } }
            })
        session.show(["dandelions"], on: 1)
        await ready.wait { $0 == 2 }
        session.end()
    }

    private func open() throws -> LedgerSession {
        let options = try gallery.options()
        try options.state.create()
        return try LedgerOpening(
            state: options.state, identity: options.identity, output: options.output, warn: { _ in }
        ).open()
    }

    /// Takes over what a preview has left, as a build does.
    private func adopt(_ meanwhile: () throws -> Void = {}) throws -> (PreviewAdoption, [String], LedgerSession) {
        var session = try open()
        var warnings: [String] = []
        var adoption = try #require(PreviewAdoption(try gallery.options()))
        try adoption.run(&session) { warnings.append($0) }
        try meanwhile()
        session.ledger.close()
        adoption.end()
        return (adoption, warnings, session)
    }

    @Test("A preview that has ended is removed when a build has its work")
    func removed() async throws {
        try await runPreview()
        let (adoption, warnings, session) = try adopt()
        #expect(warnings == [])
        #expect(session.snapshot.sources.count == 2)
        #expect(adoption.pictures.count == 6)
        #expect(!hasPreview)
    }

    @Test("What a preview has recorded after a build has read its ledger is not removed")
    func later() async throws {
        try await runPreview()
        _ = try adopt {
            let ledger = try Ledger(path: preview.ledger, identity: try gallery.options().identity)
            try ledger.record(SourceRow(key: "later", sha256: "later", bytes: 1))
            ledger.close()
        }
        #expect(hasPreview)
        _ = try adopt()
        #expect(!hasPreview)
    }

    @Test("The preview of another gallery in the state folder is not removed")
    func otherGallery() async throws {
        _ = try gallery.options()
        try await runPreview(of: try gallery.folder.write(try gallery.folder.bytes(of: "photos.plist"), to: "b.plist"))
        try await runPreview()
        try gallery.build()
        #expect(hasPreview)
    }

    @Test("A preview whose files can't be taken over stays, and the build goes on")
    func refused() async throws {
        try await runPreview()
        try gallery.folder.write("no folder", to: ".gallerygen/originals")
        let (adoption, warnings, session) = try adopt()
        #expect(warnings.count == 1)
        #expect(session.snapshot.sources.isEmpty)
        #expect(adoption.pictures.isEmpty)
        #expect(hasPreview)
    }

    @Test("The temporary files of a killed build are removed before anything is taken over")
    func killedBuild() async throws {
        try await runPreview()
        let temporary = gallery.output + "/.gallerygen-0123456789abcdef.tmp"
        try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
        for name in names(in: preview.originals) where name.utf8.count == 2 {
            try gallery.folder.write("no folder", to: ".gallerygen/originals/" + name)
        }
        let remained = Observed<[Bool]>([])
        // The build can't store originals either.
        _ = try? gallery.build { event in
            guard case .warning(let text) = event, text.contains("the preview") else { return }
            remained.update { $0.append(FileManager.default.fileExists(atPath: temporary)) }
        }
        #expect(remained.value == [false])
        #expect(hasPreview)
    }

    @Test("The files of a preview on another disk are copied")
    func otherDisk() async throws {
        let disk = "/dev/shm/gallerygen-test-\(UUID().uuidString)"
        guard mkdir(disk, 0o755) == 0 else { return }
        defer { try? FileManager.default.removeItem(atPath: disk) }
        try gallery.state.create()
        try FileManager.default.createSymbolicLink(atPath: preview.path, withDestinationPath: disk)
        try await runPreview()
        let (adoption, warnings, _) = try adopt()
        #expect(warnings == [])
        #expect(adoption.pictures.count == 6)
        #expect(names(in: gallery.state.derivatives) == Set(adoption.pictures.keys))
        #expect(!hasPreview)
    }

    @Test("A dry run plans what the build does")
    func dryRun() async throws {
        try await runPreview()
        let dry = try DryRun(try gallery.options(), warn: { _ in }).run().lines
        let planned = Observed<[PlanReport.Line]>([])
        try gallery.build { event in
            if case .planned(let report) = event { planned.update { $0 = report.lines } }
        }
        #expect(dry == planned.value)
        #expect(dry.contains { $0.photo != nil })
    }

    @Test("A preview that starts while a build removes what it had left finds its folders")
    func start() async throws {
        let folder = preview
        let options = try gallery.options()
        try gallery.state.create()
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        let lock = try FolderLock(path: folder.lock, holder: "a build")
        let session = Observed<Result<PreviewSession, any Error>?>(nil)
        // A thread waits for the lock, as asynchronous code must not block.
        Thread {
            let opened = Result {
                try PreviewSession(options, token: "", wait: .seconds(300), isCancelled: { false }, emit: { _ in })
            }
            session.update { $0 = opened }
        }.start()
        while !FileManager.default.fileExists(atPath: folder.derivatives), !Task.isCancelled { await Task.yield() }
        folder.removeContent()
        lock.release()
        try #require(await session.wait { $0 != nil }).get().end()
        #expect(FileManager.default.fileExists(atPath: folder.derivatives))
    }

    @Test("A preview removes the pictures of filters that were only tried")
    func triedFilters() async throws {
        gallery.filter = "invert(1)"
        try await runPreview()
        let tried = names(in: preview.derivatives)
        gallery.filter = "sepia(0.8)"
        try await runPreview()
        let shown = names(in: preview.derivatives).subtracting(tried)
        #expect((tried.count, shown.count) == (6, 4))
        try PreviewSession(try gallery.options(), token: "", isCancelled: { false }, emit: { _ in }).end()
        // The widest pictures without a filter belong to both.
        let kept = names(in: preview.derivatives)
        #expect(kept.count == 6)
        #expect(kept.isSuperset(of: shown))
    }
}
