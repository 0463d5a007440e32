/// The options that decide which derivatives are made of each original.
package struct DerivativeOptions: Hashable, Sendable {
    /// The widths in pixels, in any order. Those above a photo's own width are replaced by that width, once. There is
    /// at least one width, and each is at least 1.
    package let widths: [Int]
    /// The quality of JPEG, 1 to 100. WebP gets the quality at which it looks the same.
    package let quality: Int
    package let formats: PublishedFormats
    package var filter: FilterChain
    /// Whether the picture is also made without the filter, for the before/after view.
    package let publishesUnfiltered: Bool
    /// The most pixels that a picture may have; a larger one is refused.
    package let maxPixels: Int

    package init(
        widths: [Int], quality: Int, formats: PublishedFormats = .jpeg, filter: FilterChain, publishesUnfiltered: Bool,
        maxPixels: Int
    ) {
        precondition(!widths.isEmpty && widths.allSatisfy { $0 >= 1 }, "widths are positive")
        precondition((1...100).contains(quality), "quality is 1 to 100")
        self.widths = widths
        self.quality = quality
        self.formats = formats
        self.filter = filter
        self.publishesUnfiltered = publishesUnfiltered
        self.maxPixels = maxPixels
    }

    /// The same options for the widest filtered picture alone, without WebP. It has the name that it has with these
    /// options.
    package var widestAlone: DerivativeOptions {
        DerivativeOptions(
            widths: [widths.max() ?? 1], quality: quality, filter: filter, publishesUnfiltered: false,
            maxPixels: maxPixels)
    }
}
