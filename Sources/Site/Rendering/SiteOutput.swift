package import PhotoModel

/// What the renderer produces for the site.
package enum SiteOutput: Sendable {
    /// A file in memory.
    /// - Parameter key: the digest of the file's data; nil for a file that is rendered every time.
    case file(SiteFile, key: Digest?)
    /// A file whose content is produced while it is written.
    case stream(SiteStream)
    /// Files that would have the same bytes as before, so they are not rendered.
    case unchanged(paths: [String])
    /// A file that `PageWriter` has compared with the site.
    case prepared(PreparedFile)
}
