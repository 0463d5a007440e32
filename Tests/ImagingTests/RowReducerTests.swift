import Foundation
import TestSupport
import Testing

@testable import Imaging

@Suite("Pictures are reduced without shifts, ripples or dark edges")
struct RowReducerTests {
    private static let sizes: [(Int, Int, Int, Int)] = [
        (1, 1, 1, 1), (3, 1, 1, 1), (1, 7, 1, 1), (97, 61, 48, 30), (97, 61, 96, 60), (64, 64, 63, 1),
        (100, 40, 37, 15),
        (300, 2, 20, 1), (2, 300, 1, 20), (400, 5, 7, 5), (5, 400, 5, 7), (1000, 20, 3, 2),
    ]

    @Test("A uniform area stays as it is", arguments: sizes)
    func constant(_ width: Int, _ height: Int, _ newWidth: Int, _ newHeight: Int) throws {
        for level in [0, 1, 77, 128, 254, 255] as [UInt8] {
            for pixel in [[level, level, level], [level, 255 - level, level, 255], [level, 9, 200, 128]] {
                let source = Array(repeatElement(pixel, count: width * height).joined())
                let result = try reduce(source, (width, height, pixel.count), to: (newWidth, newHeight))
                #expect(result == Array(repeatElement(pixel, count: newWidth * newHeight).joined()))
            }
        }
    }

    @Test("The result is that of exact Lanczos arithmetic", arguments: sizes)
    func reference(_ width: Int, _ height: Int, _ newWidth: Int, _ newHeight: Int) throws {
        var random = SeededRandom(seed: 11)
        let source = (0..<width * height * 3).map { _ in UInt8.random(in: 0...255, using: &random) }
        let result = try reduce(source, (width, height, 3), to: (newWidth, newHeight))
        let exact = LanczosReference.reduce(
            source.map(Double.init), (width, height, 3), to: (newWidth, newHeight))
        let largest = zip(result, exact).map { abs(Double($0) - min(max($1, 0), 255)) }.max() ?? 0
        #expect(largest <= 1, "largest difference: \(largest) levels")
    }

    @Test("A size that is reduced from another one keeps the kernel's overshoot", arguments: [3, 4])
    func chained(channels: Int) throws {
        // Black and white pixels overshoot on both sides of each edge.
        var random = SeededRandom(seed: 14)
        let (source, middle, target) = (shape(97, 61, channels), shape(48, 30, channels), shape(24, 15, channels))
        let pixels = (0..<97 * 61).flatMap { _ in
            [UInt8](repeating: Bool.random(using: &random) ? 255 : 0, count: 3) + (channels == 4 ? [255] : [])
        }
        let rows = CollectedRows(target)
        let reducer = RowReducer(
            from: source, extent: (97, 61), to: middle, next: CollectedRows(middle),
            smaller: [SampleReducer(from: middle, to: target, next: rows)])
        try feed(pixels, source, to: reducer)

        let larger = LanczosReference.reduce(pixels.map(Double.init), (97, 61, channels), to: (48, 30))
        let exact = LanczosReference.reduce(larger, (48, 30, channels), to: (24, 15))
        let largest = zip(rows.bytes, exact).map { abs(Double($0) - min(max($1, 0), 255)) }.max() ?? 255
        #expect(rows.bytes.count == exact.count)
        #expect(largest <= 1, "largest difference: \(largest) levels")
    }

    @Test("The most extreme picture stays within the range of samples")
    func extremeChain() throws {
        // Each pixel is black or white, as a kernel weighs it in the middle of the first row and column.
        let (source, middle, target) = (shape(64, 64, 3), shape(32, 32, 3), shape(16, 16, 3))
        for isInverted in [false, true] {
            let sign = { (place: Int) -> Bool in ((place - 32 + 256) / 2) % 3 == 0 }
            let pixels = (0..<64 * 64).flatMap { index -> [UInt8] in
                let isWhite = (sign(index % 64) == sign(index / 64)) != isInverted
                return [UInt8](repeating: isWhite ? 255 : 0, count: 3)
            }
            let rows = CollectedRows(target)
            let reducer = RowReducer(
                from: source, extent: (64, 64), to: middle, next: CollectedRows(middle),
                smaller: [SampleReducer(from: middle, to: target, next: rows)])
            try feed(pixels, source, to: reducer)
            let larger = LanczosReference.reduce(pixels.map(Double.init), (64, 64, 3), to: (32, 32))
            let exact = LanczosReference.reduce(larger, (32, 32, 3), to: (16, 16))
            let largest = zip(rows.bytes, exact).map { abs(Double($0) - min(max($1, 0), 255)) }.max() ?? 255
            #expect(largest <= 1, "largest difference: \(largest) levels")
        }
    }

    @Test("Transparent pixels contribute no colour to visible ones", arguments: [(40, 30, 17, 11), (97, 61, 48, 30)])
    func premultiplied(_ width: Int, _ height: Int, _ newWidth: Int, _ newHeight: Int) throws {
        // Visible pixels are red and transparent ones green, so that no green may show.
        var random = SeededRandom(seed: 12)
        var source: [UInt8] = []
        for _ in 0..<width * height {
            let isVisible = Bool.random(using: &random)
            source += isVisible ? [200, 0, 0, 255] : [0, 255, 0, 0]
        }
        let result = try reduce(source, (width, height, 4), to: (newWidth, newHeight))
        for pixel in stride(from: 0, to: result.count, by: 4) {
            // The colour of a pixel counts in proportion to its opacity.
            #expect(abs(Int(result[pixel]) - 200) * Int(result[pixel + 3]) <= 255)
            #expect(result[pixel + 1] == 0)
        }
    }

    @Test("Transparency is reduced like a colour, and the colours under it as exact arithmetic requires")
    func translucent() throws {
        var random = SeededRandom(seed: 13)
        let (width, height) = (61, 47)
        let source = (0..<width * height).flatMap { _ -> [UInt8] in
            (0..<3).map { _ in .random(in: 0...255, using: &random) } + [.random(in: 100...255, using: &random)]
        }
        let result = try reduce(source, (width, height, 4), to: (20, 15))
        let premultiplied = stride(from: 0, to: source.count, by: 4).flatMap { pixel -> [Double] in
            let alpha = Double(source[pixel + 3])
            return (0..<3).map { Double(source[pixel + $0]) * alpha / 255 } + [alpha]
        }
        let exact = LanczosReference.reduce(premultiplied, (width, height, 4), to: (20, 15))
        for pixel in stride(from: 0, to: result.count, by: 4) {
            let alpha = min(max(exact[pixel + 3], 0), 255)
            #expect(abs(alpha - Double(result[pixel + 3])) <= 1)
            for channel in 0..<3 {
                let straight = min(max(exact[pixel + channel] * 255 / alpha, 0), 255)
                #expect(abs(straight - Double(result[pixel + channel])) <= 2)
            }
        }
    }

    @Test(
        "A cross in the middle stays in the middle",
        arguments: [(64, 32), (63, 21), (90, 30), (99, 33), (64, 31), (81, 40)])
    func centred(_ size: Int, _ newSize: Int) throws {
        var source = [UInt8](repeating: 0, count: size * size * 3)
        for y in 0..<size {
            for x in 0..<size where abs(2 * x - size + 1) <= 4 || abs(2 * y - size + 1) <= 4 {
                for channel in 0..<3 { source[(y * size + x) * 3 + channel] = 255 }
            }
        }
        let result = try reduce(source, (size, size, 3), to: (newSize, newSize))
        for y in 0..<newSize {
            for x in 0..<newSize {
                let level = Int(result[(y * newSize + x) * 3])
                #expect(abs(level - Int(result[(y * newSize + newSize - 1 - x) * 3])) <= 1)
                #expect(abs(level - Int(result[((newSize - 1 - y) * newSize + x) * 3])) <= 1)
                #expect(abs(level - Int(result[(x * newSize + y) * 3])) <= 1)
            }
        }
    }

    @Test("If the decoder rounded the size up, the missing part of a pixel does not shift the rest")
    func extent() throws {
        // A ramp of 30.5 pixels is reduced to 15, so that each result is the level at its own centre.
        let source = (0..<31).flatMap { x in [UInt8](repeating: UInt8(x * 8), count: 3) }
        let result = try reduce(source, (31, 1, 3), to: (15, 1), extent: (30.5, 1))
        for x in 3..<12 {
            let centre = (Double(x) + 0.5) * 30.5 / 15 - 0.5
            #expect(abs(Double(result[x * 3]) - centre * 8) <= 1)
        }
    }

    @Test("All loops compute the same", .enabled(if: ReductionLoops.fastest != .common), arguments: 1...90)
    func loops(_ width: Int) throws {
        var random = SeededRandom(seed: UInt64(width))
        let alphas: [UInt8] = [0, 1, 2, 127, 254, 255, 255, 255]
        for channels in [3, 4] {
            let height = Int.random(in: 1...40, using: &random)
            let source = shape(width, height, channels)
            let middle = shape(
                .random(in: 1...width, using: &random), .random(in: 1...height, using: &random), channels)
            let target = shape(
                .random(in: 1...middle.width, using: &random), .random(in: 1...middle.height, using: &random),
                channels)
            let isExtreme = Bool.random(using: &random)
            let pixels = (0..<width * height * channels).map { index -> UInt8 in
                if channels == 4, index % 4 == 3 { return alphas[Int.random(in: 0..<8, using: &random)] }
                return isExtreme ? (Bool.random(using: &random) ? 255 : 0) : .random(in: 0...255, using: &random)
            }
            let results = try [ReductionLoops.common, .fastest].map { loops in
                let (larger, smaller) = (CollectedRows(middle), CollectedRows(target))
                let reducer = RowReducer(
                    from: source, extent: (Double(width), Double(height)), to: middle, next: larger,
                    smaller: [SampleReducer(from: middle, to: target, next: smaller, loops: loops)], loops: loops)
                try feed(pixels, source, to: reducer)
                return larger.bytes + smaller.bytes
            }
            #expect(results[0] == results[1], "\(source) to \(middle) to \(target)")
        }
    }

    /// A wrong rounding shows only in samples whose low bits have a single value, which random pictures hardly contain.
    @Test("All loops round each sum of a row alike", .enabled(if: ReductionLoops.fastest != .common))
    func horizontalRounding() {
        let passes = [ReductionLoops.common, .fastest].map {
            HorizontalPass(sourceWidth: 7, extent: 7, output: 3, channels: 3, loops: $0)
        }
        var rows = [InterleavedSamples](repeating: .zero, count: 2 * passes[0].pairsRead)
        for side in 0..<2 {
            // An odd weight times all these samples takes every value of the bits that are rounded off.
            let differs = (0..<Int16(1 << ResamplingKernel.fractionBits)).filter { sample in
                for index in stride(from: side, to: 8, by: 2) {
                    rows[0][index] = sample
                    rows[1][index] = -sample
                }
                let results = passes.map { Self.samples(rows, $0) }
                return results[0] != results[1]
            }
            (rows[0], rows[1]) = (.zero, .zero)
            #expect(differs.isEmpty)
        }
    }

    private static func samples(_ rows: [InterleavedSamples], _ pass: HorizontalPass) -> [PixelSamples] {
        var (first, second) = ([UInt8](repeating: 0, count: 16), [UInt8](repeating: 0, count: 16))
        var (upper, lower) = ([PixelSamples](repeating: .zero, count: 3), [PixelSamples](repeating: .zero, count: 3))
        upper.withUnsafeMutableBufferPointer { upper in
            lower.withUnsafeMutableBufferPointer { lower in
                guard let upper = upper.baseAddress, let lower = lower.baseAddress else { return }
                pass.reduce(rows, into: &first, &second, samples: (upper, lower))
            }
        }
        return upper + lower
    }

    @Test("All loops round each sum of a column alike", .enabled(if: ReductionLoops.fastest != .common))
    func verticalRounding() {
        let row = (0..<(1 << ResamplingKernel.fractionBits)).map { InterleavedSamples(repeating: Int16($0)) }
        let weights = [InterleavedSamples(1, 0, 1, 0, 1, 0, 1, 0)]
        let results = [ReductionLoops.common, .fastest].map { loops in
            var result = [InterleavedSamples](repeating: .zero, count: row.count)
            row.withUnsafeBufferPointer { row in
                guard let base = row.baseAddress else { return }
                [base].withUnsafeBufferPointer {
                    VerticalPass.combine($0, weights, into: &result, pixels: row.count, loops: loops)
                }
            }
            return result
        }
        #expect(results[0] == results[1])
    }

    private func reduce(
        _ source: [UInt8], _ shape: (Int, Int, Int), to size: (Int, Int), extent: (Double, Double)? = nil
    ) throws -> [UInt8] {
        let from = self.shape(shape.0, shape.1, shape.2)
        let target = self.shape(size.0, size.1, shape.2)
        let rows = CollectedRows(target)
        let reducer = RowReducer(
            from: from, extent: extent ?? (Double(shape.0), Double(shape.1)), to: target, next: rows)
        try feed(source, from, to: reducer)
        #expect(rows.bytes.count == target.bytesPerRow * target.height)
        return rows.bytes
    }

    private func shape(_ width: Int, _ height: Int, _ channels: Int) -> RowShape {
        RowShape(width: width, height: height, channels: channels)
    }

    private func feed(_ pixels: [UInt8], _ shape: RowShape, to reducer: RowReducer) throws {
        try pixels.withUnsafeBufferPointer { pixels in
            for row in 0..<shape.height {
                try reducer.consume(try #require(pixels.baseAddress) + row * shape.bytesPerRow)
            }
        }
    }
}
