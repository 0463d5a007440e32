package import PhotoModel

/// The metadata for revalidating an original: the validators of a server (RFC 9110 §8.8), or the stamp of a local file.
package struct CacheMetadata: Hashable, Sendable {
    /// The `ETag` field as it was received, including quotes and weakness mark.
    package var etag: String?
    /// The `Last-Modified` field as it was received, because it must be sent back unchanged.
    package var lastModified: String?
    /// Where the validators come from; nil for the address itself.
    package var responder: Responder?
    /// The stamp of a local file. Nil if the file was modified so recently that its stamp proves nothing.
    package var file: FileStamp?
    /// When the server last sent the original or answered 304, in seconds since 1970.
    package var validated: Int64?
    /// The time until which the server allows the original to be used without a request, in seconds since 1970; nil if
    /// it must always be revalidated.
    package var freshUntil: Int64?
    /// The freshness that the server gave with the original or with a later 304.
    package var freshness: Freshness

    package init(
        etag: String? = nil, lastModified: String? = nil, responder: Responder? = nil, file: FileStamp? = nil,
        validated: Int64? = nil, freshUntil: Int64? = nil, freshness: Freshness = Freshness()
    ) {
        self.etag = etag
        self.lastModified = lastModified
        self.responder = responder
        self.file = file
        self.validated = validated
        self.freshUntil = freshUntil
        self.freshness = freshness
    }
}

extension CacheMetadata {
    /// Reads the metadata of a response.
    ///
    /// - Parameters:
    ///   - responder: where the response comes from; nil for the address itself.
    ///   - now: when the response was received, in seconds since 1970.
    ///   - stored: the freshness of the stored original, if this is a 304.
    init(
        _ headers: ResponseHeaders, from responder: Responder?, receivedAt now: Int64,
        after stored: Freshness = Freshness()
    ) {
        let freshness = headers.freshness(after: stored)
        self.init(
            etag: headers.etag, lastModified: headers.lastModified, responder: responder, validated: now,
            freshUntil: headers.freshUntil(freshness, receivedAt: now), freshness: freshness)
    }

    /// The metadata after a 304. A 304 that names another version does not confirm the stored original (RFC 9111
    /// §4.3.4): the stored validators are kept, and are sent again the next time.
    func confirmed(by newer: CacheMetadata) -> CacheMetadata {
        if isConfirmed(by: newer) { return refreshed(by: newer) }
        return CacheMetadata(etag: etag, lastModified: lastModified, responder: responder, freshness: freshness)
    }

    /// Whether a 304 is about the stored version. Many servers also send it for an older date than that of the request.
    func isConfirmed(by newer: CacheMetadata) -> Bool {
        let isSameDate = newer.lastModified == nil || newer.lastModified == lastModified
        guard let theirs = newer.etag, !Self.isWeak(theirs) else { return etag != nil || isSameDate }
        // Without an ETag of its own, the request had only a date, and the server has begun to send ETags.
        return etag.map { theirs == Self.opaqueTag($0) } ?? isSameDate
    }

    /// Whether a request for a URL can have the validators as its conditions.
    /// - Parameter redirects: the redirects that led to the URL; nil for the address itself.
    func applies(after redirects: RedirectChain?) -> Bool {
        responder == .unknown || responder == Responder(redirects)
    }

    private static func isWeak(_ etag: String) -> Bool { etag.hasPrefix("W/") }

    private static func opaqueTag(_ etag: String) -> String { isWeak(etag) ? String(etag.dropFirst(2)) : etag }

    /// The metadata updated with that of a 304 or 206, which can leave out validators that have not changed (RFC 9111
    /// §4.3.4).
    func refreshed(by newer: CacheMetadata) -> CacheMetadata {
        CacheMetadata(
            etag: newer.etag ?? etag, lastModified: newer.lastModified ?? lastModified, responder: newer.responder,
            file: newer.file, validated: newer.validated, freshUntil: newer.freshUntil, freshness: newer.freshness)
    }
}
