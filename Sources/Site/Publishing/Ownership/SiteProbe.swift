internal import Foundation

/// A quick check of whether the owned files of an output folder still exist as they were written. It calls fstatat(2)
/// for each file and lists only the output folder itself, so that a run with nothing to do stays cheap.
package struct SiteProbe: ~Copyable {
    private let folder: Folder?
    /// Whether each subfolder of the site is a folder and not a symbolic link. Each is checked when its first file is.
    private var folders: [Substring: Bool] = [:]
    private let permissions: SitePermissions?
    /// The number of checked files, and of folders that contain them, whose permissions differ from those of the site.
    package private(set) var differing = 0

    /// - Parameter permissions: the permissions that all files and folders should have; nil if they don't matter.
    /// - Throws: `SiteError.cannotCreate` if `output` exists and is not a folder.
    package init(output: String, permissions: SitePermissions? = nil) throws(SiteError) {
        self.permissions = permissions
        folder = try Folder.open(output)
    }

    /// Whether the path has a regular file of the given size. Symbolic links are not followed.
    /// - Parameter path: the path of the file relative to the site, with at most one "/".
    package mutating func contains(_ path: String, bytes: Int64) -> Bool {
        guard let folder else { return false }
        if let slash = path.utf8.firstIndex(of: UInt8(ascii: "/")), !isFolder(path[..<slash]) { return false }
        var status = stat()
        guard fstatat(folder.descriptor, path, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return false }
        guard status.st_mode & S_IFMT == S_IFREG, Int64(status.st_size) == bytes else { return false }
        if let permissions, UInt32(status.st_mode) & 0o7777 != permissions.files { differing += 1 }
        return true
    }

    /// Whether a killed run has left a temporary folder. Also counts the output folder itself in `differing`.
    package mutating func hasTemporaryFolders() throws(SiteError) -> Bool {
        guard let folder else { return false }
        var (found, hasOtherEntries) = (false, false)
        try folder.forEachEntry { name, kind in
            if kind == .folder, Staging.isTemporary(name) { found = true }
            if !SiteRoot.isPartOfSite(name, kind) { hasOtherEntries = true }
        }
        let mode = try permissions?.modeToSet(ofOutputFolder: folder, hasOtherEntries: hasOtherEntries)
        if mode != nil { differing += 1 }
        return found
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

    private mutating func isFolder(_ name: Substring) -> Bool {
        if let known = folders[name] { return known }
        var status = stat()
        let isFolder =
            folder.map { fstatat($0.descriptor, String(name), &status, AT_SYMLINK_NOFOLLOW) == 0 } ?? false
            && status.st_mode & S_IFMT == S_IFDIR
        folders[name] = isFolder
        if isFolder, let permissions, UInt32(status.st_mode) & 0o777 != permissions.folders {
            differing += 1
        }
        return isFolder
    }
}
