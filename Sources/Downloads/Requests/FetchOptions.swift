/// The options of a fetch.
package struct FetchOptions: Sendable {
    package var policy: AddressPolicy
    package var maxAge: MaxAge
    /// Whether the server may compress the response, as is useful for text. Pictures are already compressed, and a part
    /// of a compressed body is not a part of the picture.
    package var allowsCompression: Bool
    /// The check of the first bytes that decides whether content is accepted; nil accepts any.
    package var contentCheck: ContentCheck?
    /// Whether the target of redirects is reported with the original (`CachedOriginal.location`). Content with relative
    /// addresses needs it.
    package var reportsLocation: Bool
    /// Whether the `Content-Type` field is reported with the original (`CachedOriginal.contentType`). Text needs it.
    package var reportsContentType: Bool
    /// The size of the largest body that is accepted, if that is less than what the downloader accepts.
    package var maxBytes: Int64 = .max

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
