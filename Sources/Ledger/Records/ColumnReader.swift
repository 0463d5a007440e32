internal import GRDB

/// Reads the columns of a row one after the other, in the order of its table (`Schema.tables`). Looking up each column
/// by its name would double the time that reading a ledger takes.
struct ColumnReader {
    private let row: Row
    private var index = 0

    init(_ row: Row) { self.row = row }

    /// Reads the next column.
    /// - Throws: `RowDecodingError` for a value of another type, which only a damaged file contains.
    mutating func next<Value: DatabaseValueConvertible & StatementColumnConvertible>() throws -> Value {
        defer { index += 1 }
        return try row.decode(atIndex: index)
    }

    mutating func skip(_ count: Int) { index += count }
}
