/// A stage that rows of a picture flow into, from the top to the bottom.
package protocol RowConsumer: AnyObject {
    /// - Parameter row: RGB or RGBA of 8 bits (not premultiplied), valid until the call returns.
    func consume(_ row: UnsafePointer<UInt8>) throws(ImagingError)
}

/// The size and kind of the rows of a picture.
package struct RowShape: Hashable, Sendable {
    /// Pixels.
    package let width: Int
    /// Rows.
    package let height: Int
    /// 3 (RGB) or 4 (RGBA), a byte each.
    package let channels: Int

    package init(width: Int, height: Int, channels: Int) {
        self.width = width
        self.height = height
        self.channels = channels
    }

    package var bytesPerRow: Int { width * channels }
}

/// Hands each row to several stages, in order.
final class RowTee: RowConsumer {
    private let consumers: [any RowConsumer]

    init(_ consumers: [any RowConsumer]) {
        self.consumers = consumers
    }

    func consume(_ row: UnsafePointer<UInt8>) throws(ImagingError) {
        for consumer in consumers { try consumer.consume(row) }
    }
}
