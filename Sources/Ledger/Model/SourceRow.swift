package import PhotoModel

/// The record of an address: its original, and the metadata of its server or file.
package struct SourceRow: Hashable, Sendable {
    /// The digest of `Source.key`, because an address may contain a password.
    package let key: Digest
    /// The digest of the original; nil for an address that has given none yet.
    package var sha256: Digest?
    package var bytes: Int64
    package var etag: String?
    package var lastModified: String?
    /// The file's size, times and inode, as four numbers with a space between; nil for a remote address.
    package var fileStamp: String?
    /// When the server last sent the original or answered 304, seconds since 1970; nil if it never did.
    package var validated: Int64?
    /// Until when the server lets the original be used without being asked, seconds since 1970.
    package var freshUntil: Int64?
    /// Until when the server asked not to be requested, seconds since 1970.
    package var retryAfter: Int64?
    /// The status of the answer that said so.
    package var retryStatus: Int?
    /// When the original was first received, seconds since 1970; nil if unknown.
    package var fetched: Int64?
    /// How long the server said that the original is fresh, in the form of Downloads; nil where it said nothing.
    package var caching: String?
    /// Why the last content of the address was not taken, in the form of Gallery; nil where it was. The validators are
    /// then those of that content, and not of the original.
    package var refusal: String?

    package init(
        key: Digest, sha256: Digest?, bytes: Int64, etag: String? = nil, lastModified: String? = nil,
        fileStamp: String? = nil, validated: Int64? = nil, freshUntil: Int64? = nil, retryAfter: Int64? = nil,
        retryStatus: Int? = nil, fetched: Int64? = nil, caching: String? = nil, refusal: String? = nil
    ) {
        self.key = key
        self.sha256 = sha256
        self.bytes = bytes
        self.etag = etag
        self.lastModified = lastModified
        self.fileStamp = fileStamp
        self.validated = validated
        self.freshUntil = freshUntil
        self.retryAfter = retryAfter
        self.retryStatus = retryStatus
        self.fetched = fetched
        self.caching = caching
        self.refusal = refusal
    }
}
