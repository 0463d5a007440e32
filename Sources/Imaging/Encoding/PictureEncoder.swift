internal import CImageCodecs

/// Encodes one picture, rows in. Owns the codec's handle.
final class PictureEncoder {
    private enum Codec {
        case jpeg(OpaquePointer)
        case png(OpaquePointer)
    }

    private let codec: Codec
    private let path: String

    /// zlib's level for PNG, where text repeats in it. Level 6 is at most 0.5 % smaller in two to three times the time.
    private static let deflateLevel: Int32 = 4

    /// - Parameters:
    ///   - shape: 3 channels for JPEG, 4 for PNG.
    ///   - quality: 1 to 100, for JPEG.
    init(_ format: PictureFormat, shape: RowShape, quality: Int, file: DerivativeFile) throws(ImagingError) {
        path = file.path
        let (width, height) = (UInt32(shape.width), UInt32(shape.height))
        var opened: OpaquePointer?
        switch format {
        case .jpeg:
            let status = codec_jpeg_writer_open(file.descriptor, width, height, Int32(quality), &opened)
            guard let handle = opened else { throw ImagingError(writing: file.path, nil) }
            codec = .jpeg(handle)
            try check(status)
        case .png:
            let status = codec_png_writer_open(file.descriptor, width, height, Self.deflateLevel, &opened)
            guard let handle = opened else { throw ImagingError(writing: file.path, nil) }
            codec = .png(handle)
            try check(status)
        }
    }

    deinit {
        switch codec {
        case .jpeg(let handle): codec_jpeg_writer_close(handle)
        case .png(let handle): codec_png_writer_close(handle)
        }
    }

    func write(_ row: UnsafePointer<UInt8>) throws(ImagingError) {
        switch codec {
        case .jpeg(let handle): try check(codec_jpeg_writer_row(handle, row))
        case .png(let handle): try check(codec_png_writer_row(handle, row))
        }
    }

    /// - Returns: the length of the file in bytes.
    func finish() throws(ImagingError) -> Int64 {
        var bytes: Int64 = 0
        switch codec {
        case .jpeg(let handle): try check(codec_jpeg_writer_finish(handle, &bytes))
        case .png(let handle): try check(codec_png_writer_finish(handle, &bytes))
        }
        return bytes
    }

    private func check(_ status: codec_status) throws(ImagingError) {
        guard status != CODEC_OK else { return }
        switch codec {
        case .jpeg(let handle): throw ImagingError(writing: path, codec_jpeg_writer_failure(handle))
        case .png(let handle): throw ImagingError(writing: path, codec_png_writer_failure(handle))
        }
    }
}
