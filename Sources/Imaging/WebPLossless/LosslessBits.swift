/// The bits of a lossless WebP picture, the lowest bit of each byte first (RFC 9649, section 3).
///
/// The bits are untrusted: no byte after the last is read, and reading more bits than there are is an error. If there
/// are fewer than eight bytes, 64 bits can be read, of which the missing ones are zero, as in libwebp's reader.
struct LosslessBits {
    /// The bytes, which belong to the codec's handle. The caller keeps the handle alive while the bits are read.
    private let bytes: UnsafeRawBufferPointer
    /// The index of the first byte that is not in the window.
    private var next = 0
    /// The number of zero bytes that follow the last byte.
    private let missing: Int
    /// The next bits, the first one lowest. Above the `ready` bits, the window can contain some of the bits that
    /// follow, but never wrong ones.
    private var window: UInt64 = 0
    private var ready = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        missing = max(0, 8 - bytes.count)
    }

    /// - Parameter count: the number of bits, 0 to 32.
    mutating func take(_ count: Int) throws(BrokenBitstream) -> Int {
        if ready < count { refill() }
        guard ready >= count else { throw BrokenBitstream() }
        let value = Int(window & (1 << count - 1))
        skip(count)
        return value
    }

    mutating func takeFlag() throws(BrokenBitstream) -> Bool { try take(1) == 1 }

    /// Reads the next symbol of a code.
    mutating func take(_ code: PrefixCode) throws(BrokenBitstream) -> Int {
        if ready < PrefixCode.longestWord { refill() }
        let (symbol, length) = code.first(in: window)
        // Beyond the end, the window has zeros, which belong to no word.
        guard ready >= length else { throw BrokenBitstream() }
        skip(length)
        return symbol
    }

    private mutating func skip(_ count: Int) {
        window >>= UInt64(count)
        ready -= count
    }

    /// Makes more than 55 bits ready, or all that are left.
    private mutating func refill() {
        if next + 8 <= bytes.count {
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: next, as: UInt64.self))
            window |= word << UInt64(ready)
            let added = (63 - ready) >> 3
            next += added
            ready += 8 * added
        } else {
            while ready <= 56, next < bytes.count + missing {
                if next < bytes.count { window |= UInt64(bytes[next]) << UInt64(ready) }
                next += 1
                ready += 8
            }
        }
    }
}

/// The bits end too early or are invalid. The decoder of the same bits finds the fault, too, and reports it.
struct BrokenBitstream: Error {}
