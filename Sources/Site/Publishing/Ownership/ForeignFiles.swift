internal import Foundation

/// Whether a file or folder with this name at the top of the output folder belongs to a site.
package func isPartOfSite(_ name: String) -> Bool {
    SiteRoot.folderNames.contains(name) || SiteRoot.fileNames.contains(name) || Staging.isTemporary(name)
}

/// Refuses an output folder that holds somebody else's site, before any work is done for it. Conflicts with single
/// foreign files are found later, when the files are published.
///
/// - Parameter isOwned: whether gallerygen owns the file at a path relative to the output folder.
/// - Throws: `SiteError.foreign` with the path of a conflicting entry; `.cannotMake` if `output` is not a folder and
///   can't be created.
package func refuseForeignSite(in output: String, isOwned: (String) throws(SiteError) -> Bool) throws(SiteError) {
    let root = try SiteRoot(path: output)
    guard let folder = root.folder else { return }
    for name in SiteRoot.folderNames {
        if let kind = folder.kind(of: name), kind != .folder { throw .foreign(path: root.fullPath(name)) }
    }
    for name in SiteRoot.fileNames {
        if let kind = folder.kind(of: name), kind != .file { throw .foreign(path: root.fullPath(name)) }
    }
    guard folder.kind(of: SitePath.index) != nil, try !isOwned(SitePath.index) else { return }
    // A first build that was killed can have left index.html, whose record was then lost.
    guard try OwnershipRecovery.isSigned(SitePath.index, in: folder) else {
        throw .foreign(path: root.fullPath(SitePath.index))
    }
}
