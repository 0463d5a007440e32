/// The formats in which every derivative is published. `DerivativeSpec.formats` says which picture gets which.
package enum PublishedFormats: String, Hashable, Sendable {
    /// JPEG; PNG where the picture is transparent.
    case jpeg
    /// The same, and WebP beside each, for browsers to choose from.
    case jpegAndWebP = "jpeg,webp"
}
