internal import Foundation
internal import ObjectStore
internal import PhotoModel
package import Site

/// A folder of this machine as a target. Files are written to a temporary folder there, synchronised, and renamed into
/// place. Symbolic links are never followed or replaced, and files that the list does not have are never overwritten.
package final class FolderTarget: PublishTarget {
    package let shown: String
    private let path: String
    let permissions: SitePermissions?
    private let isCancelled: () -> Bool
    /// The target folder; nil while it does not exist.
    private(set) var root: Folder?
    private var folders: [String: Folder] = [:]

    /// - Parameters:
    ///   - path: the absolute path of the target folder, which need not exist.
    ///   - permissions: the permissions of new folders; nil if the umask decides.
    package init(
        path: String, permissions: SitePermissions? = nil, isCancelled: @escaping () -> Bool = { false }
    ) throws(PublishError) {
        self.path = path
        self.permissions = permissions
        shown = path
        self.isCancelled = isCancelled
        do throws(SiteError) {
            root = try Folder.open(path)
        } catch {
            throw .refused(target: path, detail: error.reason)
        }
    }

    package func readList() throws(PublishError) -> [UInt8]? {
        guard let root else { return nil }
        guard let kind = root.kind(of: PublishedList.fileName) else { return try adoptable()?.bytes }
        guard kind == .file else { throw .foreign(target: shown, path: PublishedList.fileName, count: 1) }
        return try reporting {
            try OpenFile(reading: PublishedList.fileName, in: root).readAll()
        }
    }

    package var isListMissing: Bool { root?.kind(of: PublishedList.fileName) == nil }

    package func isStore() -> Bool { StoreRecords.exist(inFolder: path) }

    /// A list for a site that was copied to the target or built there: the files that the site itself shows to be ours.
    /// - Returns: nil if there is no such site.
    private func adoptable() throws(PublishError) -> PublishedList? {
        let files = try reporting { try adoptableFiles(in: path) }
        var list = PublishedList()
        for (path, file) in files { list.entries[path] = PublishedList.Entry(bytes: file.bytes, isPending: true) }
        return files.isEmpty ? nil : list
    }

    package func writeList(_ bytes: [UInt8]) throws(PublishError) {
        try reporting {
            let root = try makeRoot()
            try withTemporaryFolder { temporary in
                var file = try OpenFile(creating: PublishedList.fileName, in: temporary)
                try file.write(bytes)
                try file.sync()
                try file.finish()
                let failure = temporary.replace(PublishedList.fileName, of: root, with: PublishedList.fileName)
                guard failure == 0 else {
                    throw SiteError.write(path: root.path(of: PublishedList.fileName), errno: failure)
                }
            }
            try root.sync()
        }
    }

    package func find(_ files: [OutgoingFile]) throws(PublishError) -> [String: Presence] {
        try reporting {
            var found: [String: Presence] = [:]
            for file in files { found[file.path] = try presence(of: file) }
            return found
        }
    }

    package func checkDestinations(of files: [OutgoingFile]) throws(PublishError) {
        try reporting {
            let foreign = try files.filter { if case .other = try entry(at: $0.path) { true } else { false } }
            if let first = foreign.first {
                throw PublishError.foreign(target: shown, path: first.path, count: foreign.count)
            }
        }
    }

    /// The entry at the path of a file of the site.
    enum Entry {
        case absent
        case file(name: String, folder: Folder)
        /// A folder, a symbolic link or the like, or the path leads through something that is no folder.
        case other
    }

    func entry(at path: String) throws(SiteError) -> Entry {
        guard let root else { return .absent }
        let (folderName, name) = Self.split(path)
        var folder = root
        if let folderName {
            switch root.kind(of: folderName) {
            case nil: return .absent
            case .folder: folder = try self.folder(folderName, in: root)
            default: return .other
            }
        }
        return switch folder.kind(of: name) {
        case nil: .absent
        case .file: .file(name: name, folder: folder)
        default: .other
        }
    }

    private func presence(of file: OutgoingFile) throws(SiteError) -> Presence {
        let there: OpenFile
        switch try entry(at: file.path) {
        case .absent: return .absent
        case .other: return .other
        case .file(let name, let folder): there = try OpenFile(reading: name, in: folder)
        }
        guard try there.size() == file.bytes else { return .different }
        guard let digest = file.digest else { return .same }
        return try there.digest() == digest ? .same : .different
    }

    package func send(_ files: [OutgoingFile], sent: (OutgoingFile) -> Void) throws(PublishError) {
        try reporting {
            let root = try makeRoot()
            try withTemporaryFolder { temporary in
                for (number, file) in files.enumerated() {
                    if isCancelled() { throw PublishError.interrupted }
                    try copy(file, to: String(number), in: temporary)
                }
                try sync(files.count, in: temporary)
                for (number, file) in files.enumerated() {
                    if isCancelled() { throw PublishError.interrupted }
                    try install(file, from: String(number), in: temporary, root)
                    sent(file)
                }
            }
            for folder in folders.values { try folder.sync() }
            try root.sync()
        }
    }

    /// Copies a file of the site, with its permissions.
    private func copy(_ file: OutgoingFile, to name: String, in temporary: Folder) throws {
        let source: OpenFile
        do throws(SiteError) {
            source = try OpenFile(reading: file.source)
        } catch {
            throw PublishError.unreadable(path: file.source, detail: error.reason)
        }
        var copy = try OpenFile(creating: name, in: temporary)
        let digest = try copy.copy(from: source)
        guard try copy.size() == file.bytes, file.digest == nil || file.digest == digest else {
            throw PublishError.changed(path: file.source)
        }
        try copy.set(mode: source.mode())
        try copy.finish()
    }

    private func sync(_ count: Int, in temporary: Folder) throws(SiteError) {
        if count > FileSystemSync.individualSyncLimit, temporary.syncAllReportsErrors { return try temporary.syncAll() }
        for number in 0..<count { try OpenFile(reading: String(number), in: temporary).sync() }
    }

    private func install(
        _ file: OutgoingFile, from name: String, in temporary: Folder, _ root: Folder
    ) throws {
        let (folderName, finalName) = Self.split(file.path)
        let folder: Folder
        if let folderName {
            if root.kind(of: folderName) == nil {
                folders[folderName] = try createFolder(folderName, in: root)
            } else if root.kind(of: folderName) != .folder {
                throw PublishError.foreign(target: shown, path: folderName, count: 1)
            }
            folder = try self.folder(folderName, in: root)
        } else {
            folder = root
        }
        let failure =
            file.isNew
            ? temporary.move(name, to: folder, asNew: finalName) : temporary.replace(finalName, of: folder, with: name)
        switch failure {
        case 0: return
        case EEXIST, EISDIR: throw PublishError.foreign(target: shown, path: file.path, count: 1)
        default: throw SiteError.write(path: folder.path(of: finalName), errno: failure)
        }
    }

    package func remove(_ paths: [String]) throws(PublishError) {
        guard let root else { return }
        try reporting {
            for path in paths {
                let (folderName, name) = Self.split(path)
                var folder = root
                if let folderName {
                    guard root.kind(of: folderName) == .folder else { continue }
                    folder = try self.folder(folderName, in: root)
                }
                // A folder or link that has come to the place of a file of ours is not ours.
                if folder.kind(of: name) == .file { try folder.remove(name) }
            }
            for name in Set(paths.compactMap { Self.split($0).folder }) {
                try folders[name]?.sync()
                if try root.removeEmptyFolder(name) { folders[name] = nil }
            }
            try root.sync()
        }
    }

    /// "photo" and "lighthouse.html" for "photo/lighthouse.html".
    static func split(_ path: String) -> (folder: String?, name: String) {
        guard let slash = path.firstIndex(of: "/") else { return (nil, path) }
        return (String(path[..<slash]), String(path[path.index(after: slash)...]))
    }

    func folder(_ name: String, in root: Folder) throws(SiteError) -> Folder {
        if let known = folders[name] { return known }
        let opened = try root.folder(name)
        folders[name] = opened
        return opened
    }

    private func createFolder(_ name: String, in root: Folder) throws(SiteError) -> Folder {
        let folder = try root.createFolder(name)
        guard let permissions else { return folder }
        var status = stat()
        // The new folder can have the setgid bit of its parent, which stays.
        guard fstat(folder.descriptor, &status) == 0,
            fchmod(folder.descriptor, mode_t(permissions.folders) | status.st_mode & 0o7000) == 0
        else { throw root.failure(name) }
        return folder
    }

    private func makeRoot() throws(SiteError) -> Folder {
        if let root { return root }
        try FolderChain.sync(FolderChain.create(path, permissions))
        guard let made = try Folder.open(path) else { throw .cannotCreate(path: path, errno: ENOENT) }
        root = made
        return made
    }

    /// Calls `work` with a new temporary folder at the target, and removes the folder with its files afterwards.
    /// Temporary folders of killed publications are removed first, because they take up space.
    private func withTemporaryFolder(_ work: (Folder) throws -> Void) throws {
        let root = try makeRoot()
        var left: [String] = []
        try root.forEachEntry { name, kind in
            if kind == .folder, TemporaryFolderName.matches(name) { left.append(name) }
        }
        for name in left { try discard(root.folder(name), name, root) }
        let name = TemporaryFolderName.make()
        let temporary = try root.createFolder(name)
        do {
            try work(temporary)
        } catch {
            // The next publication removes the folder if that fails now.
            try? discard(temporary, name, root)
            throw error
        }
        try discard(temporary, name, root)
    }

    private func discard(_ temporary: Folder, _ name: String, _ root: Folder) throws(SiteError) {
        var files: [String] = []
        try temporary.forEachEntry { entry, _ in files.append(entry) }
        for file in files { try temporary.remove(file) }
        try root.removeEmptyFolder(name)
    }

    func reporting<Value>(_ work: () throws -> Value) throws(PublishError) -> Value {
        do {
            return try work()
        } catch let error as SiteError {
            throw publishError(for: error)
        } catch let error as PublishError {
            throw error
        } catch {
            throw .refused(target: shown, detail: "\(error)")
        }
    }

    private func publishError(for error: SiteError) -> PublishError {
        switch error {
        case .write(let path, ENOTDIR), .write(let path, ELOOP):
            .foreign(target: shown, path: relative(path), count: 1)
        case .write(let path, _), .cannotCreate(let path, _):
            .refused(target: shown, detail: (path == self.path ? "" : "\(relative(path)): ") + error.reason)
        default: .refused(target: shown, detail: error.description)
        }
    }

    private func relative(_ full: String) -> String {
        full.hasPrefix(path + "/") ? String(full.dropFirst(path.count + 1)) : full
    }
}
