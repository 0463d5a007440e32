internal import Foundation
internal import Synchronization

/// Renames staged files to their final paths, so that the whole transaction can be rolled back and no foreign file is
/// overwritten, no matter when it appeared. A file for a free path is renamed with RENAME_NOREPLACE. A file that
/// replaces an owned file is exchanged with it (RENAME_EXCHANGE), and the old file is checked after the exchange. On
/// file systems without these renames a hard link keeps the old file. Without hard links a rollback is impossible, and
/// the next run completes the publication.
final class CommitTransaction {
    /// How a file was put in place, which decides how it is rolled back.
    private enum Method {
        /// The path was free.
        case new
        /// The old file now has the new file's name in the staging folder.
        case exchanged
        /// The old file has a second name, `StagedFile.oldName`, in the staging folder.
        case linked
        case irreversible
    }

    private let staging: Folder
    private let root: SiteRoot
    private let files: [StagedFile]
    /// The folder and the name in it of each file.
    private let targets: [(folder: Folder, name: String)]
    private var committed: [(file: Int, method: Method)] = []

    /// Creates the folders that the files need.
    init(_ files: [StagedFile], staging: Folder, root: SiteRoot) throws(SiteError) {
        var targets: [(folder: Folder, name: String)] = []
        targets.reserveCapacity(files.count)
        for file in files { targets.append(try root.locate(file.path)) }
        self.targets = targets
        self.files = files
        self.staging = staging
        self.root = root
        committed.reserveCapacity(files.count)
    }

    deinit { Self.remove(takeReplaced(), in: staging) }

    /// The paths of the files that are in place, in the order of the renames.
    var committedPaths: [String] { committed.map { files[$0.file].path } }

    /// Makes sure that all files to be replaced are still the known ones, before the first file changes.
    /// - Throws: `SiteError.foreign` if a foreign file has taken one of the paths.
    func verifyReplaced() throws(SiteError) {
        let foreign = Mutex<Int?>(nil)
        Parallel.perform(files.indices) { [files, targets] part in
            for index in part {
                guard let known = files[index].replaced else { continue }
                let (target, name) = targets[index]
                // A file that was removed after it was inspected is written again.
                if known.matches(name, in: target) || target.status(of: name) == nil { continue }
                return foreign.withLock { $0 = min($0 ?? index, index) }
            }
        }
        if let first = foreign.withLock({ $0 }) { throw .foreign(path: root.fullPath(files[first].path)) }
    }

    /// Puts a staged file in place.
    /// - Throws: `SiteError.foreign` if a foreign file has taken the path. The foreign file stays where it is.
    func commit(_ index: Int) throws(SiteError) {
        let file = files[index]
        let (target, name) = targets[index]
        var method: Method?
        if let known = file.replaced { method = try exchange(file, known, target, name) }
        if method == nil {
            let failure = staging.move(file.name, to: target, asNew: name)
            if failure == EEXIST { throw .foreign(path: root.fullPath(file.path)) }
            guard failure == 0 else { throw .write(path: target.path(of: name), errno: failure) }
        }
        committed.append((index, method ?? .new))
    }

    /// - Returns: nil if the path has become free.
    private func exchange(
        _ file: StagedFile, _ known: KnownFile, _ target: Folder, _ name: String
    ) throws(SiteError) -> Method? {
        let failure = staging.exchange(file.name, with: target, name)
        if failure == ENOENT { return nil }
        if Folder.isUnsupported(failure) { return try replace(file, known, target, name) }
        guard failure == 0 else { throw .write(path: target.path(of: name), errno: failure) }
        if known.matches(file.name, in: staging) { return .exchanged }
        // A foreign file appeared between the check and the exchange, and is exchanged back. If our file has left the
        // path since, the path is free and the foreign file is renamed to it.
        if staging.exchange(file.name, with: target, name) == ENOENT {
            _ = staging.move(file.name, to: target, asNew: name)
        }
        throw .foreign(path: root.fullPath(file.path))
    }

    /// Replaces a file on a file system that can't exchange names. A file that appears between the check and the rename
    /// is lost, because no system call prevents that.
    private func replace(
        _ file: StagedFile, _ known: KnownFile, _ target: Folder, _ name: String
    ) throws(SiteError) -> Method? {
        let isLinked = linkat(target.descriptor, name, staging.descriptor, file.oldName, 0) == 0
        let failure = isLinked ? 0 : errno
        if failure == ENOENT { return nil }
        guard isLinked || Folder.lacksHardLinks(failure) else {
            throw .write(path: target.path(of: name), errno: failure)
        }
        let isOwned = isLinked ? known.matches(file.oldName, in: staging) : known.matches(name, in: target)
        guard isOwned else {
            if isLinked { unlinkat(staging.descriptor, file.oldName, 0) }
            throw .foreign(path: root.fullPath(file.path))
        }
        let refusal = staging.replace(name, of: target, with: file.name)
        guard refusal == 0 else {
            if isLinked { unlinkat(staging.descriptor, file.oldName, 0) }
            throw .write(path: target.path(of: name), errno: refusal)
        }
        return isLinked ? .linked : .irreversible
    }

    /// Rolls back all committed files, the last one first. Stops at the first file that can't be rolled back: it may
    /// refer to files that were committed before it, so these must stay.
    func rollBack() {
        while let last = committed.last {
            let (target, name) = targets[last.file]
            guard rollBack(files[last.file], last.method, target, name) else { return }
            committed.removeLast()
        }
    }

    /// - Returns: false if the new file is still in place. A file that somebody else has put at the path is left alone.
    private func rollBack(_ file: StagedFile, _ method: Method, _ target: Folder, _ name: String) -> Bool {
        switch method {
        case .new:
            let failure = target.replace(file.name, of: staging, with: name)
            if failure == ENOENT { return true }
            guard failure == 0 else {
                return file.content.matches(name, in: target) && unlinkat(target.descriptor, name, 0) == 0
            }
            if !file.content.matches(file.name, in: staging) {
                return staging.move(file.name, to: target, asNew: name) == 0
            }
            return true
        case .exchanged:
            let failure = staging.exchange(file.name, with: target, name)
            if failure == ENOENT { return staging.move(file.name, to: target, asNew: name) == 0 }
            guard failure == 0 else { return false }
            if !file.content.matches(file.name, in: staging) {
                return staging.exchange(file.name, with: target, name) == 0
            }
            return true
        case .linked:
            guard target.status(of: name) == nil || file.content.matches(name, in: target) else { return true }
            return staging.replace(name, of: target, with: file.oldName) == 0
        case .irreversible: return false
        }
    }

    /// Ends the possibility of a rollback.
    /// - Returns: the names of the old files that were kept for it, which must be removed now.
    func takeReplaced() -> [String] {
        defer { committed = [] }
        return committed.compactMap { file, method in
            switch method {
            case .exchanged: files[file].name
            case .linked: files[file].oldName
            case .new, .irreversible: nil
            }
        }
    }

    /// Removes old files. The next run removes whatever can't be removed now.
    static func remove(_ replaced: [String], in staging: Folder) {
        // The order of the new files is mostly that of the old ones, and so roughly the order of the old files on the
        // disk. Most of the time is spent on waiting until their blocks are free, above all where the file system tells
        // the disk about each of them ("discard").
        Parallel.performWaiting(replaced.indices) { part in
            for name in replaced[part] { unlinkat(staging.descriptor, name, 0) }
        }
    }
}
