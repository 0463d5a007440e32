internal import CImageCodecs
internal import CLibExif

/// EXIF data (EXIF 2.32), parsed by libexif. No value in them is assumed to be true or even possible. Owns the handle.
final class ExifBlock {
    private typealias Handle = UnsafeMutablePointer<ExifData>

    /// The directories whose entries are read. The directory of the location is not among them.
    enum Directory {
        /// IFD0, with the tags of the image.
        case ifd0
        /// The Exif IFD, with the tags of the exposure.
        case exif
    }

    private let handle: Handle

    private static let signature: [UInt8] = [0x45, 0x78, 0x69, 0x66, 0, 0]

    /// - Parameter exif: a TIFF structure that follows "Exif\0\0", as in the APP1 segment of a JPEG.
    /// - Returns: nil if there are no data, or more than are read.
    init?(exif: UnsafeBufferPointer<UInt8>) {
        guard let bytes = exif.baseAddress, let handle = codec_exif_read(bytes, exif.count) else { return nil }
        self.handle = Handle(handle)
    }

    /// - Parameter tiff: the TIFF structure, as in the eXIf chunk of a PNG. Some programs put "Exif\0\0" before it.
    static func reading(tiff: UnsafeBufferPointer<UInt8>) -> ExifBlock? {
        if tiff.starts(with: signature) { return ExifBlock(exif: tiff) }
        guard !tiff.isEmpty, tiff.count < CODEC_EXIF_MAX_LENGTH else { return nil }
        return (signature + tiff).withUnsafeBufferPointer { ExifBlock(exif: $0) }
    }

    deinit { exif_data_unref(handle) }

    /// The first number of an entry of type SHORT or LONG.
    func number(_ tag: ExifTag, in directory: Directory) -> Int? {
        guard let entry = entry(tag, directory), let bytes = entry.data else { return nil }
        switch entry.format {
        case EXIF_FORMAT_SHORT where entry.size >= 2: return Int(exif_get_short(bytes, order))
        case EXIF_FORMAT_LONG where entry.size >= 4: return Int(exif_get_long(bytes, order))
        default: return nil
        }
    }

    /// The numbers of an entry of type RATIONAL. A number is nil if its denominator is 0, which stands for "unknown".
    func fractions(_ tag: ExifTag, in directory: Directory) -> [Fraction?] {
        guard let entry = entry(tag, directory), let bytes = entry.data, entry.format == EXIF_FORMAT_RATIONAL else {
            return []
        }
        return stride(from: 0, to: Int(entry.size) / 8 * 8, by: 8).map { offset in
            let value = exif_get_rational(bytes + offset, order)
            return Fraction(value.numerator, value.denominator)
        }
    }

    /// The text of an entry on one line, without white space at its ends; nil if there is no text, or if it is not
    /// UTF-8.
    ///
    /// - Parameter longest: the most characters; a longer text is cut.
    func text(_ tag: ExifTag, in directory: Directory, longest: Int = ExifBlock.longestText) -> String? {
        guard let entry = entry(tag, directory), let bytes = entry.data, entry.format == EXIF_FORMAT_ASCII else {
            return nil
        }
        let characters = UnsafeBufferPointer(start: bytes, count: Int(entry.size)).prefix { $0 != 0 }
        guard let text = String(validating: characters, as: UTF8.self) else { return nil }
        let words = text.split {
            $0.isWhitespace || $0.unicodeScalars.contains { $0.properties.generalCategory == .control }
        }
        let line = String(words.joined(separator: " ").prefix(longest))
        return line.isEmpty ? nil : line
    }

    /// The longest text, in characters. Cameras write shorter ones.
    static let longestText = 100

    private var order: ExifByteOrder { exif_data_get_byte_order(handle) }

    private func entry(_ tag: ExifTag, _ directory: Directory) -> ExifEntry? {
        let directories = handle.pointee.ifd
        return exif_content_get_entry(directory == .ifd0 ? directories.0 : directories.2, tag)?.pointee
    }
}

/// A number as EXIF stores it, which is never negative.
struct Fraction: Hashable {
    let numerator: UInt32
    /// The denominator, which is never 0.
    let denominator: UInt32

    init?(_ numerator: UInt32, _ denominator: UInt32) {
        guard denominator != 0 else { return nil }
        self.numerator = numerator
        self.denominator = denominator
    }

    var value: Double { Double(numerator) / Double(denominator) }
}
