/// Reduces a stream of rows to a smaller picture, holding only as many rows as the kernel spans.
package final class RowReducer: RowConsumer {
    private let source: RowShape
    private let target: RowShape
    private let vertical: ReductionWeights
    private let verticalPass = VerticalPass()
    private let horizontalPass: HorizontalPass
    private let next: any RowConsumer

    /// The last rows that came.
    private let ring: PixelBuffer<Int16>
    private let ringRows: Int
    private let combined: PixelBuffer<Int16>
    private let reduced: PixelBuffer<UInt8>
    private var rowsIn = 0
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
        vertical = ReductionWeights(
            count: source.height, extent: extent.height, output: target.height, group: VerticalPass.tapsAtOnce)
        horizontalPass = HorizontalPass(
            sourceWidth: source.width, extent: extent.width, output: target.width, channels: source.channels)
        ringRows = min(vertical.taps, source.height)
        ring = PixelBuffer(ringRows * source.bytesPerRow, zero: 0)
        combined = PixelBuffer(source.bytesPerRow, zero: 0)
        reduced = PixelBuffer(target.bytesPerRow, zero: 0)
    }

    package func consume(_ row: UnsafePointer<UInt8>) throws(ImagingError) {
        let slot = ring.base + rowsIn % ringRows * source.bytesPerRow
        if source.channels == 3 {
            SampleRow.widen(row, into: slot, count: source.bytesPerRow)
        } else {
            SampleRow.premultiply(row, into: slot, pixels: source.width)
        }
        rowsIn += 1
        while rowsOut < target.height, vertical.starts[rowsOut] + vertical.counts[rowsOut] <= rowsIn {
            combineRows()
            horizontalPass.reduce(combined.base, into: reduced.base)
            rowsOut += 1
            try next.consume(reduced.base)
        }
    }

    private func combineRows() {
        // Where a group of taps reaches over the rows there are, its weights are zero, so any row will do.
        let rows = vertical.starts[rowsOut]..<vertical.starts[rowsOut] + vertical.taps
        withUnsafeTemporaryAllocation(of: UnsafePointer<Int16>.self, capacity: rows.count) { pointers in
            for (index, row) in rows.enumerated() {
                pointers[index] = UnsafePointer(ring.base + row % ringRows * source.bytesPerRow)
            }
            vertical.values.withUnsafeBufferPointer { values in
                guard let values = values.baseAddress else { return }
                verticalPass.combine(
                    UnsafeBufferPointer(pointers), values + rowsOut * vertical.taps, into: combined.base,
                    count: source.bytesPerRow)
            }
        }
    }
}
