internal import GRDB
internal import PhotoModel

/// A recipe. Photos refer to it by a number, which is computed from its text, because most photos have the same recipe.
struct RecipeRecord: LedgerRecord {
    static let databaseTableName = "recipe"
    static let keyColumns = ["id"]

    let id: Int64
    let text: String

    init(_ text: String) {
        id = Int64(bitPattern: Digest(of: text).firstHalf.0)
        self.text = text
    }

    init(row: Row) throws {
        var columns = ColumnReader(row)
        id = try columns.next()
        text = try columns.next()
    }

    var key: StatementArguments { [id] }
    var covered: ColumnValues { ["id": id, "text": text] }
}
