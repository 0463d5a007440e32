/// The files and messages that a preview server serves.
package protocol PreviewSite: Sendable {
    /// - Parameter path: a path relative to the site, not percent-encoded.
    /// - Returns: nil if there is no such file.
    func answer(_ path: String) -> PreviewAnswer?

    /// The first messages to a page that has connected.
    /// - Parameter photos: the number of changes of photos that the page has; nil if it does not say.
    func hello(photos: Int?) -> [PreviewMessage]

    /// - Parameter client: the number of the page's connection.
    func received(_ message: PageMessage, from client: Int)

    func disconnected(_ client: Int)
}

/// A file of the preview.
package enum PreviewAnswer: Sendable {
    case bytes([UInt8])
    /// A file on the disk whose content never changes under this path.
    case picture(path: String)
    /// Why no page can be shown, as plain text.
    case mistake(String)
}
