package import PhotoModel

/// What is remembered of an address: the original that it gave, and what its server or the file system said of it.
package struct SourceRow: Hashable, Sendable {
    /// `Source.key` of the address.
    package let key: String
    /// Of its original; nil for an address that has given none yet.
    package var sha256: Digest?
    package var bytes: Int64
    package var etag: String?
    package var lastModified: String?
    /// JSON of the file's size, times and inode; nil for a remote address.
    package var fileStamp: String?
    /// When the server last gave the original or said that it is unchanged, seconds since 1970; nil if it never did.
    package var validated: Int64?
    /// Until when the server lets the original be used without being asked, seconds since 1970.
    package var freshUntil: Int64?
    /// Until when the server wants to be left alone, seconds since 1970, and the status with which it said so.
    package var retryAfter: Int64?
    package var retryStatus: Int?
    /// When it gave the original for the first time, seconds since 1970; nil where that was not remembered.
    package var fetched: Int64?

    package init(
        key: String, sha256: Digest?, bytes: Int64, etag: String? = nil, lastModified: String? = nil,
        fileStamp: String? = nil, validated: Int64? = nil, freshUntil: Int64? = nil
    ) {
        self.key = key
        self.sha256 = sha256
        self.bytes = bytes
        self.etag = etag
        self.lastModified = lastModified
        self.fileStamp = fileStamp
        self.validated = validated
        self.freshUntil = freshUntil
    }
}
