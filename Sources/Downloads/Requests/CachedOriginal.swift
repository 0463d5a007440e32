package import PhotoModel

/// An original in the store.
package struct StoredOriginal: Hashable, Sendable {
    package let digest: Digest
    /// The size in bytes; never 0.
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
    /// The address after redirects, without user, query and fragment; nil if there were no redirects, or if
    /// `FetchOptions` does not ask for it.
    package var location: String?
    /// The address that the requested one has permanently moved to (301, 308), without user, query and fragment; nil if
    /// it has not. A question mark at the end says that there was a query.
    package var moved: String?
    /// The `Content-Type` with which the original arrived; nil if it did not arrive now, or if `FetchOptions` does not
    /// ask for it.
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
