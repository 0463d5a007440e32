/// Applies a filter chain to rows of pixels, in integer arithmetic, so that the result is the same on every machine.
package struct FilterKernel: Sendable {
    /// The ways of applying a chain. The fastest one that suits the chain is used.
    private enum Method: Sendable {
        case copy
        case single(TabulatedMatrix)
        case several([FixedPointMatrix])
    }

    private let method: Method

    package init(_ chain: FilterChain) {
        let matrices = chain.functions.map(ColourMatrix.init)
        if matrices.isEmpty {
            method = .copy
        } else if matrices.count == 1, let table = TabulatedMatrix(matrices[0]) {
            method = .single(table)
        } else {
            method = .several(matrices.map(FixedPointMatrix.init))
        }
    }

    /// Filters a row of colours that are not premultiplied. Alpha is copied.
    ///
    /// - Parameters:
    ///   - source: the row, `pixels` × `channels` bytes.
    ///   - result: room for as many bytes and one more, whose value is undefined. It must not overlap the source.
    ///   - pixels: the number of pixels in the row.
    ///   - channels: the number of channels: 3 (RGB) or 4 (RGBA).
    package func apply(
        to source: UnsafePointer<UInt8>, _ result: UnsafeMutablePointer<UInt8>, pixels: Int, channels: Int
    ) {
        switch method {
        case .copy: result.update(from: source, count: pixels * channels)
        case .single(let matrix): matrix.apply(to: source, result, pixels: pixels, channels: channels)
        case .several(let matrices): apply(matrices, to: source, result, pixels: pixels, channels: channels)
        }
    }

    /// Applies several matrices. Between them, colours stay in fixed point: they are clamped, but not rounded to 8
    /// bits.
    private func apply(
        _ matrices: [FixedPointMatrix], to source: UnsafePointer<UInt8>, _ result: UnsafeMutablePointer<UInt8>,
        pixels: Int, channels: Int
    ) {
        matrices.withUnsafeBufferPointer { matrices in
            for pixel in 0..<pixels {
                let from = source + pixel * channels
                let to = result + pixel * channels
                var colour = FixedPointMatrix.Colour(red: from[0], green: from[1], blue: from[2])
                for matrix in matrices { colour = matrix.apply(to: colour) }
                (to[0], to[1], to[2]) = colour.rounded
                if channels == 4 { to[3] = from[3] }
            }
        }
    }
}
