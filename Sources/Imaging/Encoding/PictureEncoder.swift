internal import CImageCodecs

/// Encodes one picture from its rows. Owns the codec's handle.
final class PictureEncoder {
    /// The handle of the encoder for each format.
    private enum Codec {
        case jpeg(OpaquePointer)
        case png(OpaquePointer)
        case webp(OpaquePointer)
    }

    private let codec: Codec
    private let path: String

    /// zlib's level for those parts of a PNG that have repeats. Level 6 makes files at most 0.5 % smaller, in two to
    /// three times the time.
    private static let deflateLevel: Int32 = 4

    /// - Parameters:
    ///   - shape: the shape of the rows: 3 channels for JPEG, 4 for PNG, either for WebP.
    ///   - quality: the quality of JPEG, 1 to 100. WebP gets the corresponding quality, and PNG ignores it.
    init(_ format: PictureFormat, shape: RowShape, quality: Int, file: DerivativeFile) throws(ImagingError) {
        path = file.path
        let (width, height) = (UInt32(shape.width), UInt32(shape.height))
        var opened: OpaquePointer?
        let status =
            switch format {
            case .jpeg: codec_jpeg_writer_open(file.descriptor, width, height, Int32(quality), &opened)
            case .png: codec_png_writer_open(file.descriptor, width, height, Self.deflateLevel, &opened)
            case .webp:
                codec_webp_writer_open(
                    file.descriptor, width, height, shape.channels == 4, WebPQuality.equal(toJPEG: quality),
                    WebPQuality.method, &opened)
            }
        guard let handle = opened else { throw ImagingError(writing: file.path, nil) }
        codec =
            switch format {
            case .jpeg: .jpeg(handle)
            case .png: .png(handle)
            case .webp: .webp(handle)
            }
        try check(status)
    }

    deinit {
        switch codec {
        case .jpeg(let handle): codec_jpeg_writer_close(handle)
        case .png(let handle): codec_png_writer_close(handle)
        case .webp(let handle): codec_webp_writer_close(handle)
        }
    }

    func write(_ row: UnsafePointer<UInt8>) throws(ImagingError) {
        switch codec {
        case .jpeg(let handle): try check(codec_jpeg_writer_row(handle, row))
        case .png(let handle): try check(codec_png_writer_row(handle, row))
        case .webp(let handle): try check(codec_webp_writer_row(handle, row))
        }
    }

    /// - Parameter isCancelled: a closure that is called while WebP is compressed, which happens here. The other
    ///   formats are compressed row by row.
    /// - Returns: the length of the file in bytes.
    func finish(isCancelled: () -> Bool) throws(ImagingError) -> Int64 {
        var bytes: Int64 = 0
        switch codec {
        case .jpeg(let handle): try check(codec_jpeg_writer_finish(handle, &bytes))
        case .png(let handle): try check(codec_png_writer_finish(handle, &bytes))
        case .webp(let handle):
            let status = withoutActuallyEscaping(isCancelled) { isCancelled in
                let check = CancellationCheck(isCancelled)
                // This is safe because `check` outlives the call, and nothing else uses the pointer.
                return withExtendedLifetime(check) {
                    codec_webp_writer_finish(
                        handle, { context in context.map { CancellationCheck.at($0).isCancelled() } ?? false },
                        Unmanaged.passUnretained(check).toOpaque(), &bytes)
                }
            }
            try check(status)
        }
        return bytes
    }

    /// A closure that C can call through a pointer to learn whether to stop.
    private final class CancellationCheck {
        let isCancelled: () -> Bool

        init(_ isCancelled: @escaping () -> Bool) { self.isCancelled = isCancelled }

        static func at(_ pointer: UnsafeMutableRawPointer) -> CancellationCheck {
            Unmanaged.fromOpaque(pointer).takeUnretainedValue()
        }
    }

    private func check(_ status: codec_status) throws(ImagingError) {
        guard status != CODEC_OK else { return }
        switch codec {
        case .jpeg(let handle): throw ImagingError(writing: path, codec_jpeg_writer_failure(handle))
        case .png(let handle): throw ImagingError(writing: path, codec_png_writer_failure(handle))
        case .webp(let handle): throw ImagingError(writing: path, codec_webp_writer_failure(handle))
        }
    }
}
