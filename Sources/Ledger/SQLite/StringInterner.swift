internal import Foundation

/// Texts of which many rows have the same: each is held once. Only as many are looked for as a quick look can find,
/// so that a column in which all differ costs no more than that.
struct StringInterner {
    private var known: [Int: String] = [:]

    private static let most = 4_096

    mutating func text(_ row: SQLiteRow, _ index: Int) throws -> String {
        try row.withText(index) { bytes in
            var hasher = Hasher()
            hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
            let hash = hasher.finalize()
            if var text = known[hash], text.withUTF8({ Self.areSame($0, bytes) }) { return text }
            let text = String(decoding: bytes, as: UTF8.self)
            if known.count < Self.most { known[hash] = text }
            return text
        }
    }

    /// In one call: the texts may be long, and what compares them byte by byte would take longer than SQLite.
    private static func areSame(_ text: UnsafeBufferPointer<UInt8>, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.count == bytes.count, let start = text.baseAddress, let other = bytes.baseAddress else {
            return false
        }
        // Safe: both are as long as was just seen.
        return memcmp(start, other, text.count) == 0
    }

    mutating func optionalText(_ row: SQLiteRow, _ index: Int) throws -> String? {
        row.isNull(index) ? nil : try text(row, index)
    }
}
