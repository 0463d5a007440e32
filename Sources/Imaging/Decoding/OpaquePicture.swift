/// Decodes a picture with an alpha channel as one without, provided that all its pixels are opaque. Many programs give
/// every picture an alpha channel. Without it, the picture is written as JPEG, which takes a tenth of the bytes.
final class OpaquePicture: PictureDecoder {
    let header: PictureHeader
    private let picture: any PictureDecoder
    /// The shape of the rows with the alpha channel.
    private var shape = RowShape(width: 0, height: 0, channels: 4)
    /// Whether a pixel was not opaque. If so, `decode` has thrown `.cancelled`.
    private(set) var foundTransparency = false

    /// - Parameter picture: a picture whose header states transparency.
    init(_ picture: any PictureDecoder) {
        self.picture = picture
        header = picture.header.opaque
    }

    /// The conversion is nil because rows are converted before the alpha channel is dropped.
    var conversion: (any RowConversion)? { nil }
    var profileProblem: ProfileProblem? { picture.profileProblem }

    func start(shrink: Int) throws(ImagingError) -> RowShape {
        shape = try picture.start(shrink: shrink)
        return RowShape(width: shape.width, height: shape.height, channels: 3)
    }

    func decode(into consumer: any RowConsumer, isCancelled: () -> Bool) throws(ImagingError) {
        let stage = OpaqueRows(pixels: shape.width, next: consumer)
        defer { foundTransparency = stage.hasTransparency }
        try picture.decodeColours(shape, into: stage, isCancelled: isCancelled)
    }
}

/// Drops the alpha channel of rows, and stops at the first row with a pixel that is not opaque.
private final class OpaqueRows: RowConsumer {
    private(set) var hasTransparency = false
    private let pixels: Int
    private let colours: PixelBuffer<UInt8>
    private let next: any RowConsumer

    init(pixels: Int, next: any RowConsumer) {
        self.pixels = pixels
        self.next = next
        // Each pixel of three bytes is stored as four, so the last store reaches one byte beyond the pixels.
        colours = PixelBuffer(pixels * 3 + 1, zero: 0)
    }

    func consume(_ row: UnsafePointer<UInt8>) throws(ImagingError) {
        var from = UnsafeRawPointer(row)
        var to = UnsafeMutableRawPointer(colours.base)
        let end = from + 4 * pixels
        var common = UInt32.max
        while from < end {
            let pixel = from.loadUnaligned(as: UInt32.self)
            common &= pixel
            to.storeBytes(of: pixel, as: UInt32.self)
            from += 4
            to += 3
        }
        guard UInt32(littleEndian: common) >> 24 == 255 else {
            hasTransparency = true
            throw .cancelled
        }
        try next.consume(colours.base)
    }
}
