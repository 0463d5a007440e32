internal import CLibExif

extension Orientation {
    private static let exifSignature: [UInt8] = [0x45, 0x78, 0x69, 0x66, 0, 0]

    /// The orientation that EXIF data name; upright where they are unreadable, silent, or name one that does not exist.
    ///
    /// - Parameter exif: a TIFF structure with "Exif\0\0" in front, as in the APP1 segment of a JPEG.
    init(exif: UnsafeBufferPointer<UInt8>) {
        self = Self.value(in: exif).flatMap(Orientation.init(rawValue:)) ?? .upright
    }

    /// The same of a bare TIFF structure, as in the eXIf chunk of a PNG.
    init(tiff: UnsafeBufferPointer<UInt8>) {
        self = (Self.exifSignature + tiff).withUnsafeBufferPointer { Orientation(exif: $0) }
    }

    private static func value(in exif: UnsafeBufferPointer<UInt8>) -> Int? {
        guard exif.count <= UInt32.max, let data = exif_data_new() else { return nil }
        // Everything below belongs to `data`, so this frees it all.
        defer { exif_data_unref(data) }
        exif_data_load_data(data, exif.baseAddress, UInt32(exif.count))
        guard let directory = data.pointee.ifd.0,
            let entry = exif_content_get_entry(directory, EXIF_TAG_ORIENTATION)?.pointee,
            let bytes = entry.data, entry.components >= 1
        else { return nil }
        let order = exif_data_get_byte_order(data)
        switch entry.format {
        case EXIF_FORMAT_SHORT where entry.size >= 2: return Int(exif_get_short(bytes, order))
        case EXIF_FORMAT_LONG where entry.size >= 4: return Int(exif_get_long(bytes, order))
        default: return nil
        }
    }
}
