import Foundation
import Synchronization
import Testing

@testable import Site

@Suite("New pages are written to the disk while others are rendered")
struct WritebackTests {
    private let output = OutputFolder()

    /// The calls that make files durable in the background.
    private final class Disk: Sendable {
        let calls = Mutex(0)
        let failing: Set<Int>

        /// - Parameter failing: the numbers of the calls that report an error, from 1.
        init(failing: Set<Int> = []) { self.failing = failing }

        func sync(_ folder: Folder) throws(SiteError) {
            let number = calls.withLock { calls in
                calls += 1
                return calls
            }
            if failing.contains(number) { throw .write(path: folder.path, errno: EIO) }
        }
    }

    /// Writes pages, as the threads that render them do, and adds them to the staging.
    private func stage(_ paths: some Sequence<String>, _ folder: StagingFolder, _ staging: Staging) throws {
        for path in paths {
            let number = try folder.write(Array(path.utf8)) { $0 }
            let file = StagedFile(
                path: path, number: number, step: StagedFile.Step(path, isNew: true), replaced: nil)
            staging.add(file, bytes: Int64(path.utf8.count))
        }
    }

    private func begin(_ disk: Disk, interval: Int) throws -> (StagingFolder, Staging) {
        let root = try SiteRoot(path: output.path)
        let folder = StagingFolder(root: root, writebackInterval: interval) { folder throws(SiteError) in
            try disk.sync(folder)
        }
        return (folder, Staging(root: root, folder: folder))
    }

    @Test("An error that the disk reports once ends the publication, and no page is put in place")
    func error() throws {
        let disk = Disk(failing: [1])
        func publish() throws {
            let (folder, staging) = try begin(disk, interval: 3)
            try stage((0..<7).map { "photo/\($0).html" }, folder, staging)
            #expect(throws: SiteError.write(path: output.path, errno: EIO)) { try staging.commit() }
            // The error stays, because the disk might report success to another sync.
            #expect(throws: SiteError.self) { try staging.commit() }
        }
        try publish()
        #expect(try output.contents().isEmpty)
    }

    @Test("All pages are put in place, and a small publication after a large one writes nothing in the background")
    func count() throws {
        let disk = Disk()
        let (folder, staging) = try begin(disk, interval: 5)
        try stage((0..<4).map { "photo/\($0).html" }, folder, staging)
        try folder.finishWriteback()
        #expect(disk.calls.withLock { $0 } == 0)
        try stage((4..<5).map { "photo/\($0).html" }, folder, staging)
        try folder.finishWriteback()
        #expect(disk.calls.withLock { $0 } == 1)
        #expect(try staging.commit().count == 5)
        staging.finishRemoval()
        try stage((5..<9).map { "photo/\($0).html" }, folder, staging)
        #expect(try staging.commit().count == 4)
        staging.finishRemoval()
        #expect(disk.calls.withLock { $0 } == 1)
        let contents = try output.contents()
        #expect((0..<9).allSatisfy { contents["photo/\($0).html"] == "photo/\($0).html" })
        #expect(contents.count == 10)
    }

    @Test("The last pages are written to the disk once before the commit, unless they are few", arguments: [16, 17])
    func lastPages(count: Int) throws {
        let disk = Disk()
        let (folder, staging) = try begin(disk, interval: 100)
        try stage((0..<count).map { "photo/\($0).html" }, folder, staging)
        for _ in 0..<2 { folder.startWriteback() }
        try folder.finishWriteback()
        #expect(disk.calls.withLock { $0 } == (count > 16 ? 1 : 0))
        #expect(try staging.commit().count == count)
        staging.finishRemoval()
    }

    @Test("An error while the last pages are written to the disk ends the publication")
    func errorOfLastPages() throws {
        let disk = Disk(failing: [1])
        func publish() throws {
            let (folder, staging) = try begin(disk, interval: 100)
            try stage((0..<20).map { "photo/\($0).html" }, folder, staging)
            folder.startWriteback()
            #expect(throws: SiteError.write(path: output.path, errno: EIO)) { try staging.commit() }
        }
        try publish()
        #expect(try output.contents().isEmpty)
    }
}
