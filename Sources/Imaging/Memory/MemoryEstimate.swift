/// What making the derivatives of one original holds at most, told from its header: rather too much than too little.
enum MemoryEstimate {
    /// The libraries' buffers and tables, and those of each file that is written: of zlib most of all.
    private static let fixed = 1 << 20
    private static let perFile = 512 << 10

    /// Rows that a decoder has in hand, beside those of the batch: libjpeg works in blocks and keeps their neighbours.
    private static let rowsInDecoder = 48

    /// Rows that an encoder gathers before it writes.
    private static let rowsInEncoder = 32

    /// - Returns: bytes.
    static func bytes(_ header: PictureHeader, _ options: DerivativeOptions) -> Int {
        let ladder = ReductionLadder(header.facts, widths: options.widths)
        let channels = header.hasTransparency ? 4 : 3
        let decoded = Size(
            width: (header.storedWidth + ladder.shrink - 1) / ladder.shrink,
            height: (header.storedHeight + ladder.shrink - 1) / ladder.shrink)
        // Up to four channels of 16 bits.
        var sum =
            fixed + header.heldByDecoder + header.heldInTables
            + (rowsInDecoder + rowsPerBatch) * decoded.width * 8
        // Whether an alpha channel is made use of shows only on the way.
        let withWebP = [header.facts, header.opaque.facts].filter {
            DerivativeSpec.formats($0, ladder: ladder, options).contains(.webp)
        }
        var compressing = 0
        for width in ladder.widths {
            let upright = Size(width: width, height: ladder.height(forWidth: width))
            if let parent = ladder.parents[width] {
                sum += reducer(Size(width: parent, height: ladder.height(forWidth: parent)), to: upright)
            } else {
                let turns = header.orientation.transposes
                sum += reducer(decoded, to: turns ? Size(width: upright.height, height: upright.width) : upright)
                if header.orientation != .upright { sum += upright.width * upright.height * channels }
            }
            let files = options.publishesUnfiltered && width == ladder.widths.last ? 2 : 1
            sum += files * (perFile + rowsInEncoder * width * 4)
            // All wait for the last row; then one after the other is compressed.
            let height = upright.height
            for facts in withWebP.prefix(1) {
                sum += files * WebPMemory.picture(width: width, height: height, hasTransparency: facts.hasTransparency)
                compressing = max(
                    compressing,
                    WebPMemory.workings(width: width, height: height, hasTransparency: facts.hasTransparency))
            }
        }
        return sum + compressing
    }

    private struct Size {
        let width: Int
        let height: Int
    }

    /// The ring of rows, and the weights.
    private static func reducer(_ source: Size, to target: Size) -> Int {
        func pairs(_ from: Int, _ to: Int) -> Int { min(from, 6 * from / to + 6) / 2 + 2 }
        let pairSize = MemoryLayout<SamplePairs>.stride
        return pairSize
            * (pairs(source.height, target.height) * (source.width + target.height) + source.width
                + pairs(source.width, target.width) * target.width)
    }
}
