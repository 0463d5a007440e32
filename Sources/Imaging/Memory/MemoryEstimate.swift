/// The most memory that the derivatives of one original need, according to its header. `--memory` is a promise, so the
/// estimate is never too low.
enum MemoryEstimate {
    /// The memory for any picture, in bytes: buffers and tables of the libraries and of zlib, and EXIF data.
    private static let fixedBytes = 3 << 20
    /// The memory for each file, in bytes: for `png_packer`, which compresses PNG, and for rows that are being written.
    private static let bytesPerFile = 640 << 10

    /// The number of rows, of three or four bytes a pixel, that an encoder or its filter collects before it writes.
    private static let rowsInEncoder = 32

    /// The number of rows, of three or four bytes a pixel, between decoder and reduction: one that is converted to
    /// sRGB, and one without the alpha channel.
    private static let rowsInConversion = 2

    /// The memory for a profile, as a multiple of its size. Little CMS holds a profile's bytes, tables of twice that
    /// size, and copies of the tables in each step of a transform.
    private static let copiesOfProfile = 16
    /// The memory, in bytes, for the state of Little CMS and for its transform of the smallest profile. It is also
    /// needed for the gamma and chromaticities of a PNG without a profile.
    private static let conversion = 4 << 20

    /// - Returns: the memory in bytes.
    static func bytes(_ header: PictureHeader, _ options: DerivativeOptions) -> Int {
        let resizePlan = ResizePlan(header.metadata, widths: options.widths)
        let channels = header.hasTransparency ? 4 : 3
        let decoded = Size(
            width: (header.storedWidth + resizePlan.shrink - 1) / resizePlan.shrink,
            height: (header.storedHeight + resizePlan.shrink - 1) / resizePlan.shrink)
        var sum =
            fixedBytes + decoding(header, width: decoded.width)
            + resizePlan.widths.reduce(0) { $0 + stages(resizePlan, $1, decoded: decoded, header, channels: channels) }
        // Only the pixels show whether an alpha channel is used.
        let withWebP = [header.metadata, header.opaque.metadata].first {
            DerivativeSpec.formats($0, resizePlan: resizePlan, options).contains(.webp)
        }
        var compressing = 0
        for width in resizePlan.widths {
            let files = options.publishesUnfiltered && width == resizePlan.widths.last ? 2 : 1
            sum += files * (bytesPerFile + rowsInEncoder * width * 4)
            guard let hasTransparency = withWebP?.hasTransparency else { continue }
            // All sizes are held until the last row has arrived. Then they are compressed one after another.
            let height = resizePlan.height(forWidth: width)
            sum += files * WebPMemory.picture(width: width, height: height, hasTransparency: hasTransparency)
            compressing = max(
                compressing, WebPMemory.workspace(width: width, height: height, hasTransparency: hasTransparency))
        }
        return sum + compressing
    }

    /// The size of a picture in pixels.
    private struct Size {
        let width: Int
        let height: Int
    }

    private static func decoding(_ header: PictureHeader, width: Int) -> Int {
        let colours = header.format == .png || header.profileBytes > 0 ? conversion : 0
        return header.decoderBytes + header.tableBytes + header.metadataBytes
            + width * (header.decoderBytesPerColumn + 4 * rowsInConversion) + colours + copiesOfProfile
            * header.profileBytes
    }

    /// The memory of the stages for one size: the reduction, and the rotation if the picture is turned.
    private static func stages(
        _ resizePlan: ResizePlan, _ width: Int, decoded: Size, _ header: PictureHeader, channels: Int
    ) -> Int {
        func stored(_ width: Int) -> Size {
            let height = resizePlan.height(forWidth: width)
            return header.orientation.transposes
                ? Size(width: height, height: width) : Size(width: width, height: height)
        }
        let size = stored(width)
        let rowsHeld =
            header.orientation == .upright ? 0 : resizePlan.height(forWidth: width) + AutoOrient.columnsPerPass
        let source = resizePlan.parents[width].map(stored)
        return reducer(source ?? decoded, to: size, channels: channels, ofSamples: source != nil)
            + width * rowsHeld * channels
    }

    /// The memory for the window of rows, the weights of both directions, the values from which these are computed, and
    /// two reduced rows.
    /// - Parameter ofSamples: whether the source can be a reduced picture, whose rows arrive as samples.
    private static func reducer(_ source: Size, to target: Size, channels: Int, ofSamples: Bool) -> Int {
        let (rows, columns) = (Taps(source.height, target.height), Taps(source.width, target.width))
        let pixel = MemoryLayout<InterleavedSamples>.stride
        // Opaque rows of a decoder are held as bytes, and all other rows as samples.
        let storesBytes = channels == 3 && !ofSamples
        let window = rows.pairs * (storesBytes ? 6 * source.width + 64 : pixel * (source.width + 4))
        let waiting = source.width * (ofSamples ? MemoryLayout<PixelSamples>.stride : channels)
        let sums = (storesBytes ? 6 * source.width : 0) + pixel * (source.width + 2 * columns.pairs + 4)
        let reduced = 2 * target.width * (channels + MemoryLayout<PixelSamples>.stride)
        return window + sums + waiting + reduced + rows.bytes + columns.bytes
    }

    /// The weights of one direction.
    private struct Taps {
        /// The number of pairs of samples of which one sample is made.
        let pairs: Int
        /// The size of all coefficients in bytes, for single samples and for pairs.
        let bytes: Int

        init(_ source: Int, _ target: Int) {
            // The kernel has three lobes on each side (`ResamplingKernel`).
            let taps = min(source, 6 * source / target + 8)
            pairs = taps / 2 + 2
            bytes = target * (MemoryLayout<InterleavedSamples>.stride * pairs + 2 * taps + 64) + 8 * taps
        }
    }
}
