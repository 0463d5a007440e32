/// The last stage of the pipeline: encodes one derivative to its file.
final class DerivativeWriter: RowConsumer {
    let spec: DerivativeSpec
    let file: DerivativeFile
    private let encoder: PictureEncoder

    /// - Parameter channels: the number of channels of the rows: 4 for PNG, 3 for JPEG, either for WebP.
    init(_ spec: DerivativeSpec, channels: Int, quality: Int, directory: String) throws(ImagingError) {
        self.spec = spec
        let shape = RowShape(width: spec.width, height: spec.height, channels: channels)
        file = try DerivativeFile(named: spec.fileName, in: directory)
        encoder = try PictureEncoder(spec.format, shape: shape, quality: quality, file: file)
    }

    func consume(_ row: UnsafePointer<UInt8>) throws(ImagingError) { try encoder.write(row) }

    /// - Returns: the length of the file in bytes. The file still has its temporary name.
    func finish(isCancelled: () -> Bool) throws(ImagingError) -> Int64 { try encoder.finish(isCancelled: isCancelled) }
}
