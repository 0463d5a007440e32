/// A window of RGBA rows, which holds them as premultiplied samples, with two rows interleaved. Each sample is made
/// once, and read by every sum that it is part of.
final class PremultipliedRowRing: RowWindow {
    private let pixels: Int
    private let pairs: Int
    /// The first row of a pair whose second row has not arrived.
    private let waiting: PixelBuffer<UInt8>
    private let ring: PixelBuffer<InterleavedSamples>
    /// The number of pixels in a row of the ring: those of the source, and black ones up to a multiple of
    /// `VerticalPass.pixelsAtOnce`.
    private let ringWidth: Int
    private var hasWaiting = false
    private var pairsIn = 0

    /// - Parameter pairs: the number of pairs of rows that the kernel spans.
    init(pixels: Int, pairs: Int) {
        self.pixels = pixels
        self.pairs = pairs
        let group = VerticalPass.pixelsAtOnce
        ringWidth = (pixels + group - 1) / group * group
        waiting = PixelBuffer(pixels * 4, zero: 0)
        ring = PixelBuffer(pairs * ringWidth, zero: .zero)
    }

    func add(_ row: UnsafePointer<UInt8>, isLast: Bool) {
        if hasWaiting {
            widen(UnsafePointer(waiting.base), row)
        } else if isLast {
            // If the number of rows is odd, the last row is its own partner, which has a weight of zero.
            widen(row, row)
        } else {
            waiting.base.update(from: row, count: waiting.count)
        }
        hasWaiting.toggle()
    }

    private func widen(_ first: UnsafePointer<UInt8>, _ second: UnsafePointer<UInt8>) {
        PairedRows.premultiply(first, second, into: ring.base + pairsIn % pairs * ringWidth, pixels: pixels)
        pairsIn += 1
    }

    func combine(
        from first: Int, count: Int, _ weights: UnsafePointer<InterleavedSamples>,
        into result: UnsafeMutablePointer<InterleavedSamples>
    ) {
        withUnsafeTemporaryAllocation(of: UnsafePointer<InterleavedSamples>.self, capacity: count) { pointers in
            for index in 0..<count {
                pointers[index] = UnsafePointer(ring.base + (first + index) % pairs * ringWidth)
            }
            VerticalPass.combine(UnsafeBufferPointer(pointers), weights, into: result, pixels: ringWidth)
        }
    }
}
