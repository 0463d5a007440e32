/// A stage that receives the rows of a picture, from top to bottom.
package protocol RowConsumer: AnyObject {
    /// - Parameter row: pixels of RGB or RGBA with 8 bits a sample, not premultiplied, valid until the call returns.
    ///   Only `ConvertingStage` receives rows in a decoder's own layout.
    func consume(_ row: UnsafePointer<UInt8>) throws(ImagingError)
}

/// The size of a picture and the channels of its rows.
package struct RowShape: Hashable, Sendable {
    /// The number of pixels in a row.
    package let width: Int
    /// The number of rows.
    package let height: Int
    /// The number of channels, one byte each: 3 (RGB) or 4 (RGBA).
    package let channels: Int

    package init(width: Int, height: Int, channels: Int) {
        self.width = width
        self.height = height
        self.channels = channels
    }

    package var bytesPerRow: Int { width * channels }
}

/// Passes each row to several stages, in order.
final class RowTee: RowConsumer {
    private let consumers: [any RowConsumer]

    init(_ consumers: [any RowConsumer]) {
        self.consumers = consumers
    }

    func consume(_ row: UnsafePointer<UInt8>) throws(ImagingError) {
        for consumer in consumers { try consumer.consume(row) }
    }
}
