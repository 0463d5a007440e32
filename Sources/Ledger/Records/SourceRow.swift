internal import GRDB
package import PhotoModel

/// The record of an address: its original, and the metadata of its server or file.
package typealias SourceRow = Shared<SourceFields>

package struct SourceFields: Hashable, Sendable {
    /// The digest of `Source.key`, because an address may contain a password.
    package let key: Digest
    /// The digest of the original; nil for an address that has given none yet.
    package var sha256: Digest?
    package var bytes: Int64
    package var etag: String?
    package var lastModified: String?
    /// nil for a remote address.
    package var fileStamp: FileStamp?
    /// When the server last sent the original or answered 304, seconds since 1970; nil if it never did.
    package var validated: Int64?
    /// Until when the server lets the original be used without being asked, seconds since 1970.
    package var freshUntil: Int64?
    /// Until when the server wants to be left alone, seconds since 1970.
    package var retryAfter: Int64?
    /// The status with which it said so.
    package var retryStatus: Int?
    /// When the original was first received, seconds since 1970; nil if unknown.
    package var fetched: Int64?
    /// The freshness that the server stated, in the format of Downloads; nil if it stated none.
    package var caching: String?
    /// Why what the address gave last was not taken, as Gallery has it; nil where it was. The validators are then
    /// those of what was not taken, and not of the original.
    package var refusal: String?
    /// The address that servers gave in place of this one by permanent redirects, in the format of Downloads; nil if it
    /// has not moved.
    package var moved: String?
}

extension SourceRow {
    package init(
        key: Digest, sha256: Digest?, bytes: Int64, etag: String? = nil, lastModified: String? = nil,
        fileStamp: FileStamp? = nil, validated: Int64? = nil, freshUntil: Int64? = nil, retryAfter: Int64? = nil,
        retryStatus: Int? = nil, fetched: Int64? = nil, caching: String? = nil, refusal: String? = nil,
        moved: String? = nil
    ) {
        self.init(
            SourceFields(
                key: key, sha256: sha256, bytes: bytes, etag: etag, lastModified: lastModified, fileStamp: fileStamp,
                validated: validated, freshUntil: freshUntil, retryAfter: retryAfter, retryStatus: retryStatus,
                fetched: fetched, caching: caching, refusal: refusal, moved: moved))
    }
}

/// Rows stand in the order in which the addresses came first, so that what is learnt together is written together.
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
            moved: try columns.next())
    }

    /// The stamp has four columns, of which a remote address has none.
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
            "moved": fields.moved,
        ]
    }
}
