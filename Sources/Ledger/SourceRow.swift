package import PhotoModel

/// What is remembered of an address: the original that it gave, and what its server or the file system said of it.
package struct SourceRow: Hashable, Sendable {
    /// `Source.key` of the address.
    package let key: String
    package var sha256: Digest
    package var bytes: Int64
    package var etag: String?
    package var lastModified: String?
    /// JSON of the file's size, times and inode; nil for a remote address.
    package var fileStamp: String?

    package init(
        key: String, sha256: Digest, bytes: Int64, etag: String? = nil, lastModified: String? = nil,
        fileStamp: String? = nil
    ) {
        self.key = key
        self.sha256 = sha256
        self.bytes = bytes
        self.etag = etag
        self.lastModified = lastModified
        self.fileStamp = fileStamp
    }
}
