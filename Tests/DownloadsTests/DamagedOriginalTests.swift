internal import Downloads
internal import Foundation
internal import PhotoModel
internal import TestSupport
import Testing

@Suite("An original that was damaged on the disk is detected and downloaded again", .timeLimit(.minutes(1)))
struct DamagedOriginalTests {
    /// The ways in which a disk, or somebody, may damage a file.
    enum Damage: CaseIterable {
        case flippedBit, cutShort, emptied, replaced, gone

        func strike(_ path: String) throws {
            var bytes = try Data(contentsOf: URL(filePath: path))
            switch self {
            case .flippedBit: bytes[bytes.count / 2] ^= 1
            case .cutShort: bytes.removeLast()
            case .emptied: bytes.removeAll()
            case .replaced: bytes += bytes
            case .gone: return try FileManager.default.removeItem(atPath: path)
            }
            try bytes.write(to: URL(filePath: path))
        }
    }

    @Test("A damaged original is detected by its digest, unless this very build wrote it", arguments: Damage.allCases)
    func found(damage: Damage) async throws {
        let rig = try Rig()
        let known = try #require(await rig.fetch(file: try rig.write("picture", to: "a.jpg")).known)
        let digest = known.original.digest
        #expect(try rig.downloader.hasIntact(digest))
        #expect(try rig.store.content(of: digest) == Array("picture".utf8))
        try damage.strike(rig.store.path(of: digest))
        #expect(try rig.store.isIntact(digest, unlessWrittenSince: 0) == (damage != .gone))
        #expect(try !rig.store.isIntact(digest, unlessWrittenSince: .max))
        #expect(!rig.store.contains(digest), "the damaged original is still stored")
        #expect(try rig.store.content(of: digest) == nil)
    }

    @Test(
        "A damaged original behind a symbolic link is detected too, and only the link is removed",
        arguments: [true, false])
    func linked(isDamaged: Bool) async throws {
        let rig = try Rig()
        let known = try #require(await rig.fetch(file: try rig.write("picture", to: "a.jpg")).known)
        let digest = known.original.digest
        let elsewhere = rig.folder + "/elsewhere.jpg"
        try FileManager.default.moveItem(atPath: rig.store.path(of: digest), toPath: elsewhere)
        try FileManager.default.createSymbolicLink(atPath: rig.store.path(of: digest), withDestinationPath: elsewhere)
        if isDamaged { try Damage.flippedBit.strike(elsewhere) }
        #expect(rig.store.contains(digest))
        #expect(try rig.store.isIntact(digest, unlessWrittenSince: .max) == !isDamaged)
        #expect(rig.store.contains(digest) == !isDamaged)
        #expect(FileManager.default.fileExists(atPath: elsewhere))
    }

    @Test(
        "A folder or pipe where an original should be is no original, and reading never blocks on it",
        arguments: [true, false])
    func noFile(isPipe: Bool) async throws {
        let rig = try Rig()
        let known = try #require(await rig.fetch(file: try rig.write("picture", to: "a.jpg")).known)
        let path = rig.store.path(of: known.original.digest)
        try FileManager.default.removeItem(atPath: path)
        #expect((isPipe ? mkfifo(path, 0o600) : mkdir(path, 0o700)) == 0)
        #expect(try !rig.store.isIntact(known.original.digest, unlessWrittenSince: 0))
        #expect(!rig.store.contains(known.original.digest))
    }

    @Test("An original that is read into memory is checked in the same way", arguments: Damage.allCases)
    func content(damage: Damage) async throws {
        let rig = try Rig()
        let known = try #require(await rig.fetch(file: try rig.write("manifest", to: "a.plist")).known)
        try damage.strike(rig.store.path(of: known.original.digest))
        #expect(try rig.store.content(of: known.original.digest) == nil)
        #expect(!rig.store.contains(known.original.digest))
    }

    @Test("A damaged original is downloaded once and whole, however many photos need it")
    func again() async throws {
        let server = try ScriptedServer { _ in ScriptedResponse(200, ["ETag: \"1\""], text: "picture") }
        let rig = try Rig()
        let source = Source(location: .remote(server.url()), shown: "shown")
        let known = try #require(await rig.fetch(server.url()).known)
        try rig.store.remove(known.original.digest)
        let answers = Observed<[FetchOutcome]>([])
        for _ in 0..<5 {
            _ = rig.downloader.fetchAgain(source) { outcome in answers.update { $0.append(outcome) } }
        }
        await answers.wait { $0.count == 5 }
        #expect(Set(answers.value.map(\.untimed)) == [.stored(known)])
        #expect(rig.store.contains(known.original.digest))
        #expect(server.log.value.requests.count == 2)
        #expect(server.log.value.requests.last?.headers["if-none-match"] == nil)
    }

    @Test("An address that failed in this build is not requested again for a damaged original")
    func failed() async throws {
        let server = try ScriptedServer { _ in ScriptedResponse(404) }
        let rig = try Rig()
        _ = await rig.fetch(server.url())
        let answers = Observed<[FetchOutcome]>([])
        _ = rig.downloader.fetchAgain(Source(location: .remote(server.url()), shown: "shown")) { outcome in
            answers.update { $0.append(outcome) }
        }
        await answers.wait { !$0.isEmpty }
        #expect(answers.value == [.failed(.notFound(status: 404))])
        #expect(server.log.value.requests.count == 1)
    }
}
