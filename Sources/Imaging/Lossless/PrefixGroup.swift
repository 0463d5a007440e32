/// The five codes that a pixel is written in (RFC 9649, section 3, "Entropy Code").
struct PrefixGroup {
    /// Its symbols are values of green, lengths of repetitions, and places in the cache of colours.
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

    /// - Parameter bits: 0 where there is no cache, else 1 to 11.
    static func cachedColours(_ bits: Int) -> Int { bits == 0 ? 0 : 1 << bits }

    /// The bytes of tables that libwebp (`src/dec/vp8l_dec.c`) allocates for so many groups before it reads the first:
    /// for each code the most that any code of its alphabet can need, which is, entries of 4 bytes, 256 for words of
    /// up to 8 bits, and for longer ones not more than the symbols and 120; and a record of 568 bytes, here a few
    /// more. Where all codes are of the worst kind it allocates as much again, of which it fills one table.
    ///
    /// - Returns: bytes, half a per cent too much.
    static func tableBytes(groups: Int, cacheBits: Int) -> Int {
        let symbols = 4 * literals + lengths + cachedColours(cacheBits) + distances
        return groups * ((symbols + 5 * (256 + 120)) * 4 + 576)
    }
}
