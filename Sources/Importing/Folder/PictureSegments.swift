internal import Foundation

/// The metadata in a picture file, as raw bytes: EXIF, XMP and IPTC. Only these parts of the file are read.
struct PictureSegments {
    /// The EXIF data: a TIFF structure that follows "Exif\0\0".
    private(set) var exif: [UInt8]?
    private(set) var xmp: [UInt8]?
    /// The image resources of Photoshop, which contain the IPTC record.
    private(set) var photoshop: [UInt8] = []

    private static let exifSignature = Array("Exif\0\0".utf8)
    private static let xmpSignature = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
    private static let photoshopSignature = Array("Photoshop 3.0\0".utf8)
    private static let maximumParts = 1_000
    /// The largest size of each kind of metadata, in bytes.
    private static let maximumLength = 1_000_000

    /// - Parameter descriptor: the descriptor of a file that is open for reading. Its offset does not change.
    init(of descriptor: Int32) {
        let start = Self.bytes(descriptor, at: 0, 16)
        if start.starts(with: [0xFF, 0xD8]) {
            readJPEG(descriptor)
        } else if start.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
            readChunks(descriptor, from: 8, isBigEndian: true)
        } else if start.starts(with: "RIFF".utf8) {
            readChunks(descriptor, from: 12, isBigEndian: false)
        }
    }

    /// Reads the segments of a JPEG up to the picture itself (ITU-T T.81 §B.1.1.4).
    private mutating func readJPEG(_ descriptor: Int32) {
        var offset = 2
        for _ in 0..<Self.maximumParts {
            let head = Self.bytes(descriptor, at: offset, 4)
            guard head.count == 4, head[0] == 0xFF else { return }
            // A marker can be preceded by any number of fill bytes.
            if head[1] == 0xFF {
                offset += 1
                continue
            }
            guard head[1] != 0xDA, head[1] != 0xD9 else { return }
            let length = Int(head[2]) << 8 | Int(head[3])
            guard length >= 2 else { return }
            if head[1] == 0xE1 || head[1] == 0xED {
                take(Self.bytes(descriptor, at: offset + 4, length - 2))
            }
            offset += 2 + length
        }
    }

    private mutating func take(_ segment: [UInt8]) {
        if segment.starts(with: Self.exifSignature) {
            exif = exif ?? segment
        } else if segment.starts(with: Self.xmpSignature) {
            xmp = xmp ?? Array(segment.dropFirst(Self.xmpSignature.count))
        } else if segment.starts(with: Self.photoshopSignature), photoshop.count < Self.maximumLength {
            photoshop += segment.dropFirst(Self.photoshopSignature.count)
        }
    }

    /// Reads the chunks of a PNG (length, type, content, checksum) or of a WebP (type, length, content).
    private mutating func readChunks(_ descriptor: Int32, from start: Int, isBigEndian: Bool) {
        var offset = start
        for _ in 0..<Self.maximumParts {
            let head = Self.bytes(descriptor, at: offset, 8)
            guard head.count == 8 else { return }
            let (number, name) = isBigEndian ? (head[0..<4], head[4..<8]) : (head[4..<8], head[0..<4])
            let length = (isBigEndian ? Array(number) : number.reversed()).reduce(0) { $0 << 8 | Int($1) }
            let type = String(decoding: name, as: UTF8.self)
            if ["eXIf", "iTXt", "EXIF", "XMP "].contains(type), length <= Self.maximumLength {
                takeChunk(type, Self.bytes(descriptor, at: offset + 8, length))
            }
            offset += 8 + length + (isBigEndian ? 4 : length % 2)
        }
    }

    private mutating func takeChunk(_ type: String, _ content: [UInt8]) {
        switch type {
        case "XMP ": xmp = xmp ?? content
        case "iTXt":
            // The text follows the keyword, two bytes for the compression, the language and the translated keyword.
            // Each of these strings ends with a zero byte.
            let mark = Array("XML:com.adobe.xmp\0\0\0".utf8)
            guard content.starts(with: mark) else { return }
            let rest = content.dropFirst(mark.count).drop { $0 != 0 }.dropFirst().drop { $0 != 0 }.dropFirst()
            xmp = xmp ?? Array(rest)
        default: exif = exif ?? (content.starts(with: Self.exifSignature) ? content : Self.exifSignature + content)
        }
    }

    private static func bytes(_ descriptor: Int32, at offset: Int, _ count: Int) -> [UInt8] {
        guard count > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let received = pread(
                    descriptor, buffer.baseAddress.map { $0 + filled }, count - filled, off_t(offset + filled))
                if received < 0, errno == EINTR { continue }
                guard received > 0 else { break }
                filled += received
            }
        }
    }
}
