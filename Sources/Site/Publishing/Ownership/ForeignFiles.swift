internal import Foundation

/// Whether a site has a file or folder of this name at its top.
package func isPartOfSite(_ name: String) -> Bool {
    SiteRoot.folderNames.contains(name) || SiteRoot.fileNames.contains(name) || Staging.isTemporary(name)
}

/// Whether a site may have a file at this path, which may come from outside: no other path leads anywhere but into a
/// site.
package func isPathOfSiteFile(_ path: String) -> Bool {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    // What is beside the pages and pictures has its name from the program alone.
    guard parts.count == 2 else { return SiteRoot.fileNames.contains(path) }
    return SiteRoot.folderNames.contains(String(parts[0])) && SitePath.isUsable(slug: String(parts[1]))
        && !parts[1].utf8.contains { $0 < 0x20 || $0 == 0x7F }
}

/// The folders that a site has.
package var siteFolderNames: [String] { SiteRoot.folderNames }

/// A new name for a temporary folder in a site, and whether a name is one.
package enum TemporaryFolderName {
    package static func make() -> String { Staging.newName() }

    package static func matches(_ name: String) -> Bool { Staging.isTemporary(name) }
}

/// Makes sure that the output folder does not hold somebody else's site, before any work is done for it. That no
/// single file is in the way is looked at when the files are there.
///
/// - Parameter isOurs: Whether the file at a path relative to it is ours.
/// - Throws: `SiteError.foreign`, which names what is in the way; `.cannotMake` if `output` is no folder, and can't
///   be made.
package func refuseForeignSite(in output: String, isOurs: (String) throws(SiteError) -> Bool) throws(SiteError) {
    let root = try SiteRoot(path: output)
    guard let folder = root.folder else { return }
    for name in SiteRoot.folderNames {
        if let kind = folder.kind(of: name), kind != .folder { throw .foreign(path: root.fullPath(name)) }
    }
    for name in SiteRoot.fileNames {
        if let kind = folder.kind(of: name), kind != .file { throw .foreign(path: root.fullPath(name)) }
    }
    guard folder.kind(of: SitePath.index) != nil, try !isOurs(SitePath.index) else { return }
    // A killed first build may have left one, and then the record of it was lost.
    guard try OwnershipRecovery.isSigned(SitePath.index, in: folder) else {
        throw .foreign(path: root.fullPath(SitePath.index))
    }
}
