/// A stage that rows of a picture flow into, from the top to the bottom.
protocol RowConsumer: AnyObject {
    /// - Parameter row: RGB or RGBA of 8 bits (not premultiplied), valid until the call returns.
    func consume(_ row: UnsafePointer<UInt8>) throws(ImagingError)
}

/// The size and kind of the rows of a picture.
struct RowShape: Hashable, Sendable {
    /// Pixels.
    let width: Int
    /// Rows.
    let height: Int
    /// 3 (RGB) or 4 (RGBA), a byte each.
    let channels: Int

    var bytesPerRow: Int { width * channels }
}

/// Hands each row to several stages, in order.
final class RowFan: RowConsumer {
    private let consumers: [any RowConsumer]

    init(_ consumers: [any RowConsumer]) {
        self.consumers = consumers
    }

    func consume(_ row: UnsafePointer<UInt8>) throws(ImagingError) {
        for consumer in consumers { try consumer.consume(row) }
    }
}
