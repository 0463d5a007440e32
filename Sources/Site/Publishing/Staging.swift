internal import Foundation
internal import PhotoModel

/// New files on their way into the site: all are written under temporary names first, and then renamed, one after the
/// other, into their places. Until then the site is what it was, and what is not committed is removed on release.
final class Staging {
    private let root: SiteRoot
    private var name = ""
    private var folder: Folder?
    private var files: [StagedFile] = []
    private var count: Int32 = 0
    private var space = SpaceAccounting()
    /// What a failed commit could not take back.
    private var notRolledBack: Set<String> = []
    /// How large the file is that was added last, in bytes.
    private var lastBytes: Int64 = 0

    init(root: SiteRoot) { self.root = root }

    deinit { discard() }

    /// Whether a killed run may have left this entry of the site's folder.
    static func isTemporary(_ name: String) -> Bool {
        guard let hex = name.removing(prefix: ".gallerygen-")?.removing(suffix: ".tmp") else { return false }
        return SitePath.isHash(hex[...])
    }

    /// - Parameters:
    ///   - isNew: Whether nothing is at its path yet, or nothing whole.
    ///   - replaced: What of ours stands there.
    ///   - digest: Of its content.
    func add(_ file: SiteFile, isNew: Bool, replacing replaced: KnownFile?, digest: Digest) throws(SiteError) {
        count(Int64(file.bytes.count))
        try unlessFull { () throws(SiteError) in
            let folder = try enqueue(file.path, isNew: isNew, replacing: replaced, content: KnownFile(digest: digest))
            var written = try OpenFile(creating: String(count), in: folder)
            try written.set(mode: mode(at: file.path, replacing: replaced, made: written.mode()))
            try written.write(file.bytes)
            try written.finish()
        }
    }

    /// Adds a file that is made as it is written.
    /// - Returns: its digest, and its size in bytes.
    func add(
        _ stream: SiteStream, isNew: Bool, replacing replaced: KnownFile?
    ) throws(SiteError) -> (digest: Digest, bytes: Int64) {
        var written: (digest: Digest, bytes: Int64)?
        try unlessFull { () throws(SiteError) in
            let folder = try enqueue(stream.path, isNew: isNew, replacing: replaced, content: KnownFile())
            var file = try OpenFile(creating: String(count), in: folder)
            try file.set(mode: mode(at: stream.path, replacing: replaced, made: file.mode()))
            written = try Self.make(stream) { (piece) throws(SiteError) in try file.write(piece) }
            try file.finish()
        }
        let made = if let written { written } else { try Self.make(stream) { (_) throws(SiteError) in } }
        if let last = files.indices.last { files[last].content.digest = made.digest }
        count(made.bytes)
        return made
    }

    private static func make(
        _ stream: SiteStream, _ write: ([UInt8]) throws(SiteError) -> Void
    ) throws(SiteError) -> (digest: Digest, bytes: Int64) {
        var hasher = ContentHasher()
        var bytes: Int64 = 0
        try stream.make { (piece) throws(SiteError) in
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

    /// Does some work, unless room for it has run out before.
    private func unlessFull(_ work: () throws(SiteError) -> Void) throws(SiteError) {
        guard !space.isFull else { return }
        do {
            try work()
        } catch {
            try space.note(error)
            discard()
        }
    }

    /// - Throws: `SiteError.full` if room ran out: to be called before anything is done by which the files are to
    ///   appear.
    func checkSpace() throws(SiteError) { try space.check(root.folder) }

    /// Gives up the file that was added last.
    func dropLast() {
        space.discount(lastBytes)
        if let file = files.popLast() { remove(file) }
    }

    /// Gives up the file that waits for a path, as another one takes its place.
    /// - Returns: what it was to replace.
    func drop(_ path: String) -> KnownFile? {
        guard let index = files.lastIndex(where: { $0.path == path }) else { return nil }
        let file = files.remove(at: index)
        remove(file)
        return file.replaced
    }

    private func remove(_ file: StagedFile) {
        // What can't be removed now goes with the folder.
        if let folder { unlinkat(folder.descriptor, file.name, 0) }
    }

    /// Adds the file at `source` by a hard link, or by a copy where the file system has none.
    /// - Returns: Its size in bytes.
    func add(_ path: String, linking source: String, replacing replaced: KnownFile?) throws(SiteError) -> Int64 {
        let original = try OpenFile(reading: source)
        let (bytes, identity) = try original.status()
        var isLink = space.isFull ? try original.isOnSameDisk(as: root.folder) : false
        try unlessFull { () throws(SiteError) in
            let folder = try enqueue(path, isNew: true, replacing: replaced, content: KnownFile(identity: identity))
            isLink =
                try prepare(original, toBeLinkedAt: path, replacing: replaced, in: folder)
                && linkat(AT_FDCWD, source, folder.descriptor, String(count), AT_SYMLINK_FOLLOW) == 0
            let last = files.count - 1
            files[last].isLink = isLink
            guard !isLink else { return }
            var copy = try OpenFile(creating: String(count), in: folder)
            try copy.set(mode: mode(at: path, replacing: replaced, made: copy.mode()))
            files[last].content = KnownFile(digest: try copy.copy(from: original))
            try copy.finish()
        }
        // A link takes no room.
        count(isLink ? 0 : bytes)
        return bytes
    }

    /// The permission bits of a file on its way into the site: those that the site is to have, or else never fewer than
    /// the file has that it replaces.
    /// - Parameter made: the bits with which it was made, by the umask.
    private func mode(at path: String, replacing replaced: KnownFile?, made: UInt32) throws(SiteError) -> UInt32 {
        if let permissions = root.permissions { return permissions.files }
        guard replaced != nil, let (folder, name) = try root.locateExisting(path),
            let found = folder.status(of: name), found.identity != nil
        else { return made }
        return made | found.mode & 0o777
    }

    /// Gives a file the permission bits that its second name in the site asks for, as both names share them. It may
    /// have been made by a build with another umask.
    /// - Parameter folder: was made by this build, and so shows the umask.
    /// - Returns: false if the site needs a copy, as the file has another owner, who alone may change its bits.
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

    /// The paths at which nothing of ours stands after a commit that failed, though they were claimed for it.
    var uncommitted: [String] { files.filter { $0.replaced == nil && !notRolledBack.contains($0.path) }.map(\.path) }

    /// Moves all files to their places: step by step, and within a step in the order in which they were added.
    /// - Parameter isLasting: false where it does not matter whether a power cut takes the names back.
    /// - Returns: Their paths, in that order.
    /// - Throws: `SiteError.write`, `.full`, or `.foreign` for what has come to a place since the site was looked at;
    ///   what was in their places is then there again.
    @discardableResult
    func commit(isLasting: Bool = true) throws(SiteError) -> [String] {
        try checkSpace()
        guard let folder else { return [] }
        // What may still need room on the disk is done before the first file changes.
        for path in files.lazy.map(\.path) { _ = try root.locate(path) }
        try syncFiles(in: folder)
        let transaction = CommitTransaction(files, staging: folder, root: root)
        try transaction.verifyReplaced()
        do throws(SiteError) {
            for step in StagedFile.Step.allCases {
                var isEmpty = true
                for (index, file) in files.enumerated() where file.step == step {
                    try transaction.commit(index)
                    isEmpty = false
                }
                if !isEmpty && isLasting { try root.sync() }
            }
        } catch {
            transaction.rollBack()
            notRolledBack = Set(transaction.committedPaths)
            throw error
        }
        let done = transaction.committedPaths
        transaction.removeReplaced()
        files = []
        discard()
        return done
    }

    /// - Returns: the folder in which the file is to be written, under the number `count`.
    private func enqueue(
        _ path: String, isNew: Bool, replacing replaced: KnownFile?, content: KnownFile
    ) throws(SiteError) -> Folder {
        count += 1
        if folder == nil {
            name = Self.newName()
            folder = try root.make().makeFolder(name)
        }
        guard let folder else { throw .cannotMake(path: root.path, errno: ENOENT) }
        files.append(
            StagedFile(
                path: path, number: count, step: StagedFile.Step(path, isNew: isNew), replaced: replaced,
                content: content))
        return folder
    }

    /// The name of a temporary folder, which no other run can have.
    static func newName() -> String {
        let hex = String(UInt64.random(in: .min ... .max), radix: 16)
        return ".gallerygen-" + String(repeating: "0", count: 16 - hex.count) + hex + ".tmp"
    }

    /// Makes the content of all new files last through a power cut.
    private func syncFiles(in folder: Folder) throws(SiteError) {
        let written = files.filter { !$0.isLink }
        // The site's folder is open since before the first file was written.
        if written.count > DiskSync.filesSyncedOneByOne, let site = root.folder, site.syncReports {
            return try site.syncAll()
        }
        for file in written { try OpenFile(reading: file.name, in: folder).sync() }
    }

    /// Removes what was not committed, and the folders that were made for it. What can't be removed now is left for
    /// the next run to remove.
    func discard() {
        guard let folder else { return }
        for file in files { unlinkat(folder.descriptor, file.name, 0) }
        files = []
        self.folder = nil
        root.removeCreated(temporary: name)
    }
}
