/// Texts of which many rows have the same: each is held once. Only as many are looked for as a quick look can find, so that
/// a column in which all differ costs no more than that.
struct RepeatedText {
    private var known: [Int: String] = [:]

    private static let most = 4_096

    mutating func text(_ row: Columns, _ index: Int32) throws -> String {
        try row.withText(index) { bytes in
            var hasher = Hasher()
            hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
            let hash = hasher.finalize()
            if var text = known[hash], text.withUTF8({ $0.elementsEqual(bytes) }) { return text }
            let text = String(decoding: bytes, as: UTF8.self)
            if known.count < Self.most { known[hash] = text }
            return text
        }
    }

    mutating func optionalText(_ row: Columns, _ index: Int32) throws -> String? {
        row.isNull(index) ? nil : try text(row, index)
    }
}
