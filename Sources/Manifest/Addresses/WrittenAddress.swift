internal import PhotoModel

/// An address as it is written in a list.
package enum WrittenAddress {
    /// The absolute http or https URL that a list on this machine means, in the form of `Source.location`; nil for any
    /// other address.
    package static func url(_ text: String) -> String? {
        let resolver = AddressResolver(origin: .standardInput(directory: "/"))
        guard case .success(let source) = resolver.resolve(text).source, case .remote(let url) = source.location else {
            return nil
        }
        return url
    }
}
