internal import GRDB
package import PhotoModel

/// The record of a photo: how the last build left it.
package typealias PhotoRow = Shared<PhotoFields>

package struct PhotoFields: Hashable, Sendable {
    /// The identity of the photo, as the gallery makes it.
    package let key: Digest
    /// The key of its address among the sources; nil if it had none that could be asked.
    package var source: Digest?
    package var slug: String
    package var state: PhotoState
    /// Why it failed; nil unless `state` is `failed`.
    package var reason: Reason?
    /// When the photo entered this state, seconds since 1970.
    package var since: Int64
    /// Why the picture shown could not be refreshed, and since when.
    package var stale: StaleMark?
    /// The original that the published derivatives were made from: the last good one.
    package var sha256: Digest?
    /// The published pictures.
    package var pictures: [PublishedPicture]
    /// The recipe of the pictures; nil if unknown.
    package var recipe: String?
    /// When the photo recovered from a failure or from being stale, seconds since 1970; nil after any other change.
    package var back: Int64?
    /// When the original was downloaded, seconds since 1970; nil if unknown.
    package var fetched: Int64?
    /// Failures in a row; 0 for a photo that is well.
    package var attempts: Int
    /// When the address was last requested, seconds since 1970.
    package var checked: Int64
}

extension PhotoRow {
    package init(
        key: Digest, source: Digest? = nil, slug: String, state: PhotoState, reason: Reason? = nil, since: Int64,
        stale: StaleMark? = nil, sha256: Digest? = nil, pictures: [PublishedPicture] = [], recipe: String? = nil,
        back: Int64? = nil, fetched: Int64? = nil, attempts: Int = 0, checked: Int64
    ) {
        self.init(
            PhotoFields(
                key: key, source: source, slug: slug, state: state, reason: reason, since: since, stale: stale,
                sha256: sha256, pictures: pictures, recipe: recipe, back: back, fetched: fetched,
                attempts: attempts, checked: checked))
    }

    /// Whether nothing but the time of the last look has changed.
    package func differsOnlyInTime(from old: PhotoRow) -> Bool {
        var alike = old.value
        alike.checked = value.checked
        return alike == value
    }

    /// Whether the pages that show one show the other.
    package func rendersLike(_ other: PhotoRow) -> Bool {
        var alike = other.value
        alike.checked = value.checked
        alike.attempts = value.attempts
        alike.recipe = value.recipe
        alike.source = value.source
        return alike == value
    }
}

/// Since when a photo could not be refreshed, and why.
package struct StaleMark: Hashable, Sendable {
    package let since: Int64
    package let reason: Reason

    package init(since: Int64, reason: Reason) {
        self.since = since
        self.reason = reason
    }
}

/// A photo without its pictures, which have rows of their own.
struct PhotoRecord: LedgerRecord {
    static let databaseTableName = "photo"
    static let scopeColumn: String? = "gallery"
    static let keyColumns = ["gallery", "number"]
    /// When a photo was looked at last is on no page, and is written wherever it is not that of `look`.
    static let uncoveredColumns = ["checked"]

    let scope: String
    /// Photos get numbers in the order in which they come, so that what a build learns of a photo, of its address and
    /// of its original is written beside what it learnt just before.
    let number: Int64
    /// Without pictures and recipe.
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
        let (back, fetched): (Int64?, Int64?) = (try columns.next(), try columns.next())
        // The checksum.
        columns.skip(1)
        let checked: Int64 = try columns.next()
        // A newer version may know states and reasons that this one does not: such a photo is done again, and what it
        // refers to is still needed.
        let isKnown =
            state != nil && (code == nil || reason != nil) && (staleCode == nil || staleReason != nil)
        let stale = staleSince.flatMap { since in staleReason.map { StaleMark(since: since, reason: $0) } }
        self.recipe = isKnown ? recipe : nil
        photo = PhotoFields(
            key: key, source: source, slug: slug, state: isKnown ? state ?? .new : .new,
            reason: isKnown ? reason : nil, since: since, stale: isKnown ? stale : nil, sha256: sha256, pictures: [],
            recipe: nil, back: back, fetched: fetched, attempts: attempts, checked: checked)
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
                "attempts": photo.attempts, "source": photo.source, "recipe": recipe, "back": photo.back,
                "fetched": photo.fetched,
            ]
        }
    }

    var uncovered: ColumnValues { ["checked": photo.checked] }
}
