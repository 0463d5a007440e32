internal import Imaging

extension DerivativeOptions {
    /// The same with a photo's own filter chain.
    func with(filter: FilterChain) -> DerivativeOptions {
        DerivativeOptions(
            widths: widths, quality: quality, filter: filter, publishesUnfiltered: publishesUnfiltered,
            maxPixels: maxPixels)
    }
}
