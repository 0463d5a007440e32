internal import Foundation
package import PhotoModel

extension OriginalStore {
    /// A file of the store: its path, and the number of bytes that its removal frees.
    package struct File: Hashable, Sendable {
        package let path: String
        package let bytes: Int64

        package init(path: String, bytes: Int64) {
            self.path = path
            self.bytes = bytes
        }
    }

    /// The files of the originals that are not in `referenced`.
    package func originals(except referenced: Set<Digest>) throws(DownloadsError) -> [Digest: File] {
        var files: [Digest: File] = [:]
        for digest in try digests() where !referenced.contains(digest) {
            if let file = Self.file(path(of: digest)) { files[digest] = file }
        }
        return files
    }

    /// The files left by interrupted transfers that can't be resumed.
    ///
    /// - Parameter referenced: the SHA-256 digests, in hexadecimal, of the addresses whose partial originals are kept.
    package func partialFiles(except referenced: Set<String>) throws(DownloadsError) -> [File] {
        var files: [File] = []
        for folder in [temporaryFolder, root + "/partial"] where FileManager.default.fileExists(atPath: folder) {
            for name in try Self.names(in: folder) {
                let key = String(name.prefix { $0 != "." })
                if folder != temporaryFolder, referenced.contains(key) { continue }
                if let file = Self.file("\(folder)/\(name)") { files.append(file) }
            }
        }
        return files
    }

    /// - Returns: nil if there is no regular file at `path`, or not any more.
    private static func file(_ path: String) -> File? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return File(path: path, bytes: Int64(status.st_size))
    }
}
