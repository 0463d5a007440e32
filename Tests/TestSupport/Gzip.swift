/// Compressed bodies as servers send them (RFC 1952), made without a compressor.
package enum Gzip {
    private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]

    /// - Parameter content: less than 64 KB; it is stored uncompressed, in one block.
    package static func stored(_ content: [UInt8]) -> [UInt8] {
        let length = UInt16(content.count)
        return header + [1] + littleEndian(length) + littleEndian(~length) + content
            + littleEndian(checksum(content)) + littleEndian(UInt32(content.count))
    }

    /// A body of zeros whose decompressed size is more than 150 times its own.
    ///
    /// - Parameter bytes: the approximate decompressed size.
    package static func bomb(_ bytes: Int) -> [UInt8] {
        // The one block uses the fixed codes of RFC 1951 §3.2.6: a zero, and then "258 times the byte before" again and
        // again.
        var bits = BitWriter()
        bits.write([1, 1, 0])
        bits.write([0, 0, 1, 1, 0, 0, 0, 0])
        for _ in 0..<bytes / 258 { bits.write([1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0]) }
        bits.write([0, 0, 0, 0, 0, 0, 0])
        return header + bits.bytes
    }

    private static func littleEndian(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }

    /// CRC-32 (RFC 1952 §8).
    private static func checksum(_ content: [UInt8]) -> UInt32 {
        var sum = UInt32.max
        for byte in content {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? (sum >> 1) ^ 0xEDB8_8320 : sum >> 1 }
        }
        return ~sum
    }

    /// Fills bytes from their lowest bit up.
    private struct BitWriter {
        private(set) var bytes: [UInt8] = []
        private var count = 0

        mutating func write(_ bits: [UInt8]) {
            for bit in bits {
                if count % 8 == 0 { bytes.append(0) }
                bytes[bytes.count - 1] |= bit << (count % 8)
                count += 1
            }
        }
    }
}
