/// A window of RGBA rows. Each pair of rows is premultiplied once, and read by every sum that it is part of.
final class PremultipliedRowWindow: RowWindow {
    private let pixels: Int
    private let ring: InterleavedRowRing
    /// The first row of a pair whose second row has not arrived.
    private let waiting: PixelBuffer<UInt8>
    private var hasWaiting = false

    /// - Parameter pairs: the number of pairs of rows that the kernel spans.
    init(pixels: Int, pairs: Int) {
        self.pixels = pixels
        ring = InterleavedRowRing(pixels: pixels, pairs: pairs)
        waiting = PixelBuffer(pixels * 4, zero: 0)
    }

    func add(_ row: UnsafePointer<UInt8>, isLast: Bool) {
        if hasWaiting {
            PairedRows.premultiply(UnsafePointer(waiting.base), row, into: ring.nextPair(), pixels: pixels)
        } else if isLast {
            // The last row of an odd number is its own partner, which has a weight of zero.
            PairedRows.premultiply(row, row, into: ring.nextPair(), pixels: pixels)
        } else {
            waiting.base.update(from: row, count: waiting.count)
        }
        hasWaiting.toggle()
    }

    func combine(
        from first: Int, count: Int, _ weights: UnsafePointer<InterleavedSamples>,
        into result: UnsafeMutablePointer<InterleavedSamples>
    ) {
        ring.combine(from: first, count: count, weights, into: result)
    }
}
