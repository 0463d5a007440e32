internal import Foundation

/// A look at an output folder: whether the files that are ours stand there as they were written. It asks for each by
/// its name, and lists nothing but the folder itself, so that a run with nothing to do stays cheap.
package struct SiteProbe: ~Copyable {
    private let folder: Folder?
    /// Whether each folder of the site's is one, and not a link to somewhere else; found at the first file in it.
    private var folders: [Substring: Bool] = [:]
    private let permissions: SitePermissions?
    /// How many of the files that were looked at, and of the folders they are in, have other permissions than they are
    /// to have.
    package private(set) var differing = 0

    /// - Parameter permissions: of all files and folders of the site; nil: any will do.
    /// - Throws: `SiteError.cannotMake` if there is something at `output` that is no folder.
    package init(output: String, permissions: SitePermissions? = nil) throws(SiteError) {
        self.permissions = permissions
        folder = try Folder.open(output)
    }

    /// Whether a file of this many bytes is at the path, not through a symbolic link.
    /// - Parameter path: relative to the site, with at most one "/".
    package mutating func holds(_ path: String, bytes: Int64) -> Bool {
        guard let folder else { return false }
        if let slash = path.utf8.firstIndex(of: UInt8(ascii: "/")), !isFolder(path[..<slash]) { return false }
        var status = stat()
        guard fstatat(folder.descriptor, path, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return false }
        guard status.st_mode & S_IFMT == S_IFREG, Int64(status.st_size) == bytes else { return false }
        if let permissions, UInt32(status.st_mode) & 0o7777 != permissions.files { differing += 1 }
        return true
    }

    /// Whether a run that was killed has left temporary files.
    package mutating func hasLeftovers() throws(SiteError) -> Bool {
        guard let folder else { return false }
        var (found, isShared) = (false, false)
        try folder.forEachEntry { name, kind in
            if kind == .folder, Staging.isTemporary(name) { found = true }
            if !SiteRoot.isPartOfSite(name, kind) { isShared = true }
        }
        if try permissions?.modeToSet(ofOutputFolder: folder, isShared: isShared) != nil { differing += 1 }
        return found
    }

    /// Removes what runs that were killed have left on its way into the site, as it takes room that new files may
    /// need. Only for whoever has the folder to itself.
    package static func removeLeftovers(in output: String) throws(SiteError) {
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
