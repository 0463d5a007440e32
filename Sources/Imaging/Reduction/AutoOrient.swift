/// Turns a stored picture upright.
///
/// This stage follows the reduction, so that it holds only the reduced picture. It holds all of it if the first upright
/// row needs the last stored row, and nothing of it if each row is only mirrored.
final class AutoOrient: RowConsumer {
    private let orientation: Orientation
    private let stored: RowShape
    private let upright: RowShape
    private let next: any RowConsumer
    private let buffer: PixelBuffer<UInt8>
    private let rotated: PixelBuffer<UInt8>
    private var rowsIn = 0

    /// The number of upright rows that are made in one pass over the held picture if its columns become rows. Each
    /// visit to a held row then uses several neighbouring pixels.
    static let columnsPerPass = 16

    /// - Parameter stored: the shape of the rows that the stage receives.
    init(_ orientation: Orientation, stored: RowShape, next: any RowConsumer) {
        self.orientation = orientation
        self.stored = stored
        self.next = next
        upright =
            orientation.transposes
            ? RowShape(width: stored.height, height: stored.width, channels: stored.channels) : stored
        let needsBuffer = orientation.transposes || orientation.reversesRows
        buffer = PixelBuffer(needsBuffer ? stored.bytesPerRow * stored.height : 0, zero: 0)
        rotated = PixelBuffer(upright.bytesPerRow * (orientation.transposes ? Self.columnsPerPass : 1), zero: 0)
    }

    func consume(_ row: UnsafePointer<UInt8>) throws(ImagingError) {
        if buffer.count == 0 {
            try emit(row)
            return
        }
        (buffer.base + rowsIn * stored.bytesPerRow).update(from: row, count: stored.bytesPerRow)
        rowsIn += 1
        guard rowsIn == stored.height else { return }
        if orientation.transposes {
            try emitColumns()
        } else {
            for row in (0..<stored.height).reversed() { try emit(buffer.base + row * stored.bytesPerRow) }
        }
    }

    /// Passes on a stored row, mirrored if columns are reversed.
    private func emit(_ row: UnsafePointer<UInt8>) throws(ImagingError) {
        guard orientation.reversesColumns else {
            try next.consume(row)
            return
        }
        for column in 0..<stored.width { copyPixel(row, column, rotated.base, stored.width - 1 - column) }
        try next.consume(rotated.base)
    }

    private func emitColumns() throws(ImagingError) {
        for start in stride(from: 0, to: stored.width, by: Self.columnsPerPass) {
            let count = min(Self.columnsPerPass, stored.width - start)
            for x in 0..<stored.height {
                let row = buffer.base + (orientation.reversesRows ? stored.height - 1 - x : x) * stored.bytesPerRow
                for index in 0..<count {
                    let y = start + index
                    let column = orientation.reversesColumns ? stored.width - 1 - y : y
                    copyPixel(row, column, rotated.base + index * upright.bytesPerRow, x)
                }
            }
            for index in 0..<count { try next.consume(rotated.base + index * upright.bytesPerRow) }
        }
    }

    @inline(__always)
    private func copyPixel(
        _ from: UnsafePointer<UInt8>, _ index: Int, _ to: UnsafeMutablePointer<UInt8>, _ position: Int
    ) {
        for channel in 0..<stored.channels {
            to[position * stored.channels + channel] = from[index * stored.channels + channel]
        }
    }
}
