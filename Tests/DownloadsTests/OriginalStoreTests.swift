internal import Downloads
internal import Foundation
internal import PhotoModel
internal import TestSupport
import Testing

@Suite("The store keeps whole originals, and reports when it can't", .timeLimit(.minutes(1)))
struct OriginalStoreTests {
    @Test("An original is stored under its digest, and can be found, counted and removed")
    func layout() async throws {
        let rig = try Rig()
        let known = try #require(await rig.fetch(file: try rig.write("picture", to: "a.jpg")).known)
        let digest = Digest(of: "picture")
        #expect(known.original == StoredOriginal(digest: digest, bytes: 7))
        #expect(rig.store.path(of: digest) == "\(rig.store.root)/\(digest.prefix(2))/\(digest.hex.dropFirst(2))")
        #expect(rig.store.contains(digest) && rig.store.contains(digest, bytes: 7))
        #expect(!rig.store.contains(digest, bytes: 6))
        #expect(try rig.store.digests() == [digest])
        try rig.store.remove(digest)
        try rig.store.remove(digest)
        #expect(try !rig.store.contains(digest) && rig.store.digests().isEmpty)
    }

    @Test("Partial files of a killed build are removed when the next build asks for it, and nothing else is")
    func abandoned() async throws {
        let rig = try Rig()
        let known = try #require(await rig.fetch(file: try rig.write("picture", to: "a.jpg")).known)
        try Data("half".utf8).write(to: URL(filePath: rig.store.root + "/tmp/1-1.part"))
        let again = try OriginalStore(root: rig.store.root)
        #expect(try rig.temporaryFiles == ["1-1.part"])
        try again.removeAbandonedFiles()
        #expect(try rig.temporaryFiles.isEmpty)
        #expect(again.contains(known.original.digest))
    }

    @Test("A store that cannot be created reports the folder and the reason")
    func blocked() throws {
        let rig = try Rig()
        let file = try rig.write("", to: "file")
        #expect(throws: DownloadsError.write(path: file + "/store", errno: ENOTDIR)) {
            try OriginalStore(root: file + "/store")
        }
    }

    @Test("A write error of the store fails no photo, and the fetch may be tried again")
    func brokenStore() async throws {
        let server = try ScriptedServer { _ in ScriptedResponse(200, text: "picture") }
        let rig = try Rig()
        let path = try rig.write("picture", to: "a.jpg")
        try FileManager.default.removeItem(atPath: rig.store.root + "/tmp")
        for outcome in [await rig.fetch(server.url()), await rig.fetch(file: path)] {
            guard case .storeFailed(.write(let path, ENOENT)) = outcome else {
                Issue.record("\(outcome)")
                continue
            }
            #expect(path.hasPrefix(rig.store.root + "/tmp/"))
        }
        _ = try OriginalStore(root: rig.store.root)
        #expect(await rig.fetch(server.url()).known != nil)
    }

    @Test("A disk that fills up within a picture is reported as full, and leaves no partial picture")
    func fullDisk() async throws {
        await #expect(processExitsWith: .success) {
            ProcessLimit.begin(seconds: 50)
            let server = try ScriptedServer { _ in ScriptedResponse(200, text: String(repeating: "x", count: 300_000)) }
            let rig = try Rig()
            // A limit on the size of files fails a write in the middle, as a full disk does.
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 100_000, rlim_max: rlim_t.max)
            setrlimit(__rlimit_resource_t(1), &limit)
            let outcome = await rig.fetch(server.url())
            guard case .storeFailed(.write(_, EFBIG)) = outcome else { fatalError("\(outcome)") }
            guard try rig.temporaryFiles.isEmpty, try rig.store.digests().isEmpty else { fatalError("leftovers") }
        }
    }
}
