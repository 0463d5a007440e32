internal import Foundation
package import PhotoModel

/// The originals, one file each, named by the SHA-256 of the content: `<root>/ab/cdef…`, and `<root>/tmp` for those
/// on their way. A file under its name is complete, and durable.
package struct OriginalStore: Sendable {
    package let root: String
    /// Whether the store must not change, even where a file in it is damaged.
    let isReadOnly: Bool
    var temporaryFolder: String { root + "/tmp" }

    /// Makes the folders that are missing.
    package init(root: String) throws(DownloadsError) {
        self.root = root
        isReadOnly = false
        try Self.makeFolder(root)
        try Self.makeFolder(temporaryFolder)
        try shareFolders()
    }

    /// If the group may write to the store, folders in it that were made before get the same permission.
    private func shareFolders() throws(DownloadsError) {
        guard let access = GroupAccess(ofFolderAt: root) else { return }
        for name in try Self.names(in: root) { access.extend("\(root)/\(name)") }
    }

    /// A store to be read, which need not be there: nothing is made, and nothing that is damaged is removed.
    package init(reading root: String) {
        self.root = root
        isReadOnly = true
    }

    package func path(of digest: Digest) -> String {
        Self.placed(digest, under: root) { String(decoding: $0.dropLast(), as: UTF8.self) }
    }

    /// - Parameter use: gets the path, with a null byte after it, for as long as it runs.
    private static func placed<Result>(
        _ digest: Digest, under root: String, _ use: (UnsafeMutableBufferPointer<UInt8>) -> Result
    ) -> Result {
        var root = root
        return root.withUTF8 { root in
            // Within the capacity: the root, a slash, the digits with a slash after the first two, and the null byte.
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

    /// Whether there is an original to be used. One that the disk does not let us see is none.
    /// - Parameter bytes: the size it must have, if that is known. An empty file never counts.
    package func contains(_ digest: Digest, bytes: Int64? = nil) -> Bool {
        guard case .success(let size?) = size(of: digest) else { return false }
        return bytes == nil || size == bytes
    }

    /// Whether an original is gone, so that nothing can be made of it any more.
    /// - Throws: `DownloadsError.write` where the disk does not say.
    package func isGone(_ digest: Digest) throws(DownloadsError) -> Bool { try size(of: digest).get() == nil }

    /// - Returns: in bytes; nil if it is not there, or is no file with content. Symbolic links are followed, as
    ///   `isIntact` does: somebody may keep originals on another disk.
    private func size(of digest: Digest) -> Result<Int64?, DownloadsError> {
        var status = stat()
        let code = Self.placed(digest, under: root) { path in
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

    /// Removes an original that nothing needs any more. One that is gone already is fine.
    package func remove(_ digest: Digest) throws(DownloadsError) {
        try Self.unlinkIfThere(path(of: digest))
    }

    private static func unlinkIfThere(_ path: String) throws(DownloadsError) {
        guard unlink(path) != 0 else { return }
        let code = errno
        guard code == ENOENT else { throw .write(path: path, errno: code) }
    }

    /// Removes what a killed process left half written. Only for the holder of the build's lock: it would take the
    /// files of a running build away as well.
    package func removeAbandonedFiles() throws(DownloadsError) {
        for name in try Self.names(in: temporaryFolder) where name.hasSuffix(".part") {
            try Self.unlinkIfThere("\(temporaryFolder)/\(name)")
        }
    }

    /// Every original in the store, in no order; none where there is no store.
    package func digests() throws(DownloadsError) -> [Digest] {
        guard FileManager.default.fileExists(atPath: root) else { return [] }
        var found: [Digest] = []
        for folder in try Self.names(in: root) where folder.utf8.count == 2 {
            found += try Self.names(in: "\(root)/\(folder)").compactMap { Digest(hex: folder + $0) }
        }
        return found
    }

    /// Gives a written original its name, unless the store has it already; the temporary name is gone after this.
    func keep(_ written: StagedOriginal) throws(DownloadsError) {
        guard !contains(written.original) else { return }
        try written.file.synchronize()
        try commit(written)
    }

    /// The last step of keeping a written original, whose content is on the disk for certain by now.
    func commit(_ written: StagedOriginal) throws(DownloadsError) {
        let path = path(of: written.original.digest)
        if rename(written.file.path, path) == 0 { return }
        guard errno == ENOENT else { throw .write(path: path, errno: errno) }
        try Self.makeFolder(folder(of: written.original.digest))
        guard rename(written.file.path, path) == 0 else { throw .write(path: path, errno: errno) }
    }

    /// Keeps an original for a fetch, and returns `outcome` unless the store fails.
    func keep(_ written: StagedOriginal, answering outcome: FetchOutcome) -> FetchOutcome {
        do {
            try keep(written)
            return outcome
        } catch {
            return .storeFailed(error)
        }
    }

    private func folder(of digest: Digest) -> String { "\(root)/\(digest.prefix(2))" }

    private static func makeFolder(_ path: String) throws(DownloadsError) {
        let parent = (path as NSString).deletingLastPathComponent
        if mkdir(path, 0o755) != 0, errno != EEXIST {
            guard errno == ENOENT, !parent.isEmpty, parent != path else { throw .write(path: path, errno: errno) }
            try makeFolder(parent)
            guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw .write(path: path, errno: errno) }
        }
        GroupAccess(ofFolderAt: parent)?.extend(path)
    }

    static func names(in folder: String) throws(DownloadsError) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            throw .write(path: folder, errno: (error as NSError).posixCode)
        }
    }
}

extension NSError {
    /// Foundation wraps the error of the system in one of its own.
    fileprivate var posixCode: Int32 {
        if domain == NSPOSIXErrorDomain { return Int32(code) }
        return (userInfo[NSUnderlyingErrorKey] as? NSError)?.posixCode ?? EIO
    }
}
