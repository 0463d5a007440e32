/// The bits of a picture that is WebP without losses, the lowest of each byte first (RFC 9649, section 3).
///
/// The bits are untrusted: no byte after the last is read, and reading more bits than there are is an error.
/// Fewer than eight bytes still give 64 bits, the missing ones zero, because libwebp's reader goes on as far.
struct LosslessBits {
    /// The bytes of the codec's handle. Whoever reads the bits keeps the handle during the whole call.
    private let bytes: UnsafeRawBufferPointer
    /// The first byte that is not in the window.
    private var next = 0
    /// Zeros that follow the last byte, bytes.
    private let missing: Int
    /// The next bits, the first one lowest. Above the bits that are ready there may be some that follow them, never
    /// wrong ones.
    private var window: UInt64 = 0
    private var ready = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        missing = max(0, 8 - bytes.count)
    }

    /// - Parameter count: 0 to 32.
    mutating func take(_ count: Int) throws(BrokenBitstream) -> Int {
        if ready < count { refill() }
        guard ready >= count else { throw BrokenBitstream() }
        let value = Int(window & (1 << count - 1))
        skip(count)
        return value
    }

    mutating func takeFlag() throws(BrokenBitstream) -> Bool { try take(1) == 1 }

    /// The next symbol of a code.
    mutating func take(_ code: PrefixCode) throws(BrokenBitstream) -> Int {
        if ready < PrefixCode.longestWord { refill() }
        let (symbol, length) = code.first(in: window)
        // Behind the end the window has zeros, which are no word's bits.
        guard ready >= length else { throw BrokenBitstream() }
        skip(length)
        return symbol
    }

    private mutating func skip(_ count: Int) {
        window >>= UInt64(count)
        ready -= count
    }

    /// Makes more than 55 bits ready, or all there are.
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

/// The bits end or make no sense. Whoever decodes them finds that too, and has the words for it.
struct BrokenBitstream: Error {}
