/// The end of the rows' way: filters them and encodes one derivative.
final class DerivativeWriter: RowConsumer {
    let spec: DerivativeSpec
    let file: DerivativeFile
    private let encoder: PictureEncoder
    private let filter: FilterKernel
    private let shape: RowShape
    private let filtered: PixelBuffer<UInt8>

    init(_ spec: DerivativeSpec, filter: FilterChain, quality: Int, directory: String) throws(ImagingError) {
        self.spec = spec
        self.filter = FilterKernel(filter)
        shape = RowShape(width: spec.width, height: spec.height, channels: spec.format == .png ? 4 : 3)
        filtered = PixelBuffer(filter.isEmpty ? 0 : shape.bytesPerRow + 1, zero: 0)
        file = try DerivativeFile(named: spec.fileName, in: directory)
        encoder = try PictureEncoder(spec.format, shape: shape, quality: quality, file: file)
    }

    func consume(_ row: UnsafePointer<UInt8>) throws(ImagingError) {
        if filtered.count == 0 {
            try encoder.write(row)
        } else {
            filter.apply(to: row, filtered.base, pixels: shape.width, channels: shape.channels)
            try encoder.write(filtered.base)
        }
    }

    /// - Returns: the length of the file in bytes; it still has its temporary name.
    func finish() throws(ImagingError) -> Int64 { try encoder.finish() }
}
