internal import Foundation
package import PhotoModel

extension OriginalStore {
    /// A file of the store by its path, and what removing it frees.
    package struct File: Hashable, Sendable {
        package let path: String
        package let bytes: Int64

        package init(path: String, bytes: Int64) {
            self.path = path
            self.bytes = bytes
        }
    }

    /// The originals that are not among those to be kept.
    package func originals(except kept: Set<Digest>) throws(DownloadsError) -> [Digest: File] {
        var files: [Digest: File] = [:]
        for digest in try digests() where !kept.contains(digest) {
            if let file = Self.file(path(of: digest)) { files[digest] = file }
        }
        return files
    }

    /// The remains of interrupted transfers that can't be resumed.
    ///
    /// - Parameter kept: the digests, in hexadecimal, of the addresses whose beginnings are kept.
    package func partialFiles(except kept: Set<String>) throws(DownloadsError) -> [File] {
        var files: [File] = []
        for folder in [temporaryFolder, root + "/partial"] where FileManager.default.fileExists(atPath: folder) {
            for name in try Self.names(in: folder) {
                let key = String(name.prefix { $0 != "." })
                if folder != temporaryFolder, kept.contains(key) { continue }
                if let file = Self.file("\(folder)/\(name)") { files.append(file) }
            }
        }
        return files
    }

    /// - Returns: nil for what is no regular file, or has gone.
    private static func file(_ path: String) -> File? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return File(path: path, bytes: Int64(status.st_size))
    }
}
