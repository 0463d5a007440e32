internal import GRDB
package import PhotoModel

/// The record of an address: its original, and the metadata of its server or file.
package typealias SourceRow = Shared<SourceFields>

/// The fields of an address's row: the original it delivered, and what its server or file said about it.
package struct SourceFields: Hashable, Codable, Sendable {
    /// The digest of `Source.key`. The address itself is not stored, because it can contain a password.
    package let key: Digest
    /// The digest of the original; nil for an address that has not delivered one yet.
    package var sha256: Digest?
    package var bytes: Int64
    package var etag: String?
    package var lastModified: String?
    /// The stamp of a local file; nil for a remote address.
    package var fileStamp: FileStamp?
    /// The time at which the server last sent the original or answered 304, in seconds since 1970; nil if it never did.
    package var validated: Int64?
    /// The time until which the server allows the original to be used without revalidation, in seconds since 1970.
    package var freshUntil: Int64?
    /// The time until which the server asked not to be contacted, in seconds since 1970.
    package var retryAfter: Int64?
    /// The HTTP status with which the server asked for this pause.
    package var retryStatus: Int?
    /// The time at which the original was first received, in seconds since 1970; nil if unknown.
    package var fetched: Int64?
    /// The freshness that the server stated, in the format of Downloads; nil if it stated none.
    package var caching: String?
    /// Why the last content of the address was refused, in the format of Gallery; nil if it was accepted. If it was
    /// refused, the validators are those of the refused content and not of the original.
    package var refusal: String?
    /// The address to which permanent redirects lead, in the format of Downloads; nil if the address has not moved.
    package var moved: String?
    /// Where the validators come from, in the format of Downloads; nil for the address itself.
    package var responder: String?
}

extension SourceRow {
    package init(
        key: Digest, sha256: Digest?, bytes: Int64, etag: String? = nil, lastModified: String? = nil,
        fileStamp: FileStamp? = nil, validated: Int64? = nil, freshUntil: Int64? = nil, retryAfter: Int64? = nil,
        retryStatus: Int? = nil, fetched: Int64? = nil, caching: String? = nil, refusal: String? = nil,
        moved: String? = nil, responder: String? = nil
    ) {
        self.init(
            SourceFields(
                key: key, sha256: sha256, bytes: bytes, etag: etag, lastModified: lastModified, fileStamp: fileStamp,
                validated: validated, freshUntil: freshUntil, retryAfter: retryAfter, retryStatus: retryStatus,
                fetched: fetched, caching: caching, refusal: refusal, moved: moved, responder: responder))
    }
}

/// The rows are in the order in which the addresses were first recorded, so that rows that change together are stored
/// together.
struct SourceRecord: LedgerRecord {
    static let databaseTableName = "source"
    static let keyColumns = ["key"]

    let fields: SourceFields

    init(_ row: SourceRow) { fields = row.value }

    init(row: Row) throws {
        var columns = ColumnReader(row)
        fields = SourceFields(
            key: try columns.next(), sha256: try columns.next(), bytes: try columns.next(), etag: try columns.next(),
            lastModified: try columns.next(), fileStamp: try Self.fileStamp(&columns), validated: try columns.next(),
            freshUntil: try columns.next(), retryAfter: try columns.next(), retryStatus: try columns.next(),
            fetched: try columns.next(), caching: try columns.next(), refusal: try columns.next(),
            moved: try columns.next(), responder: try columns.next())
    }

    /// Reads the four columns of the stamp. They are null for a remote address.
    private static func fileStamp(_ columns: inout ColumnReader) throws -> FileStamp? {
        guard let size: Int64 = try columns.next() else {
            columns.skip(3)
            return nil
        }
        return FileStamp(
            size: size, modifiedNanoseconds: try columns.next(), changedNanoseconds: try columns.next(),
            inode: UInt64(bitPattern: try columns.next()))
    }

    var key: StatementArguments { [fields.key] }

    var covered: ColumnValues {
        let stamp = fields.fileStamp
        return [
            "key": fields.key, "sha256": fields.sha256, "bytes": fields.bytes, "etag": fields.etag,
            "last_modified": fields.lastModified, "file_size": stamp?.size,
            "file_modified": stamp?.modifiedNanoseconds, "file_changed": stamp?.changedNanoseconds,
            "file_inode": stamp.map { Int64(bitPattern: $0.inode) }, "validated": fields.validated,
            "fresh_until": fields.freshUntil, "retry_after": fields.retryAfter, "retry_status": fields.retryStatus,
            "fetched": fields.fetched, "caching": fields.caching, "refusal": fields.refusal,
            "moved": fields.moved, "responder": fields.responder,
        ]
    }
}
