internal import GRDB
package import PhotoModel

/// The record of a photo: its state after the last build.
package typealias PhotoRow = Shared<PhotoFields>

/// The state of a photo after the last build. Stores of shared builds keep it as JSON. A new property is optional, or
/// `StoredPhoto.currentVersion` is higher.
package struct PhotoFields: Hashable, Codable, Sendable {
    /// The digest of the photo's identity. Gallery computes it.
    package let key: Digest
    /// The key of the row of the photo's address; nil if the photo had no usable address.
    package var source: Digest?
    package var slug: String
    package var state: PhotoState
    /// Why the photo failed; nil unless `state` is `failed`.
    package var reason: Reason?
    /// The time at which the photo entered this state, in seconds since 1970.
    package var since: Int64
    /// Why the shown picture could not be refreshed, and since when.
    package var stale: StaleMark?
    /// The marks of the picture, in the order of their codes.
    package var marks: [PhotoMark] = []
    /// The digest of the last good original, from which the published derivatives were rendered.
    package var sha256: Digest?
    /// The published pictures.
    package var pictures: [PublishedPicture]
    /// The kept earlier originals, the latest first.
    package var versions: [PhotoVersion] = []
    /// The recipe of the pictures; nil if unknown.
    package var recipe: String?
    /// The time at which the photo recovered from a failure or from being stale, in seconds since 1970; nil after any
    /// other change.
    package var recovered: Int64?
    /// The time at which the original was received, in seconds since 1970; nil if unknown.
    package var fetched: Int64?
    /// The number of consecutive failures; 0 for a photo without one.
    package var attempts: Int
    /// The time of the last request to the address, in seconds since 1970.
    package var checked: Int64
}

extension PhotoRow {
    package init(
        key: Digest, source: Digest? = nil, slug: String, state: PhotoState, reason: Reason? = nil, since: Int64,
        stale: StaleMark? = nil, marks: [PhotoMark] = [], sha256: Digest? = nil, pictures: [PublishedPicture] = [],
        versions: [PhotoVersion] = [], recipe: String? = nil,
        recovered: Int64? = nil, fetched: Int64? = nil, attempts: Int = 0, checked: Int64
    ) {
        self.init(
            PhotoFields(
                key: key, source: source, slug: slug, state: state, reason: reason, since: since, stale: stale,
                marks: marks, sha256: sha256, pictures: pictures, versions: versions, recipe: recipe,
                recovered: recovered, fetched: fetched, attempts: attempts, checked: checked))
    }

    /// Whether nothing except the time of the last request has changed.
    package func differsOnlyInTime(from old: PhotoRow) -> Bool {
        var alike = old.value
        alike.checked = value.checked
        return alike == value
    }

    /// Whether the pages that show one row would be the same for the other.
    package func rendersLike(_ other: PhotoRow) -> Bool {
        var alike = other.value
        alike.checked = value.checked
        alike.attempts = value.attempts
        alike.recipe = value.recipe
        alike.source = value.source
        return alike == value
    }
}

/// The time since which a photo could not be refreshed, in seconds since 1970, and the reason.
package struct StaleMark: Hashable, Codable, Sendable {
    package let since: Int64
    package let reason: Reason

    package init(since: Int64, reason: Reason) {
        self.since = since
        self.reason = reason
    }
}

/// A photo without its pictures, marks and versions, which have their own rows.
struct PhotoTableRecord: LedgerRecord {
    static let databaseTableName = "photo"
    static let scopeColumn: String? = "gallery"
    static let keyColumns = ["gallery", "number"]
    /// No page shows when a photo was last checked, and the column is written whenever it differs from
    /// the check time of the gallery.
    static let uncoveredColumns = ["checked"]

    let scope: String
    /// The number of the photo. Photos are numbered in the order in which they are recorded, so that the rows of a
    /// photo, its address and its original are written next to those that were written just before.
    let number: Int64
    /// The photo without its pictures, marks, versions and its recipe.
    let photo: PhotoFields
    /// The `RecipeRecord.id` of the recipe.
    let recipe: Int64?

    init(_ photo: PhotoRow, gallery: String, number: Int64) {
        scope = gallery
        self.number = number
        self.photo = photo.value
        recipe = photo.recipe.map { RecipeRecord($0).id }
    }

    init(row: Row) throws {
        var columns = ColumnReader(row)
        scope = try columns.next()
        number = try columns.next()
        let key: Digest = try columns.next()
        let slug: String = try columns.next()
        let state = PhotoState(rawValue: try columns.next())
        let (code, text): (String?, String?) = (try columns.next(), try columns.next())
        let reason = code.flatMap { ReasonColumn.reason(code: $0, text) }
        let since: Int64 = try columns.next()
        let staleSince: Int64? = try columns.next()
        let (staleCode, staleText): (String?, String?) = (try columns.next(), try columns.next())
        let staleReason = staleCode.flatMap { ReasonColumn.reason(code: $0, staleText) }
        let sha256: Digest? = try columns.next()
        let attempts: Int = try columns.next()
        let source: Digest? = try columns.next()
        let recipe: Int64? = try columns.next()
        let (recovered, fetched): (Int64?, Int64?) = (try columns.next(), try columns.next())
        // The skipped column is the checksum.
        columns.skip(1)
        let checked: Int64 = try columns.next()
        // A newer version can record states and reasons that this version does not know. Such a photo is done again,
        // but the files that it refers to are still needed.
        let isKnown =
            state != nil && (code == nil || reason != nil) && (staleCode == nil || staleReason != nil)
        let stale = staleSince.flatMap { since in staleReason.map { StaleMark(since: since, reason: $0) } }
        self.recipe = isKnown ? recipe : nil
        photo = PhotoFields(
            key: key, source: source, slug: slug, state: isKnown ? state ?? .new : .new,
            reason: isKnown ? reason : nil, since: since, stale: isKnown ? stale : nil, sha256: sha256, pictures: [],
            recipe: nil, recovered: recovered, fetched: fetched, attempts: attempts, checked: checked)
    }

    /// The number of a photo's row; nil if there is none.
    static func number(of key: Digest, gallery: String, _ database: Database) throws -> Int64? {
        try Int64.fetchOne(database.cachedStatement(sql: selectNumber), arguments: [gallery, key])
    }

    static func newNumber(gallery: String, _ database: Database) throws -> Int64 {
        let last = try Int64.fetchOne(database.cachedStatement(sql: selectLastNumber), arguments: [gallery]) ?? 0
        guard (0..<Int64.max).contains(last) else {
            throw DatabaseError.damaged("a row of photo has a number after which none comes")
        }
        return last + 1
    }

    static let selectNumber = "SELECT number FROM photo WHERE gallery = ? AND key = ?"
    static let selectLastNumber = "SELECT max(number) FROM photo WHERE gallery = ?"

    var key: StatementArguments { [scope, number] }

    var covered: ColumnValues {
        get throws {
            [
                "number": number, "key": photo.key, "slug": photo.slug, "state": photo.state.rawValue,
                "code": photo.reason?.code.rawValue, "reason": try photo.reason.map(ReasonColumn.text),
                "since": photo.since, "stale_since": photo.stale?.since,
                "stale_code": photo.stale?.reason.code.rawValue,
                "stale_reason": try photo.stale.map { try ReasonColumn.text($0.reason) }, "sha256": photo.sha256,
                "attempts": photo.attempts, "source": photo.source, "recipe": recipe, "back": photo.recovered,
                "fetched": photo.fetched,
            ]
        }
    }

    var uncovered: ColumnValues { ["checked": photo.checked] }
}
