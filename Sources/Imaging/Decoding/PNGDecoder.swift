internal import CImageCodecs

/// Decodes a PNG file with libpng. Owns the codec's handle.
final class PNGDecoder: PictureDecoder {
    let header: PictureHeader
    private let file: OriginalFile
    private let handle: OpaquePointer
    private let shape: RowShape
    private var passes: Int32 = 1

    init(_ file: OriginalFile, maxPixels: Int) throws(ImagingError) {
        self.file = file
        var opened: OpaquePointer?
        let status = codec_png_reader_open(file.descriptor, &opened)
        guard let handle = opened else { throw ImagingError(reading: file.path, nil) }
        self.handle = handle

        let found = codec_png_reader_header(handle)
        var exifLength = 0
        let exif = codec_png_reader_exif(handle, &exifLength)
        header = PictureHeader(
            format: .png, storedWidth: Int(found.width), storedHeight: Int(found.height),
            orientation: Orientation(tiff: UnsafeBufferPointer(start: exif, count: exifLength)),
            hasTransparency: found.has_transparency, arrivesInPasses: found.is_interlaced)
        shape = RowShape(
            width: Int(found.width), height: Int(found.height), channels: found.has_transparency ? 4 : 3)
        try check(status)
        try checkSize(width: found.width, height: found.height, limit: maxPixels)
    }

    deinit { codec_png_reader_close(handle) }

    func start(shrink: Int) throws(ImagingError) -> RowShape {
        precondition(shrink == 1, "libpng decodes at full size only")
        try check(codec_png_reader_start(handle, &passes))
        return shape
    }

    func decode(into consumer: any RowConsumer, isCancelled: () -> Bool) throws(ImagingError) {
        if passes == 1 {
            try decodeRows(into: consumer, isCancelled)
        } else {
            try decodePasses(into: consumer, isCancelled)
        }
        try check(codec_png_reader_finish(handle))
    }

    private func decodeRows(into consumer: any RowConsumer, _ isCancelled: () -> Bool) throws(ImagingError) {
        let batch = PixelBuffer<UInt8>(shape.bytesPerRow * min(rowsPerBatch, shape.height), zero: 0)
        var decoded = 0
        while decoded < shape.height {
            guard !isCancelled() else { throw .cancelled }
            let count = min(rowsPerBatch, shape.height - decoded)
            try check(codec_png_reader_rows(handle, batch.base, shape.bytesPerRow, UInt32(count)))
            for index in 0..<count { try consumer.consume(batch.base + index * shape.bytesPerRow) }
            decoded += count
        }
    }

    /// An interlaced picture comes in seven passes over all its rows, so it is held whole.
    private func decodePasses(into consumer: any RowConsumer, _ isCancelled: () -> Bool) throws(ImagingError) {
        let picture = PixelBuffer<UInt8>(shape.bytesPerRow * shape.height, zero: 0)
        for _ in 0..<passes {
            for start in stride(from: 0, to: shape.height, by: rowsPerBatch) {
                guard !isCancelled() else { throw .cancelled }
                let count = min(rowsPerBatch, shape.height - start)
                try check(
                    codec_png_reader_rows(
                        handle, picture.base + start * shape.bytesPerRow, shape.bytesPerRow, UInt32(count)))
            }
        }
        for row in 0..<shape.height {
            if row % rowsPerBatch == 0, isCancelled() { throw .cancelled }
            try consumer.consume(picture.base + row * shape.bytesPerRow)
        }
    }

    private func check(_ status: codec_status) throws(ImagingError) {
        guard status == CODEC_OK else {
            throw ImagingError(reading: file.path, codec_png_reader_failure(handle))
        }
    }
}
