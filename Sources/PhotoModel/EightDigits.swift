/// Eight lower-case hexadecimal digits, read and written all at once: a ledger holds tens of thousands of digests,
/// and a step and a branch for each of their digits was a good part of reading it.
struct EightDigits {
    /// A digit's value in each byte, the first digit in the highest.
    private let digits: UInt64

    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let lowHalves: UInt64 = 0x0F0F_0F0F_0F0F_0F0F

    /// - Parameter bytes: at least eight from `place` on, in ASCII.
    /// - Returns: nil unless all are digits.
    init?(reading bytes: UnsafeRawBufferPointer, at place: Int) {
        let text = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
        // The lower half of "0" to "9" is the value; of "a" to "f", which alone have the bit 0x40, the value less 9.
        let digits = (text & Self.lowHalves) + 9 * (text >> 6 & Self.ones)
        self.digits = digits
        // A byte that is no digit differs from the digit that its value would be written as.
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

    /// - Parameter bytes: with room for eight from `place` on.
    func write(to bytes: UnsafeMutableRawBufferPointer, at place: Int) {
        bytes.storeBytes(of: text.bigEndian, toByteOffset: place, as: UInt64.self)
    }

    /// The digits as ASCII. A value plus 6 is 16 or more exactly if its digit is a letter.
    private var text: UInt64 {
        let letters = (digits + 6 * Self.ones) >> 4 & Self.ones
        return digits + 0x30 * Self.ones + 0x27 * letters
    }
}
