/// The derivatives to make of each original.
package struct DerivativeOptions: Hashable, Sendable {
    /// Pixels, in any order; those over a photo's own width become its own width, once. At least one, each at least 1.
    package let widths: [Int]
    /// JPEG quality, 1 to 100; WebP is as good as JPEG of this quality.
    package let quality: Int
    package let formats: PublishedFormats
    package var filter: FilterChain
    /// Whether the picture is also made without the filter, for the before/after view.
    package let publishesUnfiltered: Bool
    /// A picture of more pixels is refused.
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
}
