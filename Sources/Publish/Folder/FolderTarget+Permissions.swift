internal import Foundation
internal import Site

extension FolderTarget {
    package func correctPermissions(of files: [OutgoingFile]) throws(PublishError) -> Int {
        try reporting {
            var count = 0
            var names: Set<String> = []
            for file in files {
                guard case .file(let name, let folder) = try entry(at: file.path) else { continue }
                if let folderName = Self.split(file.path).folder { names.insert(folderName) }
                let mode = try OpenFile(reading: file.source).mode()
                guard let there = folder.status(of: name), there.mode != mode else { continue }
                if try isAllowed({ () throws(SiteError) in try folder.set(mode: mode, of: name) }) { count += 1 }
            }
            guard let root, let permissions else { return count }
            var own = try names.map { name throws(SiteError) in try self.folder(name, in: root) }
            if try isOnlySite(root) { own.append(root) }
            for folder in own {
                // The administrator can have given a folder more permissions, for example to a group of publishers.
                let mode = try folder.mode()
                let wanted = mode | permissions.folders
                guard wanted != mode else { continue }
                if try isAllowed({ () throws(SiteError) in try folder.set(mode: wanted) }) { count += 1 }
            }
            return count
        }
    }

    /// Whether a folder has nothing but the site, so that it was probably created for the site.
    private func isOnlySite(_ root: Folder) throws(SiteError) -> Bool {
        var isOnly = true
        try root.forEachEntry { name, _ in
            if !isPartOfSite(name), name != PublishedList.fileName { isOnly = false }
        }
        return isOnly
    }

    /// - Returns: false if the file or folder belongs to another user, who alone may change its permissions.
    private func isAllowed(_ change: () throws(SiteError) -> Void) throws(SiteError) -> Bool {
        do throws(SiteError) {
            try change()
            return true
        } catch .write(_, EPERM) {
            return false
        }
    }
}
