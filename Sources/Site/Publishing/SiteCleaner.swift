package import PhotoModel

/// Takes out of an output folder what gallerygen has put there, and nothing else.
///
/// A run that is killed can be repeated: kept.json and status.json, which tell what is ours when the record is lost, go
/// last.
package struct SiteCleaner {
    private let root: SiteRoot
    private let temporaries: [String]
    /// What is to be removed, in the order in which it goes: pages before what they refer to, status.json at the end.
    package let files: [String]
    private let known: [String: KnownFile]
    /// Files of ours that somebody has changed since. They stay.
    package let changed: [String]

    /// Looks at the output folder; changes nothing.
    /// - Parameters:
    ///   - output: The folder; it need not be there.
    ///   - owned: The files in it that are ours, by path relative to it.
    /// - Throws: `SiteError.cannotMake` if it is no folder; `.write` if something in it can't be read.
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

    /// Removes the files, what killed builds have left, and the folders of the site that are then empty. The output
    /// folder itself stays: it may be a mount point, or belong to a web server.
    /// - Throws: `SiteError.write`; what was removed until then is gone.
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

    private static let lists = [SitePath.kept, SitePath.status]

    /// What has come to its place since the folder was looked at stays.
    private func remove(_ path: String, _ removal: Removal) throws(SiteError) {
        if let known = known[path] { _ = try removal.remove(path, known: known) }
    }

    /// By size, and by digest where one is recorded: the name of a picture says what is in it.
    private static func isAsRecorded(
        _ path: String, _ file: OwnedFile, _ inventory: SiteInventory, _ root: SiteRoot
    ) throws(SiteError) -> Bool {
        guard case .ours = inventory.state(of: path) else { return try isBefore(path, file, root) }
        guard let digest = file.digest, let (folder, name) = try root.locateExisting(path) else { return true }
        return try OpenFile(reading: name, in: folder).digest() == digest
    }

    /// Whether it is what stood there before a publication that did not come to its end, or status.js, which such a
    /// one puts there without a record.
    private static func isBefore(_ path: String, _ file: OwnedFile, _ root: SiteRoot) throws(SiteError) -> Bool {
        guard let (folder, name) = try root.locateExisting(path) else { return false }
        if path == SitePath.live { return try OwnershipRecovery.isSigned(name, in: folder) }
        guard let before = file.digestBefore else { return false }
        return try OpenFile(reading: name, in: folder).digest() == before
    }

    private static func removalOrder(_ path: String) -> Int {
        switch path {
        case SitePath.index: 0
        case SitePath.kept: 3
        case SitePath.status: 4
        default: path.hasPrefix("images/") || path.hasPrefix("assets/") ? 2 : 1
        }
    }
}
