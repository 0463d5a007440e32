internal import GRDB

/// Reads the columns of a row one after the other, in the order of its table (`Schema.tables`). Looking each of them
/// up by its name would double the time that it takes to read a ledger.
struct ColumnReader {
    private let row: Row
    private var index = 0

    init(_ row: Row) { self.row = row }

    /// - Throws: for a value of another type, which only a damaged file holds.
    mutating func next<Value: DatabaseValueConvertible & StatementColumnConvertible>() throws -> Value {
        defer { index += 1 }
        return try row.decode(atIndex: index)
    }

    mutating func skip(_ count: Int) { index += count }
}
