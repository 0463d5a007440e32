internal import Foundation
package import PhotoModel

/// A comparison of the output folder with the record of its files. It calls fstatat(2) for each file and lists no
/// folder but the output folder itself, so that a run with nothing to do stays cheap.
package struct SiteScan: Sendable {
    private let folder: Folder?
    private let permissions: SitePermissions?
    private var files: [ScannedFiles.File] = []

    /// The result of a scan.
    package struct Result: Sendable {
        /// The paths of the files that are missing, or whose size is not the recorded one.
        package let damaged: [String]
        /// The number of complete files, and of folders that contain some, whose permissions differ from those of the
        /// site.
        package let differing: Int
        package let files: ScannedFiles
    }

    /// - Parameter permissions: the permissions that all files and folders should have; nil if they don't matter.
    /// - Throws: `SiteError.cannotCreate` if `output` exists and is not a folder.
    package init(output: String, permissions: SitePermissions? = nil) throws(SiteError) {
        self.permissions = permissions
        folder = try Folder.open(output)
    }

    /// Reserves memory for files.
    package mutating func reserve(_ count: Int) { files.reserveCapacity(count) }

    /// Adds a recorded file.
    /// - Parameter path: the path of the file relative to the site, with at most one "/".
    package mutating func add(_ path: String, _ file: OwnedFile) {
        files.append(ScannedFiles.File(path: path, entry: SiteEntry(file: file)))
    }

    /// Inspects all added files, on all cores. Symbolic links are not followed.
    /// - Parameter lifetime: how long a publisher can begin with the files. If nil, it depends on their number: see
    ///   `reusableCount`.
    package consuming func run(lifetime: Duration? = nil) -> Result {
        let start = ContinuousClock.now
        let folders = subfolders()
        // The paths alone are copied for the other threads, because they need less memory than the files.
        let paths = files.map { $0.path }
        let inspect = { @Sendable [folder] (index: Int) -> Folder.Inspection in
            let path = paths[index]
            let slash = path.utf8.firstIndex(of: UInt8(ascii: "/"))
            guard slash.map({ folders[path[..<$0]] != nil }) ?? true else { return .absent }
            return folder?.inspect(path) ?? .absent
        }
        var (index, damaged, differing) = (0, [String](), 0)
        var used: Set<Substring> = []
        Parallel.forEach(paths.indices, chunkSize: Self.chunkSize, inspect) { inspection in
            defer { index += 1 }
            files[index].entry.set(inspection)
            let entry = files[index].entry
            if !entry.isIntact { damaged.append(paths[index]) }
            guard let permissions, entry.isIntact else { return }
            if let mode = entry.mode, UInt32(mode) != permissions.files { differing += 1 }
            if let slash = paths[index].firstIndex(of: "/") { used.insert(paths[index][..<slash]) }
        }
        if let permissions { differing += used.count { folders[$0] != permissions.folders } }
        let end = ContinuousClock.now
        let usual = files.count < Self.reusableCount ? .zero : (end - start) * Self.lifetimeFactor
        let scanned = ScannedFiles(files, in: folder, end: end, lifetime: lifetime ?? usual)
        return Result(damaged: damaged, differing: differing, files: scanned)
    }

    /// Fewer files are always inspected again, because that takes a few milliseconds.
    private static let reusableCount = 10_000
    /// A scan is used for this many times its own duration. After that, another one takes less than a tenth of the time
    /// that has passed.
    private static let lifetimeFactor = 10

    /// The number of files for each core that are inspected ahead of the one that is noted. A file takes a
    /// microsecond.
    private static let chunkSize = 4096

    /// The permission bits of the subfolders of the site, by name. Symbolic links are not among them.
    private func subfolders() -> [Substring: UInt32] {
        var modes: [Substring: UInt32] = [:]
        for name in SiteRoot.folderNames {
            if let status = folder?.status(of: name), status.kind == .folder {
                modes[name[...]] = status.mode & 0o777
            }
        }
        return modes
    }

    /// Inspects the output folder without its files.
    /// - Returns: whether a killed run has left a temporary folder there, and whether the output folder itself has
    ///   other permissions than it should have.
    package func inspectFolder() throws(SiteError) -> (hasTemporaryFolders: Bool, differs: Bool) {
        guard let folder else { return (false, false) }
        var (found, hasOtherEntries) = (false, false)
        try folder.forEachEntry { name, kind in
            if kind == .folder, Staging.isTemporary(name) { found = true }
            if !SiteRoot.isPartOfSite(name, kind) { hasOtherEntries = true }
        }
        let mode = try permissions?.modeToSet(ofOutputFolder: folder, hasOtherEntries: hasOtherEntries)
        return (found, mode != nil)
    }

    /// Removes the temporary folders that killed runs have left, because new files might need the space. The caller
    /// must hold the lock on the output folder.
    package static func removeTemporaryFolders(in output: String) throws(SiteError) {
        let root = try SiteRoot(path: output)
        var names: [String] = []
        try root.folder?.forEachEntry { name, kind in
            if kind == .folder, Staging.isTemporary(name) { names.append(name) }
        }
        for name in names { try root.remove(temporary: name) }
    }
}
