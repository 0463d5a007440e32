/// The pixels around a pixel, in the order in which short codes stand for their distances. Nearer pixels come first. Of
/// pixels that are equally near, the one with the smaller horizontal offset comes first, and then the one to the left
/// (RFC 9649, section 3, "LZ77 Backward Reference").
enum DistanceMap {
    /// The offsets to the left and up, in the order of their rank.
    private static let offsets = (0...7)
        .flatMap { up in (-7...8).map { left in (left: left, up: up) } }
        .filter { $0.up > 0 || $0.left > 0 }
        .sorted { rank($0) < rank($1) }

    private static func rank(_ offset: (left: Int, up: Int)) -> (Int, Int, Int) {
        (offset.left * offset.left + offset.up * offset.up, abs(offset.left), -offset.left)
    }

    /// The distance in pixels, counted back row by row.
    ///
    /// - Parameter code: the code of the distance, at least 1.
    static func distance(_ code: Int, width: Int) -> Int {
        guard code <= offsets.count else { return code - offsets.count }
        let offset = offsets[code - 1]
        return max(offset.left + offset.up * width, 1)
    }
}
