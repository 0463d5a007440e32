/// A format of which originals are read. Of an animation, only the first frame is read.
package enum OriginalFormat: String, Codable, Sendable {
    case jpeg
    case png
    case webp
    case gif
}
