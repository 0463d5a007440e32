/// Reduces a stream of rows to a smaller picture, and holds only as many rows as the kernel spans.
package final class RowReducer: RowConsumer {
    private let source: RowShape
    private let target: RowShape
    private let vertical: InterleavedCoefficients
    private let horizontalPass: HorizontalPass
    private let next: any RowConsumer

    private let ring: any RowWindow
    /// Two rows in each buffer. The second row starts after `combinedWidth` pairs of pixels, or after `reducedBytes`
    /// bytes.
    private let combined: PixelBuffer<InterleavedSamples>
    private let combinedWidth: Int
    private let reduced: PixelBuffer<UInt8>
    private let reducedBytes: Int
    private var rowsIn = 0
    private var rowsOut = 0

    /// - Parameters:
    ///   - extent: the numbers of pixels and rows that the source really covers, which are less than its size if the
    ///     decoder has rounded fractions up.
    ///   - target: the shape of the reduced picture. It is not wider or higher than the source, and has the same
    ///     channels.
    package init(
        from source: RowShape, extent: (width: Double, height: Double), to target: RowShape, next: any RowConsumer
    ) {
        self.source = source
        self.target = target
        self.next = next
        vertical = InterleavedCoefficients(
            ResamplingKernel(count: source.height, extent: extent.height, output: target.height))
        horizontalPass = HorizontalPass(
            sourceWidth: source.width, extent: extent.width, output: target.width, channels: source.channels)
        ring =
            source.channels == 3
            ? OpaqueRowWindow(pixels: source.width, pairs: vertical.pairs)
            : PremultipliedRowRing(pixels: source.width, pairs: vertical.pairs)
        combinedWidth = max((source.width + 1) / 2 + 1, horizontalPass.pairsRead)
        combined = PixelBuffer(2 * combinedWidth, zero: .zero)
        reducedBytes = target.bytesPerRow + HorizontalPass.slack
        reduced = PixelBuffer(2 * reducedBytes, zero: 0)
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
                let first = vertical.starts[rowsOut]
                ring.combine(
                    from: first, count: vertical.ends[rowsOut] - first, values + rowsOut * vertical.pairs,
                    into: combined.base + rowsOut % 2 * combinedWidth)
            }
            rowsOut += 1
            if rowsOut % 2 == 0 || rowsOut == target.height { try emit(2 - rowsOut % 2) }
        }
    }

    /// - Parameter count: the number of rows that have been combined, 1 or 2.
    private func emit(_ count: Int) throws(ImagingError) {
        let (second, secondReduced) = (combined.base + combinedWidth, reduced.base + reducedBytes)
        horizontalPass.reduce(combined.base, second, into: reduced.base, secondReduced)
        try next.consume(reduced.base)
        if count == 2 { try next.consume(secondReduced) }
    }
}
