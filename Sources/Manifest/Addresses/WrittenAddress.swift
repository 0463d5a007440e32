internal import PhotoModel

/// An address as it is written in a list.
package enum WrittenAddress {
    /// An http or https address as a link: in its path and query, spaces and letters beyond ASCII are percent-encoded.
    /// The host stays as it is written. nil for any other address.
    package static func link(_ text: String) -> String? {
        text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } ? text : url(text)
    }

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
