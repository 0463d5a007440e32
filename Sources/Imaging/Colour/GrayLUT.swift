/// Converts grey rows to sRGB by a table with an entry for each possible level.
final class GrayLUT: RowConversion {
    /// Red, green and blue for each level, 8 bits each.
    private let entries: [UInt8]
    private let layout: SampleLayout

    /// - Parameter transform: a transform of single samples, which have 8 or 16 bits as in the layout.
    init(_ transform: ProfileTransform, layout: SampleLayout) {
        self.layout = layout
        let levels = layout.isWide ? 65536 : 256
        entries = [UInt8](unsafeUninitializedCapacity: levels * 3) { buffer, count in
            guard let base = buffer.baseAddress else { return }
            if layout.isWide {
                Array(0...UInt16.max).withUnsafeBytes { Self.fill(base, from: $0, levels, transform) }
            } else {
                Array(0...UInt8.max).withUnsafeBytes { Self.fill(base, from: $0, levels, transform) }
            }
            count = levels * 3
        }
    }

    /// Whether no 8-bit level changes by more than 1.
    var changesNothing: Bool {
        !layout.isWide && entries.indices.allSatisfy { abs(Int(entries[$0]) - $0 / 3) <= 1 }
    }

    func convert(_ row: UnsafePointer<UInt8>, into result: UnsafeMutablePointer<UInt8>, pixels: Int) {
        entries.withUnsafeBufferPointer { entries in
            guard let table = entries.baseAddress else { return }
            let samples = UnsafeRawPointer(row)
            for pixel in 0..<pixels {
                let from = samples + pixel * layout.bytesPerPixel
                let level = layout.isWide ? Int(from.load(as: UInt16.self)) : Int(from.load(as: UInt8.self))
                let entry = table + 3 * level
                let to = result + pixel * layout.channels
                (to[0], to[1], to[2]) = (entry[0], entry[1], entry[2])
                if layout.hasAlpha { to[3] = layout.isWide ? Self.narrow(from, at: 6) : row[pixel * 4 + 3] }
            }
        }
    }

    private static func fill(
        _ result: UnsafeMutablePointer<UInt8>, from levels: UnsafeRawBufferPointer, _ count: Int,
        _ transform: ProfileTransform
    ) {
        guard let base = levels.baseAddress else { return }
        transform.convert(base.assumingMemoryBound(to: UInt8.self), into: result, pixels: count)
    }

    /// A sample of 16 bits, rounded to 8 bits.
    private static func narrow(_ pixel: UnsafeRawPointer, at offset: Int) -> UInt8 {
        UInt8((Int(pixel.load(fromByteOffset: offset, as: UInt16.self)) * 255 + 32767) / 65535)
    }
}
