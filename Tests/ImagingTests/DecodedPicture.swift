import Imaging

/// All pixels of a picture in sRGB, in the orientation of the file, for comparison.
struct DecodedPicture {
    let header: PictureHeader
    let shape: RowShape
    let bytes: [UInt8]
    let profileProblem: ProfileProblem?

    init(path: String, shrink: Int = 1) throws(ImagingError) {
        let decoder = try openPicture(try OriginalFile(path: path), maxPixels: .max)
        shape = try decoder.start(shrink: shrink)
        header = decoder.header
        let rows = CollectedRows(shape)
        try decoder.decodeColours(shape, into: rows) { false }
        bytes = rows.bytes
        profileProblem = decoder.profileProblem
    }

    /// The mean difference of red, green and blue between two pictures of the same size.
    func meanDifference(to other: DecodedPicture) -> Double {
        precondition((shape.width, shape.height) == (other.shape.width, other.shape.height))
        var sum = 0
        for pixel in 0..<shape.width * shape.height {
            for channel in 0..<3 {
                sum += abs(
                    Int(bytes[pixel * shape.channels + channel])
                        - Int(other.bytes[pixel * other.shape.channels + channel]))
            }
        }
        return Double(sum) / Double(shape.width * shape.height * 3)
    }
}

/// A row consumer that keeps all rows.
final class CollectedRows: RowConsumer {
    private let shape: RowShape
    private(set) var bytes: [UInt8] = []

    init(_ shape: RowShape) {
        self.shape = shape
    }

    func consume(_ row: UnsafePointer<UInt8>) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: row, count: shape.bytesPerRow))
    }
}
