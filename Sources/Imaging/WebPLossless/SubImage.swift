/// Receives the pixels of a small image within the bitstream.
protocol SubImagePixels {
    /// - Parameters:
    ///   - count: the number of pixels in the image.
    ///   - cacheBits: the number of index bits of the colour cache, 1 to 11, or 0 if there is no cache.
    init(count: Int, cacheBits: Int)

    /// - Parameter pixel: alpha, red, green and blue, from the highest byte to the lowest.
    mutating func add(_ pixel: UInt32)

    /// Adds the pixel at this index of the colour cache.
    mutating func addCached(_ index: Int)

    /// Adds copies of `length` pixels, one after another, the first of which is `distance` pixels back. If `length` is
    /// greater than `distance`, the copies themselves are copied, too.
    ///
    /// - Parameter distance: a number of pixels, at least 1 and not more than have been added.
    mutating func copy(_ length: Int, from distance: Int)
}

/// Reads images within the bitstream: those that contain a transform's parameters, and the one that states the group of
/// prefix codes of each block of pixels. Such an image has a single group of codes (RFC 9649, section 3, "Image Data"
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
                let distance = DistanceMap.distance(code, width: width)
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

    /// - Returns: the number of index bits of the colour cache; 0 if there is no cache.
    static func cacheBits(from bits: inout LosslessBits) throws(BrokenBitstream) -> Int {
        guard try bits.takeFlag() else { return 0 }
        let count = try bits.take(4)
        guard 1...11 ~= count else { throw BrokenBitstream() }
        return count
    }

    /// Reads a length or a distance. The symbol of a small number is the number itself. Larger numbers have extra bits,
    /// one more with every second symbol.
    private static func number(_ symbol: Int, from bits: inout LosslessBits) throws(BrokenBitstream) -> Int {
        guard symbol >= 4 else { return symbol + 1 }
        let extra = (symbol - 2) >> 1
        return (2 + symbol & 1) << extra + (try bits.take(extra)) + 1
    }
}
