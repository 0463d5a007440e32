package import PhotoModel

/// An original in the store.
package struct StoredOriginal: Hashable, Sendable {
    package let digest: Digest
    /// Its size; never 0.
    package let bytes: Int64

    package init(digest: Digest, bytes: Int64) {
        self.digest = digest
        self.bytes = bytes
    }
}

/// The stored original of an address, and the metadata for revalidating it.
package struct CachedOriginal: Hashable, Sendable {
    package var original: StoredOriginal
    package var metadata: CacheMetadata
    /// The address after redirects, without user, query and fragment; nil without redirects, or unless `FetchOptions`
    /// asks for it.
    package var location: String?
    /// The address that servers gave in place of the requested one by permanent redirects (301, 308), without user,
    /// query and fragment; nil if it has not moved for good.
    package var moved: String?
    /// The `Content-Type` that the original came with; nil for one that was there already, and unless `FetchOptions`
    /// asks for it.
    package var contentType: String?

    package init(
        original: StoredOriginal, metadata: CacheMetadata, location: String? = nil, moved: String? = nil,
        contentType: String? = nil
    ) {
        self.original = original
        self.metadata = metadata
        self.location = location
        self.moved = moved
        self.contentType = contentType
    }
}
