internal import CLibSQLite
internal import Foundation
internal import GRDB

/// The checksum of a row's values. It reveals damage when the row is read. It protects against faulty disks, not
/// against attackers.
struct RowChecksum {
    private var state: UInt64 = 0x243F_6A88_85A3_08D3

    var value: Int64 { Int64(bitPattern: state) }

    /// - Parameter values: the values that will be written.
    init(of values: [DatabaseValue]) {
        for value in values { add(value) }
    }

    /// - Parameter statement: a statement that is positioned on a row.
    /// - Throws: `DatabaseError` if a value has a type that no column has.
    init(of statement: SQLiteStatement, _ columns: [Int32]) throws {
        for column in columns {
            // This is safe, because only this thread uses the connection, and SQLite keeps the value until the
            // statement's next step. Reading type, value and length through the statement would lock it and check for
            // errors each time.
            let value = sqlite3_column_value(statement, column)
            switch sqlite3_value_type(value) {
            case SQLITE_NULL: mix(0)
            case SQLITE_INTEGER: add(sqlite3_value_int64(value))
            case SQLITE_TEXT:
                let text = sqlite3_value_text(value)
                add(UnsafeRawBufferPointer(start: text, count: Int(sqlite3_value_bytes(value))))
            default: throw DatabaseError.damaged("a row holds a value that does not belong there")
            }
        }
    }

    /// Adds a value that will be written, in the form in which it will be read.
    private mutating func add(_ value: DatabaseValue) {
        switch value.storage {
        case .int64(let number): add(number)
        // SQLite receives the text as a C string, which ends at the first NUL.
        case .string(let text): text.withCString { add(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
        case .null: mix(0)
        case .double, .blob: preconditionFailure("no column has such values")
        }
    }

    private mutating func add(_ number: Int64) {
        mix(1)
        mix(UInt64(bitPattern: number))
    }

    /// - Parameter text: the text in UTF-8. It is not used after the return.
    private mutating func add(_ text: UnsafeRawBufferPointer) {
        mix(UInt64(text.count) << 2 | 2)
        var offset = 0
        while offset + 8 <= text.count {
            mix(UInt64(littleEndian: text.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
            offset += 8
        }
        guard offset < text.count else { return }
        var rest: UInt64 = 0
        while offset < text.count {
            rest = rest << 8 | UInt64(text[offset])
            offset += 1
        }
        mix(rest)
    }

    /// Mixes a word into the state. The step is invertible for the word and for the state. So a change in a single word
    /// of a row always changes its checksum, and any other change has a chance of 1 in 2⁶⁴ to go unnoticed.
    private mutating func mix(_ word: UInt64) {
        state = (state ^ word) &* 0x9E37_79B9_7F4A_7C15
        state ^= state >> 32
    }
}
