/// Reduces a stream of 8-bit rows to a smaller picture, and holds only as many rows as the kernel spans.
package final class RowReducer: RowConsumer {
    private let passes: ReductionPasses<UInt8>

    /// - Parameters:
    ///   - extent: the pixels and rows that the source really covers, where the decoder has rounded fractions up.
    ///   - target: width and height not above those of the source, the same channels.
    ///   - smaller: the reducers that make smaller sizes of this one.
    ///   - loops: loops that are available.
    package init(
        from source: RowShape, extent: (width: Double, height: Double), to target: RowShape, next: any RowConsumer,
        smaller: [SampleReducer] = [], loops: ReductionLoops = .fastest
    ) {
        passes = ReductionPasses(
            from: source, extent: extent, to: target, next: next, smaller: smaller, loops: loops
        ) { pairs in
            guard source.channels == 3 else {
                return PremultipliedRowWindow(pixels: source.width, pairs: pairs, loops: loops)
            }
            return OpaqueRowWindow(pixels: source.width, pairs: pairs, loops: loops)
        }
    }

    package func consume(_ row: UnsafePointer<UInt8>) throws(ImagingError) { try passes.consume(row) }
}

/// Reduces a picture that was reduced before, from samples that were neither rounded nor clipped to 8 bits. Clipping
/// between two reductions would cut the kernel's overshoot off, and blur text and lines.
package final class SampleReducer {
    private let passes: ReductionPasses<PixelSamples>

    /// - Parameters:
    ///   - target: width and height not above those of the source, the same channels.
    ///   - smaller: the reducers that make smaller sizes of this one.
    ///   - loops: loops that are available.
    package init(
        from source: RowShape, to target: RowShape, next: any RowConsumer, smaller: [SampleReducer] = [],
        loops: ReductionLoops = .fastest
    ) {
        passes = ReductionPasses(
            from: source, extent: (Double(source.width), Double(source.height)), to: target, next: next,
            smaller: smaller, loops: loops
        ) { pairs in SampleRowWindow(pixels: source.width, pairs: pairs, loops: loops) }
    }

    func consume(_ row: UnsafePointer<PixelSamples>) throws(ImagingError) { try passes.consume(row) }
}

/// The vertical and the horizontal pass of a reduction.
private final class ReductionPasses<Element> {
    private let source: RowShape
    private let target: RowShape
    private let vertical: InterleavedCoefficients
    private let horizontalPass: HorizontalPass
    private let next: any RowConsumer
    private let smaller: [SampleReducer]

    private let window: any RowWindow<Element>
    /// The first row of a pair whose second row has not arrived.
    private let waiting: UnsafeMutablePointer<Element>
    /// Two rows in each buffer. In `combined`, they alternate pair by pair, as `HorizontalPass` takes them. In the
    /// others, the second row starts after `reducedBytes` bytes, or after `target.width` pixels.
    private let combined: PixelBuffer<InterleavedSamples>
    private let reduced: PixelBuffer<UInt8>
    private let reducedBytes: Int
    /// Empty if there is no smaller size.
    private let samples: PixelBuffer<PixelSamples>
    private var rowsIn = 0
    private var rowsOut = 0

    /// - Parameter window: makes the window for a kernel that spans so many pairs of rows.
    init(
        from source: RowShape, extent: (width: Double, height: Double), to target: RowShape, next: any RowConsumer,
        smaller: [SampleReducer], loops: ReductionLoops, window: (_ pairs: Int) -> any RowWindow<Element>
    ) {
        self.source = source
        self.target = target
        self.next = next
        self.smaller = smaller
        vertical = InterleavedCoefficients(
            ResamplingKernel(count: source.height, extent: extent.height, output: target.height))
        horizontalPass = HorizontalPass(
            sourceWidth: source.width, extent: extent.width, output: target.width, channels: source.channels,
            loops: loops)
        self.window = window(vertical.pairs)
        waiting = .allocate(capacity: self.window.elementsPerRow)
        let combinedWidth = max((source.width + 1) / 2 + 1, horizontalPass.pairsRead)
        combined = PixelBuffer(2 * combinedWidth, zero: .zero)
        reducedBytes = target.bytesPerRow + HorizontalPass.slack
        reduced = PixelBuffer(2 * reducedBytes, zero: 0)
        samples = PixelBuffer(smaller.isEmpty ? 0 : 2 * target.width, zero: .zero)
    }

    deinit { waiting.deallocate() }

    func consume(_ row: UnsafePointer<Element>) throws(ImagingError) {
        rowsIn += 1
        if rowsIn % 2 == 0 {
            window.add(waiting, row)
        } else if rowsIn == source.height {
            // If the number of rows is odd, the last row is its own partner, which has a weight of zero.
            window.add(row, row)
        } else {
            waiting.update(from: row, count: window.elementsPerRow)
            return
        }
        let pairsIn = (rowsIn + 1) / 2
        while rowsOut < target.height, vertical.ends[rowsOut] <= pairsIn {
            vertical.values.withUnsafeBufferPointer { values in
                guard let values = values.baseAddress else { return }
                let first = vertical.starts[rowsOut]
                window.combine(
                    from: first, count: vertical.ends[rowsOut] - first, values + rowsOut * vertical.pairs,
                    into: combined.base + rowsOut % 2)
            }
            rowsOut += 1
            if rowsOut % 2 == 0 || rowsOut == target.height { try emit(2 - rowsOut % 2) }
        }
    }

    /// - Parameter count: the number of rows that have been combined, 1 or 2.
    private func emit(_ count: Int) throws(ImagingError) {
        let levels = (reduced.base, reduced.base + reducedBytes)
        if smaller.isEmpty {
            horizontalPass.reduce(combined.base, into: levels.0, levels.1)
        } else {
            horizontalPass.reduce(
                combined.base, into: levels.0, levels.1, samples: (samples.base, samples.base + target.width))
        }
        for index in 0..<count {
            try next.consume(reduced.base + index * reducedBytes)
            for reducer in smaller { try reducer.consume(samples.base + index * target.width) }
        }
    }
}
