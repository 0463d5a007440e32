internal import CImageCodecs

/// Decodes a WebP file with libwebp, which gives whole pictures only. Owns the codec's handle.
final class WebPDecoder: PictureDecoder {
    private(set) var header: PictureHeader
    private let file: OriginalFile
    private let handle: OpaquePointer
    private(set) var conversion: (any RowConversion)?
    private(set) var profileProblem: ProfileProblem?
    private let shape: RowShape

    /// The limit is that of JPEG and PNG: the largest profiles in use, those of printers, have about 4 MB.
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
        // Sides are at most 2^24, so no product wraps; sizes over the limit are refused below.
        header = PictureHeader(found, exif)
        try check(status)
        try checkSize(width: found.width, height: found.height, limit: maxPixels)
        header.heldInTables = tableBytes()
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

    /// The bytes that libwebp will allocate for prefix codes of lossless pixels or transparency.
    private func tableBytes() -> Int {
        let lossless = codec_webp_reader_lossless(handle)
        guard let bytes = lossless.bytes else { return 0 }
        // The handle keeps them, and `self` the handle.
        let bits = UnsafeRawBufferPointer(start: bytes, count: lossless.length)
        do throws(BrokenBitstream) {
            return try LosslessPrologue(bits, width: Int(lossless.width), height: Int(lossless.height)).tableBytes
        } catch {
            // The decoder will get as far as this and make none, and say what is wrong.
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
    /// - Parameter exif: of the same file, where it is known.
    fileprivate init(_ found: codec_webp_header, _ exif: ExifBlock?) {
        let pixels = Int(found.width) * Int(found.height)
        self.init(
            format: .webp, storedWidth: Int(found.width), storedHeight: Int(found.height),
            orientation: Orientation(exif), hasTransparency: found.has_transparency, arrivesInPasses: true,
            heldByDecoder: Int(clamping: found.held_bytes) + pixels * (found.has_transparency ? 4 : 3),
            // The rows that libwebp has in hand are counted there.
            heldPerColumn: 0, profileBytes: Int(clamping: found.profile_bytes), shot: CaptureMetadata(exif))
    }

    /// The header by the first bytes of a WebP, for a file that is too large to be read.
    static func presumed(ofWebP file: OriginalFile) throws(ImagingError) -> PictureHeader {
        let start = try file.start(SniffedFormat.inspectedBytes)
        return PictureHeader(codec_webp_presumed_header(start, start.count, UInt64(try file.length())), nil)
    }
}
