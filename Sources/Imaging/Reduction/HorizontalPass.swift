/// Makes a shorter row out of a longer one, and 8-bit pixels of its samples.
final class HorizontalPass {
    private let weights: ReductionWeights
    private let shape: (sourceWidth: Int, channels: Int)
    /// The row, a plane for each channel, so that the taps of one output sample lie side by side.
    private let planes: PixelBuffer<Int16>
    private let planeLength: Int
    private let sums: PixelBuffer<Int32>

    /// Taps come in groups of so many, filled up with weights of zero: the loop over one group is unrolled into the
    /// processor's multiply-and-add.
    private static let tapsAtOnce = 8

    /// - Parameters:
    ///   - extent: source pixels that the row really covers.
    ///   - output: pixels to make.
    init(sourceWidth: Int, extent: Double, output: Int, channels: Int) {
        weights = ReductionWeights(count: sourceWidth, extent: extent, output: output, group: Self.tapsAtOnce)
        shape = (sourceWidth, channels)
        // A group may reach over the end of a plane, with weights of zero.
        planeLength = sourceWidth + weights.taps
        planes = PixelBuffer(planeLength * channels, zero: 0)
        sums = PixelBuffer(output * channels, zero: 0)
    }

    /// - Parameters:
    ///   - samples: pixels as in `SampleRow`.
    ///   - row: as many pixels of 8 bits as are to be made.
    func reduce(_ samples: UnsafePointer<Int16>, into row: UnsafeMutablePointer<UInt8>) {
        separate(samples)
        for channel in 0..<shape.channels {
            reduce(planes.base + channel * planeLength, into: sums.base + channel)
        }
        if shape.channels == 3 {
            SampleRow.store(sums.base, into: row, count: sums.count)
        } else {
            SampleRow.unpremultiply(sums.base, into: row, pixels: sums.count / 4)
        }
    }

    /// Fills the planes.
    private func separate(_ samples: UnsafePointer<Int16>) {
        let (red, green) = (planes.base, planes.base + planeLength)
        let (blue, alpha) = (green + planeLength, green + 2 * planeLength)
        let hasAlpha = shape.channels == 4
        var from = samples
        for pixel in 0..<shape.sourceWidth {
            red[pixel] = from[0]
            green[pixel] = from[1]
            blue[pixel] = from[2]
            if hasAlpha { alpha[pixel] = from[3] }
            from += shape.channels
        }
    }

    private func reduce(_ plane: UnsafePointer<Int16>, into result: UnsafeMutablePointer<Int32>) {
        let taps = weights.taps
        let half = Int32(1) &<< Int32(ReductionWeights.fractionBits - 1)
        weights.values.withUnsafeBufferPointer { values in
            guard var weight = values.baseAddress else { return }
            for (index, start) in weights.starts.enumerated() {
                var from = plane + start
                let end = from + taps
                var sum = half
                while from < end {
                    var tap = 0
                    while tap < Self.tapsAtOnce {
                        sum &+= Int32(from[tap]) &* Int32(weight[tap])
                        tap &+= 1
                    }
                    from += Self.tapsAtOnce
                    weight += Self.tapsAtOnce
                }
                result[index &* shape.channels] = sum &>> Int32(ReductionWeights.fractionBits)
            }
        }
    }
}
