package import PhotoModel

/// Removes everything that gallerygen has written to an output folder, and nothing else.
///
/// A run that was killed can be repeated: kept.json and status.json are removed last, because they prove ownership if
/// the record is lost.
package struct SiteCleaner {
    private let root: SiteRoot
    private let temporaries: [String]
    /// The files to be removed, in the order of removal: pages before the files that they refer to, status.json at the
    /// end.
    package let files: [String]
    private let known: [String: KnownFile]
    /// The owned files that somebody has changed. They are not removed.
    package let changed: [String]

    /// Lists the output folder, without changing it.
    /// - Parameters:
    ///   - output: the path of the output folder, which need not exist.
    ///   - owned: the owned files, by path relative to the output folder.
    /// - Throws: `SiteError.cannotCreate` if the path is not a folder; `.write` if one of its entries can't be read.
    package init(output: String, owned: [String: OwnedFile]) throws(SiteError) {
        root = try SiteRoot(path: output)
        let inventory = try SiteInventory(root: root, owned: owned)
        var files: [String] = []
        var changed: [String] = []
        for (path, file) in owned where inventory.isPresent(path) {
            if try Self.isAsRecorded(path, file, inventory, root) { files.append(path) } else { changed.append(path) }
        }
        self.files = files.sorted { (Self.removalOrder($0), $0) < (Self.removalOrder($1), $1) }
        self.changed = changed.sorted()
        known = files.reduce(into: [:]) { $0[$1] = inventory.known($1) }
        temporaries = inventory.temporaries
    }

    /// Removes the files, the temporary folders of killed builds, and the subfolders of the site that are empty after
    /// that. The output folder itself stays, because it may be a mount point or belong to a web server.
    /// - Throws: `SiteError.write` if a file can't be removed. The files before it are removed by then.
    package func remove() throws(SiteError) {
        let removal = Removal(root: root)
        for path in files where !Self.lists.contains(path) { try remove(path, removal) }
        for name in temporaries { try root.remove(temporary: name) }
        if !files.isEmpty {
            for name in SiteRoot.folderNames { try root.removeIfEmpty(name) }
        }
        try root.sync()
        for path in files where Self.lists.contains(path) { try remove(path, removal) }
    }

    private static let lists = [SitePath.retained, SitePath.status]

    /// Removes a file unless another file has taken its path after it was inspected.
    private func remove(_ path: String, _ removal: Removal) throws(SiteError) {
        if let known = known[path] { _ = try removal.remove(path, known: known) }
    }

    /// Whether an owned file has its recorded size, and its recorded digest if there is one. The size suffices for
    /// pictures, because their names are hashes of their content.
    private static func isAsRecorded(
        _ path: String, _ file: OwnedFile, _ inventory: SiteInventory, _ root: SiteRoot
    ) throws(SiteError) -> Bool {
        guard case .owned = inventory.state(of: path) else { return try isReplacedVersion(path, file, root) }
        guard let digest = file.digest, let (folder, name) = try root.locateExisting(path) else { return true }
        return try OpenFile(reading: name, in: folder).digest() == digest
    }

    /// Whether a file is the one that an interrupted publication was about to replace, or the status.js that a live
    /// build publishes without a record.
    private static func isReplacedVersion(
        _ path: String, _ file: OwnedFile, _ root: SiteRoot
    ) throws(SiteError) -> Bool {
        guard let (folder, name) = try root.locateExisting(path) else { return false }
        if path == SitePath.live { return try OwnershipRecovery.isSigned(name, in: folder) }
        guard let replacedDigest = file.replacedDigest else { return false }
        return try OpenFile(reading: name, in: folder).digest() == replacedDigest
    }

    private static func removalOrder(_ path: String) -> Int {
        switch path {
        case SitePath.index: 0
        case SitePath.retained: 3
        case SitePath.status: 4
        default: path.hasPrefix("images/") || path.hasPrefix("assets/") ? 2 : 1
        }
    }
}
