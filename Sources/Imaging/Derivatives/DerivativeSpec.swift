package import PhotoModel

/// One file to be made, known before it is made: from the digest of the original, its facts and the options.
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
    /// "<first 16 digits of the recipe's digest>-<width>.jpg" or ".png".
    package let fileName: String

    /// All that are to be made of an original: the picture in each width, ascending; then, where wanted, once without its
    /// filter in the largest of them.
    ///
    /// - Parameters:
    ///   - original: the SHA-256 of its bytes.
    ///   - picture: what `DerivativeMaker.facts(ofOriginalAt:)` found in it.
    package static func all(
        original: Digest, picture: PictureFacts, options: DerivativeOptions
    ) -> [DerivativeSpec] {
        let ladder = ReductionLadder(picture, widths: options.widths)
        func spec(_ kind: Kind, _ width: Int) -> DerivativeSpec {
            let recipe = Recipe(
                original: original, picture: picture, options: options, ladder: ladder, kind: kind, width: width)
            return DerivativeSpec(
                kind: kind, width: width, height: ladder.height(forWidth: width), format: recipe.format,
                fileName: recipe.fileName)
        }
        var specs = ladder.widths.map { spec(.filtered, $0) }
        if options.publishesUnfiltered, !options.filter.isEmpty, let largest = ladder.widths.last {
            specs.append(spec(.unfiltered, largest))
        }
        return specs
    }
}
