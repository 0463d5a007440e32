/// A format that is read. Of an animation, the first frame is read.
package enum OriginalFormat: String, Codable, Sendable {
    case jpeg
    case png
    case webp
    case gif
}
