internal import Foundation

/// The output folder and its owned subfolders. A subfolder is opened when it is needed, and created when its first file
/// is staged for it.
final class SiteRoot {
    /// The only subfolders of a site. Each file of a site is in one of them or directly in the output folder.
    static let folderNames = ["album", "assets", "images", "page", "photo"]

    /// The only files of a site that are directly in the output folder.
    static let fileNames = [
        SitePath.index, SitePath.statusPage, SitePath.feed, SitePath.status, SitePath.live, SitePath.photoIndex,
        SitePath.formerSearchList, SitePath.retained, SitePath.sitemap, SitePath.robots,
    ]

    let path: String
    /// The permissions of new files and folders; nil if the umask decides.
    let permissions: SitePermissions?
    /// The open output folder; nil while it does not exist.
    private(set) var folder: Folder?
    private var folders: [String: Folder] = [:]
    /// The paths of the output folder and its ancestors that were created, outermost first. They are removed again if
    /// the publication fails, and so are the subfolders in `createdSubfolders`.
    private var createdAncestors: [String] = []
    private var createdSubfolders: [String] = []

    /// Opens the output folder if it exists. The folder can be a symbolic link to another folder.
    /// - Parameters:
    ///   - permissions: the permissions of new files and folders; nil if the umask decides.
    ///   - isOnlyRead: whether a folder that does not exist is not going to be created.
    /// - Throws: `SiteError.cannotCreate` if the path is not a folder, or doesn't exist and can't be created.
    init(path: String, permissions: SitePermissions? = nil, isOnlyRead: Bool = false) throws(SiteError) {
        self.permissions = permissions
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        self.path = path
        folder = try Folder.open(path)
        if folder == nil, !isOnlyRead { try FolderChain.check(path) }
    }

    /// The full path of a file of the site, for messages.
    func fullPath(_ relative: String) -> String { path == "/" ? "/" + relative : "\(path)/\(relative)" }

    /// The inverse of `fullPath`: the path of a file relative to the site.
    func relative(_ full: String) -> String { full.removing(prefix: path == "/" ? "/" : path + "/") ?? full }

    /// The open output folder, which is created together with its missing ancestors if it does not exist.
    func create() throws(SiteError) -> Folder {
        if let folder { return folder }
        createdAncestors += try FolderChain.create(path, permissions)
        guard let made = try Folder.open(path) else { throw .cannotCreate(path: path, errno: ENOENT) }
        folder = made
        return made
    }

    /// The folder of the site's file at `relative`, and the file's name in that folder. A missing folder is created.
    func locate(_ relative: String) throws(SiteError) -> (folder: Folder, name: String) {
        let root = try create()
        guard let slash = relative.firstIndex(of: "/") else { return (root, relative) }
        let name = String(relative[..<slash])
        let rest = String(relative[relative.index(after: slash)...])
        if let known = folders[name] { return (known, rest) }
        let made = mkdirat(root.descriptor, name, 0o777) == 0
        if made { createdSubfolders.append(name) }
        guard made || errno == EEXIST else { throw root.failure(name) }
        let folder = try subfolder(name, in: root)
        if made, let permissions { try folder.set(mode: permissions.folders) }
        folders[name] = folder
        return (folder, rest)
    }

    /// - Throws: `SiteError.foreign` if the subfolder was replaced by a link or a file after the site was listed.
    private func subfolder(_ name: String, in root: Folder) throws(SiteError) -> Folder {
        do {
            return try root.folder(name)
        } catch .write(_, ENOTDIR), .write(_, ELOOP) {
            throw .foreign(path: fullPath(name))
        }
    }

    /// Opens a subfolder of the site that exists already.
    func existing(_ name: String) throws(SiteError) -> Folder? {
        guard let folder else { return nil }
        if let known = folders[name] { return known }
        let opened = try folder.folder(name)
        folders[name] = opened
        return opened
    }

    /// The folder and the name of the site's file at `relative`, whether or not the file exists. No folder is created.
    /// - Returns: nil if the folder of the file does not exist.
    func locateExisting(_ relative: String) throws(SiteError) -> (folder: Folder, name: String)? {
        guard let folder else { return nil }
        guard let slash = relative.firstIndex(of: "/") else { return (folder, relative) }
        let name = String(relative[..<slash])
        let isThere = folders[name] != nil || folder.status(of: name) != nil
        guard isThere, let subfolder = try existing(name) else { return nil }
        return (subfolder, String(relative[relative.index(after: slash)...]))
    }

    /// Removes a subfolder of the site if it is empty.
    func removeIfEmpty(_ name: String) throws(SiteError) {
        if try folder?.removeEmptyFolder(name) == true { folders[name] = nil }
    }

    /// Whether an entry of the output folder has a name and kind that belong to a site.
    static func isPartOfSite(_ name: String, _ kind: Folder.EntryKind) -> Bool {
        switch kind {
        case .file: fileNames.contains(name)
        case .folder: folderNames.contains(name) || Staging.isTemporary(name)
        case .other: false
        }
    }

    /// Makes the entries of all open folders durable with fsync(2), so that they survive a power cut.
    func sync() throws(SiteError) {
        for folder in folders.values { try folder.sync() }
        try folder?.sync()
        try FolderChain.sync(createdAncestors)
    }

    /// Removes a folder in which a killed run has left staged files.
    func remove(temporary name: String) throws(SiteError) {
        guard let folder else { return }
        let temporary = try folder.folder(name)
        var files: [String] = []
        try temporary.forEachEntry { entry, kind in if kind == .file { files.append(entry) } }
        for file in files { try temporary.remove(file) }
        try folder.removeEmptyFolder(name)
    }

    /// Removes a temporary folder, and the folders that this publication has created if they are empty. Errors are
    /// ignored, because this is a clean-up.
    func removeCreated(temporary: String) {
        guard let root = folder else { return }
        unlinkat(root.descriptor, temporary, AT_REMOVEDIR)
        for name in createdSubfolders.reversed() where unlinkat(root.descriptor, name, AT_REMOVEDIR) == 0 {
            folders[name] = nil
        }
        createdSubfolders = []
        FolderChain.removeEmpty(createdAncestors)
        if createdAncestors.contains(path), access(path, F_OK) != 0 { folder = nil }
        createdAncestors = []
    }
}
