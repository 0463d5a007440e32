package import PhotoModel

/// One file of a site, as the renderer comes to it.
package enum SiteOutput: Sendable {
    /// - Parameter key: Of the data that it was made of; nil for a file that is made anew every time.
    case file(SiteFile, key: Digest?)
    /// A file that is made while it is written.
    case stream(SiteStream)
    /// It would be what it was: not rendered.
    case unchanged(path: String)

    package var path: String {
        switch self {
        case .file(let file, _): file.path
        case .stream(let stream): stream.path
        case .unchanged(let path): path
        }
    }
}
