package import Foundation

/// A chunk to be inserted into a PNG.
package struct PNGChunk {
    /// The chunk type, four letters.
    package let type: String
    package let data: [UInt8]

    package init(type: String, data: [UInt8]) {
        self.type = type
        self.data = data
    }

    /// The PNG with this chunk after its header.
    package func inserted(into png: Data) -> Data {
        let summed = Array(type.utf8) + data
        var result = Data(png.prefix(33))
        for part in [Self.bytes(UInt32(data.count)), summed, Self.bytes(Self.checksum(summed))] {
            result.append(contentsOf: part)
        }
        result.append(png.dropFirst(33))
        return result
    }

    private static func bytes(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }

    /// CRC-32 as the PNG specification defines it in annex D.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var sum = ~UInt32(0)
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return ~sum
    }
}
