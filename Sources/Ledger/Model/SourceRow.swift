package import PhotoModel

/// The record of an address: its original, and the metadata of its server or file.
package struct SourceRow: Hashable, Sendable {
    private struct Fields: Hashable, Sendable {
        var key: Digest
        var sha256: Digest?
        var bytes: Int64
        var etag: String?
        var lastModified: String?
        var fileStamp: String?
        var validated: Int64?
        var freshUntil: Int64?
        var retryAfter: Int64?
        var retryStatus: Int?
        var fetched: Int64?
        var caching: String?
        var refusal: String?
    }

    private final class Storage: Sendable {
        let fields: Fields

        init(_ fields: Fields) { self.fields = fields }
    }

    private var storage: Storage

    private mutating func set<SQLiteValue>(_ field: WritableKeyPath<Fields, SQLiteValue>, _ value: SQLiteValue) {
        var fields = storage.fields
        fields[keyPath: field] = value
        storage = Storage(fields)
    }

    /// The digest of `Source.key`, because an address may contain a password.
    package var key: Digest { storage.fields.key }
    /// The digest of the original; nil for an address that has given none yet.
    package var sha256: Digest? {
        get { storage.fields.sha256 }
        set { set(\.sha256, newValue) }
    }
    package var bytes: Int64 {
        get { storage.fields.bytes }
        set { set(\.bytes, newValue) }
    }
    package var etag: String? {
        get { storage.fields.etag }
        set { set(\.etag, newValue) }
    }
    package var lastModified: String? {
        get { storage.fields.lastModified }
        set { set(\.lastModified, newValue) }
    }
    /// The file's size, times and inode, as four numbers with a space between; nil for a remote address.
    package var fileStamp: String? {
        get { storage.fields.fileStamp }
        set { set(\.fileStamp, newValue) }
    }
    /// When the server last sent the original or answered 304, seconds since 1970; nil if it never did.
    package var validated: Int64? {
        get { storage.fields.validated }
        set { set(\.validated, newValue) }
    }
    /// Until when the server lets the original be used without being asked, seconds since 1970.
    package var freshUntil: Int64? {
        get { storage.fields.freshUntil }
        set { set(\.freshUntil, newValue) }
    }
    /// Until when the server wants to be left alone, seconds since 1970.
    package var retryAfter: Int64? {
        get { storage.fields.retryAfter }
        set { set(\.retryAfter, newValue) }
    }
    /// The status with which it said so.
    package var retryStatus: Int? {
        get { storage.fields.retryStatus }
        set { set(\.retryStatus, newValue) }
    }
    /// When the original was first received, seconds since 1970; nil if unknown.
    package var fetched: Int64? {
        get { storage.fields.fetched }
        set { set(\.fetched, newValue) }
    }

    /// The freshness that the server stated, in the format of Downloads; nil if it stated none.
    package var caching: String? {
        get { storage.fields.caching }
        set { set(\.caching, newValue) }
    }
    /// Why what the address gave last was not taken, as Gallery has it; nil where it was. The validators are then
    /// those of what was not taken, and not of the original.
    package var refusal: String? {
        get { storage.fields.refusal }
        set { set(\.refusal, newValue) }
    }

    package init(
        key: Digest, sha256: Digest?, bytes: Int64, etag: String? = nil, lastModified: String? = nil,
        fileStamp: String? = nil, validated: Int64? = nil, freshUntil: Int64? = nil, retryAfter: Int64? = nil,
        retryStatus: Int? = nil, fetched: Int64? = nil, caching: String? = nil, refusal: String? = nil
    ) {
        storage = Storage(
            Fields(
                key: key, sha256: sha256, bytes: bytes, etag: etag, lastModified: lastModified, fileStamp: fileStamp,
                validated: validated, freshUntil: freshUntil, retryAfter: retryAfter, retryStatus: retryStatus,
                fetched: fetched, caching: caching, refusal: refusal))
    }

    package static func == (left: SourceRow, right: SourceRow) -> Bool {
        left.storage === right.storage || left.storage.fields == right.storage.fields
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(storage.fields) }
}
