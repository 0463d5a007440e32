/// The five codes in which a pixel is written (RFC 9649, section 3, "Entropy Code").
struct PrefixGroup {
    /// The code whose symbols are values of green, lengths of repetitions, and indices into the colour cache.
    let green: PrefixCode
    let red: PrefixCode
    let blue: PrefixCode
    let alpha: PrefixCode
    let distance: PrefixCode

    static let literals = 256
    static let lengths = 24
    static let distances = 40

    init(from bits: inout LosslessBits, cacheBits: Int) throws(BrokenBitstream) {
        green = try PrefixCode(from: &bits, symbols: Self.literals + Self.lengths + Self.cachedColours(cacheBits))
        red = try PrefixCode(from: &bits, symbols: Self.literals)
        blue = try PrefixCode(from: &bits, symbols: Self.literals)
        alpha = try PrefixCode(from: &bits, symbols: Self.literals)
        distance = try PrefixCode(from: &bits, symbols: Self.distances)
    }

    /// The number of colours in the cache.
    ///
    /// - Parameter bits: the number of index bits of the cache, 1 to 11, or 0 if there is no cache.
    static func cachedColours(_ bits: Int) -> Int { bits == 0 ? 0 : 1 << bits }

    /// The size of the tables that libwebp (`src/dec/vp8l_dec.c`) allocates for all groups before it reads the first.
    /// For each code, it allocates the most that any code of the same alphabet can need, in entries of 4 bytes: 256 for
    /// words of up to 8 bits, and for longer words no more than the number of symbols plus 120. Each group also has a
    /// record of 568 bytes, for which a few more are counted here. If all codes are of the worst kind, libwebp
    /// allocates the same amount again, of which it fills one table.
    ///
    /// - Returns: the size in bytes, half a per cent too high.
    static func tableBytes(groups: Int, cacheBits: Int) -> Int {
        let symbols = 4 * literals + lengths + cachedColours(cacheBits) + distances
        return groups * ((symbols + 5 * (256 + 120)) * 4 + 576)
    }
}
