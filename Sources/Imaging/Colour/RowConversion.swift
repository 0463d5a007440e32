/// Converts decoded rows to sRGB: RGB or RGBA with 8 bits a sample. Only one thread at a time may use it.
package protocol RowConversion: AnyObject {
    /// - Parameters:
    ///   - row: the pixels, as the decoder delivers them.
    ///   - result: room for `pixels` × 3 bytes, or × 4 if the picture has transparency. It must not overlap the row.
    ///   - pixels: the number of pixels in the row.
    func convert(_ row: UnsafePointer<UInt8>, into result: UnsafeMutablePointer<UInt8>, pixels: Int)
}

/// The stage between a decoder and all other stages if the decoder's rows are not sRGB yet.
final class ConvertingStage: RowConsumer {
    private let conversion: any RowConversion
    private let pixels: Int
    private let converted: PixelBuffer<UInt8>
    private let next: any RowConsumer

    /// - Parameter shape: the shape of the rows that are passed on.
    init(_ conversion: any RowConversion, shape: RowShape, next: any RowConsumer) {
        self.conversion = conversion
        self.next = next
        pixels = shape.width
        converted = PixelBuffer(shape.bytesPerRow, zero: 0)
    }

    func consume(_ row: UnsafePointer<UInt8>) throws(ImagingError) {
        conversion.convert(row, into: converted.base, pixels: pixels)
        try next.consume(converted.base)
    }
}

extension PictureDecoder {
    /// Passes all rows to `consumer` as sRGB: RGB or RGBA with 8 bits a sample.
    ///
    /// - Parameter shape: the shape that `start` returned.
    package func decodeColours(
        _ shape: RowShape, into consumer: any RowConsumer, isCancelled: () -> Bool
    ) throws(ImagingError) {
        let first = conversion.map { ConvertingStage($0, shape: shape, next: consumer) } ?? consumer
        try decode(into: first, isCancelled: isCancelled)
    }
}
