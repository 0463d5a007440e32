internal import Foundation

/// The sum over the values of a row, by which damage to it is noticed when it is read. It guards against disks, not
/// against people.
struct RowChecksum {
    private var state: UInt64 = 0x243F_6A88_85A3_08D3

    var value: Int64 { Int64(bitPattern: state) }

    mutating func addNull() { mix(0) }

    mutating func add(_ number: Int64) {
        mix(1)
        mix(UInt64(bitPattern: number))
    }

    /// - Parameter text: UTF-8; it is read before this returns.
    mutating func add(_ text: UnsafeRawBufferPointer) {
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

extension RowChecksum {
    /// Computes the checksum of values that are to be written, as they will be read.
    init(of values: [SQLiteValue]) {
        for value in values {
            switch value {
            case .none: addNull()
            case .integer(let number): add(number)
            case .string(let text):
                // SQLite is given the text up to its first zero.
                text.withCString { add(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
            }
        }
    }
}
