/// A format that is read, and written.
package enum PictureFormat: String, Codable, Sendable {
    case jpeg
    case png

    /// The ending of file names, without its dot.
    package var fileExtension: String {
        switch self {
        case .jpeg: "jpg"
        case .png: "png"
        }
    }
}
