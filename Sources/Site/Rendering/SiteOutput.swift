package import PhotoModel

/// A file that the renderer produces for the site.
package enum SiteOutput: Sendable {
    /// A file in memory.
    /// - Parameter key: the digest of the file's data; nil for a file that is rendered every time.
    case file(SiteFile, key: Digest?)
    /// A file whose content is produced while it is written.
    case stream(SiteStream)
    /// The file would have the same bytes as before, so it is not rendered.
    case unchanged(path: String)
    /// A file that `PageWriter` has compared with the site.
    case prepared(PreparedFile)

    package var path: String {
        switch self {
        case .file(let file, _): file.path
        case .stream(let stream): stream.path
        case .unchanged(let path): path
        case .prepared(let file): file.path
        }
    }
}
