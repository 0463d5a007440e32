/// A window of rows of samples, which come from a picture that was reduced before.
final class SampleRowWindow: RowWindow {
    private let pixels: Int
    private let ring: InterleavedRowRing

    var elementsPerRow: Int { pixels }

    /// - Parameter pairs: the number of pairs of rows that the kernel spans.
    init(pixels: Int, pairs: Int, loops: ReductionLoops) {
        self.pixels = pixels
        ring = InterleavedRowRing(pixels: pixels, pairs: pairs, loops: loops)
    }

    func add(_ first: UnsafePointer<PixelSamples>, _ second: UnsafePointer<PixelSamples>) {
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
