internal import CImageCodecs

/// Decodes a WebP file with libwebp, which delivers only whole pictures. Owns the codec's handle.
final class WebPDecoder: PictureDecoder {
    private(set) var header: PictureHeader
    private let file: OriginalFile
    private let handle: OpaquePointer
    private(set) var conversion: (any RowConversion)?
    private(set) var profileProblem: ProfileProblem?
    private let shape: RowShape

    /// The limit on the size of a profile, which JPEG and PNG share. The largest profiles in use, those of printers,
    /// have about 4 MB.
    private static let maxProfileBytes = 8 << 20

    init(_ file: OriginalFile, maxPixels: Int) throws(ImagingError) {
        self.file = file
        var opened: OpaquePointer?
        let status = codec_webp_reader_open(file.descriptor, &opened)
        guard let handle = opened else { throw ImagingError(reading: file.path, nil) }
        self.handle = handle

        let found = codec_webp_reader_header(handle)
        var exifLength = 0
        let bytes = codec_webp_reader_exif(handle, &exifLength)
        let exif = ExifBlock.reading(tiff: UnsafeBufferPointer(start: bytes, count: exifLength))
        shape = RowShape(
            width: Int(found.width), height: Int(found.height), channels: found.has_transparency ? 4 : 3)
        // Sides are at most 2^24, so no product overflows. Sizes over the limit are refused below.
        header = PictureHeader(found, exif)
        try check(status)
        try checkSize(width: found.width, height: found.height, limit: maxPixels)
        header.tableBytes = tableBytes()
    }

    deinit { codec_webp_reader_close(handle) }

    func start(shrink: Int) throws(ImagingError) -> RowShape {
        precondition(shrink == 1, "WebP is decoded at full size only")
        var length = 0
        let profile = codec_webp_reader_profile(handle, &length).map {
            length > Self.maxProfileBytes
                ? .brokenProfile : ColourDescription.profile(Array(UnsafeBufferPointer(start: $0, count: length)))
        }
        let colours = ColourConversion(
            profile ?? .sRGB, model: .colour, hasAlpha: header.hasTransparency, isWide: false)
        (conversion, profileProblem) = (colours.conversion, colours.problem)
        return shape
    }

    func decode(into consumer: any RowConsumer, isCancelled: () -> Bool) throws(ImagingError) {
        let picture = PixelBuffer<UInt8>(shape.bytesPerRow * shape.height, zero: 0)
        try check(codec_webp_reader_start(handle, picture.base, shape.bytesPerRow))
        var isDone = false
        while !isDone {
            guard !isCancelled() else { throw .cancelled }
            try check(codec_webp_reader_take_in(handle, &isDone))
        }
        for row in 0..<shape.height {
            if row % rowsPerBatch == 0, isCancelled() { throw .cancelled }
            try consumer.consume(picture.base + row * shape.bytesPerRow)
        }
    }

    /// The memory, in bytes, that libwebp will allocate for the prefix codes of lossless pixels or of a lossless alpha
    /// channel.
    private func tableBytes() -> Int {
        let lossless = codec_webp_reader_lossless(handle)
        guard let bytes = lossless.bytes else { return 0 }
        // The bytes live as long as the handle, which `self` owns.
        let bits = UnsafeRawBufferPointer(start: bytes, count: lossless.length)
        do throws(BrokenBitstream) {
            return try LosslessPrologue(bits, width: Int(lossless.width), height: Int(lossless.height)).tableBytes
        } catch {
            // The decoder will get no further, allocate no tables, and report the fault.
            return 0
        }
    }

    private func check(_ status: codec_status) throws(ImagingError) {
        guard status == CODEC_OK else {
            throw ImagingError(reading: file.path, codec_webp_reader_failure(handle))
        }
    }
}

extension PictureHeader {
    /// - Parameter exif: the EXIF data of the same file, if they are known.
    fileprivate init(_ found: codec_webp_header, _ exif: ExifBlock?) {
        let pixels = Int(found.width) * Int(found.height)
        self.init(
            format: .webp, storedWidth: Int(found.width), storedHeight: Int(found.height),
            orientation: Orientation(exif), hasTransparency: found.has_transparency, arrivesInPasses: true,
            decoderBytes: Int(clamping: found.held_bytes) + pixels * (found.has_transparency ? 4 : 3),
            // The rows that libwebp holds are part of `decoderBytes`.
            decoderBytesPerColumn: 0, profileBytes: Int(clamping: found.profile_bytes), capture: CaptureMetadata(exif))
    }

    /// The header according to the first bytes of a WebP, for a file that is too large to be read.
    static func presumed(ofWebP file: OriginalFile) throws(ImagingError) -> PictureHeader {
        let start = try file.firstBytes(SniffedFormat.inspectedBytes)
        return PictureHeader(codec_webp_presumed_header(start, start.count, UInt64(try file.length())), nil)
    }
}
