internal import Foundation

/// Removes files of ours from a site, and nothing that has come in their places: each is renamed out of the way,
/// looked at, and only then removed, or put back. `SiteInventory.leftovers` says which files, `Publisher` when.
final class Removal {
    private let root: SiteRoot
    private var name = ""
    private var folder: Folder?
    private static let entry = "old"

    init(root: SiteRoot) { self.root = root }

    deinit { finish() }

    /// - Returns: false if the file is not ours any more; then it stays.
    /// - Throws: `SiteError.write`.
    func remove(_ path: String, known: KnownFile) throws(SiteError) -> Bool {
        guard let (parent, entry) = try root.locateExisting(path), parent.status(of: entry) != nil else {
            return true
        }
        // The folder may be there only for a while: the page that it replaced is reported, and removed the next time.
        if parent.kind(of: entry) == .folder { throw .write(path: parent.path(of: entry), errno: EISDIR) }
        // Checked before the file is moved: a foreign file is mostly noticed here, and stays untouched.
        guard known.matches(entry, in: parent) else { return false }
        guard let folder = try temporaryFolder() else {
            try parent.remove(entry)
            return true
        }
        let failure = parent.replace(Self.entry, of: folder, with: entry)
        if failure == ENOENT { return true }
        guard failure == 0 else { throw .write(path: parent.path(of: entry), errno: failure) }
        guard known.matches(Self.entry, in: folder) else {
            let refusal = folder.move(Self.entry, to: parent, asNew: entry)
            guard refusal == 0 else { throw .write(path: parent.path(of: entry), errno: refusal) }
            return false
        }
        try folder.remove(Self.entry)
        return true
    }

    /// - Returns: nil where no folder can be made or opened: removing files must need neither room nor a descriptor.
    private func temporaryFolder() throws(SiteError) -> Folder? {
        if let folder { return folder }
        name = Staging.newName()
        do throws(SiteError) {
            folder = try root.make().makeFolder(name)
        } catch .write {
            return nil
        }
        return folder
    }

    /// Removes the temporary folder. What can't be removed now is left for the next run to remove.
    func finish() {
        guard folder != nil, let site = root.folder else { return }
        folder = nil
        unlinkat(site.descriptor, name, AT_REMOVEDIR)
    }
}
