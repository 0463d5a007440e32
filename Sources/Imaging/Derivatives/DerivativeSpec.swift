package import PhotoModel

/// A derivative that is identified before it exists, by the digest of the original, the original's metadata and the
/// options.
package struct DerivativeSpec: Hashable, Sendable {
    /// Whether a derivative shows the picture with or without its filter.
    package enum Kind: String, Hashable, Codable, Sendable {
        /// The picture as it is shown: filtered, unless the filter chain is empty.
        case filtered
        /// The picture without the filter, for the before/after view.
        case unfiltered
    }

    package let kind: Kind
    /// The width in pixels.
    package let width: Int
    package let height: Int
    package let format: PictureFormat
    /// The name of the file: "<first 16 digits of the recipe's digest>-<width>" with ".jpg", ".png" or ".webp".
    package let fileName: String

    /// All derivatives of an original: the picture in each width, ascending; then, if the options ask for it, the
    /// picture without its filter in the largest width; then, if the options ask for WebP, all of these as WebP.
    ///
    /// - Parameters:
    ///   - original: the SHA-256 of the original's bytes.
    ///   - picture: the metadata that `DerivativeMaker.metadata(ofOriginalAt:)` found in the original.
    package static func all(
        original: Digest, picture: ImageMetadata, options: DerivativeOptions
    ) -> [DerivativeSpec] {
        let resizePlan = ResizePlan(picture, widths: options.widths)
        var pictures: [(kind: Kind, width: Int)] = resizePlan.widths.map { (.filtered, $0) }
        let largest = resizePlan.widths.last ?? 0
        if options.publishesUnfiltered, !options.filter.isEmpty { pictures.append((.unfiltered, largest)) }
        return formats(picture, resizePlan: resizePlan, options).flatMap { format in
            pictures.map { kind, width in
                let recipe = Recipe(
                    original: original, picture: picture, options: options, resizePlan: resizePlan, kind: kind,
                    width: width,
                    format: format)
                return DerivativeSpec(
                    kind: kind, width: width, height: resizePlan.height(forWidth: width), format: format,
                    fileName: recipe.fileName)
            }
        }
    }

    /// The formats in which all derivatives of a picture are made. If one of its sizes is too large for WebP, none is
    /// made as WebP, so that a browser can always choose among all sizes.
    static func formats(
        _ picture: ImageMetadata, resizePlan: ResizePlan, _ options: DerivativeOptions
    ) -> [PictureFormat] {
        let first: PictureFormat = picture.hasTransparency ? .png : .jpeg
        let width = resizePlan.widths.last ?? 0
        let height = resizePlan.height(forWidth: width)
        let fits =
            max(width, height) <= PictureFormat.longestSideOfWebP && width * height <= WebPMemory.maxPixels
            && (!picture.hasTransparency || width * height <= WebPMemory.maxPixelsWithTransparency)
        return options.formats == .jpegAndWebP && fits ? [first, .webp] : [first]
    }
}
