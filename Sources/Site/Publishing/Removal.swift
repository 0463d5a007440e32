internal import Foundation

/// Removes owned files from a site, but no files that have taken their paths since. Each file is first renamed into a
/// temporary folder and checked there, and only then removed, or moved back. `SiteInventory.obsoleteFiles` decides
/// which files are removed, and `Publisher` when.
final class Removal {
    private let root: SiteRoot
    private var name = ""
    private var folder: Folder?
    private static let entry = "old"

    /// The parts of a removal, in order. Lists are removed before the photo pages that they link to, and photo pages
    /// before their pictures.
    enum Part: CaseIterable {
        case lists, photoPages, others

        init(_ path: String) {
            self = !path.hasSuffix(".html") ? .others : path.hasPrefix("photo/") ? .photoPages : .lists
        }
    }

    init(root: SiteRoot) { self.root = root }

    deinit { finish() }

    /// Removes a file if it is still the known one.
    /// - Returns: false if the file is no longer owned, and therefore stays.
    /// - Throws: `SiteError.write` if the file can't be checked, moved or removed.
    func remove(_ path: String, known: KnownFile) throws(SiteError) -> Bool {
        guard let (parent, entry) = try root.locateExisting(path), parent.status(of: entry) != nil else {
            return true
        }
        // Somebody might have put a folder there for a while. The file that it replaced stays recorded, so that the
        // next publication tries its removal again.
        if parent.kind(of: entry) == .folder { throw .write(path: parent.path(of: entry), errno: EISDIR) }
        // The check before the move finds most foreign files, and leaves them untouched.
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

    /// - Returns: nil if the folder can't be created or opened. Files are then removed without it, because a removal
    ///   must not depend on disk space or on a free file descriptor.
    private func temporaryFolder() throws(SiteError) -> Folder? {
        if let folder { return folder }
        name = Staging.newName()
        do throws(SiteError) {
            folder = try root.create().createFolder(name)
        } catch .write {
            return nil
        }
        return folder
    }

    /// Removes the temporary folder. The next run removes the folder if that fails.
    func finish() {
        guard folder != nil, let site = root.folder else { return }
        folder = nil
        unlinkat(site.descriptor, name, AT_REMOVEDIR)
    }
}
