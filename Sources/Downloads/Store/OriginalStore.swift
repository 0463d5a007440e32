internal import Foundation
package import PhotoModel

/// The store of originals. Each original is a file that is named by the SHA-256 of its content, `<root>/ab/cdef…`.
/// Files that are still being written are in `<root>/tmp`. A file under its final name is complete and durable.
package struct OriginalStore: Sendable {
    package let root: String
    /// Whether the store must not be changed, even if a file in it is damaged.
    let isReadOnly: Bool
    var temporaryFolder: String { root + "/tmp" }

    /// Creates the folders that are missing.
    package init(root: String) throws(DownloadsError) {
        self.root = root
        isReadOnly = false
        try Self.createFolder(root)
        try Self.createFolder(temporaryFolder)
        try shareFolders()
    }

    /// Gives existing folders in the store write permission for the group, if the group may write to the store itself.
    private func shareFolders() throws(DownloadsError) {
        guard let access = GroupAccess(ofFolderAt: root) else { return }
        for name in try Self.names(in: root) { access.apply(to: "\(root)/\(name)") }
    }

    /// A store for reading only, whose folder need not exist. Nothing is created, and damaged files are not removed.
    package init(reading root: String) {
        self.root = root
        isReadOnly = true
    }

    package func path(of digest: Digest) -> String {
        Self.withPath(digest, under: root) { String(decoding: $0.dropLast(), as: UTF8.self) }
    }

    /// Builds the path of an original in a temporary buffer.
    ///
    /// - Parameter use: receives the path with its null byte. The buffer is valid only while `use` runs.
    private static func withPath<Result>(
        _ digest: Digest, under root: String, _ use: (UnsafeMutableBufferPointer<UInt8>) -> Result
    ) -> Result {
        var root = root
        return root.withUTF8 { root in
            // In bounds: the capacity covers the root, a slash, the digits with a slash after the first two, and the
            // null byte.
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: root.count + Digest.digitCount + 3) { path in
                _ = path.update(fromContentsOf: root)
                let name = root.count + 2
                digest.write(to: UnsafeMutableBufferPointer(rebasing: path[name..<name + Digest.digitCount]))
                (path[root.count], path[root.count + 1], path[root.count + 2], path[root.count + 3]) = (
                    UInt8(ascii: "/"), path[name], path[name + 1], UInt8(ascii: "/")
                )
                path[path.count - 1] = 0
                return use(path)
            }
        }
    }

    /// Whether the store has an original that can be used. A file that can't be examined counts as missing.
    ///
    /// - Parameter bytes: the size that the original must have; nil if it is unknown. An empty file never counts.
    package func contains(_ digest: Digest, bytes: Int64? = nil) -> Bool {
        guard case .success(let size?) = size(of: digest) else { return false }
        return bytes == nil || size == bytes
    }

    /// Whether an original is missing from the store, so that no derivative can be made of it any more.
    ///
    /// - Throws: `DownloadsError.write` if that can't be determined.
    package func isGone(_ digest: Digest) throws(DownloadsError) -> Bool { try size(of: digest).get() == nil }

    /// - Returns: the size in bytes; nil if there is no regular file with content. Symbolic links are followed, as
    ///   `isIntact` does, because users can keep originals on another disk.
    private func size(of digest: Digest) -> Result<Int64?, DownloadsError> {
        var status = stat()
        let code = Self.withPath(digest, under: root) { path in
            path.withMemoryRebound(to: CChar.self) { path in path.baseAddress.map { stat($0, &status) } }
        }
        guard code == 0 else {
            let failure = errno
            return [ENOENT, ENOTDIR].contains(failure)
                ? .success(nil) : .failure(.write(path: path(of: digest), errno: failure))
        }
        return .success(status.st_mode & S_IFMT == S_IFREG && status.st_size > 0 ? Int64(status.st_size) : nil)
    }

    func contains(_ original: StoredOriginal) -> Bool {
        contains(original.digest, bytes: original.bytes)
    }

    /// Removes an original that nothing needs any more. It is not an error if the original does not exist.
    package func remove(_ digest: Digest) throws(DownloadsError) {
        try Self.unlinkIfExists(path(of: digest))
    }

    private static func unlinkIfExists(_ path: String) throws(DownloadsError) {
        guard unlink(path) != 0 else { return }
        let code = errno
        guard code == ENOENT else { throw .write(path: path, errno: code) }
    }

    /// Removes the incomplete files of a killed process. Only the holder of the build's lock may call this: the files
    /// of a running build would be removed as well.
    package func removeAbandonedFiles() throws(DownloadsError) {
        for name in try Self.names(in: temporaryFolder) where name.hasSuffix(".part") {
            try Self.unlinkIfExists("\(temporaryFolder)/\(name)")
        }
    }

    /// All originals in the store, in no particular order; none if the store does not exist.
    package func digests() throws(DownloadsError) -> [Digest] {
        guard FileManager.default.fileExists(atPath: root) else { return [] }
        var found: [Digest] = []
        for folder in try Self.names(in: root) where folder.utf8.count == 2 {
            found += try Self.names(in: "\(root)/\(folder)").compactMap { Digest(hex: folder + $0) }
        }
        return found
    }

    /// Gives a written original its final name, unless the store already has it. Either way, the temporary name is gone
    /// when `written` is released.
    func store(_ written: StagedOriginal) throws(DownloadsError) {
        guard !contains(written.original) else { return }
        try written.file.synchronize()
        try commit(written)
    }

    /// Gives a written original its final name, as the last step of storing it. Its content must have been
    /// synchronised.
    func commit(_ written: StagedOriginal) throws(DownloadsError) {
        let path = path(of: written.original.digest)
        if rename(written.file.path, path) == 0 { return }
        guard errno == ENOENT else { throw .write(path: path, errno: errno) }
        try Self.createFolder(folder(of: written.original.digest))
        guard rename(written.file.path, path) == 0 else { throw .write(path: path, errno: errno) }
    }

    /// Takes an original over from another store, unless this one has it. On the same file system both share the file.
    ///
    /// - Returns: whether this store has the original now.
    package func adopt(_ digest: Digest, from other: OriginalStore) throws(DownloadsError) -> Bool {
        if contains(digest) { return true }
        guard other.contains(digest) else { return false }
        let (source, path) = (other.path(of: digest), path(of: digest))
        try Self.createFolder(folder(of: digest))
        if link(source, path) == 0 || errno == EEXIST { return true }
        let temporary = newTemporaryPath()
        do {
            try FileManager.default.copyItem(atPath: source, toPath: temporary)
        } catch {
            throw .write(path: temporary, errno: error.systemCode ?? EIO)
        }
        guard rename(temporary, path) == 0 else { throw .write(path: path, errno: errno) }
        return true
    }

    /// A path for a file that is going to be an original. A file that stays there is removed by the next build.
    package func newTemporaryPath() -> String { "\(temporaryFolder)/\(UUID().uuidString).part" }

    /// Gives a file the name of an original. Whether it is that original is verified before it is decoded.
    /// - Parameter path: a path of `newTemporaryPath`.
    package func adopt(_ digest: Digest, fileAt path: String) throws(DownloadsError) {
        try Self.createFolder(folder(of: digest))
        guard rename(path, self.path(of: digest)) == 0 else { throw .write(path: path, errno: errno) }
    }

    /// Stores the original of a fetch.
    ///
    /// - Returns: `outcome`, or `.storeFailed` if the store fails.
    func store(_ written: StagedOriginal, answering outcome: FetchOutcome) -> FetchOutcome {
        do {
            try store(written)
            return outcome
        } catch {
            return .storeFailed(error)
        }
    }

    private func folder(of digest: Digest) -> String { "\(root)/\(digest.prefix(2))" }

    private static func createFolder(_ path: String) throws(DownloadsError) {
        let parent = (path as NSString).deletingLastPathComponent
        if mkdir(path, 0o755) != 0, errno != EEXIST {
            guard errno == ENOENT, !parent.isEmpty, parent != path else { throw .write(path: path, errno: errno) }
            try createFolder(parent)
            guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw .write(path: path, errno: errno) }
        }
        GroupAccess(ofFolderAt: parent)?.apply(to: path)
    }

    static func names(in folder: String) throws(DownloadsError) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            throw .write(path: folder, errno: error.systemCode ?? EIO)
        }
    }
}
