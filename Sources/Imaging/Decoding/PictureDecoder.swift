internal import PhotoModel

/// Decodes one picture, rows out.
package protocol PictureDecoder: AnyObject {
    var header: PictureHeader { get }

    /// Converts the rows of `decode` to sRGB; nil if they are sRGB. Known when `start` has returned.
    var conversion: (any RowConversion)? { get }

    /// Why what the file says of its colours was passed over. Known when `start` has returned.
    var profileProblem: ProfileProblem? { get }

    /// Begins to decode; to be called once. The shape is that of the rows once they are sRGB.
    ///
    /// - Parameter shrink: 1, 2, 4 or 8: rows and columns are to be that many times fewer, rounded up. Only JPEG can;
    ///   all others are asked for 1.
    func start(shrink: Int) throws(ImagingError) -> RowShape

    /// Hands all rows to `consumer`, in the layout that `conversion` takes; without one, as `start` has said. Looks
    /// at `isCancelled` every few dozen rows.
    func decode(into consumer: any RowConsumer, isCancelled: () -> Bool) throws(ImagingError)
}

/// Rows that are decoded in one go, between two looks at whether to go on.
let rowsPerBatch = 16

/// Opens the picture in `file`, reading its header.
///
/// - Parameter maxPixels: more, by the header, are refused before anything is allocated for pixels.
package func openPicture(_ file: OriginalFile, maxPixels: Int) throws(ImagingError) -> any PictureDecoder {
    switch SniffedFormat(start: try file.start(SniffedFormat.inspectedBytes)) {
    case .picture(.jpeg): return try JPEGDecoder(file, maxPixels: maxPixels)
    case .picture(.png): return try PNGDecoder(file, maxPixels: maxPixels)
    case .picture(.webp): return try WebPDecoder(file, maxPixels: maxPixels)
    case .picture(.gif): return try GIFDecoder(file, maxPixels: maxPixels)
    case .otherPicture(let name): throw .picture(.unsupportedFormat(name))
    case .notAPicture(let found): throw .picture(.notAnImage(found))
    }
}

/// Refuses a picture that claims more pixels than `limit`.
func checkSize(width: UInt32, height: UInt32, limit: Int) throws(ImagingError) {
    // Both are below 2^32, so the product of their halves fits: no header can make it wrap.
    let (pixels, overflow) = Int(width).multipliedReportingOverflow(by: Int(height))
    guard !overflow, pixels <= limit else {
        throw .picture(.tooManyPixels(width: Int(width), height: Int(height), limit: limit))
    }
}
