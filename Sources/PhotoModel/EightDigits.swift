/// Eight lower-case hexadecimal digits that are parsed and written in one step with integer arithmetic. A ledger has
/// tens of thousands of digests, and a loop with a branch for each digit took a large part of reading them.
struct EightDigits {
    /// The value of each digit in a byte of its own, with the first digit in the most significant byte.
    private let digits: UInt64

    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let lowHalves: UInt64 = 0x0F0F_0F0F_0F0F_0F0F

    /// - Parameter bytes: ASCII text with at least eight bytes from `offset` on.
    /// - Returns: nil unless all eight bytes are lower-case hexadecimal digits.
    init?(reading bytes: UnsafeRawBufferPointer, at offset: Int) {
        let text = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        // The low nibble of "0" to "9" is the digit's value. That of "a" to "f", which are the only digits with the bit
        // 0x40, is the value minus 9.
        let digits = (text & Self.lowHalves) + 9 * (text >> 6 & Self.ones)
        self.digits = digits
        // A byte that is not a digit differs from the digit that is written for its value.
        guard digits & ~Self.lowHalves == 0, self.text == text else { return nil }
    }

    init(of value: UInt32) {
        var digits = UInt64(value)
        digits = (digits | digits << 16) & 0x0000_FFFF_0000_FFFF
        digits = (digits | digits << 8) & 0x00FF_00FF_00FF_00FF
        self.digits = (digits | digits << 4) & Self.lowHalves
    }

    var value: UInt32 {
        var value = (digits | digits >> 4) & 0x00FF_00FF_00FF_00FF
        value = (value | value >> 8) & 0x0000_FFFF_0000_FFFF
        return UInt32(truncatingIfNeeded: value | value >> 16)
    }

    /// - Parameter bytes: a buffer with room for eight bytes from `offset` on.
    func write(to bytes: UnsafeMutableRawBufferPointer, at offset: Int) {
        bytes.storeBytes(of: text.bigEndian, toByteOffset: offset, as: UInt64.self)
    }

    /// The digits as ASCII. A digit is a letter exactly if its value plus 6 is at least 16.
    private var text: UInt64 {
        let letters = (digits + 6 * Self.ones) >> 4 & Self.ones
        return digits + 0x30 * Self.ones + 0x27 * letters
    }
}
