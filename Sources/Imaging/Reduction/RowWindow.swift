/// The last rows of a stream, as many as the kernel spans, and the sums of them by weights.
///
/// The vertical pass comes before the horizontal one and leaves only rows of the output for it.
protocol RowWindow: AnyObject {
    /// - Parameters:
    ///   - row: 8-bit pixels, valid until the call returns.
    ///   - isLast: whether no other comes.
    func add(_ row: UnsafePointer<UInt8>, isLast: Bool)

    /// Makes one row out of neighbouring ones, in the form that `HorizontalPass` takes: pairs of pixels side by side.
    ///
    /// - Parameters:
    ///   - first: number of the first pair of rows, counted from the top of the picture.
    ///   - count: of pairs, all of which have come.
    ///   - weights: one pair for each pair of rows.
    ///   - result: room for a pair for each two pixels, the last of which may be alone, and for one more.
    func combine(
        from first: Int, count: Int, _ weights: UnsafePointer<InterleavedSamples>,
        into result: UnsafeMutablePointer<InterleavedSamples>)
}
