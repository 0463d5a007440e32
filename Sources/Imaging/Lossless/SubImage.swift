/// Receives the pixels of a small image within the bits.
protocol SubImagePixels {
    /// - Parameters:
    ///   - count: of all pixels of the image.
    ///   - cacheBits: of the cache of colours, 0 where there is none, else 1 to 11.
    init(count: Int, cacheBits: Int)

    /// - Parameter pixel: alpha, red, green and blue, the last lowest.
    mutating func add(_ pixel: UInt32)

    /// The pixel that the cache has at this place.
    mutating func addCached(_ place: Int)

    /// So many pixels once more, one after the other, the first of them so far back. It may come to those that it has
    /// added.
    ///
    /// - Parameter distance: at least 1, and there are as many pixels.
    mutating func copy(_ length: Int, from distance: Int)
}

/// Reads images within the bits: those that tell a transform's parameters, and the one that tells which group of
/// prefix codes a block of pixels is written in. They have one group of codes each (RFC 9649, section 3, "Image Data"
/// and "Entropy Code").
enum SubImage {
    static func read<Pixels: SubImagePixels>(
        from bits: inout LosslessBits, width: Int, height: Int, as: Pixels.Type
    ) throws(BrokenBitstream) -> Pixels {
        let cacheBits = try cacheBits(from: &bits)
        let codes = try PrefixGroup(from: &bits, cacheBits: cacheBits)
        let count = width * height
        var pixels = Pixels(count: count, cacheBits: cacheBits)
        var position = 0
        while position < count {
            let symbol = try bits.take(codes.green)
            if symbol < PrefixGroup.literals {
                let red = try bits.take(codes.red)
                let blue = try bits.take(codes.blue)
                let alpha = try bits.take(codes.alpha)
                pixels.add(UInt32(alpha) << 24 | UInt32(red) << 16 | UInt32(symbol) << 8 | UInt32(blue))
                position += 1
            } else if symbol < PrefixGroup.literals + PrefixGroup.lengths {
                let length = try number(symbol - PrefixGroup.literals, from: &bits)
                let code = try number(try bits.take(codes.distance), from: &bits)
                let distance = NearPixels.distance(code, width: width)
                guard distance <= position, length <= count - position else { throw BrokenBitstream() }
                pixels.copy(length, from: distance)
                position += length
            } else {
                pixels.addCached(symbol - PrefixGroup.literals - PrefixGroup.lengths)
                position += 1
            }
        }
        return pixels
    }

    /// - Returns: 0 where there is no cache of colours.
    static func cacheBits(from bits: inout LosslessBits) throws(BrokenBitstream) -> Int {
        guard try bits.takeFlag() else { return 0 }
        let count = try bits.take(4)
        guard 1...11 ~= count else { throw BrokenBitstream() }
        return count
    }

    /// A length or a distance: small ones are their symbol, others have some bits more, one for every second symbol.
    private static func number(_ symbol: Int, from bits: inout LosslessBits) throws(BrokenBitstream) -> Int {
        guard symbol >= 4 else { return symbol + 1 }
        let extra = (symbol - 2) >> 1
        return (2 + symbol & 1) << extra + (try bits.take(extra)) + 1
    }
}
