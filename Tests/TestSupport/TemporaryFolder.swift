package import Foundation

/// A temporary folder for one test, removed with the last reference to it.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() {
        path = FileManager.default.temporaryDirectory.path + "/gallerygen-test-" + UUID().uuidString
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            preconditionFailure("no temporary folder can be made: \(error)")
        }
    }

    /// Writes a file, and creates the folders it needs.
    ///
    /// - Returns: its absolute path.
    @discardableResult
    package func write(_ bytes: some DataProtocol, to name: String) throws -> String {
        let url = URL(fileURLWithPath: path + "/" + name)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
        return url.path
    }

    @discardableResult
    package func write(_ text: String, to name: String) throws -> String {
        try write(Array(text.utf8), to: name)
    }

    /// The names of all files in the folder, including hidden ones, sorted.
    package func contents() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }

    package func bytes(of name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)) }

    deinit {
        // The system clears temporary folders, so a failing removal is not a failure of the test.
        try? FileManager.default.removeItem(atPath: path)
    }
}
