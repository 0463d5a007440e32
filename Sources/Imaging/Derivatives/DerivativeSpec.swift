package import PhotoModel

/// A derivative that is identified before it exists, by the digest of the original, its facts and the options.
package struct DerivativeSpec: Hashable, Sendable {
    package enum Kind: String, Hashable, Codable, Sendable {
        /// The picture as it is shown: filtered, unless the filter chain is empty.
        case filtered
        /// The picture without the filter, for the before/after view.
        case unfiltered
    }

    package let kind: Kind
    /// Pixels.
    package let width: Int
    package let height: Int
    package let format: PictureFormat
    /// "<first 16 digits of the recipe's digest>-<width>.jpg", ".png" or ".webp".
    package let fileName: String

    /// All derivatives of an original: the picture in each width, ascending; then, where wanted, once without its
    /// filter in the largest of them; then, where wanted, all of these as WebP.
    ///
    /// - Parameters:
    ///   - original: the SHA-256 of its bytes.
    ///   - picture: what `DerivativeMaker.facts(ofOriginalAt:)` found in it.
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

    /// The formats in which all of these are made. One that is too large for WebP in any of its sizes has it in none,
    /// so that a browser always chooses among all.
    static func formats(
        _ picture: ImageMetadata, resizePlan: ResizePlan, _ options: DerivativeOptions
    ) -> [PictureFormat] {
        let first: PictureFormat = picture.hasTransparency ? .png : .jpeg
        let width = resizePlan.widths.last ?? 0
        let height = resizePlan.height(forWidth: width)
        let fits =
            max(width, height) <= PictureFormat.longestSideOfWebP
            && (!picture.hasTransparency || width * height <= WebPMemory.mostPixelsWithTransparency)
        return options.formats == .jpegAndWebP && fits ? [first, .webp] : [first]
    }
}
