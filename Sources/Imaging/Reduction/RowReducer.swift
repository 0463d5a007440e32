/// Reduces a stream of rows to a smaller picture, holding only as many rows as the kernel spans.
package final class RowReducer: RowConsumer {
    private let source: RowShape
    private let target: RowShape
    private let vertical: PairedWeights
    private let horizontalPass: HorizontalPass
    private let next: any RowConsumer

    /// A row whose partner has not come.
    private let waiting: PixelBuffer<UInt8>
    /// The last pairs of rows.
    private let ring: PixelBuffer<SamplePairs>
    /// Pixels in a row of the ring: those of the source, and more that are black, to a multiple of what is taken at once.
    private let ringWidth: Int
    private let combined: PixelBuffer<SamplePairs>
    private let reduced: PixelBuffer<UInt8>
    private var rowsIn = 0
    private var pairsIn = 0
    private var rowsOut = 0

    /// - Parameters:
    ///   - extent: pixels and rows that the source really covers, where the decoder has rounded fractions up.
    ///   - target: width and height not above those of the source, the same channels.
    package init(
        from source: RowShape, extent: (width: Double, height: Double), to target: RowShape, next: any RowConsumer
    ) {
        self.source = source
        self.target = target
        self.next = next
        vertical = PairedWeights(
            ReductionWeights(count: source.height, extent: extent.height, output: target.height))
        horizontalPass = HorizontalPass(
            sourceWidth: source.width, extent: extent.width, output: target.width, channels: source.channels)
        let group = VerticalPass.pixelsAtOnce
        ringWidth = (source.width + group - 1) / group * group
        waiting = PixelBuffer(source.bytesPerRow, zero: 0)
        ring = PixelBuffer(vertical.pairs * ringWidth, zero: .zero)
        combined = PixelBuffer(max(ringWidth / 2, horizontalPass.pairsRead), zero: .zero)
        reduced = PixelBuffer(target.bytesPerRow + HorizontalPass.slack, zero: 0)
    }

    package func consume(_ row: UnsafePointer<UInt8>) throws(ImagingError) {
        rowsIn += 1
        if rowsIn % 2 == 0 {
            widen(UnsafePointer(waiting.base), row)
        } else if rowsIn == source.height {
            // The last row of an odd number is its own partner, which has a weight of zero.
            widen(row, row)
        } else {
            waiting.base.update(from: row, count: source.bytesPerRow)
            return
        }
        while rowsOut < target.height, vertical.ends[rowsOut] <= pairsIn {
            combineRows()
            horizontalPass.reduce(combined.base, into: reduced.base)
            rowsOut += 1
            try next.consume(reduced.base)
        }
    }

    private func widen(_ first: UnsafePointer<UInt8>, _ second: UnsafePointer<UInt8>) {
        PairedRows.widen(
            first, second, into: ring.base + pairsIn % vertical.pairs * ringWidth, pixels: source.width,
            channels: source.channels)
        pairsIn += 1
    }

    private func combineRows() {
        // Where a window is shorter than the longest, the weights after its end are zero, so any row will do there.
        let pairs = vertical.starts[rowsOut]..<vertical.starts[rowsOut] + vertical.pairs
        withUnsafeTemporaryAllocation(of: UnsafePointer<SamplePairs>.self, capacity: pairs.count) { pointers in
            for (index, pair) in pairs.enumerated() {
                pointers[index] = UnsafePointer(ring.base + pair % vertical.pairs * ringWidth)
            }
            vertical.values.withUnsafeBufferPointer { values in
                guard let values = values.baseAddress else { return }
                VerticalPass.combine(
                    UnsafeBufferPointer(pointers), values + rowsOut * vertical.pairs, into: combined.base,
                    pixels: ringWidth)
            }
        }
    }
}
