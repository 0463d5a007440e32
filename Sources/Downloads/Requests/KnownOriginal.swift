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
package struct KnownOriginal: Hashable, Sendable {
    package var original: StoredOriginal
    package var validators: Validators
    /// Where redirects led, without user, query and fragment; nil if nowhere, or unless `FetchTerms` asks for it.
    package var location: String?

    package init(original: StoredOriginal, validators: Validators, location: String? = nil) {
        self.original = original
        self.validators = validators
        self.location = location
    }
}
