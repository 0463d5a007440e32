internal import Downloads
internal import Foundation
internal import PhotoModel
internal import TestSupport
import Testing

@Suite("A local file is copied into the store if it is a regular file", .timeLimit(.minutes(1)))
struct LocalFileTests {
    private let shown = "photos/shown.jpg"

    @Test("A regular file is stored, also through a symbolic link")
    func regular() async throws {
        let rig = try Rig()
        let path = try rig.write("picture", to: "a.jpg")
        try FileManager.default.createSymbolicLink(atPath: rig.folder + "/link", withDestinationPath: path)
        for address in [path, rig.folder + "/link"] {
            let known = try #require(await rig.fetch(file: address).known)
            #expect(try rig.content(of: known.original) == "picture")
        }
        #expect(try rig.store.digests().count == 1)
        #expect(try rig.temporaryFiles.isEmpty)
    }

    @Test("A missing file, or one that is not regular, fails with its own reason and never blocks")
    func kinds() async throws {
        let rig = try Rig()
        let folder = rig.folder
        let file = try rig.write("picture", to: "a.jpg")
        #expect(mkfifo(folder + "/fifo", 0o600) == 0)
        try FileManager.default.createSymbolicLink(atPath: folder + "/circle", withDestinationPath: folder + "/circle")
        let notRegular = Failure.unreadableFile(shown, .notRegular)
        let expected: [(String, Failure)] = [
            (folder + "/missing", .missingFile(shown)), (file + "/below", .missingFile(shown)),
            (folder, .unreadableFile(shown, .folder)), (folder + "/fifo", notRegular),
            ("/dev/zero", notRegular), ("/dev/null", notRegular),
            (folder + "/circle", .unreadableFile(shown, .linkLoop)),
            ("a\u{0}b", .badAddress(.nullCharacter)),
        ]
        for (path, failure) in expected { #expect(await rig.fetch(file: path) == .failed(failure)) }
        #expect(rig.downloader.statistics.filesRead == 0)
    }

    @Test("A file without read permission is reported as such", .enabled(if: geteuid() != 0, "root reads everything"))
    func unreadable() async throws {
        let rig = try Rig()
        let path = try rig.write("picture", to: "a.jpg")
        chmod(path, 0)
        #expect(await rig.fetch(file: path) == .failed(.unreadableFile(shown, .permission)))
    }

    @Test("An empty file is not an image")
    func empty() async throws {
        let rig = try Rig()
        let path = try rig.write("", to: "empty.jpg")
        #expect(await rig.fetch(file: path) == .failed(.notAnImage(.empty)))
    }

    @Test("The size limit applies to files, to the byte")
    func cap() async throws {
        let rig = try Rig(.roomy { $0.maxBytes = 7 })
        let (fits, over) = (try rig.write("picture", to: "fits"), try rig.write("pictures", to: "over"))
        #expect(await rig.fetch(file: fits).known?.original.bytes == 7)
        #expect(await rig.fetch(file: over) == .failed(.tooLarge(limit: 7)))
    }

    #if os(Linux)
        @Test("A file that turns out longer than its reported size is cut off at the limit")
        func growing() async throws {
            // Files of procfs report a size of zero, like a file that grows after it was opened.
            let rig = try Rig(.roomy { $0.maxBytes = 100 })
            #expect(await rig.fetch(file: "/proc/self/status") == .failed(.tooLarge(limit: 100)))
            #expect(try rig.temporaryFiles.isEmpty)
        }
    #endif

    @Test("An untouched file is recognised by its stamp and not read again")
    func unchanged() async throws {
        let rig = try Rig()
        let path = try rig.write("picture", to: "a.jpg")
        let known = try #require(await rig.fetch(file: path).known)
        #expect(known.metadata.file?.size == 7)

        let next = try Rig()
        let copy = try Downloader(
            store: rig.store, limits: .roomy, options: Rig.options, client: .tests, startedAt: Rig.now)
        #expect(await fetch(path, with: copy, known: known) == .unchanged(known))
        #expect(copy.statistics.filesRead == 0)
        // The stamp is of no use if the original is not in the store.
        #expect(await next.fetch(file: path, known: known) == .stored(known))
    }

    @Test("A file that was replaced by another of the same size and date is read again")
    func replaced() async throws {
        let rig = try Rig()
        let path = try rig.write("picture", to: "a.jpg")
        let known = try #require(await rig.fetch(file: path).known)
        let date = try #require(try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date)
        let other = try rig.write("PICTURE", to: "b.jpg")
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: other)
        #expect(rename(other, path) == 0)

        let again = try Downloader(
            store: rig.store, limits: .roomy, options: Rig.options, client: .tests, startedAt: Rig.now)
        let found = try #require(await fetch(path, with: again, known: known).known)
        #expect(try rig.content(of: found.original) == "PICTURE")
    }

    @Test(
        "A file that was written just before the build is read again by the next, in case it has changed unnoticed"
    )
    func young() async throws {
        let rig = try Rig(startedAt: Rig.now)
        let path = try rig.write("picture", to: "a.jpg")
        let known = try #require(await rig.fetch(file: path).known)
        #expect(known.metadata.file == nil)
        let stored = rig.store.path(of: known.original.digest)
        let before = try FileManager.default.attributesOfItem(atPath: stored)[.systemFileNumber] as? Int

        let later = try Downloader(
            store: rig.store, limits: .roomy, options: Rig.options, client: .tests, startedAt: Rig.now + 3_000_000_000
        )
        let outcome = await fetch(path, with: later, known: known)
        guard case .stored(let settled) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(settled.original == known.original && settled.metadata.file != nil)
        #expect(try FileManager.default.attributesOfItem(atPath: stored)[.systemFileNumber] as? Int == before)
    }

    @Test("Fetches of files wait while suspended, and are cancelled like transfers")
    func suspended() async throws {
        let rig = try Rig()
        let path = try rig.write("picture", to: "a.jpg")
        rig.downloader.suspend()
        async let waiting = rig.fetch(file: path)
        async let cancelled = fetch(path + "2", with: rig.downloader, known: nil, thenCancel: true)
        #expect(await cancelled == .cancelled)
        rig.downloader.resume()
        #expect(await waiting.known != nil)
    }

    private func fetch(
        _ path: String, with downloader: Downloader, known: CachedOriginal?, thenCancel: Bool = false
    ) async -> FetchOutcome {
        await withCheckedContinuation { continuation in
            let source = Source(location: .file(path), shown: shown)
            let handle = downloader.fetch(source, known: known) { continuation.resume(returning: $0) }
            if thenCancel { handle.cancel() }
        }
    }
}
