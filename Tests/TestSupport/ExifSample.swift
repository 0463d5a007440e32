package import Foundation

/// EXIF data that a test composes entry by entry, and pictures that contain them.
package struct ExifSample {
    package enum Value {
        case text(String)
        case short(UInt16)
        case long(UInt32)
        case fractions([(UInt32, UInt32)])
        /// The type, the count, and the four bytes that contain the value or its offset.
        case raw(type: UInt16, count: UInt32, value: UInt32)
    }

    package var picture: [UInt16: Value]
    package var capture: [UInt16: Value]
    package var location: [UInt16: Value]
    package var isBigEndian: Bool

    package init(
        picture: [UInt16: Value] = [:], capture: [UInt16: Value] = [:], location: [UInt16: Value] = [:],
        isBigEndian: Bool = false
    ) {
        self.picture = picture
        self.capture = capture
        self.location = location
        self.isBigEndian = isBigEndian
    }

    /// The data as a bare TIFF structure.
    package var tiff: [UInt8] {
        var bytes = Array((isBigEndian ? "MM" : "II").utf8) + of(UInt16(42)) + of(UInt32(8))
        var main = picture
        // The offset of the second directory is known only after this one, so its pointer is filled in later.
        if !capture.isEmpty { main[0x8769] = .long(0) }
        if !location.isEmpty { main[0x8825] = .long(0) }
        append(main, to: &bytes)
        for (pointer, directory) in [(UInt16(0x8769), capture), (0x8825, location)] where !directory.isEmpty {
            let index = main.keys.sorted().firstIndex(of: pointer) ?? 0
            let place = 8 + 2 + 12 * index + 8
            bytes.replaceSubrange(place..<place + 4, with: of(UInt32(bytes.count)))
            append(directory, to: &bytes)
        }
        return bytes
    }

    /// Inserts the data into a JPEG without EXIF.
    package func jpeg(around plain: Data) -> Data {
        let exif = Array("Exif\0\0".utf8) + tiff
        var segment = Data([0xFF, 0xE1])
        segment.append(contentsOf: withUnsafeBytes(of: UInt16(exif.count + 2).bigEndian) { Array($0) } + exif)
        return plain.prefix(2) + segment + plain.dropFirst(2)
    }

    /// Inserts the data into a PNG without EXIF, after its header.
    package func png(around plain: Data) -> Data {
        PNGChunk(type: "eXIf", data: tiff).inserted(into: plain)
    }

    private func append(_ directory: [UInt16: Value], to bytes: inout [UInt8]) {
        let start = bytes.count
        var data: [UInt8] = []
        let dataStart = start + 2 + 12 * directory.count + 4
        bytes += of(UInt16(directory.count))
        for (tag, value) in directory.sorted(by: { $0.key < $1.key }) {
            bytes += of(tag)
            let (type, count, content): (UInt16, UInt32, [UInt8])
            switch value {
            case .text(let text): (type, count, content) = (2, UInt32(text.utf8.count + 1), Array(text.utf8) + [0])
            case .short(let number): (type, count, content) = (3, 1, of(number))
            case .long(let number): (type, count, content) = (4, 1, of(number))
            case .fractions(let list):
                (type, count, content) = (5, UInt32(list.count), list.flatMap { of($0.0) + of($0.1) })
            case .raw(let rawType, let rawCount, let number): (type, count, content) = (rawType, rawCount, of(number))
            }
            bytes += of(type) + of(count)
            if content.count > 4 {
                bytes += of(UInt32(dataStart + data.count))
                data += content + (content.count % 2 == 1 ? [0] : [])
            } else {
                bytes += content + [UInt8](repeating: 0, count: 4 - content.count)
            }
        }
        bytes += of(UInt32(0)) + data
    }

    private func of<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        withUnsafeBytes(of: isBigEndian ? number.bigEndian : number.littleEndian) { Array($0) }
    }
}
