internal import Foundation

/// Whether a file or folder with this name at the top of the output folder belongs to a site.
package func isPartOfSite(_ name: String) -> Bool {
    SiteRoot.folderNames.contains(name) || SiteRoot.fileNames.contains(name) || Staging.isTemporary(name)
}

/// Whether a site can have a file at this path. The path may come from an untrusted source: a path that is accepted
/// never leads out of the site.
package func isPathOfSiteFile(_ path: String) -> Bool {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    // Files at the top of a site have fixed names.
    guard parts.count == 2 else { return SiteRoot.fileNames.contains(path) }
    return SiteRoot.folderNames.contains(String(parts[0])) && SitePath.isUsable(slug: String(parts[1]))
        && !parts[1].utf8.contains { $0 < 0x20 || $0 == 0x7F }
}

/// The names of the folders of a site.
package var siteFolderNames: [String] { SiteRoot.folderNames }

/// The names of temporary folders in a site.
package enum TemporaryFolderName {
    package static func make() -> String { Staging.newName() }

    package static func matches(_ name: String) -> Bool { Staging.isTemporary(name) }
}

/// Refuses an output folder that holds somebody else's site, before any work is done for it. Conflicts with single
/// foreign files are found later, when the files are published.
///
/// - Parameter isOwned: whether gallerygen owns the file at a path relative to the output folder.
/// - Throws: `SiteError.foreign` with the path of a conflicting entry; `.cannotCreate` if `output` is not a folder and
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
