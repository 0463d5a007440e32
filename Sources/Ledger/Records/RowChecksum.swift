internal import CLibSQLite
internal import Foundation
internal import GRDB

/// The sum over the values of a row, by which damage to it is noticed when it is read. It guards against disks, not
/// against people.
struct RowChecksum {
    private var state: UInt64 = 0x243F_6A88_85A3_08D3

    var value: Int64 { Int64(bitPattern: state) }

    init() {}

    /// - Parameter statement: stands on a row.
    /// - Throws: if a value has a type that no column has.
    init(of statement: SQLiteStatement, _ columns: [Int32]) throws {
        for column in columns {
            // Safe: this thread alone has the connection, and SQLite keeps the value until the statement's next step.
            // Reading type, value and length through the statement would lock it and check for errors each time.
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

    /// Adds a value that is to be written, as it will be read.
    mutating func add(_ value: DatabaseValue) {
        switch value.storage {
        case .int64(let number): add(number)
        // SQLite is given the text up to its first zero.
        case .string(let text): text.withCString { add(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
        case .null: mix(0)
        case .double, .blob: preconditionFailure("no column has such values")
        }
    }

    private mutating func add(_ number: Int64) {
        mix(1)
        mix(UInt64(bitPattern: number))
    }

    /// - Parameter text: UTF-8; it is read before this returns.
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

    /// Each step can be undone, whether for the word or for the state: so a change in a single word of a row always
    /// changes its sum, and any other goes unnoticed once in 2⁶⁴ times.
    private mutating func mix(_ word: UInt64) {
        state = (state ^ word) &* 0x9E37_79B9_7F4A_7C15
        state ^= state >> 32
    }
}
