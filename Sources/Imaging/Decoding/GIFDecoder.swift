internal import CImageCodecs

/// Decodes the first frame of a GIF file with giflib. Owns the codec's handle.
final class GIFDecoder: PictureDecoder {
    let header: PictureHeader
    /// The conversion is nil because GIF has no profiles: its colours are treated as sRGB.
    let conversion: (any RowConversion)? = nil
    let profileProblem: ProfileProblem? = nil
    private let file: OriginalFile
    private let handle: OpaquePointer
    private let shape: RowShape

    init(_ file: OriginalFile, maxPixels: Int) throws(ImagingError) {
        self.file = file
        var opened: OpaquePointer?
        let status = codec_gif_reader_open(file.descriptor, &opened)
        guard let handle = opened else { throw ImagingError(reading: file.path, nil) }
        self.handle = handle

        let found = codec_gif_reader_header(handle)
        shape = RowShape(
            width: Int(found.width), height: Int(found.height), channels: found.has_transparency ? 4 : 3)
        header = PictureHeader(
            format: .gif, storedWidth: shape.width, storedHeight: shape.height, orientation: .upright,
            hasTransparency: found.has_transparency, arrivesInPasses: found.is_interlaced,
            decoderBytes: found.is_interlaced ? shape.bytesPerRow * shape.height : 0,
            // The decoder holds one row of indices and one row of colours.
            decoderBytesPerColumn: 1 + shape.channels)
        try check(status)
        try checkSize(width: found.width, height: found.height, limit: maxPixels)
    }

    deinit { codec_gif_reader_close(handle) }

    func start(shrink: Int) throws(ImagingError) -> RowShape {
        precondition(shrink == 1, "GIF is decoded at full size only")
        return shape
    }

    func decode(into consumer: any RowConsumer, isCancelled: () -> Bool) throws(ImagingError) {
        // The rows of an interlaced frame come in four passes, so the whole picture is held; otherwise one row is.
        let isHeld = header.arrivesInPasses
        let pixels = PixelBuffer<UInt8>(shape.bytesPerRow * (isHeld ? shape.height : 1), zero: 0)
        var (line, emitted) = (UInt32(0), 0)
        while codec_gif_reader_next_line(handle, &line) {
            if Int(line) % rowsPerBatch == 0, isCancelled() { throw .cancelled }
            if isHeld {
                try check(codec_gif_reader_row(handle, pixels.base + Int(line) * shape.bytesPerRow))
                continue
            }
            pixels.base.update(repeating: 0, count: shape.bytesPerRow)
            // The picture is empty above the frame.
            while emitted < Int(line) { try emit(pixels.base, &emitted, to: consumer) }
            try check(codec_gif_reader_row(handle, pixels.base))
            try emit(pixels.base, &emitted, to: consumer)
        }
        // The picture is empty below the frame, too.
        if !isHeld { pixels.base.update(repeating: 0, count: shape.bytesPerRow) }
        while emitted < shape.height {
            if emitted % rowsPerBatch == 0, isCancelled() { throw .cancelled }
            try emit(pixels.base + (isHeld ? emitted * shape.bytesPerRow : 0), &emitted, to: consumer)
        }
    }

    private func emit(
        _ row: UnsafePointer<UInt8>, _ count: inout Int, to consumer: any RowConsumer
    ) throws(ImagingError) {
        try consumer.consume(row)
        count += 1
    }

    private func check(_ status: codec_status) throws(ImagingError) {
        guard status == CODEC_OK else {
            throw ImagingError(reading: file.path, codec_gif_reader_failure(handle))
        }
    }
}
