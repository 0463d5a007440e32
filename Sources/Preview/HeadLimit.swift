/// The limit on the head of a request: its request line and its header fields, up to the empty line after them. Bodies
/// count as the beginning of the next head, because the preview has no use for any.
struct HeadLimit {
    /// The largest head in bytes, as in other servers. FlyingFox reads a line of this length in 0.25 s.
    static let usual = 16 << 10

    private let limit: Int
    /// The number of bytes since the last empty line.
    private var count = 0
    private var isLineEmpty = true

    init(_ limit: Int = HeadLimit.usual) { self.limit = limit }

    /// Takes note of the next bytes of a connection, which may begin and end anywhere in a head.
    /// - Returns: false if a head is too long.
    mutating func allows(_ bytes: some Sequence<UInt8>) -> Bool {
        for byte in bytes {
            count += 1
            guard count <= limit else { return false }
            if byte == UInt8(ascii: "\n") {
                if isLineEmpty { count = 0 }
                isLineEmpty = true
            } else if byte != UInt8(ascii: "\r") {
                isLineEmpty = false
            }
        }
        return true
    }
}
