internal import Dispatch
internal import Foundation
internal import PhotoModel

/// New files on their way into the site. All files are first written under temporary names and then renamed to their
/// final paths, one after the other. The site doesn't change before the first rename. Files that are not committed are
/// removed when the staging is released.
final class Staging {
    private let root: SiteRoot
    let folder: StagingFolder
    private var files: [StagedFile] = []
    private var space = SpaceAccounting()
    /// The paths of committed files that a failed commit could not roll back.
    private var notRolledBack: Set<String> = []
    /// The size of the file that was added last, in bytes.
    private var lastBytes: Int64 = 0
    /// The removal of the files that the last commit has replaced.
    private let removal = DispatchGroup()

    init(root: SiteRoot, folder: StagingFolder? = nil) {
        self.root = root
        self.folder = folder ?? StagingFolder(root: root)
    }

    deinit { finishRemoval() }

    /// Whether an entry of the output folder has the name of a temporary folder, which a killed run can leave behind.
    static func isTemporary(_ name: String) -> Bool {
        guard let hex = name.removing(prefix: ".gallerygen-")?.removing(suffix: ".tmp") else { return false }
        return SitePath.isHash(hex[...])
    }

    /// - Parameters:
    ///   - isNew: whether the path is free, or only has an incomplete file.
    ///   - replaced: the owned file that the path has now.
    ///   - digest: the digest of the new file's content.
    func add(_ file: SiteFile, isNew: Bool, replacing replaced: KnownFile?, digest: Digest) throws(SiteError) {
        count(Int64(file.bytes.count))
        try unlessFull { () throws(SiteError) in
            let (folder, name) = try enqueue(
                file.path, isNew: isNew, replacing: replaced, content: KnownFile(digest: digest))
            var written = try OpenFile(creating: name, in: folder)
            try written.set(mode: mode(at: file.path, replacing: replaced, made: written.mode()))
            try written.write(file.bytes)
            try written.finish()
        }
    }

    /// Adds a file that was written into `folder`.
    /// - Parameter bytes: the size of the file.
    func add(_ file: StagedFile, bytes: Int64) {
        count(bytes)
        // The folder was removed when the disk was found to be full.
        guard !space.isFull else { return }
        folder.list(file.number)
        files.append(file)
    }

    /// Counts a file that could not be written into `folder`.
    /// - Throws: `error` unless the disk is full.
    func note(_ error: SiteError, bytes: Int64) throws(SiteError) {
        count(bytes)
        try unlessFull { () throws(SiteError) in throw error }
    }

    /// Adds a file whose content is produced while it is written.
    /// - Returns: the digest of the content, and its size in bytes.
    func add(
        _ stream: SiteStream, isNew: Bool, replacing replaced: KnownFile?
    ) throws(SiteError) -> (digest: Digest, bytes: Int64) {
        var written: (digest: Digest, bytes: Int64)?
        try unlessFull { () throws(SiteError) in
            let (folder, name) = try enqueue(stream.path, isNew: isNew, replacing: replaced, content: KnownFile())
            var file = try OpenFile(creating: name, in: folder)
            try file.set(mode: mode(at: stream.path, replacing: replaced, made: file.mode()))
            written = try Self.write(stream) { (piece) throws(SiteError) in try file.write(piece) }
            // status.json of a large gallery has 40 MB. It reaches the disk while pages are looked up and rendered.
            file.beginSynchronizing()
            try file.finish()
        }
        let made = if let written { written } else { try Self.write(stream) { (_) throws(SiteError) in } }
        if let last = files.indices.last { files[last].content.digest = made.digest }
        count(made.bytes)
        return made
    }

    private static func write(
        _ stream: SiteStream, _ write: ([UInt8]) throws(SiteError) -> Void
    ) throws(SiteError) -> (digest: Digest, bytes: Int64) {
        var hasher = ContentHasher()
        var bytes: Int64 = 0
        try stream.write { (piece) throws(SiteError) in
            hasher.update(piece.span.bytes)
            bytes += Int64(piece.count)
            try write(piece)
        }
        return (hasher.finish(), bytes)
    }

    private func count(_ bytes: Int64) {
        space.count(bytes)
        lastBytes = bytes
    }

    /// Does some work unless the disk has been found to be full.
    private func unlessFull(_ work: () throws(SiteError) -> Void) throws(SiteError) {
        guard !space.isFull else { return }
        do {
            try work()
        } catch {
            try space.record(error)
            folder.isFull = true
            discard()
        }
    }

    /// Must be called before the first file is put in place.
    /// - Throws: `SiteError.full` if the disk ran out of space.
    func checkSpace() throws(SiteError) { try space.check(root.folder) }

    /// Removes the file that was added last.
    func dropLast() {
        space.discount(lastBytes)
        if let file = files.popLast() { folder.remove(file.name) }
    }

    /// Removes the staged file for a path, because another file takes its place.
    /// - Returns: the owned file that the staged file would have replaced.
    func drop(_ path: String) -> KnownFile? {
        guard let index = files.lastIndex(where: { $0.path == path }) else { return nil }
        let file = files.remove(at: index)
        folder.remove(file.name)
        return file.replaced
    }

    /// Adds the file at `source` as a hard link, or as a copy if no hard link can be created.
    /// - Returns: the size of the file in bytes.
    func add(_ path: String, linking source: String, replacing replaced: KnownFile?) throws(SiteError) -> Int64 {
        let original = try OpenFile(reading: source)
        let (bytes, identity) = try original.status()
        var isLink = space.isFull ? try original.isOnSameDisk(as: root.folder) : false
        try unlessFull { () throws(SiteError) in
            let (folder, name) = try enqueue(
                path, isNew: true, replacing: replaced, content: KnownFile(identity: identity))
            isLink =
                try prepare(original, toBeLinkedAt: path, replacing: replaced, in: folder)
                && linkat(AT_FDCWD, source, folder.descriptor, name, AT_SYMLINK_FOLLOW) == 0
            let last = files.count - 1
            files[last].isLink = isLink
            guard !isLink else { return }
            var copy = try OpenFile(creating: name, in: folder)
            try copy.set(mode: mode(at: path, replacing: replaced, made: copy.mode()))
            files[last].content = KnownFile(digest: try copy.copy(from: original))
            try copy.finish()
        }
        // A hard link takes no space.
        count(isLink ? 0 : bytes)
        return bytes
    }

    /// The permission bits for a staged file: the site's, if they are set. Otherwise a file that replaces another one
    /// keeps at least the bits of the old file.
    /// - Parameter made: the bits that the umask gave the new file.
    private func mode(at path: String, replacing replaced: KnownFile?, made: UInt32) throws(SiteError) -> UInt32 {
        if let permissions = root.permissions { return permissions.files }
        guard replaced != nil, let (folder, name) = try root.locateExisting(path),
            let found = folder.status(of: name), found.identity != nil
        else { return made }
        return made | found.mode & 0o777
    }

    /// Sets the permission bits of a file that is about to be linked into the site, because both names share one inode.
    /// The file might come from a build with another umask.
    /// - Parameter folder: the temporary folder, whose mode shows the umask of this build.
    /// - Returns: false if the site needs a copy, because its permissions are set but can't be applied to the file: the
    ///   file has another owner, or is on a read-only file system.
    private func prepare(
        _ original: borrowing OpenFile, toBeLinkedAt path: String, replacing replaced: KnownFile?, in folder: Folder
    ) throws(SiteError) -> Bool {
        let made = try original.mode() | folder.mode() & 0o666
        let wanted = try mode(at: path, replacing: replaced, made: made)
        do throws(SiteError) {
            try original.set(mode: wanted)
            return true
        } catch .write(_, EPERM), .write(_, EROFS) {
            return root.permissions == nil
        }
    }

    /// The paths that have no owned file after a failed commit, although they were claimed for it.
    var unownedClaims: [String] { files.filter { $0.replaced == nil && !notRolledBack.contains($0.path) }.map(\.path) }

    /// The paths of the staged files that will replace others.
    var replacedPaths: Set<String> { Set(files.lazy.filter { $0.replaced != nil }.map(\.path)) }

    /// Renames all files to their final paths: step by step, and within a step in the order in which they were added.
    /// The files that they replace are removed in the background, until `finishRemoval` returns.
    /// - Parameter isDurable: whether the renames must survive a power cut.
    /// - Returns: the paths of the files, in the order of the renames.
    /// - Throws: `SiteError.write`, `.full`, or `.foreign` if a foreign file appeared at one of the paths after the
    ///   files were inspected. The old files are restored before the error is thrown.
    @discardableResult
    func commit(isDurable: Bool = true) throws(SiteError) -> [String] {
        try checkSpace()
        guard let folder = folder.folder else { return [] }
        // Everything that might need disk space is done before the first file changes.
        let transaction = try CommitTransaction(files, staging: folder, root: root)
        try syncFiles(in: folder)
        try transaction.verifyReplaced()
        do throws(SiteError) {
            for step in StagedFile.Step.allCases {
                var isEmpty = true
                for (index, file) in files.enumerated() where file.step == step {
                    try transaction.commit(index)
                    isEmpty = false
                }
                if !isEmpty && isDurable { try root.sync() }
            }
        } catch {
            transaction.rollBack()
            notRolledBack = Set(transaction.committedPaths)
            throw error
        }
        let done = transaction.committedPaths
        files = []
        let replaced = transaction.takeReplaced()
        DispatchQueue.global(qos: .userInitiated).async(group: removal) {
            CommitTransaction.remove(replaced, in: folder)
        }
        return done
    }

    /// Waits until the files that the last commit has replaced are removed, and discards all other staged files. Must
    /// be called after a commit before another file is added.
    func finishRemoval() {
        removal.wait()
        discard()
    }

    /// Adds a file to the queue.
    /// - Returns: the temporary folder, and the name under which the caller writes the file into it.
    private func enqueue(
        _ path: String, isNew: Bool, replacing replaced: KnownFile?, content: KnownFile
    ) throws(SiteError) -> (folder: Folder, name: String) {
        let (folder, number) = try folder.next()
        let file = StagedFile(
            path: path, number: number, step: StagedFile.Step(path, isNew: isNew), replaced: replaced, content: content)
        files.append(file)
        return (folder, file.name)
    }

    /// A random name for a temporary folder, so that no two runs use the same.
    static func newName() -> String {
        let hex = String(UInt64.random(in: .min ... .max), radix: 16)
        return ".gallerygen-" + String(repeating: "0", count: 16 - hex.count) + hex + ".tmp"
    }

    /// Makes the content of all new files durable with fsync(2) or syncfs(2).
    private func syncFiles(in folder: Folder) throws(SiteError) {
        try self.folder.finishWriteback()
        // An array of these files would take up 160 bytes for each of them.
        let written = files.lazy.filter { !$0.isLink }
        // syncfs(2) reports the write errors since the folder was opened, and the output folder was opened before the
        // first file was written.
        if written.count > FileSystemSync.individualSyncLimit, let site = root.folder, site.syncAllReportsErrors {
            return try site.syncAll()
        }
        for file in written { try OpenFile(reading: file.name, in: folder).sync() }
    }

    /// Removes the staged files, and the folders that were created for them. The next run removes whatever can't be
    /// removed now.
    func discard() {
        guard folder.folder != nil else { return }
        for file in files { folder.remove(file.name) }
        files = []
        folder.close()
    }
}
