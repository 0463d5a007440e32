import Foundation
import Testing

/// A new folder for the files of one test.
struct TemporaryFolder {
    let url = URL.temporaryDirectory.appending(path: "manifest-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    func remove() {
        do { try FileManager.default.removeItem(at: url) } catch { Issue.record(error) }
    }
}
