/// The formats in which every derivative is published. `DerivativeSpec.formats` decides which picture gets which.
package enum PublishedFormats: String, Hashable, Sendable {
    /// JPEG, or PNG if the picture is transparent.
    case jpeg
    /// The same, and a WebP for each of these files, so that browsers can choose.
    case jpegAndWebP = "jpeg,webp"
}
