internal import CImageCodecs
internal import PhotoModel

/// Decodes a PNG file with libpng. Owns the codec's handle.
final class PNGDecoder: PictureDecoder {
    let header: PictureHeader
    private let file: OriginalFile
    private let handle: OpaquePointer
    private(set) var conversion: (any RowConversion)?
    private(set) var profileProblem: ProfileProblem?
    private let shape: RowShape
    private let found: codec_png_header
    /// The size of a row, in bytes, in the layout that the conversion takes.
    private var bytesPerRow = 0
    private var passes: Int32 = 1

    /// The longest side in pixels, which is libpng's own default. A longer row takes much memory, although its file can
    /// have hardly any bytes.
    private static let longestSide = 1_000_000

    init(_ file: OriginalFile, maxPixels: Int) throws(ImagingError) {
        self.file = file
        var opened: OpaquePointer?
        let status = codec_png_reader_open(file.descriptor, &opened)
        guard let handle = opened else { throw ImagingError(reading: file.path, nil) }
        self.handle = handle

        found = codec_png_reader_header(handle)
        var exifLength = 0
        let bytes = codec_png_reader_exif(handle, &exifLength)
        let exif = ExifBlock.reading(tiff: UnsafeBufferPointer(start: bytes, count: exifLength))
        // Samples of 16 bits keep that width if their colours are converted, and only `start` finds out whether they
        // are.
        let pixelBytes = (found.has_transparency ? 4 : 3) * (found.bits == 16 ? 2 : 1)
        // libpng holds the current row, at most in the size in which it is passed on, and the row above. The unpacker
        // holds one row, and the filters hold two.
        let stored = (Int(found.stored_bits) + 7) / 8
        // Sizes whose product overflows are refused below.
        let held = found.is_interlaced ? Int(found.width) &* Int(found.height) &* pixelBytes : 0
        header = PictureHeader(
            format: .png, storedWidth: Int(found.width), storedHeight: Int(found.height),
            orientation: Orientation(exif),
            hasTransparency: found.has_transparency, arrivesInPasses: found.is_interlaced,
            decoderBytes: held,
            decoderBytesPerColumn: 4 * stored + (min(rowsPerBatch, Int(found.height)) + 1) * max(pixelBytes, stored),
            profileBytes: Int(clamping: found.profile_bytes), metadataBytes: Int(clamping: found.metadata_bytes),
            capture: CaptureMetadata(exif))
        shape = RowShape(
            width: Int(found.width), height: Int(found.height), channels: found.has_transparency ? 4 : 3)
        try check(status)
        try checkSize(width: found.width, height: found.height, limit: maxPixels)
        guard max(found.width, found.height) <= Self.longestSide else {
            throw .picture(
                .sideTooLong(width: Int(found.width), height: Int(found.height), limit: Self.longestSide))
        }
    }

    deinit { codec_png_reader_close(handle) }

    func start(shrink: Int) throws(ImagingError) -> RowShape {
        precondition(shrink == 1, "libpng decodes at full size only")
        let chunks = codec_png_reader_colour(handle)
        let colours = ColourConversion(
            Self.colours(chunks), model: found.is_grey ? .grey : .colour, hasAlpha: found.has_transparency,
            isWide: found.bits == 16)
        (conversion, profileProblem) = (colours.conversion, Self.unconverted(chunks) ?? colours.problem)
        bytesPerRow = colours.layout.bytesPerPixel * shape.width
        try check(codec_png_reader_start(handle, colours.layout.isWide, &passes))
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
        let batch = PixelBuffer<UInt8>(bytesPerRow * min(rowsPerBatch, shape.height), zero: 0)
        var decoded = 0
        while decoded < shape.height {
            guard !isCancelled() else { throw .cancelled }
            let count = min(rowsPerBatch, shape.height - decoded)
            try check(codec_png_reader_rows(handle, batch.base, bytesPerRow, UInt32(count)))
            for index in 0..<count { try consumer.consume(batch.base + index * bytesPerRow) }
            decoded += count
        }
    }

    /// Decodes an interlaced picture, which is held whole because it comes in seven passes over all its rows.
    private func decodePasses(into consumer: any RowConsumer, _ isCancelled: () -> Bool) throws(ImagingError) {
        let picture = PixelBuffer<UInt8>(bytesPerRow * shape.height, zero: 0)
        for _ in 0..<passes {
            for start in stride(from: 0, to: shape.height, by: rowsPerBatch) {
                guard !isCancelled() else { throw .cancelled }
                let count = min(rowsPerBatch, shape.height - start)
                try check(
                    codec_png_reader_rows(
                        handle, picture.base + start * bytesPerRow, bytesPerRow, UInt32(count)))
            }
        }
        for row in 0..<shape.height {
            if row % rowsPerBatch == 0, isCancelled() { throw .cancelled }
            try consumer.consume(picture.base + row * bytesPerRow)
        }
    }

    /// The colour space by the colour chunks, in the order of precedence of the PNG specification, third edition, §4.3.
    private static func colours(_ chunks: codec_png_colour) -> ColourDescription {
        if let named = codePoints(chunks)?.colours { return named }
        if let profile = chunks.profile {
            return .profile(Array(UnsafeBufferPointer(start: profile, count: chunks.profile_length)))
        }
        if chunks.is_srgb { return .sRGB }
        if chunks.profile_is_broken { return .brokenProfile }
        // With a gamma outside these limits a picture would be noise, so the value must be a mistake.
        guard (0.1...10).contains(chunks.gamma) else { return .sRGB }
        typealias Primaries = ColourDescription.Primaries
        func given(_ point: (Double, Double), or standard: Primaries.Chromaticity) -> Primaries.Chromaticity {
            chunks.has_chromaticities ? Primaries.Chromaticity(point.0, point.1) : standard
        }
        return .primaries(
            Primaries(
                curve: .power(1 / chunks.gamma), white: given(chunks.white, or: Primaries.whiteOfSRGB),
                red: given(chunks.red, or: Primaries.redOfSRGB), green: given(chunks.green, or: Primaries.greenOfSRGB),
                blue: given(chunks.blue, or: Primaries.blueOfSRGB)))
    }

    private static func codePoints(_ chunks: codec_png_colour) -> CodePoints? {
        guard chunks.has_code_points else { return nil }
        let (primaries, transfer, matrix, range) = chunks.code_points
        return CodePoints(primaries: primaries, transfer: transfer, matrix: matrix, isFullRange: range == 1)
    }

    /// The problem of a cICP chunk whose colour space is not converted, unless a profile takes its place. The file's
    /// other statements about colour are then used.
    private static func unconverted(_ chunks: codec_png_colour) -> ProfileProblem? {
        guard let points = codePoints(chunks), points.colours == nil, chunks.profile == nil else { return nil }
        return .otherCodePoints(primaries: points.primaries, transfer: points.transfer)
    }

    private func check(_ status: codec_status) throws(ImagingError) {
        guard status == CODEC_OK else {
            throw ImagingError(reading: file.path, codec_png_reader_failure(handle))
        }
    }
}
