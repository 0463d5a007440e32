/// The part of a lossless WebP before its pixels, as far as it decides how much memory the decoder will allocate: the
/// transforms, and the number of groups of prefix codes (RFC 9649, section 3). No header of the file states that
/// number, and libwebp makes the tables of all groups before the first pixel.
struct LosslessPrologue {
    /// The number of groups for which tables are made: 1 to 65536.
    let groups: Int
    /// The number of index bits of the colour cache, which lengthens one table of each group; 0 if there is no cache.
    let cacheBits: Int

    /// The most memory for reading a prologue, in bytes: for the numbers of groups, and for the tables of one group of
    /// codes.
    static let maxBytes = GroupNumbers.maxBytes + 5 << (PrefixCode.longestWord + 2)

    /// The size of the tables that the decoder will allocate, in bytes.
    var tableBytes: Int { PrefixGroup.tableBytes(groups: groups, cacheBits: cacheBits) }

    /// - Parameters:
    ///   - bytes: the bytes after the image header. They are used only during this call.
    ///   - width: the width of the picture in pixels.
    ///   - height: the height of the picture in pixels.
    /// - Throws: an error if the bits end or are invalid before the number of groups is known. The decoder finds the
    ///   same fault before it makes a table.
    init(_ bytes: UnsafeRawBufferPointer, width: Int, height: Int) throws(BrokenBitstream) {
        var bits = LosslessBits(bytes)
        let width = try Self.skipTransforms(in: &bits, width: width, height: height)
        cacheBits = try SubImage.cacheBits(from: &bits)
        guard try bits.takeFlag() else {
            groups = 1
            return
        }
        let blocks = try Self.blocks(from: &bits, width: width, height: height)
        let numbers = try SubImage.read(
            from: &bits, width: blocks.width, height: blocks.height, as: GroupNumbers.self)
        // If the number of groups seems too high, libwebp makes tables only for those that are used.
        let isSuspicious = numbers.highest >= min(1000, width * height)
        groups = isSuspicious ? numbers.usedCount : numbers.highest + 1
    }

    /// Skips the transforms.
    ///
    /// - Returns: the width, in pixels, of the image that follows. If there are few colours, one of its pixels can hold
    ///   several pixels of the picture.
    private static func skipTransforms(
        in bits: inout LosslessBits, width: Int, height: Int
    ) throws(BrokenBitstream) -> Int {
        var width = width
        var seen: Set<Int> = []
        while try bits.takeFlag() {
            let transform = try bits.take(2)
            guard seen.insert(transform).inserted else { throw BrokenBitstream() }
            switch transform {
            case 0, 1:
                // A prediction or colour transform has an image with one pixel for each block.
                let blocks = try blocks(from: &bits, width: width, height: height)
                _ = try SubImage.read(
                    from: &bits, width: blocks.width, height: blocks.height, as: SkippedPixels.self)
            case 2:
                // The transform "subtract green" has no parameters.
                break
            default:
                let colours = try bits.take(8) + 1
                _ = try SubImage.read(from: &bits, width: colours, height: 1, as: SkippedPixels.self)
                let pixelsInOne = colours > 16 ? 1 : colours > 4 ? 2 : colours > 2 ? 4 : 8
                width = (width + pixelsInOne - 1) / pixelsInOne
            }
        }
        return width
    }

    /// Reads the size of blocks, 4 × 4 to 512 × 512 pixels, and returns how many of them cover the picture in each
    /// direction.
    private static func blocks(
        from bits: inout LosslessBits, width: Int, height: Int
    ) throws(BrokenBitstream) -> (width: Int, height: Int) {
        let side = 4 << (try bits.take(3))
        return ((width + side - 1) / side, (height + side - 1) / side)
    }
}
