/// The stage that filters the rows of a picture on their way to its files.
final class FilterStage: RowConsumer {
    private let filter: FilterKernel
    private let shape: RowShape
    private let next: any RowConsumer
    private let filtered: PixelBuffer<UInt8>

    init(_ filter: FilterChain, shape: RowShape, next: any RowConsumer) {
        self.filter = FilterKernel(filter)
        self.shape = shape
        self.next = next
        filtered = PixelBuffer(shape.bytesPerRow + 1, zero: 0)
    }

    func consume(_ row: UnsafePointer<UInt8>) throws(ImagingError) {
        filter.apply(to: row, filtered.base, pixels: shape.width, channels: shape.channels)
        try next.consume(filtered.base)
    }
}
