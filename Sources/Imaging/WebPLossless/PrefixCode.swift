/// A canonical prefix code, defined by the lengths of its words (RFC 9649, section 3, "Decoding and Building the Prefix
/// Codes").
struct PrefixCode {
    /// The length of the longest possible word, in bits.
    static let longestWord = 15

    /// The words, indexed by as many of the next bits as the longest word of this code has. An entry contains the
    /// symbol in its lower 16 bits, and above them the length of the word that these bits start with.
    private let table: [UInt32]

    /// The symbol of the word that `bits` start with, and the length of that word.
    func first(in bits: UInt64) -> (symbol: Int, length: Int) {
        let entry = table[Int(bits & UInt64(table.count - 1))]
        return (Int(entry & 0xFFFF), Int(entry >> 16))
    }

    /// Reads the word lengths of a code with this number of symbols.
    init(from bits: inout LosslessBits, symbols: Int) throws(BrokenBitstream) {
        let isSimple = try bits.takeFlag()
        try self.init(
            lengths: isSimple
                ? Self.simpleLengths(from: &bits, symbols: symbols) : Self.lengths(from: &bits, symbols: symbols))
    }

    /// - Parameter lengths: the length of each symbol's word, 1 to 15 bits, or 0 if the symbol has no word. Every
    ///   sequence of bits must start with a word, unless there is only one word, which then takes no bits at all.
    init(lengths: [UInt8]) throws(BrokenBitstream) {
        var counts = [Int](repeating: 0, count: Self.longestWord + 1)
        for length in lengths { counts[Int(length)] += 1 }
        let words = lengths.count - counts[0]
        guard words != 1 else {
            table = [UInt32(lengths.firstIndex { $0 > 0 } ?? 0)]
            return
        }
        // `firsts` has the first word of each length, and `left` the number of words of that length that are still
        // free.
        var firsts = [Int](repeating: 0, count: Self.longestWord + 1)
        var left = 1
        for length in 1...Self.longestWord {
            firsts[length] = (1 << length) - 2 * left
            left = 2 * left - counts[length]
            guard left >= 0 else { throw BrokenBitstream() }
        }
        guard left == 0 else { throw BrokenBitstream() }
        let longest = counts.lastIndex { $0 > 0 } ?? 0
        var table = [UInt32](repeating: 0, count: 1 << longest)
        for (symbol, length) in lengths.enumerated() where length > 0 {
            let length = Int(length)
            // The first bit of a word is the highest bit of its number, but the lowest of the bits that are read.
            var word = 0
            for bit in 0..<length where firsts[length] >> bit & 1 == 1 { word |= 1 << (length - 1 - bit) }
            firsts[length] += 1
            for index in stride(from: word, to: table.count, by: 1 << length) {
                table[index] = UInt32(length) << 16 | UInt32(symbol)
            }
        }
        self.table = table
    }

    /// Reads a code of one or two symbols. Symbols beyond the alphabet are skipped, as libwebp does.
    private static func simpleLengths(
        from bits: inout LosslessBits, symbols: Int
    ) throws(BrokenBitstream) -> [UInt8] {
        var lengths = [UInt8](repeating: 0, count: symbols)
        let isPair = try bits.takeFlag()
        let isFirstLong = try bits.takeFlag()
        let first = try bits.take(isFirstLong ? 8 : 1)
        let second = isPair ? try bits.take(8) : first
        for symbol in [first, second] where symbol < symbols { lengths[symbol] = 1 }
        return lengths
    }

    /// Reads word lengths that are themselves written in a prefix code, which has words for repetitions.
    private static func lengths(from bits: inout LosslessBits, symbols: Int) throws(BrokenBitstream) -> [UInt8] {
        let written = try bits.take(4) + 4
        guard written <= orderOfLengths.count else { throw BrokenBitstream() }
        var lengthsOfLengths = [UInt8](repeating: 0, count: orderOfLengths.count)
        for index in 0..<written { lengthsOfLengths[orderOfLengths[index]] = UInt8(try bits.take(3)) }
        let code = try PrefixCode(lengths: lengthsOfLengths)

        var left = symbols
        if try bits.takeFlag() {
            let size = try bits.take(3) * 2 + 2
            left = try bits.take(size) + 2
            guard left <= symbols else { throw BrokenBitstream() }
        }
        var lengths: [UInt8] = []
        lengths.reserveCapacity(symbols)
        var last: UInt8 = 8
        while lengths.count < symbols, left > 0 {
            left -= 1
            let word = try bits.take(code)
            guard word > longestWord else {
                lengths.append(UInt8(word))
                if word > 0 { last = UInt8(word) }
                continue
            }
            let (length, count) =
                switch word {
                case 16: (last, try bits.take(2) + 3)
                case 17: (UInt8(0), try bits.take(3) + 3)
                default: (UInt8(0), try bits.take(7) + 11)
                }
            guard lengths.count + count <= symbols else { throw BrokenBitstream() }
            lengths.append(contentsOf: repeatElement(length, count: count))
        }
        lengths.append(contentsOf: repeatElement(0, count: symbols - lengths.count))
        return lengths
    }

    /// The order in which the code of lengths is written: lengths and repetitions that are likely come first.
    private static let orderOfLengths = [17, 18, 0, 1, 2, 3, 4, 5, 16] + Array(6...15)
}
