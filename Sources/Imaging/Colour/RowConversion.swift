/// Turns decoded rows into rows of sRGB, RGB or RGBA of 8 bits. One thread at a time may use it.
package protocol RowConversion: AnyObject {
    /// - Parameters:
    ///   - row: `pixels` pixels as the decoder delivers them.
    ///   - result: `pixels` × 3 bytes, or × 4 where the picture has transparency; does not overlap the row.
    func convert(_ row: UnsafePointer<UInt8>, into result: UnsafeMutablePointer<UInt8>, pixels: Int)
}

/// The stage between a decoder and all others where rows are not sRGB yet.
final class ConvertingStage: RowConsumer {
    private let conversion: any RowConversion
    private let pixels: Int
    private let converted: PixelBuffer<UInt8>
    private let next: any RowConsumer

    /// - Parameter shape: of the rows that are handed on.
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
    /// Hands all rows to `consumer` in sRGB, as RGB or RGBA of 8 bits.
    ///
    /// - Parameter shape: what `start` returned.
    package func decodeColours(
        _ shape: RowShape, into consumer: any RowConsumer, isCancelled: () -> Bool
    ) throws(ImagingError) {
        let first = conversion.map { ConvertingStage($0, shape: shape, next: consumer) } ?? consumer
        try decode(into: first, isCancelled: isCancelled)
    }
}
