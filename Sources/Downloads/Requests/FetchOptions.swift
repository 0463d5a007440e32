/// The options of a fetch.
package struct FetchOptions: Sendable {
    package var policy: AddressPolicy
    package var maxAge: MaxAge
    /// The server may compress what it sends: for text. Pictures are compressed already, and a part of a compressed
    /// body is not a part of the picture.
    package var allowsCompression: Bool
    /// The check of the first bytes that decides whether content is accepted; nil accepts any.
    package var contentCheck: ContentCheck?
    /// Whether the target of redirects is reported with the original (`CachedOriginal.location`): needed for content
    /// with relative addresses.
    package var reportsLocation: Bool
    /// Whether the header field of that name is reported with the original (`CachedOriginal.contentType`): needed for
    /// text.
    package var reportsContentType: Bool

    package init(
        policy: AddressPolicy, maxAge: MaxAge = .auto, allowsCompression: Bool = false,
        contentCheck: ContentCheck? = nil, reportsLocation: Bool = false, reportsContentType: Bool = false
    ) {
        self.policy = policy
        self.maxAge = maxAge
        self.allowsCompression = allowsCompression
        self.contentCheck = contentCheck
        self.reportsLocation = reportsLocation
        self.reportsContentType = reportsContentType
    }
}
