internal import Foundation

/// Puts new files in their places, so that all of it can be undone and nothing foreign is written over, whenever it
/// came there: a new place must be free in the very step of the rename, and an old file changes places with the new
/// one and is looked at then. File systems without such renames keep the old file by a second name; without hard
/// links there is no way back, and the next run completes what was begun.
final class CommitTransaction {
    /// How a file came to its place.
    private enum Method {
        /// Nothing stood there.
        case new
        /// The old file has the name of the new one among those that waited.
        case exchanged
        /// The old file has a second name there.
        case linked
        case irreversible
    }

    private let staging: Folder
    private let root: SiteRoot
    private let files: [StagedFile]
    private var committed: [(file: Int, method: Method)] = []

    init(_ files: [StagedFile], staging: Folder, root: SiteRoot) {
        self.files = files
        self.staging = staging
        self.root = root
        committed.reserveCapacity(files.count)
    }

    deinit { removeReplaced() }

    /// The paths of the files that are in place, in the order in which they came there.
    var committedPaths: [String] { committed.map { files[$0.file].path } }

    /// Makes sure that the places of old files still have these, before the first file changes.
    /// - Throws: `SiteError.foreign` if something else has come there.
    func verifyReplaced() throws(SiteError) {
        for file in files {
            guard let known = file.replaced else { continue }
            let (target, name) = try root.locate(file.path)
            // A file that was removed meanwhile is put there again.
            guard known.matches(name, in: target) || target.status(of: name) == nil else {
                throw .foreign(path: root.fullPath(file.path))
            }
        }
    }

    /// Moves a new file to its place.
    /// - Throws: `SiteError.foreign` if something that is not ours stands there; it does so still.
    func commit(_ index: Int) throws(SiteError) {
        let file = files[index]
        let (target, name) = try root.locate(file.path)
        var method: Method?
        if let known = file.replaced { method = try exchange(file, known, target, name) }
        if method == nil {
            let failure = staging.move(file.name, to: target, asNew: name)
            if failure == EEXIST { throw .foreign(path: root.fullPath(file.path)) }
            guard failure == 0 else { throw .write(path: target.path(of: name), errno: failure) }
        }
        committed.append((index, method ?? .new))
    }

    /// - Returns: nil if nothing stands there any more.
    private func exchange(
        _ file: StagedFile, _ known: KnownFile, _ target: Folder, _ name: String
    ) throws(SiteError) -> Method? {
        let failure = staging.exchange(file.name, with: target, name)
        if failure == ENOENT { return nil }
        if Folder.isUnsupported(failure) { return try replace(file, known, target, name) }
        guard failure == 0 else { throw .write(path: target.path(of: name), errno: failure) }
        if known.matches(file.name, in: staging) { return .exchanged }
        // A foreign file came between the check and the exchange. If our file has left its place again, that is free.
        if staging.exchange(file.name, with: target, name) == ENOENT {
            _ = staging.move(file.name, to: target, asNew: name)
        }
        throw .foreign(path: root.fullPath(file.path))
    }

    /// Replaces a file where the file system can't exchange names. A file that comes between the check and the rename
    /// is lost: no system call prevents that.
    private func replace(
        _ file: StagedFile, _ known: KnownFile, _ target: Folder, _ name: String
    ) throws(SiteError) -> Method? {
        let isLinked = linkat(target.descriptor, name, staging.descriptor, file.oldName, 0) == 0
        let failure = isLinked ? 0 : errno
        if failure == ENOENT { return nil }
        guard isLinked || Folder.lacksHardLinks(failure) else {
            throw .write(path: target.path(of: name), errno: failure)
        }
        let isOurs = isLinked ? known.matches(file.oldName, in: staging) : known.matches(name, in: target)
        guard isOurs else {
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

    /// Takes everything back, the last first. Stops at what can't be taken back, as what came before it may refer to
    /// what came earlier still.
    func rollBack() {
        // A folder that can't be reached now can't be put in order either: the error that brought us here is told.
        while let last = committed.last, let (target, name) = try? root.locate(files[last.file].path) {
            guard rollBack(files[last.file], last.method, target, name) else { return }
            committed.removeLast()
        }
    }

    /// - Returns: false if the file is still there. What somebody has put in its place meanwhile stays.
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

    /// Gives the old files up. What can't be removed now is left for the next run to remove.
    func removeReplaced() {
        // In the order of the new files, which mostly is that of the old ones, and so about how these lie on the disk.
        for (index, method) in committed {
            switch method {
            case .exchanged: unlinkat(staging.descriptor, files[index].name, 0)
            case .linked: unlinkat(staging.descriptor, files[index].oldName, 0)
            case .new, .irreversible: break
            }
        }
        committed = []
    }
}
