internal import Foundation

/// The output folder and the folders of ours in it: opened as they are needed, made when the first file goes in.
final class SiteRoot {
    /// The only folders that a site has: its files are in them or beside them.
    static let folderNames = ["album", "assets", "images", "page", "photo"]

    /// The only files beside these folders.
    static let fileNames = [
        SitePath.index, SitePath.statusPage, SitePath.feed, SitePath.status, SitePath.live, SitePath.photoIndex,
        SitePath.formerList, SitePath.kept, SitePath.sitemap, SitePath.robots,
    ]

    let path: String
    /// The permissions of new files and folders; nil: by the umask.
    let permissions: SitePermissions?
    /// nil while the folder does not exist.
    private(set) var folder: Folder?
    private var folders: [String: Folder] = [:]
    /// The folders that were made, oldest first. They are removed again if the publication fails.
    private var createdPaths: [String] = []
    private var createdNames: [String] = []

    /// Opens the folder if it is there; it may be a symbolic link to one.
    /// - Parameter permissions: of what is made; nil: by the umask.
    /// - Throws: `SiteError.cannotMake` if it is no folder, or is not there and can't be made.
    init(path: String, permissions: SitePermissions? = nil) throws(SiteError) {
        self.permissions = permissions
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        self.path = path
        folder = try Folder.open(path)
        if folder == nil { try FolderChain.check(path) }
    }

    /// The path of a file of the site, for messages.
    func fullPath(_ relative: String) -> String { path == "/" ? "/" + relative : "\(path)/\(relative)" }

    /// The other way round: the path relative to the site of a full one.
    func relative(_ full: String) -> String { full.removing(prefix: path == "/" ? "/" : path + "/") ?? full }

    /// The folder itself, made if need be with all that lead to it.
    func make() throws(SiteError) -> Folder {
        if let folder { return folder }
        createdPaths += try FolderChain.make(path, permissions)
        guard let made = try Folder.open(path) else { throw .cannotMake(path: path, errno: ENOENT) }
        folder = made
        return made
    }

    /// The folder of the site's file at `relative`, and the file's name in it.
    func locate(_ relative: String) throws(SiteError) -> (folder: Folder, name: String) {
        let root = try make()
        guard let slash = relative.firstIndex(of: "/") else { return (root, relative) }
        let name = String(relative[..<slash])
        let rest = String(relative[relative.index(after: slash)...])
        if let known = folders[name] { return (known, rest) }
        let made = mkdirat(root.descriptor, name, 0o777) == 0
        if made { createdNames.append(name) }
        guard made || errno == EEXIST else { throw root.failure(name) }
        let folder = try ourFolder(name, in: root)
        if made, let permissions { try folder.set(mode: permissions.folders) }
        folders[name] = folder
        return (folder, rest)
    }

    /// - Throws: `SiteError.foreign` if something else has come there since the site was looked at.
    private func ourFolder(_ name: String, in root: Folder) throws(SiteError) -> Folder {
        do {
            return try root.folder(name)
        } catch .write(_, ENOTDIR), .write(_, ELOOP) {
            throw .foreign(path: fullPath(name))
        }
    }

    /// A folder of ours that is there already.
    func existing(_ name: String) throws(SiteError) -> Folder? {
        guard let folder else { return nil }
        if let known = folders[name] { return known }
        let opened = try folder.folder(name)
        folders[name] = opened
        return opened
    }

    /// The place of the site's file at `relative`, whether or not the file exists.
    /// - Returns: nil if its folder did not exist at the first check.
    func locateExisting(_ relative: String) throws(SiteError) -> (folder: Folder, name: String)? {
        guard let folder else { return nil }
        guard let slash = relative.firstIndex(of: "/") else { return (folder, relative) }
        let name = String(relative[..<slash])
        let isThere = folders[name] != nil || folder.status(of: name) != nil
        guard isThere, let subfolder = try existing(name) else { return nil }
        return (subfolder, String(relative[relative.index(after: slash)...]))
    }

    /// Removes a folder of ours if nothing is left in it.
    func removeIfEmpty(_ name: String) throws(SiteError) {
        if try folder?.removeEmptyFolder(name) == true { folders[name] = nil }
    }

    /// Whether an entry of the output folder has a name that only sites have.
    static func isPartOfSite(_ name: String, _ kind: Folder.EntryKind) -> Bool {
        switch kind {
        case .file: fileNames.contains(name)
        case .folder: folderNames.contains(name) || Staging.isTemporary(name)
        case .other: false
        }
    }

    /// Makes the names in all folders that are open last through a power cut.
    func sync() throws(SiteError) {
        for folder in folders.values { try folder.sync() }
        try folder?.sync()
        try FolderChain.sync(createdPaths)
    }

    /// Removes a folder in which a killed run has left files on their way into the site.
    func remove(temporary name: String) throws(SiteError) {
        guard let folder else { return }
        let temporary = try folder.folder(name)
        var files: [String] = []
        try temporary.forEachEntry { entry, kind in if kind == .file { files.append(entry) } }
        for file in files { try temporary.remove(file) }
        try folder.removeEmptyFolder(name)
    }

    /// Removes a temporary folder, and of the folders that were made those in which there is nothing. For cleaning up:
    /// what can't be removed stays.
    func removeCreated(temporary: String) {
        guard let root = folder else { return }
        unlinkat(root.descriptor, temporary, AT_REMOVEDIR)
        for name in createdNames.reversed() where unlinkat(root.descriptor, name, AT_REMOVEDIR) == 0 {
            folders[name] = nil
        }
        createdNames = []
        FolderChain.unmake(createdPaths)
        if createdPaths.contains(path), access(path, F_OK) != 0 { folder = nil }
        createdPaths = []
    }
}
