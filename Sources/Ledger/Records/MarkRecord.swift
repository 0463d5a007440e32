internal import Foundation
internal import GRDB
internal import PhotoModel

/// A mark of a photo. Most photos have none.
struct MarkRecord: LedgerRecord {
    static let databaseTableName = "mark"
    static let scopeColumn: String? = "gallery"
    static let keyColumns = ["gallery", "photo", "code"]

    let scope: String
    /// The number of the photo's row.
    let photo: Int64
    /// The raw value of the code. A newer version can record codes that this version does not know.
    private let code: String
    /// The mark; nil if this version does not know its code or its sentence. The photo is then without it, until a
    /// build finds a reason for it again.
    let mark: PhotoMark?
    private let since: Int64
    /// A JSON object with the name of the sentence and its values, in the form of `ReasonColumn`.
    private let sentence: String
    private let withheld: Digest?

    init(_ mark: PhotoMark, gallery: String, photo: Int64) throws {
        scope = gallery
        self.photo = photo
        code = mark.code.rawValue
        self.mark = mark
        since = mark.since.seconds
        sentence = try ReasonColumn.text(mark.sentence.rawValue, mark.arguments)
        withheld = mark.withheld
    }

    init(row: Row) throws {
        var columns = ColumnReader(row)
        scope = try columns.next()
        photo = try columns.next()
        code = try columns.next()
        since = try columns.next()
        sentence = try columns.next()
        withheld = try columns.next()
        guard let code = MarkCode(rawValue: code), let (name, arguments) = ReasonColumn.parts(of: sentence),
            let sentence = MarkSentence(rawValue: name)
        else {
            mark = nil
            return
        }
        mark = PhotoMark(
            code, since: Timestamp(seconds: since), sentence, arguments, withheld: withheld)
    }

    var key: StatementArguments { [scope, photo, code] }

    /// The codes of a photo's marks.
    static func codes(ofPhoto photo: Int64, gallery: String, _ database: Database) throws -> [String] {
        try String.fetchAll(database.cachedStatement(sql: selectCodes), arguments: [gallery, photo])
    }

    static let selectCodes = "SELECT code FROM mark WHERE gallery = ? AND photo = ?"

    var covered: ColumnValues {
        ["photo": photo, "code": code, "since": since, "sentence": sentence, "withheld": withheld]
    }
}
