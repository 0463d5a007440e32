/// The latest rows of a stream, as many as the kernel spans, and their weighted sums.
///
/// The vertical pass comes before the horizontal pass, which then has to process only rows of the output.
protocol RowWindow<Element>: AnyObject {
    /// The element of a row: `UInt8` for 8-bit pixels, `PixelSamples` for a picture that was reduced before.
    associatedtype Element

    /// The number of elements in a row.
    var elementsPerRow: Int { get }

    /// Adds the next two rows, which are valid until the call returns.
    func add(_ first: UnsafePointer<Element>, _ second: UnsafePointer<Element>)

    /// Makes one row out of neighbouring rows, in the form that `HorizontalPass` takes: with neighbouring pixels
    /// interleaved.
    ///
    /// - Parameters:
    ///   - first: the index of the first pair of rows, counted from the top of the picture.
    ///   - count: the number of pairs, all of which have been added.
    ///   - weights: one pair of weights for each pair of rows.
    ///   - result: every second place of it gets one pair for two pixels. There is room for half of the pixels,
    ///     rounded up, and for one pair more.
    func combine(
        from first: Int, count: Int, _ weights: UnsafePointer<InterleavedSamples>,
        into result: UnsafeMutablePointer<InterleavedSamples>)
}
