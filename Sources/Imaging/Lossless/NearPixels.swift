/// The pixels around one, in the order in which short codes stand for their distances: a nearer one first, and of
/// those that are as near the one that is less to the side, and to the left (RFC 9649, section 3, "LZ77 Backward
/// Reference").
enum NearPixels {
    /// The distances to the left and up, in the order of their rank.
    private static let offsets = (0...7)
        .flatMap { up in (-7...8).map { left in (left: left, up: up) } }
        .filter { $0.up > 0 || $0.left > 0 }
        .sorted { rank($0) < rank($1) }

    private static func rank(_ offset: (left: Int, up: Int)) -> (Int, Int, Int) {
        (offset.left * offset.left + offset.up * offset.up, abs(offset.left), -offset.left)
    }

    /// The distance in pixels, counted back row after row.
    ///
    /// - Parameter code: at least 1.
    static func distance(_ code: Int, width: Int) -> Int {
        guard code <= offsets.count else { return code - offsets.count }
        let offset = offsets[code - 1]
        return max(offset.left + offset.up * width, 1)
    }
}
