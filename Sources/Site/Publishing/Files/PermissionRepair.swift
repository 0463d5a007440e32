internal import PhotoModel

/// The work of a publisher to bring files and folders of ours that are there already to the permissions that the site
/// is to have.
package struct PermissionRepair: Hashable, Sendable {
    /// The number of files and folders whose permissions were changed.
    package private(set) var count = 0
    /// The number of files and folders whose permissions the system refused to change.
    package private(set) var refused = 0
    /// The error of the first of these.
    package private(set) var failure: SiteError?

    package init() {}

    /// Tries one.
    /// - Parameter change: returns false where there was nothing to change.
    mutating func attempt(_ change: () throws(SiteError) -> Bool) {
        do throws(SiteError) {
            if try change() { count += 1 }
        } catch {
            refused += 1
            if failure == nil { failure = error }
        }
    }
}

extension SiteRoot {
    /// Gives a file or folder of ours the permissions of the site.
    /// - Parameters:
    ///   - path: of a folder of the site's, or of a file.
    ///   - known: by what the file is known; nil for a folder.
    /// - Returns: false if it is gone, or something else has come there.
    func repair(_ path: String, _ known: KnownFile?) throws(SiteError) -> Bool {
        guard let permissions else { return false }
        guard let known else {
            guard let folder = try existing(path) else { return false }
            try folder.set(mode: permissions.folders)
            return true
        }
        guard let (folder, name) = try locateExisting(path), known.matches(name, in: folder) else { return false }
        try folder.set(mode: permissions.files, of: name)
        return true
    }

    /// Gives the output folder itself the permissions of the site, where it is to have them.
    /// - Returns: false if it stays as it is.
    func repairItself(isShared: Bool) throws(SiteError) -> Bool {
        guard let permissions, let folder,
            let mode = try permissions.modeToSet(ofOutputFolder: folder, isShared: isShared)
        else { return false }
        try folder.set(mode: mode)
        return true
    }
}
