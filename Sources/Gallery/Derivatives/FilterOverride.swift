internal import Imaging

extension DerivativeOptions {
    /// The same options with a photo's own filter chain.
    func with(filter: FilterChain) -> DerivativeOptions {
        var options = self
        options.filter = filter
        return options
    }
}
