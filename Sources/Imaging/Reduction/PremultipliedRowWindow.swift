/// A window of RGBA rows. Each pair of rows is premultiplied once, and read by every sum that it is part of.
final class PremultipliedRowWindow: RowWindow {
    private let pixels: Int
    private let loops: ReductionLoops
    private let ring: InterleavedRowRing

    var elementsPerRow: Int { 4 * pixels }

    /// - Parameter pairs: the number of pairs of rows that the kernel spans.
    init(pixels: Int, pairs: Int, loops: ReductionLoops) {
        self.pixels = pixels
        self.loops = loops
        ring = InterleavedRowRing(pixels: pixels, pairs: pairs, loops: loops)
    }

    func add(_ first: UnsafePointer<UInt8>, _ second: UnsafePointer<UInt8>) {
        PairedRows.premultiply(first, second, into: ring.nextPair(), pixels: pixels, loops: loops)
    }

    func combine(
        from first: Int, count: Int, _ weights: UnsafePointer<InterleavedSamples>,
        into result: UnsafeMutablePointer<InterleavedSamples>
    ) {
        ring.combine(from: first, count: count, weights, into: result)
    }
}
