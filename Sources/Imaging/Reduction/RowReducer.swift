/// Reduces a stream of rows to a smaller picture, holding only as many rows as the kernel spans.
package final class RowReducer: RowConsumer {
    private let source: RowShape
    private let target: RowShape
    private let vertical: PairedWeights
    private let horizontalPass: HorizontalPass
    private let next: any RowConsumer

    private let ring: any RowRing
    private let combined: PixelBuffer<SamplePairs>
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
        vertical = PairedWeights(
            ReductionWeights(count: source.height, extent: extent.height, output: target.height))
        horizontalPass = HorizontalPass(
            sourceWidth: source.width, extent: extent.width, output: target.width, channels: source.channels)
        ring =
            source.channels == 3
            ? OpaqueRowRing(pixels: source.width, pairs: vertical.pairs)
            : PremultipliedRowRing(pixels: source.width, pairs: vertical.pairs)
        combined = PixelBuffer(max((source.width + 1) / 2 + 1, horizontalPass.pairsRead), zero: .zero)
        reduced = PixelBuffer(target.bytesPerRow + HorizontalPass.slack, zero: 0)
    }

    package func consume(_ row: UnsafePointer<UInt8>) throws(ImagingError) {
        rowsIn += 1
        let isLast = rowsIn == source.height
        ring.add(row, isLast: isLast)
        guard rowsIn % 2 == 0 || isLast else { return }
        let pairsIn = (rowsIn + 1) / 2
        while rowsOut < target.height, vertical.ends[rowsOut] <= pairsIn {
            vertical.values.withUnsafeBufferPointer { values in
                guard let values = values.baseAddress else { return }
                ring.combine(
                    from: vertical.starts[rowsOut], values + rowsOut * vertical.pairs, into: combined.base)
            }
            horizontalPass.reduce(combined.base, into: reduced.base)
            rowsOut += 1
            try next.consume(reduced.base)
        }
    }
}
