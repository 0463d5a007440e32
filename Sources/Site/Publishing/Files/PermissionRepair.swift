internal import PhotoModel

/// The result of applying the site's permissions to owned files and folders that existed before the publication.
package struct PermissionRepair: Hashable, Sendable {
    /// The number of files and folders whose permissions were changed.
    package private(set) var count = 0
    /// The number of files and folders whose permissions could not be changed.
    package private(set) var refused = 0
    /// The first error of these refusals.
    package private(set) var failure: SiteError?

    package init() {}

    /// Counts the result of one change.
    /// - Parameter change: a closure that returns false if it had nothing to change.
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
    /// Applies the site's permissions to an owned file or folder.
    /// - Parameters:
    ///   - path: the path of a file or folder of the site.
    ///   - known: the properties of the file, by which it is recognised; nil for a folder.
    /// - Returns: false if the file is gone, or another file has taken its path.
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

    /// Applies the site's permissions to the output folder itself, if gallerygen may change them.
    /// - Returns: false if the permissions stay as they are.
    func repairRoot(hasOtherEntries: Bool) throws(SiteError) -> Bool {
        guard let permissions, let folder,
            let mode = try permissions.modeToSet(ofOutputFolder: folder, hasOtherEntries: hasOtherEntries)
        else { return false }
        try folder.set(mode: mode)
        return true
    }
}
