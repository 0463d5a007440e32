internal import PhotoModel

/// Decodes one picture and delivers its rows.
package protocol PictureDecoder: AnyObject {
    var header: PictureHeader { get }

    /// The conversion of the rows of `decode` to sRGB; nil if they are sRGB. Valid after `start` has returned.
    var conversion: (any RowConversion)? { get }

    /// Why the file's statement about its colours was ignored; nil if it was not. Valid after `start` has returned.
    var profileProblem: ProfileProblem? { get }

    /// Begins to decode. Call once.
    ///
    /// - Parameter shrink: the factor by which rows and columns are reduced, with fractions rounded up: 1, 2, 4 or 8
    ///   for JPEG, 1 for all other formats.
    /// - Returns: the shape of the rows after their conversion to sRGB.
    func start(shrink: Int) throws(ImagingError) -> RowShape

    /// Passes all rows to `consumer`, in the layout that `conversion` takes, or without a conversion in the shape that
    /// `start` returned. Calls `isCancelled` every few dozen rows.
    func decode(into consumer: any RowConsumer, isCancelled: () -> Bool) throws(ImagingError)
}

/// The number of rows that are decoded between two checks for cancellation.
let rowsPerBatch = 16

/// Opens the picture in `file` and reads its header.
///
/// - Parameter maxPixels: the most pixels that the header may state. A larger picture is refused before memory for its
///   pixels is allocated.
package func openPicture(_ file: OriginalFile, maxPixels: Int) throws(ImagingError) -> any PictureDecoder {
    switch SniffedFormat(start: try file.firstBytes(SniffedFormat.inspectedBytes)) {
    case .picture(.jpeg): return try JPEGDecoder(file, maxPixels: maxPixels)
    case .picture(.png): return try PNGDecoder(file, maxPixels: maxPixels)
    case .picture(.webp): return try WebPDecoder(file, maxPixels: maxPixels)
    case .picture(.gif): return try GIFDecoder(file, maxPixels: maxPixels)
    case .otherPicture(let name): throw .picture(.unsupportedFormat(name))
    case .notAPicture(let found): throw .picture(.notAnImage(found))
    }
}

/// Refuses a picture whose header states more pixels than `limit`.
func checkSize(width: UInt32, height: UInt32, limit: Int) throws(ImagingError) {
    // Both are below 2^32, so their product can exceed Int.max. An overflow means too many pixels, too.
    let (pixels, overflow) = Int(width).multipliedReportingOverflow(by: Int(height))
    guard !overflow, pixels <= limit else {
        throw .picture(.tooManyPixels(width: Int(width), height: Int(height), limit: limit))
    }
}
