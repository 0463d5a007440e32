import Foundation
import TestSupport
import Testing

@testable import ObjectStore

@Suite struct StoreRecordsTests {
    private static let digest = String(repeating: "0a", count: 32)

    @Test("The name of a record is a SHA-256, with a number if it is a later one", arguments: ["", ".2", ".13"])
    func record(end: String) {
        #expect(StoreRecords.isRecord(Self.digest + end))
    }

    @Test(
        "Another name is not that of a record",
        arguments: [
            "", ".", "photo.html", "\(digest).jpg", "\(digest).", "\(digest).2.2", digest.uppercased(), "\(digest)0",
            String(digest.dropLast()), ".\(digest)",
        ])
    func other(name: String) {
        #expect(!StoreRecords.isRecord(name))
    }

    @Test("A folder is a store if it has a record, whatever else it has")
    func folder() throws {
        let folder = TemporaryFolder()
        #expect(!StoreRecords.exist(inFolder: folder.path))
        try folder.write("mine", to: "photos/\(Self.digest).jpg")
        try folder.write("elsewhere", to: Self.digest)
        #expect(!StoreRecords.exist(inFolder: folder.path))
        _ = try FolderStore(folder.path).create("photos/\(Self.digest).2", [1])
        #expect(StoreRecords.exist(inFolder: folder.path))
    }
}
