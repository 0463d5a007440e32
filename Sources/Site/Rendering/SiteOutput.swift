package import PhotoModel

/// An output of the renderer: a file for the site, or the paths of files that stay as they are.
package enum SiteOutput: Sendable {
    /// A file in memory.
    /// - Parameter key: the digest of the file's data; nil for a file that is rendered every time.
    case file(SiteFile, key: Digest?)
    /// A file whose content is produced while it is written.
    case stream(SiteStream)
    /// Files that would have the same bytes as before, so they are not rendered.
    case unchanged(paths: [String])
    /// Pages for which the same holds, and that the publisher has kept.
    case kept(paths: [String])
    /// A file that `PageWriter` has compared with the site.
    case prepared(PreparedFile)
}
