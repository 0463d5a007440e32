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

/// What is known of an address: the original it brought, and how to ask whether it changed.
package struct CachedOriginal: Hashable, Sendable {
    package var original: StoredOriginal
    package var metadata: CacheMetadata
    /// Where redirects led, without user, query and fragment; nil if nowhere, or unless `FetchOptions` asks for it.
    package var location: String?

    package init(original: StoredOriginal, metadata: CacheMetadata, location: String? = nil) {
        self.original = original
        self.metadata = metadata
        self.location = location
    }
}
