/// A window of rows of samples, which come from a picture that was reduced before.
final class SampleRowWindow: RowWindow {
    private let pixels: Int
    private let ring: InterleavedRowRing
    /// The first row of a pair whose second row has not arrived.
    private let waiting: PixelBuffer<PixelSamples>
    private var hasWaiting = false

    /// - Parameter pairs: the number of pairs of rows that the kernel spans.
    init(pixels: Int, pairs: Int) {
        self.pixels = pixels
        ring = InterleavedRowRing(pixels: pixels, pairs: pairs)
        waiting = PixelBuffer(pixels, zero: .zero)
    }

    func add(_ row: UnsafePointer<PixelSamples>, isLast: Bool) {
        if hasWaiting {
            interleave(UnsafePointer(waiting.base), row)
        } else if isLast {
            // The last row of an odd number is its own partner, which has a weight of zero.
            interleave(row, row)
        } else {
            waiting.base.update(from: row, count: pixels)
        }
        hasWaiting.toggle()
    }

    private func interleave(_ first: UnsafePointer<PixelSamples>, _ second: UnsafePointer<PixelSamples>) {
        let pairs = ring.nextPair()
        for pixel in 0..<pixels { pairs[pixel] = InterleavedSamples(first[pixel], second[pixel]) }
    }

    func combine(
        from first: Int, count: Int, _ weights: UnsafePointer<InterleavedSamples>,
        into result: UnsafeMutablePointer<InterleavedSamples>
    ) {
        ring.combine(from: first, count: count, weights, into: result)
    }
}
