internal import CImageCodecs

/// Decodes a JPEG file with libjpeg-turbo. Owns the codec's handle.
final class JPEGDecoder: PictureDecoder {
    let header: PictureHeader
    private let file: OriginalFile
    private let handle: OpaquePointer
    private(set) var conversion: (any RowConversion)?
    private(set) var profileProblem: ProfileProblem?
    private let model: SampleLayout.Model
    private var shape = RowShape(width: 0, height: 0, channels: 3)

    /// The most scans of a progressive file. Each scan costs time for the whole picture, but can cost no bytes of the
    /// file. Cameras and encoders write about ten.
    private static let maxScans: Int32 = 100

    /// The most rows of each component that libjpeg holds: blocks of up to 4 × 8 rows, a quarter more as context for
    /// neighbouring blocks (jdmainct.c), and the rows that are brought to the full width together (jdsample.c).
    private static let rowsInLibrary = 44

    init(_ file: OriginalFile, maxPixels: Int) throws(ImagingError) {
        self.file = file
        var opened: OpaquePointer?
        let status = codec_jpeg_reader_open(file.descriptor, &opened)
        guard let handle = opened else { throw ImagingError(reading: file.path, nil) }
        self.handle = handle

        let found = codec_jpeg_reader_header(handle)
        model = found.has_inks ? .cmyk : found.components == 1 ? .grey : .colour
        var exifLength = 0
        let bytes = codec_jpeg_reader_exif(handle, &exifLength)
        let exif = ExifBlock(exif: UnsafeBufferPointer(start: bytes, count: exifLength))
        header = PictureHeader(
            format: .jpeg, storedWidth: Int(found.width), storedHeight: Int(found.height),
            orientation: Orientation(exif),
            hasTransparency: false, arrivesInPasses: found.has_many_scans,
            decoderBytes: Int(clamping: found.coefficient_bytes),
            decoderBytesPerColumn: Self.rowsInLibrary * Int(found.components) + rowsPerBatch * (found.has_inks ? 4 : 3),
            profileBytes: Int(clamping: found.profile_bytes), metadataBytes: Int(clamping: found.metadata_bytes),
            capture: CaptureMetadata(exif))
        // A picture that libjpeg refuses for its size has too many pixels. In a damaged header the size means nothing.
        if status != CODEC_UNSUPPORTED { try check(status) }
        try checkSize(width: found.width, height: found.height, limit: maxPixels)
        try check(status)
    }

    deinit { codec_jpeg_reader_close(handle) }

    func start(shrink: Int) throws(ImagingError) -> RowShape {
        var (width, height): (UInt32, UInt32) = (0, 0)
        try check(codec_jpeg_reader_start(handle, UInt32(shrink), &width, &height))
        shape = RowShape(width: Int(width), height: Int(height), channels: 3)
        let colours = ColourConversion(colours, model: model, hasAlpha: false, isWide: false)
        (conversion, profileProblem) = (colours.conversion, colours.problem)
        return shape
    }

    func decode(into consumer: any RowConsumer, isCancelled: () -> Bool) throws(ImagingError) {
        try readScans(isCancelled)
        let stride = shape.width * (model == .cmyk ? 4 : 3)
        let batch = PixelBuffer<UInt8>(stride * rowsPerBatch, zero: 0)
        var decoded = 0
        while decoded < shape.height {
            guard !isCancelled() else { throw .cancelled }
            var count: UInt32 = 0
            try check(codec_jpeg_reader_rows(handle, batch.base, stride, UInt32(rowsPerBatch), &count))
            for index in 0..<Int(count) { try consumer.consume(batch.base + index * stride) }
            decoded += Int(count)
        }
    }

    private var colours: ColourDescription {
        var length = 0
        guard let profile = codec_jpeg_reader_profile(handle, &length) else {
            return codec_jpeg_reader_profile_is_broken(handle) ? .brokenProfile : .sRGB
        }
        return .profile(Array(UnsafeBufferPointer(start: profile, count: length)))
    }

    private func readScans(_ isCancelled: () -> Bool) throws(ImagingError) {
        var isReady = false
        while !isReady {
            guard !isCancelled() else { throw .cancelled }
            try check(codec_jpeg_reader_take_in(handle, Self.maxScans, &isReady))
        }
    }

    private func check(_ status: codec_status) throws(ImagingError) {
        guard status == CODEC_OK else {
            throw ImagingError(reading: file.path, codec_jpeg_reader_failure(handle))
        }
    }
}
